//! Integration tests of `lydian-cli`.
#![cfg(test)]
