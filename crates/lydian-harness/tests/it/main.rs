//! Integration tests of `lydian-harness`.
#![cfg(test)]
