//! Cost and token totals of a run (B §3.5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::prediction::CostSource;
use crate::{NanoUsd, TokenUsage};

/// Totals over all requests that the results needed. A number nobody reported is null, never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// All input tokens, cached ones included.
    pub prompt_tokens: Option<u64>,
    /// All output tokens, reasoning included.
    pub completion_tokens: Option<u64>,
    /// Reasoning tokens, part of the output.
    pub reasoning_tokens: Option<u64>,
    /// Input tokens served from a prompt cache, part of the input.
    pub cached_tokens: Option<u64>,
    /// The disjoint buckets behind the four totals.
    pub buckets: TokenUsage,
    /// Cost of producing the results, cached answers at their original cost.
    pub total_cost_usd: Option<NanoUsd>,
    /// The known part when the total is unknown.
    pub known_cost_usd: Option<NanoUsd>,
    /// What this execution paid.
    pub spent_usd: Option<NanoUsd>,
    /// `total_cost_usd` per entry, in dollars.
    pub cost_per_entry_usd: Option<crate::Finite>,
    /// US dollars per source character (extended grapheme cluster of the NFC text).
    pub cost_per_source_char: Option<crate::Finite>,
    /// US dollars per 1,000 tokens.
    pub cost_per_1000_tokens: Option<crate::Finite>,
    /// Where the cost comes from; the least certain source of any entry.
    pub cost_source: CostSource,
    /// Requests made, retries included.
    pub requests: u64,
    /// Answers taken from the cache.
    pub cached_answers: u64,
}
