//! The part of a card that names the morphological analyser.
use serde::{Deserialize, Serialize};

/// Which analyser to use, where it is published, and how its answers are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyserCard {
    /// Path of the transducer, relative to the card; absent until `language add-analyser` has pinned one.
    pub file: Option<String>,
    /// SHA-256 of that file.
    pub sha256: Option<String>,
    /// Where it is published.
    pub published_at: String,
    /// SPDX licence of the analyser.
    pub licence: String,
    /// Version, as its publisher calls it.
    pub version: Option<String>,
    /// How tags are written.
    pub tags: TagStyle,
    /// A tag that holds the lemma, such as `WORD_ID=`, where letters outside tags do not.
    pub lemma_tag: Option<String>,
    /// Tags whose analyses do not accept a word; a `*` at the end stands for anything.
    #[serde(default)]
    pub excluded_tags: Vec<String>,
    /// Tags that say nothing about the form, left out of morphological comparison.
    #[serde(default)]
    pub ignored_tags: Vec<String>,
    /// Words that tell a working analyser from a generator or a dead file.
    pub self_test: SelfTest,
}

impl AnalyserCard {
    /// Returns what is assumed of an analyser that no card describes.
    pub(crate) fn undescribed() -> Self {
        Self {
            file: None,
            sha256: None,
            published_at: String::new(),
            licence: String::new(),
            version: None,
            tags: TagStyle::Plus,
            lemma_tag: None,
            excluded_tags: vec!["+Err/*".to_owned()],
            ignored_tags: Vec::new(),
            self_test: SelfTest::default(),
        }
    }
}

/// How an analyser writes its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagStyle {
    /// `wâpamêw+V+TA`, prefixes `PV/e+`.
    Plus,
    /// `घर<n><m>`.
    Angle,
    /// `[WORD_ID=kone][UPOS=NOUN]`.
    Bracket,
    /// The acceptor of a speller: no tags at all.
    None,
}

/// Words for the self test of an analyser.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfTest {
    /// Words of the language that every usable analyser accepts.
    pub accepts: Vec<String>,
    /// Strings that it has to reject.
    #[serde(default)]
    pub rejects: Vec<String>,
    /// Analyses a generator would take as its input.
    #[serde(default)]
    pub analyses: Vec<String>,
}
