//! What a method is given of an entry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Domain, Entry, EntryId};

/// The question side of an entry (decision 29a): the reference and everything else that belongs to the answer
/// does not exist in this type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceEntry {
    /// The entry's id.
    pub id: EntryId,
    /// Text to translate.
    pub source: String,
    /// Communicative function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Formality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<String>,
    /// Application domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<Domain>,
    /// Question of a multiple-choice item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Options of a multiple-choice item, in the order A to D.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl From<&Entry> for SourceEntry {
    fn from(entry: &Entry) -> Self {
        Self {
            id: entry.id.clone(),
            source: entry.source.clone(),
            context: entry.context.clone(),
            register: entry.register.clone(),
            domain: entry.domain,
            prompt: None,
            options: Vec::new(),
        }
    }
}
