//! Every document that crosses a file or wire boundary: corpus, method manifest, predictions, run card.
//!
//! The crate does no input or output, reads no clock and draws no random number: bytes and values come in,
//! documents and diagnostics go out. The rules it enforces are restated in `docs/specification/`.
#![forbid(unsafe_code)]

pub mod calendar;
pub mod canonical;
pub mod corpus;
pub mod cost_assumptions;
mod counted;
pub mod diagnostic;
pub mod dialect;
pub mod entry_id;
pub mod fingerprint;
mod foreign;
mod json;
pub mod language_tag;
pub mod method;
pub mod money;
pub mod number;
pub mod outcome;
pub mod prediction;
pub mod predictions;
pub mod quotation;
pub mod run_card;
pub mod run_setup;
pub mod semantic;
pub mod source_entry;
pub mod supported_pair;
pub mod sweep;
pub mod usage;
pub mod vocabulary;

pub use canonical::{Sha256Hex, canonical_bytes};
pub use corpus::{Corpus, Dataset, Entry, Provenance};
pub use counted::{agreeing, counted, grouped};
pub use diagnostic::{Diagnostic, Findings, Place, Severity};
pub use entry_id::EntryId;
pub use language_tag::LanguageTag;
pub use method::{DependencyClass, MethodClass, MethodManifest};
pub use money::NanoUsd;
pub use number::{Finite, Score};
pub use outcome::Outcome;
pub use prediction::Prediction;
pub use run_card::RunCard;
pub use run_setup::RunSetup;
pub use source_entry::SourceEntry;
pub use sweep::SweepPlan;
pub use usage::TokenUsage;
pub use vocabulary::{Domain, Segment};
