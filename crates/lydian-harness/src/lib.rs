//! Runs everything outside the process: methods, plugins, engines; retry, limits, journal, cache, cost.
#![forbid(unsafe_code)]

pub mod budget;
pub mod cache;
pub mod endpoint;
pub mod fake_provider;
pub mod journal;
pub mod limit;
pub mod price;
pub mod provider;
pub mod run;
pub mod secret;
pub mod translator;
pub mod transport;
