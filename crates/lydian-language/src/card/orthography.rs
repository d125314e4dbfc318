//! The part of a card that describes one written norm.
use super::Rewrite;
use serde::{Deserialize, Serialize};

/// One written norm of a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Orthography {
    /// Short name, such as `sro-circumflex`.
    pub id: String,
    /// ISO 15924 code of its script.
    pub script: String,
    /// The letters in lower case, separated by spaces, or a set such as `[a-z {ng}]`; several characters may form one
    /// letter.
    pub letters: Option<String>,
    /// Letters that occur in names and loan words only.
    #[serde(default)]
    pub loan_letters: String,
    /// A locale of the Common Locale Data Repository whose letters are used instead.
    pub exemplars: Option<String>,
    /// Rewrites that lead to this norm from others, applied before a second look-up.
    #[serde(default)]
    pub normalise: Vec<Rewrite>,
    /// What must not occur in a word.
    #[serde(default)]
    pub violation: Vec<Violation>,
    /// Sets of characters of which an output may use one only, such as `âêîô` and `āēīō`.
    #[serde(default)]
    pub never_together: Vec<Vec<String>>,
    /// Whether the norm is settled enough for a score; if not, only the characters are checked and nothing is scored.
    #[serde(default)]
    pub scored: bool,
}

/// A spelling that the norm does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    /// The forbidden characters, in lower case.
    pub text: String,
    /// Why, in one sentence.
    pub reason: String,
}
