//! A rule for the length of an output against its source.

use super::{CheckError, Checker, Verdict};
use crate::translator::BoxFuture;
use unicode_segmentation::UnicodeSegmentation;

/// Texts with fewer grapheme clusters than this are too short for a ratio to mean anything.
const SHORTEST: usize = 10;

/// Rejects outputs that are much shorter or longer than their source.
#[derive(Clone, Copy, Debug)]
pub struct LengthChecker {
    min_ratio: f64,
    max_ratio: f64,
}

impl LengthChecker {
    /// Accepts ratios between the two, in extended grapheme clusters.
    pub fn new(min_ratio: Option<f64>, max_ratio: Option<f64>) -> Self {
        Self {
            min_ratio: min_ratio.unwrap_or(0.0),
            max_ratio: max_ratio.unwrap_or(f64::INFINITY),
        }
    }
}

impl Checker for LengthChecker {
    fn name(&self) -> &'static str {
        "length"
    }

    fn check<'a>(&'a self, source: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>> {
        let count = |text: &str| text.trim().graphemes(true).count();
        let (expected, actual) = (count(source), count(output));
        let ratio = actual as f64 / expected.max(1) as f64;
        let message = match () {
            () if expected < SHORTEST && actual < SHORTEST => String::new(),
            () if ratio < self.min_ratio => {
                format!("The translation is too short: {actual} characters for {expected}.")
            }
            () if ratio > self.max_ratio => {
                format!("The translation is too long: {actual} characters for {expected}.")
            }
            () => String::new(),
        };
        Box::pin(async {
            Ok(Verdict {
                rejected: Vec::new(),
                message,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ratios_outside_the_bounds_are_rejected() {
        let checker = LengthChecker::new(Some(0.5), Some(2.0));
        for (source, output, accepted) in [
            ("abcdefghij", "abcde", true),
            ("abcdefghij", "abcd", false),
            ("abcdefghij", "abcdefghijabcdefghij", true),
            ("abcdefghij", "abcdefghijabcdefghijk", false),
            ("ab", "abcdefgh", true),
            ("abcdefghij", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", true),
        ] {
            assert_eq!(
                checker.check(source, output).await.unwrap().accepted(),
                accepted,
                "{output}"
            );
        }
    }
}
