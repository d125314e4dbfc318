//! Runs from the command line: forms, refusals, exit codes, and what a killed run leaves behind.

mod dialect;
mod dialect_resumed;
mod durability;
mod endings;
mod folders;
mod full_disk;
mod gated;
mod install;
mod methods;
mod providers;
mod reading;
mod refusals;
mod semantic;
pub(crate) mod workshop;
