//! Tokens, money and speed of a run (decisions 15, 16).

use std::collections::BTreeMap;

use lydian_metrics::length::graphemes;
use lydian_model::prediction::CostSource;
use lydian_model::{Finite, NanoUsd, Outcome, Prediction, TokenUsage, run_card::Totals};

use crate::item::{Item, nfc};

/// Adds up what the results cost. An unknown part makes a total null, never smaller.
pub(crate) fn totals(items: &[Item<'_>]) -> Totals {
    // An entry for which no request was made cost nothing and has no tokens; it does not make the totals unknown.
    let asked: Vec<&Prediction> = items
        .iter()
        .map(|item| item.prediction.as_ref())
        .filter(|prediction| prediction.attempts > 0 || prediction.outcome != Outcome::Failed)
        .collect();
    let buckets = asked
        .iter()
        .filter_map(|prediction| prediction.usage)
        .fold(TokenUsage::default(), TokenUsage::plus);
    let prompt_tokens = token_sum(&asked, TokenUsage::prompt_tokens);
    let completion_tokens = token_sum(&asked, TokenUsage::completion_tokens);
    let total = money_sum(asked.iter().map(|prediction| prediction.cost_usd));
    let spent = money_sum(asked.iter().map(|prediction| {
        if prediction.cached {
            Some(NanoUsd::ZERO)
        } else {
            prediction.cost_usd
        }
    }));
    let known: NanoUsd = asked
        .iter()
        .filter_map(|prediction| prediction.cost_usd.or(prediction.known_cost_usd))
        .sum();
    let any_known = asked
        .iter()
        .any(|prediction| prediction.cost_usd.or(prediction.known_cost_usd).is_some());
    let characters: usize = items.iter().map(|item| graphemes(&nfc(&item.entry.source))).sum();
    let tokens = prompt_tokens
        .zip(completion_tokens)
        .map(|(a, b)| a.saturating_add(b));
    let per = |whole: usize| total.and_then(|total| Finite::new(total.dollars() / whole as f64));
    Totals {
        prompt_tokens,
        completion_tokens,
        reasoning_tokens: buckets.reasoning,
        cached_tokens: buckets.cache_read,
        buckets,
        total_cost_usd: total,
        known_cost_usd: (total.is_none() && any_known).then_some(known),
        spent_usd: spent,
        cost_per_entry_usd: per(items.len()),
        cost_per_source_char: per(characters),
        cost_per_1000_tokens: total
            .zip(tokens)
            .and_then(|(total, tokens)| Finite::new(total.dollars() * 1000.0 / tokens as f64)),
        cost_source: asked
            .iter()
            .map(|prediction| prediction.cost_source)
            .max_by_key(|&source| uncertainty(source))
            .unwrap_or_default(),
        requests: requests(&asked),
        cached_answers: asked.iter().filter(|prediction| prediction.cached).count() as u64,
    }
}

/// Returns all tokens of a run, if they are known.
pub(crate) fn all_tokens(totals: &Totals) -> Option<u64> {
    Some(totals.prompt_tokens?.saturating_add(totals.completion_tokens?))
}

/// Returns `count` per second of `elapsed`, or `None` when no time passed.
pub(crate) fn per_second(count: u64, elapsed: Option<Finite>) -> Option<f64> {
    elapsed
        .map(Finite::get)
        .filter(|&seconds| seconds > 0.0)
        .map(|seconds| count as f64 / seconds)
}

/// Adds a token count over all answers; unknown if an answer did not report it.
fn token_sum(asked: &[&Prediction], count: impl Fn(&TokenUsage) -> Option<u64>) -> Option<u64> {
    let answered = asked
        .iter()
        .filter(|prediction| prediction.outcome != Outcome::Failed || prediction.usage.is_some());
    let mut sum = None;
    for prediction in answered {
        let tokens = prediction.usage.as_ref().and_then(&count)?;
        sum = Some(sum.unwrap_or(0_u64).saturating_add(tokens));
    }
    sum
}

/// Adds amounts; unknown if one is, or if there is none.
fn money_sum(amounts: impl Iterator<Item = Option<NanoUsd>>) -> Option<NanoUsd> {
    let mut sum = None;
    for amount in amounts {
        sum = Some(sum.unwrap_or(NanoUsd::ZERO) + amount?);
    }
    sum
}

/// Orders cost sources from certain to unknown.
const fn uncertainty(source: CostSource) -> u8 {
    match source {
        CostSource::Local => 0,
        CostSource::Provider => 1,
        CostSource::Table => 2,
        CostSource::User => 3,
        CostSource::None => 4,
    }
}

/// Counts requests, retries included; entries of one batch share theirs, cached answers needed none.
fn requests(asked: &[&Prediction]) -> u64 {
    let mut numbered: BTreeMap<u64, u32> = BTreeMap::new();
    let mut single = 0_u64;
    for prediction in asked.iter().filter(|prediction| !prediction.cached) {
        match prediction.request_number {
            Some(number) => {
                let attempts = numbered.entry(number).or_default();
                *attempts = (*attempts).max(prediction.attempts);
            }
            None => single += u64::from(prediction.attempts),
        }
    }
    single + numbered.into_values().map(u64::from).sum::<u64>()
}
