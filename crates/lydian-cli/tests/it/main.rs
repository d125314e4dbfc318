//! Integration tests of `lydian-cli`.
#![cfg(test)]

mod architecture;
mod book;
mod cards;
mod documented_numbers;
mod corpus_command;
mod examples;
mod hostile;
mod replication;
mod run;
mod specification;
mod tidy;
