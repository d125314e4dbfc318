//! Integration tests of `lydian-cli`.
#![cfg(test)]

mod architecture;
mod beginnings;
mod book;
mod cards;
mod corpus_command;
mod dialect;
mod dialect_pages;
mod documented_numbers;
mod examples;
mod foreign_text;
mod guides;
mod hostile;
mod plain_words;
mod replication;
mod run;
mod schemas;
mod score;
mod specification;
mod sweep;
mod tidy;
mod vectors;
