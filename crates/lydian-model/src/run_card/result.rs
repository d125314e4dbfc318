//! The result of one entry (B §3.7).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::prediction::{CostSource, Served, Step};
use crate::{Domain, Finite, NanoUsd, Outcome, Score, Segment, TokenUsage};

/// One entry's texts, verdicts and costs: enough to compute every aggregate of the card again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryResult {
    /// The entry's id as text.
    pub entry_id: String,
    /// Text that was translated.
    pub source: String,
    /// Human reference.
    pub expected: String,
    /// Answer before post-processing, when kept apart.
    pub raw_predicted: Option<String>,
    /// Output of the method.
    pub predicted: String,
    /// What became of the entry.
    pub outcome: Outcome,
    /// Segment of the corpus.
    pub segment: Segment,
    /// Difficulty as text, `"1"` to `"5"`.
    pub difficulty: Option<String>,
    /// Application domain.
    pub domain: Option<Domain>,
    /// Register.
    pub register: Option<String>,
    /// Provenance tag.
    pub provenance: Option<String>,
    /// Whether the output equals the reference after NFC and trimming.
    pub exact_match: bool,
    /// Sentence chrF++ (0–100).
    pub chrf_score: Option<Score>,
    /// Sentence BLEU with effective order (0–100); a diagnostic.
    pub bleu_score: Option<Score>,
    /// Sentence TER (0–∞).
    pub ter_score: Option<Score>,
    /// Characters of the output per character of the reference.
    pub length_ratio: Option<Score>,
    /// Seconds of the answering request.
    pub latency_s: Option<Finite>,
    /// Number of the answering request; entries of one batch share it.
    pub request_number: Option<u64>,
    /// Entries in the answering request.
    pub batch_size: u32,
    /// Requests made for the entry.
    pub attempts: u32,
    /// Cost in US dollars.
    pub cost_usd: Option<NanoUsd>,
    /// Known part of an unknown cost.
    pub known_cost_usd: Option<NanoUsd>,
    /// Where the cost comes from.
    pub cost_source: CostSource,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// Tokens.
    pub usage: Option<TokenUsage>,
    /// What the provider reported.
    pub served: Option<Served>,
    /// Steps of a pipeline or plugin.
    pub steps: Vec<Step>,
    /// Tool calls made.
    pub tool_call_count: u32,
    /// Why the entry has no proper answer.
    pub error: Option<String>,
    /// Details of further metrics, by metric name.
    pub plugin_metrics: Map<String, Value>,
    /// Whether the analyser accepts every counted word; null when nothing was checked.
    pub fst_valid: Option<bool>,
    /// Whether the output equals an acceptable variant; null when that is not judged.
    pub equivalent_match: Option<bool>,
    /// `VALID`, `MISMATCH`, `UNKNOWN` or `ERROR`.
    pub semantic_verdict: Option<SemanticVerdict>,
    /// Whether source-language words leaked into the output; null when not judged.
    pub code_switching_detected: Option<bool>,
    /// Whether content without a counterpart was found; null when not judged.
    pub hallucination_detected: Option<bool>,
    /// Further observations, such as `source_copy`, by name with their reason.
    pub flags: BTreeMap<String, String>,
}

/// Verdict of the semantic scorer on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SemanticVerdict {
    /// The meaning is kept.
    Valid,
    /// The meaning differs.
    Mismatch,
    /// The scorer could not tell.
    Unknown,
    /// The scorer failed.
    Error,
}
