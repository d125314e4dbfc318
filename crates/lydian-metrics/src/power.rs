//! How small a difference a corpus can show, and how large a corpus a difference needs.

use crate::bootstrap::Bootstrap;
use crate::error::MetricError;
use crate::metric::Metric;
use crate::special::{normal_cdf, normal_quantile};
use crate::stats::StatsTable;

/// How much the difference of two systems varies from corpus to corpus, estimated by paired resampling.
///
/// The normal approximation is used: with fewer than about 30 segments the answers are rough.
///
/// ```
/// use lydian_metrics::power::Spread;
/// let spread = Spread { deviation: 0.5, segments: 200 };
/// let detectable = spread.detectable(200, 0.05, 0.8);
/// assert!((detectable - 1.4008).abs() < 1e-4);
/// assert!((spread.power(detectable, 200, 0.05) - 0.8).abs() < 1e-4);
/// assert_eq!(spread.segments_needed(detectable, 0.05, 0.8), 200);
/// // Four times the segments halve what can be detected.
/// assert!((spread.detectable(800, 0.05, 0.8) - detectable / 2.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The standard deviation of the difference over corpora of [`segments`](Spread::segments) segments.
    pub deviation: f64,
    /// The number of segments it belongs to.
    pub segments: usize,
}

impl Spread {
    /// Estimates the spread of the difference of two systems.
    pub fn estimate(
        metric: &dyn Metric,
        first: &StatsTable,
        second: &StatsTable,
        bootstrap: Bootstrap,
    ) -> Result<Self, MetricError> {
        let differences = bootstrap.differences(metric, first, second)?;
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences
            .iter()
            .map(|difference| (difference - mean).powi(2))
            .sum();
        Ok(Self {
            deviation: libm::sqrt(squares / (count - 1.0).max(1.0)),
            segments: first.len(),
        })
    }

    /// Returns the smallest difference that a test at level `alpha` finds with the given probability.
    pub fn detectable(&self, segments: usize, alpha: f64, power: f64) -> f64 {
        (normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power)) * self.deviation_at(segments)
    }

    /// Returns how likely a test at level `alpha` finds a true difference.
    pub fn power(&self, difference: f64, segments: usize, alpha: f64) -> f64 {
        let critical = normal_quantile(1.0 - alpha / 2.0);
        let standardized = difference.abs() / self.deviation_at(segments);
        normal_cdf(standardized - critical) + normal_cdf(-standardized - critical)
    }

    /// Returns how many segments a test at level `alpha` needs to find a true difference with the given
    /// probability; a difference of 0 needs more than any corpus has.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float too large for an integer becomes the largest integer"
    )]
    pub fn segments_needed(&self, difference: f64, alpha: f64, power: f64) -> usize {
        let ratio = self.detectable(self.segments, alpha, power) / difference.abs();
        let needed = ratio * ratio * self.segments as f64;
        // A whole number of segments must not be rounded up because of the last digit.
        (needed * (1.0 - 1e-12)).ceil() as usize
    }

    fn deviation_at(&self, segments: usize) -> f64 {
        self.deviation * libm::sqrt(self.segments as f64 / segments as f64)
    }
}
