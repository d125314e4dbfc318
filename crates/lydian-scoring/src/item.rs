//! Entries paired with their predictions, in the text form that is scored.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lydian_model::{Entry, EntryId, Outcome, Prediction};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Why entries and predictions cannot be scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoringError {
    /// There is nothing to score.
    #[error("no entry is selected")]
    NoEntries,
    /// Two entries share an id.
    #[error("entry {id} is selected twice")]
    DuplicateEntry {
        /// The id.
        id: EntryId,
    },
    /// A prediction belongs to no selected entry.
    #[error("there is a prediction for entry {id}, which is not among the selected entries")]
    UnknownPrediction {
        /// The id.
        id: EntryId,
    },
    /// A prediction is filed under the id of another entry.
    #[error("the prediction filed under entry {key} says that it is for entry {id}")]
    MisfiledPrediction {
        /// The key.
        key: EntryId,
        /// The id inside.
        id: EntryId,
    },
}

/// One entry with what became of it. Both texts are NFC (decision 3).
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) prediction: Cow<'a, Prediction>,
    /// The text that is scored: that of the answer, or nothing (decision 8).
    pub(crate) output: Cow<'a, str>,
    pub(crate) reference: Cow<'a, str>,
}

impl Item<'_> {
    pub(crate) fn outcome(&self) -> Outcome {
        self.prediction.outcome
    }

    /// Says whether output and reference agree after NFC and trimming (decision 3).
    pub(crate) fn exact_match(&self) -> bool {
        self.has_text() && self.output.trim() == self.reference.trim()
    }

    /// Says whether there is any text to judge.
    pub(crate) fn has_text(&self) -> bool {
        !self.output.trim().is_empty()
    }
}

/// Pairs each entry with its prediction; an entry without one counts as failed (decision 8).
pub(crate) fn pair<'a>(
    entries: &[&'a Entry],
    predictions: &'a BTreeMap<EntryId, Prediction>,
) -> Result<Vec<Item<'a>>, ScoringError> {
    if entries.is_empty() {
        return Err(ScoringError::NoEntries);
    }
    let mut known = BTreeSet::new();
    for entry in entries {
        if !known.insert(&entry.id) {
            return Err(ScoringError::DuplicateEntry { id: entry.id.clone() });
        }
    }
    for (key, prediction) in predictions {
        if !known.contains(key) {
            return Err(ScoringError::UnknownPrediction { id: key.clone() });
        }
        if *key != prediction.entry_id {
            return Err(ScoringError::MisfiledPrediction {
                key: key.clone(),
                id: prediction.entry_id.clone(),
            });
        }
    }
    Ok(entries
        .iter()
        .map(|&entry| {
            let prediction = predictions
                .get(&entry.id)
                .map_or_else(|| Cow::Owned(missing(&entry.id)), Cow::Borrowed);
            let output = match &prediction {
                Cow::Borrowed(known) => nfc(known.scored_text()),
                Cow::Owned(_) => Cow::Borrowed(""),
            };
            Item {
                entry,
                output,
                reference: nfc(&entry.reference),
                prediction,
            }
        })
        .collect())
}

/// The prediction of an entry nobody answered: no request was made for it, so it has no cost either.
fn missing(id: &EntryId) -> Prediction {
    Prediction {
        attempts: 0,
        ..Prediction::failed(id.clone(), "no prediction")
    }
}

/// Returns the NFC form of a text.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposed_output_equals_composed_reference() {
        let entry = Entry::new(EntryId::integer(1), "hello", "t\u{e2}nisi");
        let predictions = BTreeMap::from([(
            entry.id.clone(),
            Prediction::of_text(entry.id.clone(), " ta\u{302}nisi\n"),
        )]);
        assert!(pair(&[&entry], &predictions).unwrap()[0].exact_match());
    }

    #[test]
    fn a_prediction_for_an_entry_that_is_not_selected_is_refused() {
        let entry = Entry::new(EntryId::integer(1), "a", "b");
        let stray = EntryId::text("2");
        let predictions = BTreeMap::from([(stray.clone(), Prediction::of_text(stray.clone(), "b"))]);
        assert_eq!(
            pair(&[&entry], &predictions).unwrap_err(),
            ScoringError::UnknownPrediction { id: stray }
        );
    }

    #[test]
    fn a_prediction_under_a_foreign_id_is_refused() {
        let entry = Entry::new(EntryId::integer(1), "a", "b");
        let other = EntryId::integer(2);
        let predictions = BTreeMap::from([(entry.id.clone(), Prediction::of_text(other, "b"))]);
        assert!(matches!(
            pair(&[&entry], &predictions),
            Err(ScoringError::MisfiledPrediction { .. })
        ));
    }
}
