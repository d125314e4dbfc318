//! The matrix as a document.

use std::collections::BTreeMap;

use lydian_model::run_card::DatasetReference;
use lydian_model::sweep::{DecidingMetric, Role};
use lydian_model::{Finite, NanoUsd, Score};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Schema name and version of a matrix.
pub const SCHEMA: &str = "lydian.sweep-matrix/1";

/// Everything a sweep found. There is no single score of a sweep (B §6.1).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepMatrix {
    /// Schema name and version.
    pub schema: String,
    /// The sentence of B §1.1.
    pub notice: String,
    /// Name of the sweep.
    pub name: String,
    /// The corpus; null before the first card.
    pub dataset: Option<DatasetReference>,
    /// The metric that decides.
    pub metric: DecidingMetric,
    /// Whether the method under test beats the best baseline.
    pub verdict: Verdict,
    /// Configurations that no other one beats in both quality and cost per entry.
    pub pareto_cost: Vec<String>,
    /// Configurations that no other one beats in both quality and latency.
    pub pareto_speed: Vec<String>,
    /// Configurations with the lowest hallucination rate.
    pub fewest_hallucinations: Vec<String>,
    /// The temperature at which repeats agree most; null without repeats, and when several agree equally.
    pub most_consistent_temperature: Option<Value>,
    /// Mean quality over two axes; null when fewer than two axes have several values.
    pub heat_map: Option<HeatMap>,
    /// Summary of every axis.
    pub axes: Vec<AxisSummary>,
    /// Combinations of the axes, repeats taken together.
    pub configurations: Vec<Configuration>,
    /// Every run.
    pub runs: Vec<MatrixRun>,
    /// Every entry, the hardest first.
    pub entries: Vec<EntryDifficulty>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Every entry has an answer.
    Complete,
    /// Some entries have none.
    Incomplete,
    /// There is no card.
    Missing,
}

impl RunState {
    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Missing => "missing",
        }
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatrixRun {
    /// Short name: the start of the setup fingerprint.
    pub id: String,
    /// Name of the method in the sweep.
    pub method: String,
    /// What the method is there for.
    pub role: Role,
    /// Value of every axis.
    pub coordinates: BTreeMap<String, Value>,
    /// Seed, if it is one of several repeats.
    pub seed: Option<u32>,
    /// Coordinates and seed as one line.
    pub label: String,
    /// How far it has come.
    pub state: RunState,
    /// Entries selected.
    pub entries: Option<u64>,
    /// Share of entries with an answer.
    pub coverage: Option<Score>,
    /// Corpus chrF++ (0–100).
    pub chrf_plus_plus: Option<Score>,
    /// Bounds of its 95 % interval.
    pub chrf_plus_plus_interval: Option<[Score; 2]>,
    /// Composite (0–1).
    pub composite: Option<Score>,
    /// Corpus BLEU (0–100).
    pub bleu: Option<Score>,
    /// Share of entries equal to the reference.
    pub exact_match_rate: Option<Score>,
    /// Share of entries with invented content.
    pub hallucination_rate: Option<Score>,
    /// Share of entries with source-language leakage.
    pub code_switching_rate: Option<Score>,
    /// What the results cost.
    pub cost_usd: Option<NanoUsd>,
    /// The known part of an unknown cost.
    pub known_cost_usd: Option<NanoUsd>,
    /// Cost per entry in dollars.
    pub cost_per_entry_usd: Option<Finite>,
    /// Median latency of an entry.
    pub median_latency_seconds: Option<Finite>,
    /// Wall time.
    pub elapsed_seconds: Option<Finite>,
    /// Automated label, or why there is none.
    pub quality_tier: Option<String>,
    /// Names of the caveats that withhold the tier.
    pub caveats: Vec<String>,
    /// Hash of the card.
    pub run_card_hash: Option<String>,
}

/// A combination of the axes with all of its repeats. Means are over its complete runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Configuration {
    /// Name of the configuration: that of its first run.
    pub id: String,
    /// Name of the method in the sweep.
    pub method: String,
    /// What the method is there for.
    pub role: Role,
    /// Value of every axis.
    pub coordinates: BTreeMap<String, Value>,
    /// Method and coordinates as one line.
    pub label: String,
    /// Its runs.
    pub runs: Vec<String>,
    /// How many of them are complete.
    pub complete: u64,
    /// Mean of the deciding metric.
    pub quality: Option<Score>,
    /// Lowest and highest value of it.
    pub quality_range: Option<[Score; 2]>,
    /// Mean hallucination rate.
    pub hallucination_rate: Option<Score>,
    /// Mean cost per entry in dollars.
    pub cost_per_entry_usd: Option<Finite>,
    /// Mean of the median latencies.
    pub median_latency_seconds: Option<Finite>,
    /// Share of entries that all repeats answered alike; null with fewer than two.
    pub repeat_agreement: Option<Score>,
}

/// What the values of one axis did, over the configurations that have a quality.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AxisSummary {
    /// Name of the axis; `method` for the methods themselves.
    pub axis: String,
    /// Its values, in the order of the plan.
    pub values: Vec<AxisValue>,
}

/// One value of an axis. Means are over configurations, which may differ in other axes too.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AxisValue {
    /// The value.
    pub value: Value,
    /// Configurations with it.
    pub configurations: u64,
    /// Mean of the deciding metric.
    pub quality: Option<Score>,
    /// Mean hallucination rate.
    pub hallucination_rate: Option<Score>,
    /// Mean cost per entry in dollars.
    pub cost_per_entry_usd: Option<Finite>,
    /// Mean latency.
    pub median_latency_seconds: Option<Finite>,
    /// Mean share of entries that repeats answered alike.
    pub repeat_agreement: Option<Score>,
}

/// Mean quality over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeatMap {
    /// Axis from left to right.
    pub across: String,
    /// Axis from top to bottom.
    pub down: String,
    /// Values from left to right.
    pub columns: Vec<Value>,
    /// Values from top to bottom.
    pub rows: Vec<Value>,
    /// Mean quality by row and column; null where nothing was run.
    pub cells: Vec<Vec<Option<Score>>>,
}

/// How hard an entry is, over all complete runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EntryDifficulty {
    /// The entry.
    pub entry_id: String,
    /// Text that was translated.
    pub source: String,
    /// Human reference.
    pub expected: String,
    /// Difficulty that the corpus states.
    pub difficulty: Option<String>,
    /// Complete runs.
    pub runs: u64,
    /// Mean sentence chrF++ over the runs.
    pub mean_chrf: Score,
    /// Highest sentence chrF++ of any run.
    pub best_chrf: Score,
    /// The run that reached it.
    pub best_run: String,
    /// Runs whose output equals the reference.
    pub exact_matches: u64,
    /// Runs flagged for invented content.
    pub hallucinations: u64,
    /// Whether no run comes near the reference.
    pub all_fail: bool,
}

/// Whether the method under test beats the best baseline (B §6.3).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// One sentence.
    pub sentence: String,
    /// The baseline configuration with the highest mean.
    pub best_baseline: Option<String>,
    /// Its best complete run, with which others are compared.
    pub compared_with: Option<String>,
    /// Configurations under test.
    pub methods: Vec<MethodVerdict>,
    /// Runs under test that took part in no comparison, and why.
    pub not_compared: Vec<String>,
    /// Why there is no verdict.
    pub reason: Option<String>,
    /// How differences were tested.
    pub test: Option<String>,
}

/// A configuration under test against the best baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MethodVerdict {
    /// The configuration.
    pub configuration: String,
    /// Its name for people.
    pub label: String,
    /// Whether every complete repeat of it is significantly better and has no caveat.
    pub beats_best_baseline: bool,
    /// Names of the caveats that withhold the tier of any of its runs.
    pub caveats: Vec<String>,
    /// Names of the notes about any of its runs.
    pub notes: Vec<String>,
    /// Its runs.
    pub runs: Vec<ComparedRun>,
}

/// One run against the best baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedRun {
    /// The run.
    pub run: String,
    /// Score of the baseline.
    pub baseline: Score,
    /// Score of the run.
    pub score: Score,
    /// Run minus baseline.
    pub difference: Score,
    /// Lower bound of the difference's 95 % interval; null, as `upper` and `detectable_difference`, for a single entry.
    pub lower: Option<Score>,
    /// Upper bound of it.
    pub upper: Option<Score>,
    /// How often chance alone makes a difference this large.
    pub p_value: Score,
    /// The same, corrected over all runs under test.
    pub p_holm: Score,
    /// Whether the run is better and the corrected value at most 0.05.
    pub better: bool,
    /// The smallest true difference that such a test finds in four of five cases.
    pub detectable_difference: Option<Score>,
}
