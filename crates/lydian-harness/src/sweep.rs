//! Many runs as one: scheduled on one machine, or worked off a queue by many.

pub mod queue;
pub mod schedule;
