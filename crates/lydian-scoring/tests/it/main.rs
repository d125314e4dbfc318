//! Integration tests of `lydian-scoring`.
#![cfg(test)]

mod dialect;
