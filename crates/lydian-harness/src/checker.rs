//! Checks between an answer and its acceptance: what is rejected goes back to the model.

mod command;
mod fst;
mod glossary;
mod length;
mod script;

pub use command::CommandChecker;
pub use fst::FstGate;
pub use glossary::{GlossaryChecker, GlossaryError};
pub use length::LengthChecker;
pub use script::{ScriptChecker, UnknownScript};

use crate::translator::BoxFuture;

/// Judges an output. A morphological analyser, a length rule, a script, a glossary and any program are such checks.
pub trait Checker: Send + Sync {
    /// Returns the name shown in the journal.
    fn name(&self) -> &str;

    /// Judges an output for its source. An error means that the check itself could not be made; then the output is
    /// neither accepted nor rejected.
    fn check<'a>(&'a self, source: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>>;

    /// Returns which analyser decides, where one does; a run records it.
    fn analyser(&self) -> Option<AnalyserIdentity> {
        None
    }
}

/// Which morphological analyser a check asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyserIdentity {
    /// Its publisher's name for the version, else the beginning of its digest.
    pub version: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// Tag and digest of the language card by whose rules words are found, if there is a card.
    pub language_card: Option<String>,
}

/// What a check says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The words or terms it rejects; empty and with no message means accepted.
    pub rejected: Vec<String>,
    /// What is wrong, for the model to read.
    pub message: String,
}

impl Verdict {
    /// Returns whether the output is accepted.
    pub fn accepted(&self) -> bool {
        self.rejected.is_empty() && self.message.is_empty()
    }
}

/// A check that could not be made.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("check {name}: {problem}")]
pub struct CheckError {
    /// The check.
    pub name: String,
    /// What happened.
    pub problem: String,
}
