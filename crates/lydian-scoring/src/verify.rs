//! Verification of a run card: every field is computed again, added up again, or said to be unchecked (decision 24).

use std::collections::BTreeMap;

use lydian_model::corpus::read::CorpusFile;
use lydian_model::run_card::file_form::{FileForm, file_form};
use lydian_model::{EntryId, Finite, Prediction, RunCard, RunSetup};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::ScoringError;
use crate::context::Languages;

mod basis;
mod difference;
mod rebuild;

pub use basis::{Basis, needs};

/// Schema name and version of a verification.
pub const SCHEMA: &str = "lydian.verification/1";

/// What every verification says beside its result (decision 24).
pub const STATEMENT: &str = "Intact means that the numbers follow from the texts in the card. It does not mean that \
the card is honest: whoever makes up outputs can compute fitting numbers and a fitting hash.";

/// What a card can be checked against beside itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// The corpus file.
    pub corpus: Option<&'a CorpusFile>,
    /// What the journal of the run holds.
    pub journal: Option<JournalSource<'a>>,
    /// The languages' cards and analysers. Variants and gold analyses stand in the corpus only: without it the
    /// metrics of the languages are added up, not computed again.
    pub languages: Option<Languages<'a>>,
    /// The bytes the card was read from.
    pub file: Option<&'a [u8]>,
}

impl<'a> Sources<'a> {
    /// Returns the languages when the metrics that need them can be computed again.
    fn judging(&self) -> Option<Languages<'a>> {
        self.languages.filter(|_| self.corpus.is_some())
    }
}

/// The setup and answers of a run as its journal holds them.
#[derive(Clone, Copy, Debug)]
pub struct JournalSource<'a> {
    /// The setup.
    pub setup: &'a RunSetup,
    /// The accepted answers.
    pub predictions: &'a BTreeMap<EntryId, Prediction>,
    /// Seconds of wall time, if known.
    pub elapsed_seconds: Option<Finite>,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verification {
    /// Schema name and version, [`SCHEMA`].
    pub schema: &'static str,
    /// The card's run.
    pub run_id: String,
    /// Whether no checked value was changed, the hash fits and the file holds no other document.
    pub intact: bool,
    /// What intact means.
    pub statement: &'static str,
    /// Whether the stated hash is that of the card.
    pub hash_matches: bool,
    /// How the file's bytes compare with those of the card; null when the bytes were not given.
    pub file: Option<FileForm>,
    /// What was checked, field by field, in the order of the card.
    pub fields: Vec<FieldCheck>,
    /// The values that were changed, at most [`MOST_CHANGES`].
    pub changes: Vec<Change>,
    /// How many values were changed in all.
    pub change_count: u64,
}

/// How many changed values a verification lists.
pub const MOST_CHANGES: usize = 200;

/// One field of the card; `[]` stands for every element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldCheck {
    /// The field, such as `results[].chrf_score`.
    pub field: String,
    /// How it was checked.
    pub basis: Basis,
    /// What checking it needs, if it was not checked.
    pub needs: Option<&'static str>,
    /// How many values the field has.
    pub values: u64,
    /// How many of them were changed.
    pub changed: u64,
}

/// A value that is not what the rest of the card, the corpus or the journal makes it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// JSON pointer to the value.
    pub pointer: String,
    /// The value in the card; null when it is absent.
    pub stated: Value,
    /// The value it should have; null when it should be absent.
    pub expected: Value,
}

/// Checks a card against itself and the given sources.
///
/// An error means that the card's entries cannot be scored at all, such as an entry that stands in it twice.
pub fn verify(card: &RunCard, sources: &Sources<'_>) -> Result<Verification, ScoringError> {
    let expected = rebuild::rebuild(card, sources)?;
    let to_value =
        |card: &RunCard| serde_json::to_value(card).expect("cards have string keys and finite numbers");
    let found = difference::compare(&to_value(card), &to_value(&expected), sources);
    let file = sources.file.map(|bytes| file_form(bytes, card));
    let other_document = matches!(file, Some(FileForm::OtherDocument { .. }));
    Ok(Verification {
        schema: SCHEMA,
        run_id: card.run_id.clone(),
        intact: found.change_count == 0 && !other_document,
        statement: STATEMENT,
        hash_matches: card.run_card_hash == card.computed_hash().as_str(),
        file,
        fields: found.fields,
        changes: found.changes,
        change_count: found.change_count,
    })
}
