//! A content word of a T1 reference with its weight and the other ways of saying it (D §2, decision 35).

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A content word of the reference: authored data, one per distinct lemma and part of speech.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Keyword {
    /// The word as it stands in the reference.
    pub word: String,
    /// Its dictionary form.
    pub lemma: String,
    /// Its part of speech, which fixes the weight.
    pub pos: PartOfSpeech,
    /// What it counts: 1.0 or 0.5.
    pub weight: KeywordWeight,
    /// Further inflected forms that count as the same word.
    pub forms: Vec<String>,
    /// Other words or phrases of the target language that count as well.
    pub synonyms: Vec<String>,
}

/// The parts of speech that carry content (D §2 step 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PartOfSpeech {
    /// Noun.
    Noun,
    /// Full verb.
    Verb,
    /// Proper noun.
    Propn,
    /// Adjective.
    Adj,
    /// Numeral.
    Num,
}

/// What a matched keyword counts, in exact half units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeywordWeight {
    /// 0.5: adjectives and numerals.
    Half,
    /// 1.0: nouns, verbs and proper nouns.
    Full,
}

impl PartOfSpeech {
    /// Every part of speech, in the order of the specification.
    pub const ALL: [Self; 5] = [Self::Noun, Self::Verb, Self::Propn, Self::Adj, Self::Num];

    /// Returns the tag used in documents.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Noun => "NOUN",
            Self::Verb => "VERB",
            Self::Propn => "PROPN",
            Self::Adj => "ADJ",
            Self::Num => "NUM",
        }
    }

    /// Returns the part of speech with this tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pos| pos.tag() == tag)
    }

    /// Returns the weight that D §2 fixes for the part of speech.
    pub fn weight(self) -> KeywordWeight {
        match self {
            Self::Noun | Self::Verb | Self::Propn => KeywordWeight::Full,
            Self::Adj | Self::Num => KeywordWeight::Half,
        }
    }
}

impl KeywordWeight {
    /// Returns the weight in half units: 2 or 1.
    pub fn halves(self) -> u64 {
        match self {
            Self::Half => 1,
            Self::Full => 2,
        }
    }

    /// Returns the weight as written in documents.
    pub fn value(self) -> f64 {
        match self {
            Self::Half => 0.5,
            Self::Full => 1.0,
        }
    }
}

impl Serialize for KeywordWeight {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl JsonSchema for KeywordWeight {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "KeywordWeight".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "enum": [1.0, 0.5], "description": "1.0 for NOUN, VERB, PROPN; 0.5 for ADJ, NUM" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_verbs_and_names_weigh_twice_what_adjectives_and_numerals_do() {
        let halves = PartOfSpeech::ALL.map(|pos| pos.weight().halves());
        assert_eq!(halves, [2, 2, 2, 1, 1]);
    }

    #[test]
    fn a_tag_reads_back_and_an_adverb_has_none() {
        for pos in PartOfSpeech::ALL {
            assert_eq!(PartOfSpeech::from_tag(pos.tag()), Some(pos));
        }
        assert_eq!(PartOfSpeech::from_tag("ADV"), None);
    }
}
