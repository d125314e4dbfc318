//! Integration tests of `lydian-report`.
#![cfg(test)]

mod page;
mod sample;
mod text;
