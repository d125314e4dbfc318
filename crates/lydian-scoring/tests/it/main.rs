//! Integration tests of `lydian-scoring`.
#![cfg(test)]

mod comparison;
mod dialect;
mod documented_tables;
mod recorded_runs;
mod sample;
mod scoring;
mod verification;
