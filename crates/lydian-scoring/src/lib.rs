//! Corpus and predictions to scores, breakdowns, flags, composite, tiers and comparisons: a pure function.
#![forbid(unsafe_code)]
pub mod dialect;
