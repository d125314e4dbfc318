//! The matrix of a sweep: quality, cost and speed of every configuration, and whether a method beats the baselines (B §6).

use std::collections::BTreeMap;

use lydian_model::run_card::RunCard;
use lydian_model::sweep::{DecidingMetric, Role};
use serde_json::Value;

mod configurations;
mod document;
mod entries;
mod facets;
mod verdict;

pub use document::{
    AxisSummary, AxisValue, ComparedRun, Configuration, EntryDifficulty, HeatMap, MatrixRun, MethodVerdict,
    RunState, SCHEMA, SweepMatrix, Verdict,
};
pub use entries::ALL_FAIL_BELOW;

/// One run of a sweep, with its card if there is one.
#[derive(Clone, Debug)]
pub struct SweepRun {
    /// Short name of the run: the start of its setup fingerprint.
    pub id: String,
    /// Name of the method in the sweep.
    pub method: String,
    /// What the method is there for.
    pub role: Role,
    /// Value of every axis.
    pub coordinates: BTreeMap<String, Value>,
    /// Seed, if it is one of several repeats.
    pub seed: Option<u32>,
    /// Its coordinates as one line.
    pub label: String,
    /// Its card.
    pub card: Option<RunCard>,
}

/// What a matrix is computed for.
#[derive(Clone, Debug)]
pub struct SweepQuestion {
    /// Name of the sweep.
    pub name: String,
    /// The metric that decides.
    pub metric: DecidingMetric,
    /// The two axes of the heat map; the two with the most values when not named.
    pub heat_axes: Option<(String, String)>,
}

/// A sweep whose cards do not belong together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// Cards of different corpora.
    #[error("run {run} is about another corpus: sha256 {found}, the others are about {expected}")]
    OtherCorpus {
        /// The run.
        run: String,
        /// Its corpus.
        found: String,
        /// The corpus of the others.
        expected: String,
    },
    /// An axis that no run has.
    #[error("no run of this sweep has an axis {0:?}")]
    NoAxis(String),
}

/// Computes the matrix. Runs without a card, and incomplete ones, are listed and take part in nothing else.
pub fn matrix(question: &SweepQuestion, runs: &[SweepRun]) -> Result<SweepMatrix, MatrixError> {
    let first = runs.iter().find_map(|run| run.card.as_ref());
    for run in runs {
        if let (Some(card), Some(first)) = (&run.card, first)
            && card.dataset.sha256 != first.dataset.sha256
        {
            return Err(MatrixError::OtherCorpus {
                run: run.id.clone(),
                found: card.dataset.sha256.to_string(),
                expected: first.dataset.sha256.to_string(),
            });
        }
    }
    let configurations = configurations::of(question.metric, runs);
    let axes = facets::axes(&configurations);
    Ok(SweepMatrix {
        schema: SCHEMA.to_owned(),
        notice: lydian_model::run_card::NOTICE.to_owned(),
        name: question.name.clone(),
        dataset: first.map(|card| card.dataset.clone()),
        metric: question.metric,
        verdict: verdict::of(question.metric, runs, &configurations),
        pareto_cost: facets::pareto(&configurations, |one| one.cost_per_entry_usd),
        pareto_speed: facets::pareto(&configurations, |one| one.median_latency_seconds),
        fewest_hallucinations: facets::fewest_hallucinations(&configurations),
        most_consistent_temperature: facets::most_consistent(&axes, "temperature"),
        heat_map: facets::heat_map(&configurations, &axes, question.heat_axes.as_ref())?,
        entries: entries::difficulties(runs),
        runs: runs.iter().map(configurations::row).collect(),
        axes,
        configurations,
    })
}
