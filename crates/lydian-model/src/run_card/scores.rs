//! Aggregate scores of a run (B §3.4) with uncertainty, availability, caveats and tiers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Finite, Score};

/// Scores over all selected entries (decision 8). What is not available is null, with a reason in
/// `metric_availability`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// Entries evaluated.
    pub total: u64,
    /// Entries whose output equals the reference.
    pub exact_matches: u64,
    /// Share of exact matches.
    pub exact_match_rate: Option<Score>,
    /// Entries whose output equals an acceptable variant.
    pub equivalent_matches: Option<u64>,
    /// Share of equivalent matches.
    pub equivalent_match_rate: Option<Score>,
    /// How many equivalent matches needed each rule of the language card; left out when none was needed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub equivalent_matches_by_rule: BTreeMap<String, u64>,
    /// Entries in which every checked word is accepted (decision 10).
    pub fst_accepted: Option<u64>,
    /// Accepted words per checked word.
    pub fst_acceptance_rate: Option<Score>,
    /// Accepted words.
    pub fst_words_accepted: Option<u64>,
    /// Checked words.
    pub fst_words_checked: Option<u64>,
    /// Mean over entries of accepted words per checked word.
    pub fst_acceptance_rate_macro: Option<Score>,
    /// The same rate on the references: the analyser's ceiling.
    pub fst_reference_rate: Option<Score>,
    /// F1 of morphological units, 0–1.
    pub morphological_accuracy: Option<Score>,
    /// Precision behind `morphological_accuracy`.
    pub morphological_precision: Option<Score>,
    /// Recall behind `morphological_accuracy`.
    pub morphological_recall: Option<Score>,
    /// Corpus chrF++ (0–100).
    pub chrf_plus_plus: Option<Score>,
    /// Corpus chrF (0–100).
    pub chrf: Option<Score>,
    /// Corpus BLEU (0–100).
    pub bleu: Option<Score>,
    /// Semantic similarity, 0–1 (decision 32).
    pub semantic_score: Option<Score>,
    /// Corpus TER (0–∞, lower is better).
    pub ter: Option<Score>,
    /// Mean over entries of output length per reference length.
    pub length_ratio: Option<Score>,
    /// Share of entries with source-language leakage.
    pub code_switching_rate: Option<Score>,
    /// Share of entries with invented content.
    pub hallucination_rate: Option<Score>,
    /// Share of glossary occurrences rendered as the glossary says.
    pub terminology_adherence: Option<Score>,
    /// Share of words that follow the card's orthography.
    pub orthographic_accuracy: Option<Score>,
    /// Share of repeated source terms rendered alike; a diagnostic.
    pub consistency: Option<Score>,
    /// All tokens per second of `elapsed_seconds`.
    pub tokens_per_second: Option<Finite>,
    /// Entries per minute.
    pub entries_per_minute: Option<Finite>,
    /// Mean latency of an entry in seconds.
    pub avg_latency_seconds: Option<Finite>,
    /// Median latency of an entry in seconds.
    pub median_latency_seconds: Option<Finite>,
    /// 95th percentile of the latency of an entry in seconds.
    pub p95_latency_seconds: Option<Finite>,
    /// Mean latency of a request in seconds.
    pub request_latency_avg_seconds: Option<Finite>,
    /// Median latency of a request in seconds.
    pub request_latency_median_seconds: Option<Finite>,
    /// 95th percentile of the latency of a request in seconds.
    pub request_latency_p95_seconds: Option<Finite>,
    /// Weighted mean of the available metrics, 0–1.
    pub composite: Option<Score>,
    /// Weight profile, `A` (the language has an analyser) or `B`.
    pub composite_profile: String,
    /// Sum of the profile's weights that were available, 0–1.
    pub composite_coverage: Score,
    /// Weights used, after renormalisation, by metric.
    pub composite_weights: BTreeMap<String, Score>,
    /// Composite discounted by the cost per entry.
    pub cost_adjusted_score: Option<Score>,
    /// Entries without any answer (outcome `failed`).
    pub errors: u64,
    /// 1 − failed/total.
    pub coverage: Score,
    /// Number of entries per outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// Automated label of the composite (B §5), or `unscored` or `withheld`.
    pub quality_tier: String,
    /// The label that may be claimed: at most `functional` before human validation (decision 22).
    pub claimable_tier: String,
    /// Boundaries used for the tier, lower bound by name.
    pub tier_boundaries: BTreeMap<String, Score>,
    /// Findings that withhold the tier (decision 21).
    pub caveats: Vec<Caveat>,
    /// Findings without that effect.
    pub notes: Vec<Caveat>,
    /// Availability, reason and validation status of every metric.
    pub metric_availability: BTreeMap<String, Availability>,
    /// 95 % intervals by metric.
    pub confidence_intervals: BTreeMap<String, Interval>,
    /// Signatures by metric.
    pub signatures: BTreeMap<String, String>,
    /// Scores per difficulty.
    pub by_difficulty: BTreeMap<String, SubsetScores>,
    /// Scores per provenance tag.
    pub by_provenance: BTreeMap<String, SubsetScores>,
    /// Scores per domain.
    pub by_domain: BTreeMap<String, SubsetScores>,
    /// Scores per register.
    pub by_register: BTreeMap<String, SubsetScores>,
    /// Scores per segment.
    pub by_segment: BTreeMap<String, SubsetScores>,
}

/// Corpus-level metrics computed again on a subset (decision 9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubsetScores {
    /// Entries in the subset.
    pub total: u64,
    /// Entries whose output equals the reference.
    pub exact_matches: u64,
    /// Share of exact matches.
    pub exact_match_rate: Option<Score>,
    /// Share of equivalent matches.
    pub equivalent_match_rate: Option<Score>,
    /// Accepted words per checked word.
    pub fst_acceptance_rate: Option<Score>,
    /// F1 of morphological units.
    pub morphological_accuracy: Option<Score>,
    /// Corpus chrF++ of the subset.
    pub chrf_plus_plus: Option<Score>,
    /// Corpus chrF of the subset.
    pub chrf: Option<Score>,
    /// Corpus BLEU of the subset.
    pub bleu: Option<Score>,
    /// Semantic score of the subset.
    pub semantic_score: Option<Score>,
    /// Corpus TER of the subset.
    pub ter: Option<Score>,
    /// Mean length ratio of the subset.
    pub length_ratio: Option<Score>,
    /// Share of entries with source-language leakage.
    pub code_switching_rate: Option<Score>,
    /// Share of entries with invented content.
    pub hallucination_rate: Option<Score>,
    /// Share of glossary occurrences rendered as the glossary says.
    pub terminology_adherence: Option<Score>,
    /// Share of words that follow the card's orthography.
    pub orthographic_accuracy: Option<Score>,
    /// Composite of the subset.
    pub composite: Option<Score>,
    /// Entries without any answer.
    pub errors: u64,
    /// 1 − failed/total.
    pub coverage: Score,
    /// Number of entries per outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// 95 % intervals by metric.
    pub confidence_intervals: BTreeMap<String, Interval>,
}

/// A finding about a whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caveat {
    /// Stable name, such as `near_constant_output`.
    pub name: String,
    /// What was found, with numbers.
    pub reason: String,
}

/// Whether a metric has a value, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Availability {
    /// Whether the metric has a value.
    pub available: bool,
    /// Why not; null when it has.
    pub reason: Option<String>,
    /// How the metric itself has been validated.
    pub validation: MetricValidation,
}

/// Validation status of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetricValidation {
    /// Published correlation with human judgement.
    External,
    /// Validated for other languages.
    Proxy,
    /// A rule of thumb.
    Heuristic,
    /// No study exists.
    Unvalidated,
}

/// A percentile bootstrap interval (decision 30), or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// Lower bound; null, as `upper` and `mean`, when there is a `reason`.
    pub lower: Option<Score>,
    /// Upper bound.
    pub upper: Option<Score>,
    /// Mean of the resampled scores.
    pub mean: Option<Score>,
    /// Confidence level, 0.95.
    pub level: Score,
    /// Number of resamples.
    pub resamples: u32,
    /// Seed of the index stream.
    pub seed: u64,
    /// Entries resampled.
    pub entries: u64,
    /// Whether some entries have no answer, so that the interval does not describe a complete run.
    pub incomplete: bool,
    /// Why there is no interval; absent where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Interval {
    /// Returns lower and upper bound, if there is an interval.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        Some((self.lower?.get(), self.upper?.get()))
    }
}
