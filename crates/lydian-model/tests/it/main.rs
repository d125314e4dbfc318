//! Integration tests of `lydian-model`.
#![cfg(test)]

mod dialect;
