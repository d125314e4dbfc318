//! The part of a card that says which other translations count as equal.
use serde::{Deserialize, Serialize};

/// Declarative rules of equivalence; each rule that fires is named in the result.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EquivalenceCard {
    /// Spellings that differ by convention only.
    pub spelling: Vec<Rewrite>,
    /// Words that may be left out.
    pub optional_words: Vec<String>,
    /// Sets of words that stand for each other.
    pub synonyms: Vec<Vec<String>>,
    /// Whether synonyms are compared as forms or, through the analyser, as lemmas.
    pub synonym_level: SynonymLevel,
    /// Whether the order of words is free.
    pub free_word_order: bool,
    /// Whether a hyphen, a space and nothing join the same words.
    pub loose_attachment: bool,
}

/// One spelling convention: both sides count as the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// What is replaced.
    pub from: String,
    /// What replaces it.
    pub to: String,
}

/// The level on which synonyms are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SynonymLevel {
    /// Word forms.
    #[default]
    Form,
    /// Lemmas with equal tags, through the analyser.
    Lemma,
}
