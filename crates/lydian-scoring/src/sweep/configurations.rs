//! Runs as rows, and repeats taken together as configurations.

use lydian_model::run_card::RunCard;
use lydian_model::sweep::DecidingMetric;
use lydian_model::{Finite, Score};

use super::SweepRun;
use super::document::{Configuration, MatrixRun, RunState};

/// Returns the deciding score of a card.
pub(super) fn quality(metric: DecidingMetric, card: &RunCard) -> Option<Score> {
    match metric {
        DecidingMetric::ChrfPlusPlus => card.scores.chrf_plus_plus,
        DecidingMetric::Composite => card.scores.composite,
    }
}

/// Returns how far a run has come.
pub(super) fn state(run: &SweepRun) -> RunState {
    match &run.card {
        None => RunState::Missing,
        Some(card) if card.scores.errors > 0 => RunState::Incomplete,
        Some(_) => RunState::Complete,
    }
}

/// Returns the cards of complete runs, with their runs.
pub(super) fn complete<'r>(
    runs: impl IntoIterator<Item = &'r SweepRun>,
) -> impl Iterator<Item = (&'r SweepRun, &'r RunCard)> {
    runs.into_iter()
        .filter(|run| state(run) == RunState::Complete)
        .filter_map(|run| Some((run, run.card.as_ref()?)))
}

/// Returns a run as a row.
pub(super) fn row(run: &SweepRun) -> MatrixRun {
    let card = run.card.as_ref();
    let scores = card.map(|card| &card.scores);
    let totals = card.map(|card| &card.totals);
    MatrixRun {
        id: run.id.clone(),
        method: run.method.clone(),
        role: run.role,
        coordinates: run.coordinates.clone(),
        seed: run.seed,
        label: run.label.clone(),
        state: state(run),
        entries: scores.map(|scores| scores.total),
        coverage: scores.map(|scores| scores.coverage),
        chrf_plus_plus: scores.and_then(|scores| scores.chrf_plus_plus),
        chrf_plus_plus_interval: scores
            .and_then(|scores| scores.confidence_intervals.get("chrf_plus_plus"))
            .and_then(|interval| Some([interval.lower?, interval.upper?])),
        composite: scores.and_then(|scores| scores.composite),
        bleu: scores.and_then(|scores| scores.bleu),
        exact_match_rate: scores.and_then(|scores| scores.exact_match_rate),
        hallucination_rate: scores.and_then(|scores| scores.hallucination_rate),
        code_switching_rate: scores.and_then(|scores| scores.code_switching_rate),
        cost_usd: totals.and_then(|totals| totals.total_cost_usd),
        known_cost_usd: totals.and_then(|totals| totals.known_cost_usd),
        cost_per_entry_usd: totals.and_then(|totals| totals.cost_per_entry_usd),
        median_latency_seconds: scores.and_then(|scores| scores.median_latency_seconds),
        elapsed_seconds: card.map(|card| card.elapsed_seconds),
        quality_tier: scores.map(|scores| scores.quality_tier.clone()),
        caveats: scores.map_or_else(Vec::new, |scores| {
            scores.caveats.iter().map(|caveat| caveat.name.clone()).collect()
        }),
        run_card_hash: card.map(|card| card.run_card_hash.clone()),
    }
}

/// Returns the configurations in the order of their first runs.
pub(super) fn of(metric: DecidingMetric, runs: &[SweepRun]) -> Vec<Configuration> {
    let mut groups: Vec<Vec<&SweepRun>> = Vec::new();
    for run in runs {
        let same = |group: &&mut Vec<&SweepRun>| {
            group[0].method == run.method && group[0].coordinates == run.coordinates
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.iter().map(|group| configuration(metric, group)).collect()
}

fn configuration(metric: DecidingMetric, group: &[&SweepRun]) -> Configuration {
    let first = group[0];
    let cards: Vec<&RunCard> = complete(group.iter().copied()).map(|(_, card)| card).collect();
    let qualities: Vec<f64> = cards
        .iter()
        .filter_map(|card| quality(metric, card))
        .map(Score::get)
        .collect();
    let mean_of = |value: fn(&RunCard) -> Option<f64>| -> Option<f64> {
        let values: Option<Vec<f64>> = cards.iter().map(|card| value(card)).collect();
        mean(&values?)
    };
    let range = |pick: fn(f64, f64) -> f64| qualities.iter().copied().reduce(pick).and_then(Score::new);
    let seed = first.seed.map(|seed| format!("seed={seed}")).unwrap_or_default();
    let coordinates = first.label.strip_suffix(&seed).unwrap_or(&first.label).trim();
    Configuration {
        id: first.id.clone(),
        method: first.method.clone(),
        role: first.role,
        coordinates: first.coordinates.clone(),
        label: format!("{} {coordinates}", first.method).trim().to_owned(),
        runs: group.iter().map(|run| run.id.clone()).collect(),
        complete: cards.len() as u64,
        quality: mean(&qualities).and_then(Score::new),
        quality_range: range(f64::min)
            .zip(range(f64::max))
            .map(|(low, high)| [low, high]),
        hallucination_rate: mean_of(|card| card.scores.hallucination_rate.map(Score::get))
            .and_then(Score::new),
        cost_per_entry_usd: mean_of(|card| card.totals.cost_per_entry_usd.map(Finite::get))
            .and_then(Finite::new),
        median_latency_seconds: mean_of(|card| card.scores.median_latency_seconds.map(Finite::get))
            .and_then(Finite::new),
        repeat_agreement: agreement(&cards),
    }
}

/// Returns the mean; `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the share of entries for which every repeat gave the same output.
fn agreement(cards: &[&RunCard]) -> Option<Score> {
    let (first, others) = cards.split_first()?;
    if others.is_empty() || first.results.is_empty() {
        return None;
    }
    let alike = first
        .results
        .iter()
        .enumerate()
        .filter(|(index, result)| {
            others.iter().all(|card| {
                let other = card.results.get(*index);
                other.is_some_and(|other| {
                    other.entry_id == result.entry_id && other.predicted == result.predicted
                })
            })
        })
        .count();
    Score::new(alike as f64 / first.results.len() as f64)
}
