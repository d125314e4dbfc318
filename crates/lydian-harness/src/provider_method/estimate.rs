//! What a run will take before anything is sent: requests, tokens and money, as a range.

use super::ProviderMethod;
use crate::price::Price;
use crate::provider::RequestError;
use lydian_model::{NanoUsd, SourceEntry};
use serde::Serialize;

/// A token covers about four bytes of ordinary text and at least one byte of any.
const BYTES_PER_TOKEN: u64 = 4;
/// Shortest and longest output expected, in bytes per byte of source.
const OUTPUT: (u64, u64) = (1, 4);

/// Lowest and highest value expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Range {
    /// Lowest.
    pub low: u64,
    /// Highest.
    pub high: u64,
}

/// What a run will probably take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// Entries.
    pub entries: u64,
    /// Requests, retries after errors not counted.
    pub requests: Range,
    /// Input tokens.
    pub input_tokens: Range,
    /// Output tokens, hidden reasoning not counted.
    pub output_tokens: Range,
    /// Cost; `None` when the price is unknown.
    pub cost_usd: Option<CostRange>,
}

/// Lowest and highest cost expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CostRange {
    /// Lowest.
    pub low: NanoUsd,
    /// Highest.
    pub high: NanoUsd,
}

impl ProviderMethod {
    /// Estimates a run over these entries. The lowest value is that of a run without repairs; the highest that of one
    /// in which every answer is repaired as often as allowed and every tool round is used.
    pub fn estimate(&self, entries: &[SourceEntry], price: Option<&Price>) -> Result<Estimate, RequestError> {
        let repairs = if self.checkers.is_empty() {
            0
        } else {
            u64::from(self.parameters.max_retries)
        };
        let rounds = if self.tools.specs().is_empty() {
            0
        } else {
            u64::from(self.parameters.max_tool_rounds)
        };
        let calls = (1 + repairs) * (1 + rounds);
        let count = entries.len() as u64;
        let batch = u64::from(self.parameters.batch_size.max(1));
        let mut total = Estimate {
            entries: count,
            requests: Range {
                low: count.div_ceil(batch),
                high: if batch > 1 {
                    count.div_ceil(batch) + count
                } else {
                    count * calls
                },
            },
            input_tokens: Range::default(),
            output_tokens: Range::default(),
            cost_usd: price.map(|_| CostRange {
                low: NanoUsd::ZERO,
                high: NanoUsd::ZERO,
            }),
        };
        for entry in entries {
            let prompt = self.first_request(entry)?.body.to_string().len() as u64;
            let source = entry.source.len() as u64;
            let (short, long) = (source * OUTPUT.0, source * OUTPUT.1);
            let most = self.parameters.sampling.most_output_tokens().unwrap_or(u64::MAX);
            let long_tokens = long.min(most);
            total.input_tokens.low += (prompt / batch).div_ceil(BYTES_PER_TOKEN);
            // Every further call repeats the conversation so far.
            let conversation = prompt * calls + long * calls * (calls - 1) / 2;
            total.input_tokens.high += conversation.div_ceil(2);
            total.output_tokens.low += short.div_ceil(BYTES_PER_TOKEN);
            total.output_tokens.high += long_tokens * calls;
            if let (Some(cost), Some(price)) = (&mut total.cost_usd, price) {
                cost.low += price.estimate(
                    if self.kind.takes_prompt() {
                        prompt / batch
                    } else {
                        source
                    },
                    short,
                );
                cost.high += if self.kind.takes_prompt() {
                    price.estimate(
                        conversation.saturating_mul(2),
                        long_tokens.saturating_mul(calls * BYTES_PER_TOKEN),
                    )
                } else {
                    price.estimate(source, 0)
                };
            }
        }
        Ok(total)
    }
}
