//! Integration tests of `lydian-model`.
#![cfg(test)]

mod corpus_reading;
mod dialect;
mod importing;
mod predictions_reading;
mod real_corpora;
mod run_card_reading;
mod shared;
mod sweep_plan;
mod validation;
mod workbook;
