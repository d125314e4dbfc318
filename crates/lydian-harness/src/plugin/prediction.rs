//! From what a plugin said about an entry to its prediction.

use super::message::{ErrorKind, PluginError, ResultMessage};
use crate::translator::EarlierAnswer;
use lydian_model::prediction::{CostSource, Step};
use lydian_model::{Finite, NanoUsd, Outcome, Prediction, SourceEntry, TokenUsage};
use std::time::Duration;

/// Longest wait a plugin may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// What became of an entry in one round.
pub(super) enum Fate {
    /// The plugin answered.
    Answered(Box<ResultMessage>, Duration),
    /// The plugin broke the protocol for this entry, or the entry failed for good.
    Failed(String),
    /// The plugin ended before it answered.
    Lost(String),
}

/// Name of the marker for an error that may be asked for again.
pub(super) const RETRY: &str = "retry";

pub(super) fn wait_before_retry(one: &Prediction) -> Option<Duration> {
    let step = one.steps.iter().find(|step| step.name == RETRY)?;
    Some(
        Duration::try_from_secs_f64(step.seconds?.get())
            .ok()?
            .min(LONGEST_WAIT),
    )
}

/// Reads a result out of the journal of an interrupted run. Errors are asked for again.
pub(super) fn restored(earlier: &EarlierAnswer) -> Option<(ResultMessage, Duration, u64)> {
    let result: ResultMessage = serde_json::from_slice(&earlier.response.body).ok()?;
    (result.error.is_none() && result.fault().is_none()).then_some((result, earlier.latency, earlier.number))
}

pub(super) fn finished(entry: &SourceEntry, fate: Fate, number: u64, batch: usize) -> Prediction {
    match fate {
        Fate::Answered(result, latency) => prediction(entry, &result, Some(latency), number, batch),
        Fate::Failed(reason) | Fate::Lost(reason) => Prediction::failed(entry.id.clone(), reason),
    }
}

pub(super) fn prediction(
    entry: &SourceEntry,
    result: &ResultMessage,
    latency: Option<Duration>,
    number: u64,
    batch: usize,
) -> Prediction {
    let base = if let Some(error) = &result.error {
        failed(entry, error)
    } else {
        let base = Prediction::of_text(entry.id.clone(), result.output.clone().unwrap_or_default().trim());
        match result.outcome {
            None | Some(Outcome::Ok | Outcome::Empty) => base,
            Some(outcome) if outcome.text_is_scored() => Prediction { outcome, ..base },
            Some(outcome) => Prediction {
                outcome,
                output: String::new(),
                ..base
            },
        }
    };
    let usage = result.usage.unwrap_or_default();
    let reported = usage.cost_usd;
    let raw = result.raw.clone().or_else(|| result.output.clone());
    Prediction {
        raw_output: raw.filter(|raw| *raw != base.output && !raw.is_empty()),
        latency_seconds: latency.and_then(|latency| Finite::new(latency.as_secs_f64())),
        request_number: Some(number),
        batch_size: u32::try_from(batch).unwrap_or(u32::MAX),
        tool_call_count: usage.tool_calls.unwrap_or(0),
        usage: tokens(result),
        cost_usd: reported,
        cost_source: match reported {
            None => CostSource::None,
            Some(NanoUsd::ZERO) => CostSource::Local,
            Some(_) => CostSource::Provider,
        },
        steps: base
            .steps
            .iter()
            .cloned()
            .chain(result.steps.iter().map(step))
            .collect(),
        ..base
    }
}

pub(super) fn failed(entry: &SourceEntry, error: &PluginError) -> Prediction {
    let kind = match error.kind {
        ErrorKind::Method => "method",
        ErrorKind::Provider => "provider",
        ErrorKind::RateLimited => "rate limited",
        ErrorKind::InvalidInput => "invalid input",
        ErrorKind::Timeout => "timeout",
    };
    let mut prediction = Prediction::failed(entry.id.clone(), format!("{kind}: {}", error.message));
    if error.retryable {
        let wait = error.retry_after_s.filter(|wait| *wait >= 0.0).unwrap_or(1.0);
        prediction.steps.push(Step {
            name: RETRY.into(),
            ok: false,
            seconds: Finite::new(wait),
            cost_usd: None,
            detail: None,
        });
    }
    prediction
}

/// Splits the reported totals into disjoint buckets.
pub(super) fn tokens(result: &ResultMessage) -> Option<TokenUsage> {
    let usage = result.usage?;
    if usage.prompt_tokens.is_none() && usage.completion_tokens.is_none() {
        return None;
    }
    Some(TokenUsage {
        uncached_input: usage
            .prompt_tokens
            .and_then(|all| all.checked_sub(usage.cached_tokens.unwrap_or(0))),
        cache_read: usage.cached_tokens,
        cache_write: None,
        output_text: usage
            .completion_tokens
            .and_then(|all| all.checked_sub(usage.reasoning_tokens.unwrap_or(0))),
        reasoning: usage.reasoning_tokens,
    })
}

pub(super) fn step(step: &super::message::PluginStep) -> Step {
    Step {
        name: step.name.clone(),
        ok: step.ok,
        seconds: step.ms.and_then(|ms| Finite::new(ms / 1000.0)),
        cost_usd: None,
        detail: step.detail.clone(),
    }
}
