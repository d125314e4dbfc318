//! The comparison as a document.

use std::collections::BTreeMap;

use lydian_model::run_card::DatasetReference;
use lydian_model::{Finite, Score, Sha256Hex};
use schemars::JsonSchema;
use serde::Serialize;

/// Runs compared with a baseline on the entries they share.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Schema name and version.
    pub schema: String,
    /// The sentence of B §1.1.
    pub notice: String,
    /// The corpus of all runs.
    pub dataset: DatasetReference,
    /// Entries compared.
    pub entries: u64,
    /// Entries left out because a run has no answer for them.
    pub left_out_failed: u64,
    /// Entries left out because not every run covers them.
    pub left_out_not_shared: u64,
    /// How differences were tested.
    pub test: TestMethod,
    /// The first run.
    pub baseline: RunSummary,
    /// The other runs against it.
    pub systems: Vec<SystemComparison>,
    /// What a reader should know before believing the numbers.
    pub warnings: Vec<String>,
}

/// How differences were tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestMethod {
    /// The test.
    pub name: String,
    /// Its number of trials.
    pub trials: u64,
    /// Seed of its coin flips.
    pub seed: u64,
    /// Correction for several comparisons.
    pub correction: String,
    /// The kind of interval.
    pub interval: String,
    /// Resamples behind an interval.
    pub resamples: u64,
    /// Seed of the resamples.
    pub resampling_seed: u64,
}

/// A run in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// UUID of the run.
    pub run_id: String,
    /// Name of the method.
    pub method: String,
    /// Model or engine.
    pub model_slug: String,
    /// Experiment label.
    pub condition: String,
    /// Hash of the card.
    pub run_card_hash: String,
    /// Identity of the setup in eight components.
    pub fingerprint: Sha256Hex,
    /// Identity of the setup in every component.
    pub setup_fingerprint: Sha256Hex,
    /// Scores on the shared entries.
    pub scores: BTreeMap<String, Score>,
}

/// A run against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SystemComparison {
    /// The run.
    pub run: RunSummary,
    /// Differences by metric.
    pub metrics: Vec<MetricComparison>,
    /// Metrics that were not compared, with the reason.
    pub not_compared: Vec<NotCompared>,
    /// Entries on which either is better.
    pub entries: WinsAndLosses,
    /// Whether the run repeats the baseline's result.
    pub reproduction: Reproduction,
}

/// The difference of two runs under one metric.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MetricComparison {
    /// Name of the metric.
    pub metric: String,
    /// Its signature, if it has one.
    pub signature: Option<String>,
    /// Whether a higher score is a better one.
    pub higher_is_better: bool,
    /// Score of the baseline.
    pub baseline: Score,
    /// Score of the run.
    pub system: Score,
    /// Run minus baseline.
    pub difference: Score,
    /// Lower bound of the difference's 95 % interval; null, as `upper` and `detectable_difference`, when there is a
    /// `no_interval_reason`.
    pub lower: Option<Score>,
    /// Upper bound of it.
    pub upper: Option<Score>,
    /// Why the difference has no interval; null when it has one.
    pub no_interval_reason: Option<String>,
    /// How often chance alone makes a difference this large.
    pub p_value: Score,
    /// The same, corrected for the number of runs.
    pub p_holm: Score,
    /// Whether the corrected value is at most 0.05.
    pub significant: bool,
    /// The smallest true difference that such a test on these entries finds in four of five cases.
    pub detectable_difference: Option<Score>,
}

/// A metric without a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotCompared {
    /// Name of the metric.
    pub metric: String,
    /// Why.
    pub reason: String,
}

/// Per-entry results by sentence chrF++.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WinsAndLosses {
    /// Entries on which the run is better.
    pub wins: u64,
    /// Entries on which the baseline is better.
    pub losses: u64,
    /// Entries on which both are equal.
    pub ties: u64,
    /// Entries with the largest gains.
    pub largest_gains: Vec<Example>,
    /// Entries with the largest losses.
    pub largest_losses: Vec<Example>,
}

/// One entry with both outputs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Example {
    /// The entry.
    pub entry_id: String,
    /// Text that was translated.
    pub source: String,
    /// Human reference.
    pub expected: String,
    /// Output of the baseline.
    pub baseline_output: String,
    /// Output of the run.
    pub system_output: String,
    /// Sentence chrF++ of the baseline.
    pub baseline_score: Score,
    /// Sentence chrF++ of the run.
    pub system_score: Score,
}

/// Whether one run repeats the result of another (decision 28).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Reproduction {
    /// Whether both had the same setup in every component.
    pub same_setup: bool,
    /// Relative difference of chrF++; null when the baseline's is 0.
    pub chrf_plus_plus_relative: Option<Finite>,
    /// Relative difference of the composite; null when it is 0 or not compared.
    pub composite_relative: Option<Finite>,
    /// Whether both differ by at most 2 %.
    pub agrees: bool,
}
