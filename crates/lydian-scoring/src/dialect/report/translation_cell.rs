//! T1 within a dialect: mean of 0 to 2, counts, interval, and what echoing the source would reach.

use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
use lydian_model::Score;
use lydian_model::dialect::DialectItem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::coverage::coverage;
use super::super::verdict::ItemVerdict;
use super::BootstrapNote;

/// Means over fewer items have no interval: resampling four values says nothing.
const LEAST_ITEMS: usize = 5;

/// The T1 items of one dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TranslationCell {
    /// The number of items.
    pub items: u64,
    /// The mean score, 0 to 2.
    pub mean: Score,
    /// The 95 % percentile interval of the mean; null below five items.
    pub interval: Option<[Score; 2]>,
    /// How many items scored 0, 1 and 2.
    pub counts: [u64; 3],
    /// The mean that repeating the source would reach if no gate stopped it.
    pub echo_mean: Score,
}

impl TranslationCell {
    /// Returns the cell, or `None` without items.
    pub(super) fn new(judged: &[&(&DialectItem, ItemVerdict)]) -> Option<Self> {
        let scores: Vec<f64> = judged
            .iter()
            .map(|(_, verdict)| f64::from(verdict.score))
            .collect();
        let echoes: Vec<f64> = judged
            .iter()
            .map(|(item, _)| f64::from(coverage(item.task.keywords(), &item.source).score().points()))
            .collect();
        let count = |points: u8| {
            judged
                .iter()
                .filter(|(_, verdict)| verdict.score == points)
                .count() as u64
        };
        Some(Self {
            items: judged.len() as u64,
            mean: mean(&scores)?,
            interval: interval(&scores),
            counts: [count(0), count(1), count(2)],
            echo_mean: mean(&echoes)?,
        })
    }
}

/// Returns how the intervals are drawn.
pub(super) fn bootstrap_note() -> BootstrapNote {
    let Bootstrap { resamples, seed, .. } = Bootstrap::default();
    BootstrapNote {
        resamples: resamples as u64,
        seed,
        least_items: LEAST_ITEMS as u64,
    }
}

fn mean(values: &[f64]) -> Option<Score> {
    if values.is_empty() {
        None
    } else {
        Score::new(values.iter().sum::<f64>() / values.len() as f64)
    }
}

fn interval(scores: &[f64]) -> Option<[Score; 2]> {
    if scores.len() < LEAST_ITEMS {
        return None;
    }
    let means = Bootstrap::default().map(scores.len(), |drawn| {
        // The scores are whole numbers, so the sum is exact whatever its order.
        drawn
            .iter()
            .zip(scores)
            .map(|(times, score)| f64::from(*times) * score)
            .sum::<f64>()
            / scores.len() as f64
    });
    let interval = percentile_interval(&means);
    Some([Score::new(interval.lower)?, Score::new(interval.upper)?])
}
