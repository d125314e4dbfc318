//! Runs everything outside the process: methods, plugins, engines; retry, limits, journal, cache, cost.
#![forbid(unsafe_code)]

pub mod fake_provider;
pub mod provider;
pub mod secret;
