//! The HTML report of runs, with the source text as floor.

use std::collections::BTreeMap;

use lydian_model::run_card::{EntryResult, Scores};
use lydian_model::{Entry, EntryId, Prediction, RunCard};
use lydian_report::html::{Report, render};
use lydian_scoring::{ScoringContext, score};

use crate::languages::Pair;

/// Returns the page of one or several runs.
pub(crate) fn page(cards: &[RunCard]) -> String {
    let floor = cards.first().and_then(floor);
    render(&Report {
        cards,
        floor: floor.as_ref(),
    })
}

/// Returns the scores of the source text taken as output on the card's own entries: what any method must beat.
fn floor(card: &RunCard) -> Option<Scores> {
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
