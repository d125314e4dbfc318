//! The HTML report of runs, and the floor that stands beside their scores.

use std::collections::BTreeMap;

use lydian_model::run_card::{EntryResult, Scores};
use lydian_model::{Entry, EntryId, Prediction, RunCard};
use lydian_report::html::{Report, render};
use lydian_scoring::{ScoringContext, score};

use crate::languages::Pair;

/// Returns the page of one or several runs, with the floor of the first one.
pub(crate) fn page(cards: &[RunCard], floor: Option<&Scores>) -> String {
    render(&Report { cards, floor })
}

/// Returns what the unchanged source text scores on the card's own entries: what any method must beat. A run of `copy`
/// is that floor itself.
pub(crate) fn floor(card: &RunCard) -> Option<Scores> {
    if card.method_id == "copy" {
        return None;
    }
    let entries: Vec<Entry> = card.results.iter().map(entry_of).collect();
    let predictions: BTreeMap<EntryId, Prediction> = entries
        .iter()
        .map(|entry| {
            (
                entry.id.clone(),
                Prediction::of_text(entry.id.clone(), &entry.source),
            )
        })
        .collect();
    let entries: Vec<&Entry> = entries.iter().collect();
    let languages = Pair::open(&card.dataset.source_language, &card.dataset.target_language).ok()?;
    let context = ScoringContext::for_languages(&languages.source, &languages.target);
    score(&entries, &predictions, &context)
        .ok()
        .map(|scored| scored.scores)
}

fn entry_of(result: &EntryResult) -> Entry {
    Entry {
        segment: Some(result.segment),
        domain: result.domain,
        ..Entry::new(EntryId::text(&result.entry_id), &result.source, &result.expected)
    }
}
