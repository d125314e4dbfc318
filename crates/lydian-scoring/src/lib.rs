//! Corpus and predictions to scores, breakdowns, flags, composite, tiers and comparisons: a pure function.
//!
//! [`score`] reads entries, predictions and a [`ScoringContext`] and returns everything a run card says about
//! quality, cost and speed. The same input gives the same bytes on every machine and thread count. The rules are
//! restated in `docs/specification/scoring.md`.
#![forbid(unsafe_code)]

mod aggregate;
mod breakdown;
pub mod calibration;
mod caveat;
pub mod compare;
pub mod composite;
mod context;
pub mod dialect;
mod evidence;
mod item;
mod language;
mod latency;
mod recorded;
mod result;
mod score;
pub mod sweep;
mod totals;
pub mod verify;

pub use context::{AnalyserUse, Languages, ScoringContext, TestLeak};
pub use item::ScoringError;
pub use language::semantic::SemanticGuard;
pub use score::{Scored, score};
