//! From the calls made for an entry to its prediction.

use crate::endpoint::{CallResult, Origin};
use crate::post_processing::{PostProcessing, post_process};
use crate::price::Cost;
use crate::provider::{Answer, Truncation};
use lydian_model::prediction::{CostSource, Step};
use lydian_model::{EntryId, Finite, NanoUsd, Outcome, Prediction, TokenUsage};
use std::time::Duration;

/// What the calls for one entry add up to.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    cost: Cost,
    usage: Option<TokenUsage>,
    attempts: u32,
    paid_now: bool,
    pub(super) tool_calls: u32,
    pub(super) steps: Vec<Step>,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            cost: Cost {
                total: Some(NanoUsd::ZERO),
                known: NanoUsd::ZERO,
                source: CostSource::Local,
            },
            usage: None,
            attempts: 0,
            paid_now: false,
            tool_calls: 0,
            steps: Vec::new(),
        }
    }

    /// Counts a call.
    pub(super) fn add(&mut self, result: &CallResult) {
        let usage = result.answer.as_ref().ok().and_then(|answer| answer.usage);
        self.add_share(result.cost, usage, result);
    }

    /// Counts an entry's share of a call for several.
    pub(super) fn add_share(&mut self, cost: Cost, usage: Option<TokenUsage>, result: &CallResult) {
        self.cost = self.cost.plus(cost);
        self.usage = match (self.usage, usage) {
            (Some(sum), Some(more)) => Some(sum.plus(more)),
            (sum, more) => sum.or(more),
        };
        self.attempts += result.attempts;
        self.paid_now |= result.origin != Origin::Cache;
    }

    /// Notes a step of a pipeline.
    pub(super) fn step(&mut self, name: &str, ok: bool, seconds: Duration, detail: Option<String>) {
        let seconds = Finite::new(seconds.as_secs_f64());
        self.steps.push(Step {
            name: name.to_owned(),
            ok,
            seconds,
            cost_usd: None,
            detail,
        });
    }

    /// Notes a step that was a call.
    pub(super) fn call_step(&mut self, name: &str, result: &CallResult) {
        let detail = match &result.answer {
            Ok(answer) if answer.outcome == Outcome::Ok => None,
            Ok(answer) => Some(answer.outcome.name().to_owned()),
            Err(failure) => Some(failure.to_string()),
        };
        self.steps.push(Step {
            name: name.to_owned(),
            ok: detail.is_none(),
            seconds: result
                .latency
                .and_then(|latency| Finite::new(latency.as_secs_f64())),
            cost_usd: result.cost.total,
            detail,
        });
    }

    /// Makes the prediction out of the accepted call.
    pub(super) fn prediction(
        self,
        entry_id: EntryId,
        source: &str,
        accepted: &CallResult,
        steps: &[PostProcessing],
    ) -> Prediction {
        let base = match &accepted.answer {
            Ok(answer) => of_answer(entry_id, source, answer, steps),
            Err(failure) => Prediction::failed(entry_id, failure.to_string()),
        };
        let known = self.cost.total.is_none() && self.cost.known > NanoUsd::ZERO;
        Prediction {
            latency_seconds: accepted
                .latency
                .and_then(|latency| Finite::new(latency.as_secs_f64())),
            request_number: accepted.number,
            attempts: self.attempts,
            tool_call_count: self.tool_calls,
            usage: self.usage,
            cost_usd: self.cost.total,
            known_cost_usd: known.then_some(self.cost.known),
            cost_source: self.cost.source,
            cached: !self.paid_now,
            steps: self.steps,
            ..base
        }
    }
}

fn of_answer(entry_id: EntryId, source: &str, answer: &Answer, steps: &[PostProcessing]) -> Prediction {
    let raw = answer.text.clone().unwrap_or_default();
    let output = if answer.outcome.text_is_scored() {
        post_process(steps, source, &raw)
    } else {
        String::new()
    };
    let outcome = match answer.outcome {
        Outcome::Ok if output.is_empty() => Outcome::Empty,
        outcome => outcome,
    };
    let error = match outcome {
        Outcome::Truncated if answer.truncation == Some(Truncation::ReasoningOnly) => {
            Some("hidden reasoning used the whole token limit".to_owned())
        }
        Outcome::Truncated => Some("the answer reached the token limit".to_owned()),
        Outcome::Ok | Outcome::Empty => None,
        _ => answer
            .refusal
            .clone()
            .or_else(|| answer.served.finish_reason.clone()),
    };
    let raw_output = (!raw.is_empty() && raw != output).then_some(raw);
    let served = Some(answer.served.clone());
    Prediction {
        outcome,
        raw_output,
        error,
        served,
        ..Prediction::of_text(entry_id, output)
    }
}

/// Splits a cost and token counts of one request over `parts` entries, the remainder to the first ones, so that
/// the shares add up to the whole.
pub(super) fn share(result: &CallResult, index: u64, parts: u64) -> (Cost, Option<TokenUsage>) {
    let part = |whole: u64| whole / parts + u64::from(index < whole % parts);
    let nanos = |amount: NanoUsd| NanoUsd::new(part(amount.nanos()));
    let cost = Cost {
        total: result.cost.total.map(nanos),
        known: nanos(result.cost.known),
        source: result.cost.source,
    };
    let usage = result
        .answer
        .as_ref()
        .ok()
        .and_then(|answer| answer.usage)
        .map(|usage| TokenUsage {
            uncached_input: usage.uncached_input.map(part),
            cache_read: usage.cache_read.map(part),
            cache_write: usage.cache_write.map(part),
            output_text: usage.output_text.map(part),
            reasoning: usage.reasoning.map(part),
        });
    (cost, usage)
}
