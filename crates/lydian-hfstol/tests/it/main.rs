//! Integration tests of `lydian-hfstol`.
#![cfg(test)]

mod fixtures;
mod mutated;
mod reference;
mod refusals;
mod suggestions;
