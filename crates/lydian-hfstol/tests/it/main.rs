//! Integration tests of `lydian-hfstol`.
#![cfg(test)]

mod fixtures;
mod mutated;
mod refusals;
