//! Calls against the fake provider over real connections, and against a simulated one in virtual time.
#![cfg(test)]

mod clock;
mod endpoint;
mod log;
mod method;
mod plugin;
mod service;
mod storm;
