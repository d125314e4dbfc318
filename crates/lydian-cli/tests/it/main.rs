//! Integration tests of `lydian-cli`.
#![cfg(test)]

mod architecture;
mod book;
mod examples;
mod tidy;
