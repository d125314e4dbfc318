//! Integration tests of `lydian-metrics`.
#![cfg(test)]

mod golden;
mod golden_corpora;
mod reference;
mod statistics;
mod variants;
