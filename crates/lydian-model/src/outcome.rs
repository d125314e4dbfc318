//! What became of an entry of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outcome of one entry (decision 7). Guesses from the wording of an answer never change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A complete answer.
    Ok,
    /// The provider stopped at a length limit.
    Truncated,
    /// An answer without text.
    Empty,
    /// Withheld by a content filter.
    Filtered,
    /// The provider's own refusal signal.
    Refused,
    /// An answer from which no translation for this entry could be read.
    Unparsable,
    /// No answer: network, provider, crash, time-out.
    Failed,
}

impl Outcome {
    /// All outcomes in the order reports list them.
    pub const ALL: [Self; 7] = [
        Self::Ok,
        Self::Truncated,
        Self::Empty,
        Self::Filtered,
        Self::Refused,
        Self::Unparsable,
        Self::Failed,
    ];

    /// Says whether the answer's text is scored; all other outcomes are scored as the empty string (decision 8).
    pub const fn text_is_scored(self) -> bool {
        matches!(self, Self::Ok | Self::Truncated)
    }

    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Truncated => "truncated",
            Self::Empty => "empty",
            Self::Filtered => "filtered",
            Self::Refused => "refused",
            Self::Unparsable => "unparsable",
            Self::Failed => "failed",
        }
    }
}
