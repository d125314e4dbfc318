//! The `lydian` command: evaluation of machine-translation methods.
#![forbid(unsafe_code)]

fn main() {}
