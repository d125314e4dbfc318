//! The prompt with which items of one type were put to a method, as a run records it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sha256Hex;

/// A prompt as templates: what stands in braces is filled in per item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemPromptText {
    /// Whose prompt it is.
    pub origin: PromptOrigin,
    /// Digest of the canonical JSON of `system` and `user`.
    pub sha256: Sha256Hex,
    /// The system prompt; empty when there is none.
    pub system: String,
    /// The user's turn.
    pub user: String,
}

/// Whose prompt an item was put with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptOrigin {
    /// The method's own.
    Method,
    /// The one that Lydian ships.
    Shipped,
    /// From the file of the benchmark's author.
    Given,
}

impl PromptOrigin {
    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Shipped => "shipped",
            Self::Given => "given",
        }
    }
}

impl ItemPromptText {
    /// Returns the prompt with its digest.
    pub fn new(origin: PromptOrigin, system: &str, user: &str) -> Self {
        #[derive(Serialize)]
        struct Parts<'a> {
            system: &'a str,
            user: &'a str,
        }
        Self {
            origin,
            sha256: Sha256Hex::of_canonical(&Parts { system, user }),
            system: system.to_owned(),
            user: user.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_of_the_text_and_not_of_its_origin() {
        let digest = |origin, user| ItemPromptText::new(origin, "", user).sha256;
        assert_eq!(
            digest(PromptOrigin::Given, "{source}"),
            digest(PromptOrigin::Shipped, "{source}")
        );
        assert_ne!(
            digest(PromptOrigin::Given, "{source}"),
            digest(PromptOrigin::Given, "{source}.")
        );
        assert_eq!(
            digest(PromptOrigin::Given, "x"),
            Sha256Hex::of(br#"{"system":"","user":"x"}"#)
        );
    }
}
