//! The language card: what is known about a language, as data.
mod analyser;
mod check;
mod equivalence;
mod orthography;

pub use analyser::{AnalyserCard, SelfTest, TagStyle};
pub use equivalence::{EquivalenceCard, Rewrite, SynonymLevel};
pub use orthography::{Orthography, Violation};

use lydian_model::LanguageTag;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name and version that a card states (decision 27).
pub const CARD_SCHEMA: &str = "lydian.language-card/1";

/// Everything a language needs beyond the corpus. Written by linguists as `languages/<tag>/card.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// `lydian.language-card/1`.
    pub schema: String,
    /// BCP 47 tag of the language.
    pub language: String,
    /// Names by language tag; `en` is required.
    pub names: BTreeMap<String, String>,
    /// ISO 15924 codes of the scripts the language is written in, the usual one first.
    pub scripts: Vec<String>,
    /// Writing direction.
    #[serde(default)]
    pub direction: Direction,
    /// Tags of languages that share so many word forms that long equal passages prove nothing.
    #[serde(default)]
    pub close_relatives: Vec<String>,
    /// Whether common nouns are written with a capital, as in German.
    #[serde(default)]
    pub nouns_capitalised: bool,
    /// Remarks for readers: what is missing, and why.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Written norms, the usual one first.
    #[serde(default, rename = "orthography")]
    pub orthographies: Vec<Orthography>,
    /// How words are found.
    #[serde(default)]
    pub words: WordRules,
    /// The morphological analyser.
    pub analyser: Option<AnalyserCard>,
    /// Which other translations count as equal.
    #[serde(default)]
    pub equivalence: EquivalenceCard,
    /// Words of the language.
    #[serde(default)]
    pub lexicon: LexiconCard,
    /// Terms with the renderings that are asked for.
    pub glossary: Option<GlossaryCard>,
    /// How the composite is weighted and named.
    #[serde(default)]
    pub scoring: ScoringCard,
    /// What human reviewers are told.
    #[serde(default)]
    pub review: ReviewCard,
    /// Calibrations of semantic scorers for this language (decision 32).
    #[serde(default)]
    pub semantic: Vec<SemanticCalibration>,
    /// Where the facts of this card come from.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
}

/// Writing direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Left to right.
    #[default]
    Ltr,
    /// Right to left.
    Rtl,
}

/// How words are found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WordRules {
    /// Characters that join two letters into one word, beside the usual `- ' ’ : ·`.
    pub joiners: Vec<String>,
    /// Usual joiners that separate words in this language.
    pub separators: Vec<String>,
    /// Punctuation that is a letter of this language, also at the edge of a word.
    pub letters: Vec<String>,
    /// Spaces inside words, such as U+202F at the preverb boundary of Cree syllabics.
    pub inner_spaces: Vec<String>,
    /// Names and loan words that an analyser need not know; counted apart.
    pub allow: Vec<String>,
    /// A file with one such word per line.
    pub allow_file: Option<String>,
}

/// Words of the language, for the detectors.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LexiconCard {
    /// Very frequent small words.
    pub function_words: Vec<String>,
    /// Words for numbers with their values, `zwei=2`, so that `zwei` and `2` agree; without a value, as `halb`, a
    /// word may stand for any number of one or two digits.
    pub number_words: Vec<String>,
    /// Words that negate, so that a lost or added negation is seen.
    pub negation_words: Vec<String>,
    /// Names that translations have in another form, such as those of countries, peoples, days and feasts.
    pub translated_names: Vec<String>,
    /// Units of measure that translations convert, such as `miles`.
    pub unit_words: Vec<String>,
    /// Endings of inflected forms: two words that differ in one of them count as one term.
    pub endings: Vec<String>,
    /// A word list, one word per line.
    pub file: Option<String>,
    /// Licence of the word list.
    pub licence: Option<String>,
}

/// A glossary file beside the card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlossaryCard {
    /// Path relative to the card.
    pub file: String,
    /// Language of the source terms.
    pub source_language: String,
    /// Licence of the glossary.
    pub licence: Option<String>,
}

/// How the composite is weighted, and where its tiers lie (decision 19).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScoringCard {
    /// Profile A (the language has an analyser) or B.
    pub profile: Option<Profile>,
    /// Lower bounds of the tiers, where they differ from the usual ones.
    pub tiers: Option<Tiers>,
}

/// A weighting profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Profile {
    /// For languages with an analyser.
    A,
    /// For languages without.
    B,
}

/// Lower bounds of the tiers on the composite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiers {
    /// Lower bound of `fluent`.
    pub fluent: f64,
    /// Lower bound of `deployable`.
    pub deployable: f64,
    /// Lower bound of `functional`.
    pub functional: f64,
    /// Lower bound of `emerging`.
    pub emerging: f64,
}

/// Settings of human review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewCard {
    /// A font that shows every character of the language.
    pub font: Option<String>,
    /// A sentence that reviewers read before they start.
    pub instructions: Option<String>,
    /// Languages a reviewer has to read besides this one.
    pub reviewer_languages: Vec<String>,
}

/// The verdict on a semantic scorer for this language (decision 32).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticCalibration {
    /// Identity of the scorer, such as an endpoint and its model.
    pub scorer: String,
    /// SHA-256 of the corpus it was measured on.
    pub corpus_sha256: String,
    /// Whose outputs were compared with the references.
    pub outputs: String,
    /// Number of pairs.
    pub pairs: u64,
    /// Probability that a right pair scores above a shuffled one.
    pub auc: f64,
    /// The same for chrF++.
    pub chrf_plus_plus_auc: f64,
    /// Mean score of unrelated pairs: the chance level that is subtracted.
    pub chance_level: f64,
    /// Score from which on an output is `VALID`.
    pub valid_from: f64,
    /// Score below which an output is a `MISMATCH`.
    pub mismatch_below: f64,
}

impl SemanticCalibration {
    /// Returns whether the scorer may enter the composite: AUC at least [`Self::LEAST_AUC`] and at least that of chrF++.
    pub fn passes(&self) -> bool {
        self.auc >= Self::LEAST_AUC && self.auc >= self.chrf_plus_plus_auc
    }

    /// The smallest AUC that a scorer needs.
    pub const LEAST_AUC: f64 = 0.95;
}

/// Where a fact comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is.
    pub title: String,
    /// Where it is.
    pub url: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// What was taken from it.
    pub used_for: Option<String>,
}

/// Why a card cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{card}{}: {message}", line.map(|n| format!(" line {n}")).unwrap_or_default())]
pub struct CardError {
    /// Name of the file.
    pub card: String,
    /// Line, where it is known.
    pub line: Option<usize>,
    /// What is wrong, with the field it concerns.
    pub message: String,
}

impl Card {
    /// Reads and checks a card; `name` is the file's name for messages.
    ///
    /// ```
    /// let text = r#"
    /// schema = "lydian.language-card/1"
    /// language = "crk"
    /// names = { en = "Plains Cree" }
    /// scripts = ["Latn", "Cans"]
    /// "#;
    /// let card = lydian_language::Card::parse("card.toml", text)?;
    /// assert_eq!(card.name(), "Plains Cree");
    /// # Ok::<(), lydian_language::CardError>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, CardError> {
        let card: Self = toml::from_str(text).map_err(|e| CardError {
            card: name.to_owned(),
            line: e.span().map(|span| line_of(text, span.start)),
            message: one_line(e.message()),
        })?;
        match check::problems(&card).into_iter().next() {
            None => Ok(card),
            Some(problem) => {
                let line = problem.near.as_deref().and_then(|near| line_with(text, near));
                Err(CardError {
                    card: name.to_owned(),
                    line,
                    message: problem.message,
                })
            }
        }
    }

    /// Returns a card that states nothing but the tag: what holds for a language without a card.
    pub fn unknown(tag: &LanguageTag) -> Self {
        Self {
            schema: CARD_SCHEMA.to_owned(),
            language: tag.as_str().to_owned(),
            names: BTreeMap::from([("en".to_owned(), tag.as_str().to_owned())]),
            scripts: crate::exemplars::script_of(tag)
                .map(str::to_owned)
                .into_iter()
                .collect(),
            direction: Direction::Ltr,
            close_relatives: Vec::new(),
            nouns_capitalised: false,
            notes: Vec::new(),
            orthographies: Vec::new(),
            words: WordRules::default(),
            analyser: None,
            equivalence: EquivalenceCard::default(),
            lexicon: LexiconCard::default(),
            glossary: None,
            scoring: ScoringCard::default(),
            review: ReviewCard::default(),
            semantic: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Returns the English name, or the tag.
    pub fn name(&self) -> &str {
        self.names.get("en").unwrap_or(&self.language)
    }

    /// Returns the tag; a checked card has a well-formed one.
    pub fn tag(&self) -> LanguageTag {
        LanguageTag::parse(&self.language).expect("a card's tag is checked when it is read")
    }

    /// Returns the weighting profile: the declared one, else A where there is an analyser, else B.
    pub fn profile(&self) -> Profile {
        let usual = if self.analyser.is_some() {
            Profile::A
        } else {
            Profile::B
        };
        self.scoring.profile.unwrap_or(usual)
    }

    /// Writes the card.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }

    /// Returns every file the card names, relative to the card.
    pub fn files(&self) -> Vec<(&'static str, &str)> {
        let named = [
            ("allow list", self.words.allow_file.as_deref()),
            ("analyser", self.analyser.as_ref().and_then(|a| a.file.as_deref())),
            ("lexicon", self.lexicon.file.as_deref()),
            ("glossary", self.glossary.as_ref().map(|g| g.file.as_str())),
        ];
        named
            .into_iter()
            .filter_map(|(what, file)| file.map(|f| (what, f)))
            .collect()
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()
        .iter()
        .take(offset)
        .filter(|b| **b == b'\n')
        .count()
        + 1
}

fn line_with(text: &str, near: &str) -> Option<usize> {
    text.lines().position(|line| line.contains(near)).map(|n| n + 1)
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
