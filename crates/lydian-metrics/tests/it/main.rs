//! Integration tests of `lydian-metrics`.
#![cfg(test)]

mod differential;
mod golden;
mod golden_corpora;
mod parts;
mod properties;
mod reference;
mod sentencepiece;
mod statistics;
mod variants;
