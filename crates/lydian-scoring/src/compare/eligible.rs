//! Which runs may be compared, and on which entries.

use std::collections::BTreeMap;

use lydian_model::Outcome;
use lydian_model::counted;
use lydian_model::run_card::{EntryResult, RunCard};

use super::{Incomplete, Results};
use crate::ScoringError;
use crate::evidence::signatures;

/// Why runs are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nothing to compare with.
    #[error("a comparison needs at least two runs")]
    TooFewRuns,
    /// The runs are about different corpora.
    #[error("run {run} is about another corpus: sha256 {found}, the first run's is {expected}")]
    OtherCorpus {
        /// The run.
        run: String,
        /// Its corpus.
        found: String,
        /// The first run's corpus.
        expected: String,
    },
    /// The runs were scored differently, or differently from this program.
    #[error("run {run} was scored differently: {metric} has signature {found}, expected {expected}")]
    OtherSignature {
        /// The run.
        run: String,
        /// The metric.
        metric: String,
        /// The run's signature.
        found: String,
        /// The other one.
        expected: String,
    },
    /// A run has entries without an answer.
    #[error("run {run} is incomplete: no answer for {failed} of {}", counted(*total, "entry", "entries"))]
    Incomplete {
        /// The run.
        run: String,
        /// Entries without an answer.
        failed: u64,
        /// All entries.
        total: u64,
    },
    /// No entry is left.
    #[error("no entry has an answer in every run")]
    NothingShared,
    /// The cards disagree about an entry of the corpus they claim to share.
    #[error(
        "run {run} states another {field} for entry {entry_id} than the first run: one of the cards was changed"
    )]
    OtherText {
        /// The run.
        run: String,
        /// `source` or `reference`.
        field: &'static str,
        /// The entry.
        entry_id: String,
    },
    /// The results of a card cannot be scored.
    #[error("the results of a card cannot be scored: {0}")]
    Unscorable(#[from] ScoringError),
}

/// The results that all runs have in common.
pub(super) struct Shared<'c> {
    /// For each card its results on the shared entries, in the first card's order.
    pub(super) results: Vec<Results<'c>>,
    /// Entries left out because some run has no answer.
    pub(super) failed: u64,
    /// Entries left out because some run does not cover them.
    pub(super) uncovered: u64,
    /// Doubts about the cards.
    pub(super) warnings: Vec<String>,
}

/// Returns the shared results, or why the runs cannot be compared.
pub(super) fn shared<'c>(cards: &[&'c RunCard], incomplete: Incomplete) -> Result<Shared<'c>, Refusal> {
    let [first, others @ ..] = cards else {
        return Err(Refusal::TooFewRuns);
    };
    if others.is_empty() {
        return Err(Refusal::TooFewRuns);
    }
    for card in cards {
        same_corpus(first, card)?;
        same_signatures(card)?;
        let failed = failures(card);
        if failed > 0 && incomplete == Incomplete::Refuse {
            return Err(Refusal::Incomplete {
                run: card.run_id.clone(),
                failed,
                total: card.results.len() as u64,
            });
        }
    }
    let by_id: Vec<BTreeMap<&str, &'c EntryResult>> = cards
        .iter()
        .map(|card| {
            card.results
                .iter()
                .map(|result| (result.entry_id.as_str(), result))
                .collect()
        })
        .collect();
    let all: std::collections::BTreeSet<&str> = by_id.iter().flat_map(|map| map.keys().copied()).collect();
    let mut shared = Shared {
        results: vec![Vec::new(); cards.len()],
        failed: 0,
        uncovered: 0,
        warnings: doubts(cards),
    };
    let mut covered = 0;
    for result in &first.results {
        let Some(row) = by_id
            .iter()
            .map(|results| results.get(result.entry_id.as_str()).copied())
            .collect::<Option<Vec<&EntryResult>>>()
        else {
            continue;
        };
        covered += 1;
        same_texts(cards, &row)?;
        if row.iter().any(|result| result.outcome == Outcome::Failed) {
            shared.failed += 1;
            continue;
        }
        for (results, result) in shared.results.iter_mut().zip(row) {
            results.push(result);
        }
    }
    shared.uncovered = (all.len() as u64).saturating_sub(covered);
    if shared.results[0].is_empty() {
        return Err(Refusal::NothingShared);
    }
    Ok(shared)
}

fn same_corpus(first: &RunCard, card: &RunCard) -> Result<(), Refusal> {
    if card.dataset.sha256 == first.dataset.sha256 {
        return Ok(());
    }
    Err(Refusal::OtherCorpus {
        run: card.run_id.clone(),
        found: card.dataset.sha256.to_string(),
        expected: first.dataset.sha256.to_string(),
    })
}

/// Refuses a card whose scores were computed differently from those computed here (decision 33).
fn same_signatures(card: &RunCard) -> Result<(), Refusal> {
    for (metric, expected) in signatures() {
        let found = card.scores.signatures.get(metric).cloned().unwrap_or_default();
        if found != expected.to_string() {
            return Err(Refusal::OtherSignature {
                run: card.run_id.clone(),
                metric: metric.to_owned(),
                found,
                expected: expected.to_string(),
            });
        }
    }
    Ok(())
}

fn same_texts(cards: &[&RunCard], row: &[&EntryResult]) -> Result<(), Refusal> {
    for (result, card) in row.iter().zip(cards) {
        for (field, same) in [
            ("source", result.source == row[0].source),
            ("reference", result.expected == row[0].expected),
        ] {
            if !same {
                return Err(Refusal::OtherText {
                    run: card.run_id.clone(),
                    field,
                    entry_id: result.entry_id.clone(),
                });
            }
        }
    }
    Ok(())
}

fn failures(card: &RunCard) -> u64 {
    let failed = card
        .results
        .iter()
        .filter(|result| result.outcome == Outcome::Failed);
    failed.count() as u64
}

fn doubts(cards: &[&RunCard]) -> Vec<String> {
    cards
        .iter()
        .filter(|card| card.run_card_hash != card.computed_hash().as_str())
        .map(|card| format!("run {} was changed after it was sealed", card.run_id))
        .collect()
}
