//! Outputs far longer or shorter than the source and the other outputs suggest.
use super::tokens::Text;
use super::{Finding, FindingKind};
use unicode_segmentation::UnicodeSegmentation;

/// Fewer outputs do not show what is usual.
const ENOUGH_OUTPUTS: usize = 10;
/// An output may be this many times longer or shorter than usual, whatever the spread.
const FACTOR: f64 = 3.0;
/// And this many robust standard deviations.
const DEVIATIONS: f64 = 5.0;
/// Softens the ratio of very short texts.
const SOFTENING: f64 = 8.0;

/// The usual ratio of lengths and its spread.
pub(super) struct LengthModel {
    usual: Option<(f64, f64)>,
}

impl LengthModel {
    pub(super) fn new(texts: &[(Text, Text)]) -> Self {
        let ratios: Vec<f64> = texts
            .iter()
            .filter(|(_, to)| !to.is_empty())
            .map(|(from, to)| log_ratio(from, to))
            .collect();
        if ratios.len() < ENOUGH_OUTPUTS {
            return Self { usual: None };
        }
        let middle = median(ratios.clone());
        let spread = 1.4826 * median(ratios.iter().map(|r| (r - middle).abs()).collect());
        Self {
            usual: Some((middle, spread)),
        }
    }

    pub(super) fn find(&self, source: &Text, output: &Text) -> Option<Finding> {
        let (middle, spread) = self.usual?;
        let distance = log_ratio(source, output) - middle;
        let allowed = FACTOR.ln().max(DEVIATIONS * spread);
        (distance.abs() > allowed).then(|| Finding {
            kind: FindingKind::Length,
            evidence: format!("{:.2} times the usual length", distance.exp()),
        })
    }
}

fn log_ratio(source: &Text, output: &Text) -> f64 {
    let length = |text: &Text| text.clean.trim().graphemes(true).count() as f64 + SOFTENING;
    (length(output) / length(source)).ln()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}
