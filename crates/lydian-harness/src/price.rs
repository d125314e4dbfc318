//! What a request costs: exact, in integer nano-USD, from the best source there is.

mod table;

pub use table::{PriceError, PriceTable};

use crate::provider::Answer;
use lydian_model::prediction::CostSource;
use lydian_model::{NanoUsd, TokenUsage};

/// An amount of nano-USD per million units.
pub type PerMillion = u64;

/// Prices of one model or engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// Where the prices come from.
    pub source: CostSource,
    /// What is billed.
    pub rates: Rates,
    /// Above this many input tokens other, unknown prices hold.
    pub up_to_input_tokens: Option<u64>,
    /// The row of the table, for the card: who says so, and when.
    pub row: Option<PriceRow>,
}

/// What is billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rates {
    /// Nothing: the model runs on the user's own machine.
    Free,
    /// Tokens, in disjoint buckets.
    Tokens {
        /// Uncached input.
        input: PerMillion,
        /// Input read from the provider's prompt cache.
        cache_read: Option<PerMillion>,
        /// Input written to the provider's prompt cache.
        cache_write: Option<PerMillion>,
        /// Visible output.
        output: PerMillion,
        /// Hidden reasoning.
        reasoning: PerMillion,
    },
    /// Characters of the source text.
    Characters(PerMillion),
}

/// Where a price was read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PriceRow {
    /// The model's name in the table.
    pub model: String,
    /// The page that states the price.
    pub source_url: String,
    /// The day it was read.
    pub as_of: String,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The whole cost; `None` if any part of it is unknown.
    pub total: Option<NanoUsd>,
    /// The sum of the parts that are known.
    pub known: NanoUsd,
    /// Where it comes from.
    pub source: CostSource,
}

impl Cost {
    /// A cost nobody knows.
    pub const UNKNOWN: Self = Self {
        total: None,
        known: NanoUsd::ZERO,
        source: CostSource::None,
    };

    /// Returns the cost of an answer: what the provider reports, else what the price says, else unknown.
    /// `source_characters` counts the Unicode scalar values of the text, for engines.
    pub fn of(answer: &Answer, price: Option<&Price>, source_characters: u64) -> Self {
        if let Some(reported) = answer.reported_cost {
            return Self {
                total: Some(reported),
                known: reported,
                source: CostSource::Provider,
            };
        }
        let Some(price) = price else { return Self::UNKNOWN };
        let (nanos, complete) = match price.rates {
            Rates::Free => (0, true),
            Rates::Characters(rate) => {
                let characters = answer.billed_characters.unwrap_or(source_characters);
                (u128::from(characters) * u128::from(rate), true)
            }
            Rates::Tokens { .. } => match &answer.usage {
                Some(usage) => {
                    let (nanos, complete) = token_cost(usage, &price.rates);
                    let within = price.covers(usage.prompt_tokens().unwrap_or(0));
                    (if within { nanos } else { 0 }, complete && within)
                }
                None => (0, false),
            },
        };
        let known = whole_nanos(nanos);
        Self {
            total: complete.then_some(known),
            known,
            source: price.source,
        }
    }

    /// Returns the sum of two costs; an unknown part leaves the total unknown.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let total = match (self.total, other.total) {
            (Some(left), Some(right)) => left.checked_add(right),
            _ => None,
        };
        // The least certain source names the sum.
        Self {
            total,
            known: self.known + other.known,
            source: least_certain(self.source, other.source),
        }
    }
}

fn least_certain(left: CostSource, right: CostSource) -> CostSource {
    let rank = |source: CostSource| match source {
        CostSource::Local => 0,
        CostSource::Provider => 1,
        CostSource::User => 2,
        CostSource::Table => 3,
        CostSource::None => 4,
    };
    if rank(left) >= rank(right) { left } else { right }
}

/// Returns millionths of nano-USD, and whether every bucket had a count and a price.
fn token_cost(usage: &TokenUsage, rates: &Rates) -> (u128, bool) {
    let Rates::Tokens {
        input,
        cache_read,
        cache_write,
        output,
        reasoning,
    } = *rates
    else {
        return (0, false);
    };
    let mut sum = 0;
    let mut complete = usage.uncached_input.is_some() && usage.output_text.is_some();
    let mut add = |count: Option<u64>, rate: Option<PerMillion>| match (count, rate) {
        (Some(count), Some(rate)) => sum += u128::from(count) * u128::from(rate),
        (Some(0) | None, None) | (None, Some(_)) => {}
        (Some(_), None) => complete = false,
    };
    add(usage.uncached_input, Some(input));
    add(usage.cache_read, cache_read);
    add(usage.cache_write, cache_write);
    add(usage.output_text, Some(output));
    add(usage.reasoning, Some(reasoning));
    (sum, complete)
}

/// Rounds up, so that no part of a cost is lost.
fn whole_nanos(millionths: u128) -> NanoUsd {
    NanoUsd::new(u64::try_from(millionths.div_ceil(1_000_000)).unwrap_or(u64::MAX))
}

impl Price {
    /// Returns the price of a model that runs on the user's own machine.
    pub fn local() -> Self {
        Self {
            source: CostSource::Local,
            rates: Rates::Free,
            up_to_input_tokens: None,
            row: None,
        }
    }

    fn covers(&self, input_tokens: u64) -> bool {
        self.up_to_input_tokens.is_none_or(|most| input_tokens <= most)
    }

    /// Returns the most a request can cost, or `None` if it has no upper bound. A token covers at least one byte, so
    /// that bytes bound tokens for every writing system.
    pub fn upper_bound(&self, prompt_bytes: u64, max_output_tokens: Option<u64>) -> Option<NanoUsd> {
        match self.rates {
            Rates::Free => Some(NanoUsd::ZERO),
            Rates::Characters(rate) => Some(whole_nanos(u128::from(prompt_bytes) * u128::from(rate))),
            Rates::Tokens {
                input,
                cache_read,
                cache_write,
                output,
                reasoning,
            } => {
                if !self.covers(prompt_bytes) {
                    return None;
                }
                let dearest = input.max(cache_read.unwrap_or(0)).max(cache_write.unwrap_or(0));
                let produced = u128::from(max_output_tokens?) * u128::from(output.max(reasoning));
                Some(whole_nanos(
                    u128::from(prompt_bytes) * u128::from(dearest) + produced,
                ))
            }
        }
    }

    /// Returns what a request probably costs, at four bytes per token.
    pub fn estimate(&self, prompt_bytes: u64, output_bytes: u64) -> NanoUsd {
        match self.rates {
            Rates::Free => NanoUsd::ZERO,
            Rates::Characters(rate) => whole_nanos(u128::from(prompt_bytes) * u128::from(rate)),
            Rates::Tokens { input, output, .. } => whole_nanos(
                u128::from(prompt_bytes.div_ceil(4)) * u128::from(input)
                    + u128::from(output_bytes.div_ceil(4)) * u128::from(output),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{ProviderKind, RawResponse};

    const RATES: Rates = Rates::Tokens {
        input: 150_000_000,
        cache_read: Some(37_500_000),
        cache_write: None,
        output: 600_000_000,
        reasoning: 600_000_000,
    };

    fn price(rates: Rates) -> Price {
        Price {
            source: CostSource::Table,
            rates,
            up_to_input_tokens: None,
            row: None,
        }
    }

    fn answer(usage: &str) -> Answer {
        let body = format!(
            r#"{{"choices":[{{"finish_reason":"stop","message":{{"content":"a"}}}}],"usage":{usage}}}"#
        );
        let response = RawResponse {
            status: 200,
            headers: vec![],
            body: body.into_bytes(),
        };
        ProviderKind::OpenAi.classify(&response).unwrap()
    }

    /// Case 36, by hand: 86 × 0.15 + 1920 × 0.0375 + 50 × 0.60 + 250 × 0.60 = 264.9 USD per million.
    #[test]
    fn each_bucket_is_priced_once() {
        let usage = r#"{"prompt_tokens":2006,"completion_tokens":300,"prompt_tokens_details":{"cached_tokens":1920},
            "completion_tokens_details":{"reasoning_tokens":250}}"#;
        let cost = Cost::of(&answer(usage), Some(&price(RATES)), 0);
        assert_eq!(cost.total, Some(NanoUsd::new(264_900)));
        assert_eq!(cost.source, CostSource::Table);
    }

    /// Case 39: cached tokens without a price make the whole unknown, not cheaper.
    #[test]
    fn a_bucket_without_a_price_makes_the_total_unknown() {
        let rates = Rates::Tokens {
            input: 1_000_000,
            cache_read: None,
            cache_write: None,
            output: 1_000_000,
            reasoning: 1,
        };
        let usage =
            r#"{"prompt_tokens":30,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":20}}"#;
        let cost = Cost::of(&answer(usage), Some(&price(rates)), 0);
        assert_eq!((cost.total, cost.known), (None, NanoUsd::new(17)));
        let usage =
            r#"{"prompt_tokens":30,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":0}}"#;
        assert_eq!(
            Cost::of(&answer(usage), Some(&price(rates)), 0).total,
            Some(NanoUsd::new(37))
        );
    }

    #[test]
    fn above_the_tier_the_cost_is_unknown() {
        let tiered = Price {
            up_to_input_tokens: Some(20),
            ..price(RATES)
        };
        let usage = |input: u64| answer(&format!(r#"{{"prompt_tokens":{input},"completion_tokens":0}}"#));
        assert!(Cost::of(&usage(20), Some(&tiered), 0).total.is_some());
        assert_eq!(Cost::of(&usage(21), Some(&tiered), 0).total, None);
        assert_eq!(tiered.upper_bound(21, Some(1)), None);
    }

    #[test]
    fn a_reported_cost_wins_and_a_missing_usage_is_not_free() {
        let reported = answer(r#"{"prompt_tokens":1,"completion_tokens":1,"cost":0.5}"#);
        let cost = Cost::of(&reported, Some(&price(RATES)), 0);
        assert_eq!(
            (cost.total, cost.source),
            (Some(NanoUsd::new(500_000_000)), CostSource::Provider)
        );
        assert_eq!(Cost::of(&answer("null"), Some(&price(RATES)), 0).total, None);
        assert_eq!(Cost::of(&answer("null"), None, 0), Cost::UNKNOWN);
        assert_eq!(
            Cost::of(&answer("null"), Some(&Price::local()), 0).total,
            Some(NanoUsd::ZERO)
        );
    }

    #[test]
    fn fractions_of_a_nano_dollar_round_up() {
        assert_eq!(whole_nanos(1), NanoUsd::new(1));
        assert_eq!(whole_nanos(0), NanoUsd::ZERO);
        assert_eq!(whole_nanos(1_000_001), NanoUsd::new(2));
    }

    #[test]
    fn characters_are_billed_as_reported_or_counted() {
        let body = r#"{"translations":[{"text":"x","billed_characters":500}]}"#;
        let response = RawResponse {
            status: 200,
            headers: vec![],
            body: body.into(),
        };
        let answer = ProviderKind::DeepL.classify(&response).unwrap();
        let rate = price(Rates::Characters(25_000_000_000));
        assert_eq!(
            Cost::of(&answer, Some(&rate), 3).total,
            Some(NanoUsd::new(12_500_000))
        );
    }

    #[test]
    fn one_unknown_part_makes_the_sum_unknown() {
        let known = Cost {
            total: Some(NanoUsd::new(5)),
            known: NanoUsd::new(5),
            source: CostSource::Provider,
        };
        let sum = known.plus(Cost::UNKNOWN);
        assert_eq!(
            (sum.total, sum.known, sum.source),
            (None, NanoUsd::new(5), CostSource::None)
        );
    }

    #[test]
    fn the_upper_bound_counts_every_byte_as_a_token() {
        assert_eq!(
            price(RATES).upper_bound(10, Some(100)),
            Some(NanoUsd::new(1_500 + 60_000))
        );
        assert_eq!(price(RATES).upper_bound(10, None), None);
    }
}
