//! The corpus: an envelope and its entries (B §2).

use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{Domain, EntryId, Segment};

pub mod export;
pub mod import;
pub mod read;
pub mod split;
pub mod stats;
pub mod validate;

/// A collection of parallel texts with metadata.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
pub struct Corpus {
    /// The envelope.
    pub dataset: Dataset,
    /// The entries in file order.
    pub entries: Vec<Entry>,
    /// Top-level fields beside `dataset` and `entries`, kept as they were.
    #[schemars(flatten)]
    pub extra: Map<String, Value>,
}

/// The envelope of a corpus (B §2.1).
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct Dataset {
    /// Unique identifier.
    pub id: String,
    /// Semantic version.
    pub version: String,
    /// Display label such as `EN→CRK`; never parsed (decision 1).
    pub language_pair: String,
    /// BCP 47 tag of the source language.
    pub source_language: String,
    /// BCP 47 tag of the target language.
    pub target_language: String,
    /// ISO 8601 date of creation.
    pub created: String,
    /// SPDX licence expression.
    pub license: String,
    /// Union of the entries' provenance tags.
    pub provenance: Vec<String>,
    /// Further fields, kept as they were.
    #[schemars(flatten)]
    pub extra: Map<String, Value>,
}

/// One translation task (B §2.2).
#[derive(Clone, Debug, PartialEq, JsonSchema)]
pub struct Entry {
    /// Identifier, unique in the corpus.
    pub id: EntryId,
    /// Text in the source language.
    #[schemars(length(min = 1))]
    pub source: String,
    /// Human translation.
    #[schemars(length(min = 1))]
    pub reference: String,
    /// Partition; a missing one counts as `development` (decision 6).
    pub segment: Option<Segment>,
    /// 1 (single words) to 5 (advanced), B §2.4.
    #[schemars(range(min = 1, max = 5))]
    pub difficulty: Option<u8>,
    /// Where the entry comes from.
    pub provenance: Option<Provenance>,
    /// Formality (B §2.6).
    pub register: Option<String>,
    /// Communicative function (B §2.6).
    pub context: Option<String>,
    /// Application domain (B §2.7).
    pub domain: Option<Domain>,
    /// Gold morphological analysis.
    pub morphological_analysis: Option<String>,
    /// Remarks of the translator.
    pub notes: Option<String>,
    /// Label of the class of acceptable variants.
    pub variant_class: Option<String>,
    /// Further acceptable translations.
    #[schemars(default)]
    pub variants: Vec<String>,
    /// Further fields, kept as they were.
    #[schemars(flatten)]
    pub extra: Map<String, Value>,
}

impl Entry {
    /// Returns an entry with the three required fields and nothing else.
    pub fn new(id: EntryId, source: impl Into<String>, reference: impl Into<String>) -> Self {
        Self {
            id,
            source: source.into(),
            reference: reference.into(),
            segment: None,
            difficulty: None,
            provenance: None,
            register: None,
            context: None,
            domain: None,
            morphological_analysis: None,
            notes: None,
            variant_class: None,
            variants: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Returns the segment, `development` when the file names none (decision 6).
    pub fn segment_or_default(&self) -> Segment {
        self.segment.unwrap_or_default()
    }
}

/// Where an entry comes from: a tag (B §2.5) or a third party's object, which is kept.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Provenance {
    /// A free tag such as `textbook`.
    Tag(String),
    /// An object, usually with `source_name`, `license` and `url`.
    Source(Map<String, Value>),
}

impl Provenance {
    /// Returns the tag under which breakdowns count the entry.
    pub fn label(&self) -> &str {
        match self {
            Self::Tag(tag) => tag,
            Self::Source(fields) => fields
                .get("source_name")
                .and_then(Value::as_str)
                .unwrap_or("unnamed source"),
        }
    }
}

impl Serialize for Provenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Tag(tag) => serializer.serialize_str(tag),
            Self::Source(fields) => fields.serialize(serializer),
        }
    }
}

impl Serialize for Corpus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("dataset", &self.dataset)?;
        map.serialize_entry("entries", &self.entries)?;
        serialize_extra(&mut map, &self.extra)?;
        map.end()
    }
}

impl Serialize for Dataset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("language_pair", &self.language_pair)?;
        map.serialize_entry("source_language", &self.source_language)?;
        map.serialize_entry("target_language", &self.target_language)?;
        map.serialize_entry("created", &self.created)?;
        map.serialize_entry("license", &self.license)?;
        map.serialize_entry("provenance", &self.provenance)?;
        serialize_extra(&mut map, &self.extra)?;
        map.end()
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("source", &self.source)?;
        map.serialize_entry("reference", &self.reference)?;
        serialize_some(&mut map, "segment", self.segment.as_ref())?;
        serialize_some(&mut map, "difficulty", self.difficulty.as_ref())?;
        serialize_some(&mut map, "provenance", self.provenance.as_ref())?;
        serialize_some(&mut map, "register", self.register.as_ref())?;
        serialize_some(&mut map, "context", self.context.as_ref())?;
        serialize_some(&mut map, "domain", self.domain.as_ref())?;
        serialize_some(
            &mut map,
            "morphological_analysis",
            self.morphological_analysis.as_ref(),
        )?;
        serialize_some(&mut map, "notes", self.notes.as_ref())?;
        serialize_some(&mut map, "variant_class", self.variant_class.as_ref())?;
        if !self.variants.is_empty() {
            map.serialize_entry("variants", &self.variants)?;
        }
        serialize_extra(&mut map, &self.extra)?;
        map.end()
    }
}

fn serialize_some<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

fn serialize_extra<M: SerializeMap>(map: &mut M, extra: &Map<String, Value>) -> Result<(), M::Error> {
    extra
        .iter()
        .try_for_each(|(key, value)| map.serialize_entry(key, value))
}
