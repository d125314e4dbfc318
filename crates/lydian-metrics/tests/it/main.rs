//! Integration tests of `lydian-metrics`.
#![cfg(test)]

mod golden;
mod variants;
