//! Integration tests of `lydian-cli`.
#![cfg(test)]

mod architecture;
mod book;
mod cards;
mod examples;
mod run;
mod hostile;
mod replication;
mod specification;
mod tidy;
