//! Integration tests of `lydian-language`.
#![cfg(test)]

mod detectors;
mod morphology;
mod reports;
