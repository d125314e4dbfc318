//! Integration tests of `lydian-cli`.
#![cfg(test)]

mod architecture;
mod book;
mod cards;
mod examples;
mod specification;
mod tidy;
