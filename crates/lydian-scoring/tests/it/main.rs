//! Integration tests of `lydian-scoring`.
#![cfg(test)]
#![expect(
    clippy::float_cmp,
    reason = "scores in documents are rounded, so that equal ones are equal in bits"
)]

mod comparison;
mod dialect;
mod documented_tables;
mod language;
mod properties;
mod recorded_runs;
mod sample;
mod scoring;
mod semantic;
mod verification;
