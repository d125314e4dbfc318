//! Token counts of a request in disjoint buckets (decision 16).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tokens of one or more requests. The buckets do not overlap; `None` means the provider did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenUsage {
    /// Input tokens that were not served from a prompt cache.
    pub uncached_input: Option<u64>,
    /// Input tokens read from a prompt cache.
    pub cache_read: Option<u64>,
    /// Input tokens written to a prompt cache.
    pub cache_write: Option<u64>,
    /// Output tokens of the visible answer.
    pub output_text: Option<u64>,
    /// Output tokens of hidden reasoning.
    pub reasoning: Option<u64>,
}

impl TokenUsage {
    /// Returns all input tokens (B §3.5 `prompt_tokens`), or `None` if the provider reported no input count.
    pub fn prompt_tokens(&self) -> Option<u64> {
        let uncached = self.uncached_input?;
        Some(uncached + self.cache_read.unwrap_or(0) + self.cache_write.unwrap_or(0))
    }

    /// Returns all output tokens (B §3.5 `completion_tokens`), or `None` if the provider reported no output count.
    pub fn completion_tokens(&self) -> Option<u64> {
        let text = self.output_text?;
        Some(text + self.reasoning.unwrap_or(0))
    }

    /// Returns the bucket-wise sum; a bucket unknown on both sides stays unknown.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        fn add(left: Option<u64>, right: Option<u64>) -> Option<u64> {
            match (left, right) {
                (None, None) => None,
                (left, right) => Some(left.unwrap_or(0).saturating_add(right.unwrap_or(0))),
            }
        }
        Self {
            uncached_input: add(self.uncached_input, other.uncached_input),
            cache_read: add(self.cache_read, other.cache_read),
            cache_write: add(self.cache_write, other.cache_write),
            output_text: add(self.output_text, other.output_text),
            reasoning: add(self.reasoning, other.reasoning),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_sums_of_disjoint_buckets() {
        let usage = TokenUsage {
            uncached_input: Some(86),
            cache_read: Some(1920),
            cache_write: Some(100),
            output_text: Some(50),
            reasoning: Some(250),
        };
        assert_eq!(usage.prompt_tokens(), Some(2106));
        assert_eq!(usage.completion_tokens(), Some(300));
    }

    #[test]
    fn an_unreported_count_is_not_zero() {
        assert_eq!(TokenUsage::default().prompt_tokens(), None);
        assert_eq!(
            TokenUsage::default().plus(TokenUsage::default()),
            TokenUsage::default()
        );
    }
}
