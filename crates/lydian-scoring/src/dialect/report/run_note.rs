//! What a report records of the run that brought its answers.

use std::collections::BTreeMap;

use lydian_model::dialect::{ItemPromptText, ItemType};
use lydian_model::{EntryId, Finite, Sha256Hex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The run, as its journal records it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunNote {
    /// UUID of the run.
    pub run_id: String,
    /// When it began.
    pub timestamp: String,
    /// The method.
    pub method_id: String,
    /// Digest over the method's manifest and files.
    pub method_sha256: Sha256Hex,
    /// Model or engine.
    pub model_slug: String,
    /// Sampling temperature; null for methods without sampling.
    pub temperature: Option<Finite>,
    /// Base URL of the provider, if there is one.
    pub endpoint: Option<String>,
    /// Digest over everything that could change an answer.
    pub setup_fingerprint: Sha256Hex,
    /// The prompts by item type; a type without one was put as text, or as question and options apart.
    pub prompts: BTreeMap<ItemType, ItemPromptText>,
    /// Whether every item of the file was asked.
    pub complete: bool,
    /// Items whose source or reference stands in the prompt or the coaching data that the method was shown.
    pub shown_items: Vec<EntryId>,
}
