//! Integration tests of `lydian-report`.
#![cfg(test)]
