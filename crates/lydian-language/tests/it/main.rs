//! Integration tests of `lydian-language`.
#![cfg(test)]

mod cards;
mod detectors;
mod misbehaviour;
mod morphology;
mod reports;
mod rules;
