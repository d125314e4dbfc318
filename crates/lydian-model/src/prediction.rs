//! What a method answered for one entry, as the journal keeps it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EntryId, Finite, NanoUsd, Outcome, TokenUsage};

/// The accepted answer for one entry. It holds nothing of the answer side of the corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The entry.
    pub entry_id: EntryId,
    /// What became of it.
    pub outcome: Outcome,
    /// The method's output after post-processing; empty when there is none.
    pub output: String,
    /// The answer before post-processing, when it differs or when no output could be read from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_output: Option<String>,
    /// Why the entry has no proper answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Seconds the answering request took, retries excluded (decision 14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_seconds: Option<Finite>,
    /// Number of the answering request in this run; entries of one batch share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_number: Option<u64>,
    /// Entries the answering request held.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub batch_size: u32,
    /// Requests made for this entry, retries included.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempts: u32,
    /// Tool calls made.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tool_call_count: u32,
    /// Tokens of all requests for this entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// What the answer cost to produce; `None` when a price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<NanoUsd>,
    /// The known part of the cost when `cost_usd` is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_cost_usd: Option<NanoUsd>,
    /// Where the cost comes from.
    #[serde(default)]
    pub cost_source: CostSource,
    /// Whether the answer came from the cache, so that nothing was paid in this run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What the provider said it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<Served>,
    /// Steps of a pipeline or plugin, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

impl Prediction {
    /// Returns an answer with nothing but its text: outcome `ok`, or `empty` if `output` is blank.
    pub fn of_text(entry_id: EntryId, output: impl Into<String>) -> Self {
        let output = output.into();
        let outcome = if output.trim().is_empty() {
            Outcome::Empty
        } else {
            Outcome::Ok
        };
        Self {
            entry_id,
            outcome,
            output,
            raw_output: None,
            error: None,
            latency_seconds: None,
            request_number: None,
            batch_size: 1,
            attempts: 1,
            tool_call_count: 0,
            usage: None,
            cost_usd: None,
            known_cost_usd: None,
            cost_source: CostSource::None,
            cached: false,
            served: None,
            steps: Vec::new(),
        }
    }

    /// Returns a failure: no answer for the entry, and why.
    pub fn failed(entry_id: EntryId, error: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Failed,
            error: Some(error.into()),
            ..Self::of_text(entry_id, "")
        }
    }

    /// Returns the text that is scored: the output of `ok` and `truncated` answers, else the empty string (decision 8).
    pub fn scored_text(&self) -> &str {
        if self.outcome.text_is_scored() {
            &self.output
        } else {
            ""
        }
    }
}

/// Where a cost comes from (decision 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostSource {
    /// Reported by the provider.
    Provider,
    /// Computed from the shipped price table.
    Table,
    /// Computed from the user's prices.
    User,
    /// Ran on the user's own machine: explicitly zero.
    Local,
    /// Unknown.
    #[default]
    None,
}

/// What a provider reported about the request it served.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// Resolved model identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Upstream provider behind a router.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Finish reason in the provider's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// The provider's request id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The provider's system fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// One step of a pipeline or plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Name such as `translate`, `check`, `repair`.
    pub name: String,
    /// Whether the step succeeded.
    pub ok: bool,
    /// Seconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Finite>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<NanoUsd>,
    /// What it found, such as the rejected words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

const fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_one(number: &u32) -> bool {
    *number == 1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_output_is_empty_not_ok() {
        assert_eq!(
            Prediction::of_text(EntryId::integer(1), " \n").outcome,
            Outcome::Empty
        );
        assert_eq!(Prediction::of_text(EntryId::integer(1), "a").outcome, Outcome::Ok);
    }

    #[test]
    fn a_filtered_answer_is_scored_as_nothing() {
        let filtered = Prediction {
            outcome: Outcome::Filtered,
            ..Prediction::of_text(EntryId::integer(1), "text")
        };
        assert_eq!(filtered.scored_text(), "");
    }
}
