//! Integration tests of `lydian-metrics`.
#![cfg(test)]
