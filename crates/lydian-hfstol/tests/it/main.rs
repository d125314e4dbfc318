//! Integration tests of `lydian-hfstol`.
#![cfg(test)]
