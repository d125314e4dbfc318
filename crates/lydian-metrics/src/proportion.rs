//! Shares of yes-or-no outcomes: intervals and tests that hold for small numbers too.

use crate::special::{beta_quantile, binomial, normal_quantile};

/// A number of successes among a number of trials.
///
/// ```
/// use lydian_metrics::proportion::Proportion;
/// let accuracy = Proportion::new(47, 100).expect("47 is at most 100");
/// let (lower, upper) = accuracy.wilson(0.95);
/// assert_eq!(format!("{:.2} [{lower:.3}, {upper:.3}]", accuracy.share()), "0.47 [0.375, 0.567]");
/// assert!(Proportion::new(2, 1).is_none() && Proportion::new(0, 0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    /// Builds a proportion, or `None` without trials or with more successes than trials.
    pub fn new(successes: u64, trials: u64) -> Option<Self> {
        (trials > 0 && successes <= trials).then_some(Self { successes, trials })
    }

    /// Returns successes over trials.
    pub fn share(self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// Returns the Wilson score interval for a confidence level such as 0.95.
    ///
    /// On average over all shares it covers the truth as often as the level says.
    pub fn wilson(self, level: f64) -> (f64, f64) {
        let (share, n) = (self.share(), self.trials as f64);
        let z = normal_quantile(0.5 + level / 2.0);
        let scale = 1.0 + z * z / n;
        let middle = (share + z * z / (2.0 * n)) / scale;
        let half = z * libm::sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n)) / scale;
        let lower = if self.successes == 0 { 0.0 } else { middle - half };
        let upper = if self.successes == self.trials {
            1.0
        } else {
            middle + half
        };
        (lower, upper)
    }

    /// Returns the Clopper–Pearson interval for a confidence level such as 0.95.
    ///
    /// It covers the truth at least as often as the level says, whatever the share.
    ///
    /// ```
    /// use lydian_metrics::proportion::Proportion;
    /// let (lower, upper) = Proportion::new(0, 10).expect("0 is at most 10").clopper_pearson(0.95);
    /// assert_eq!((lower, format!("{upper:.4}")), (0.0, "0.3085".to_owned()));
    /// ```
    pub fn clopper_pearson(self, level: f64) -> (f64, f64) {
        let (k, n) = (self.successes as f64, self.trials as f64);
        let tail = (1.0 - level) / 2.0;
        let lower = if self.successes == 0 {
            0.0
        } else {
            beta_quantile(tail, k, n - k + 1.0)
        };
        let upper = if self.successes == self.trials {
            1.0
        } else {
            beta_quantile(1.0 - tail, k + 1.0, n - k)
        };
        (lower, upper)
    }

    /// Returns the two-sided p-value of the exact binomial test of a share.
    ///
    /// It is the probability of all outcomes that are at most as likely as the observed one.
    ///
    /// ```
    /// use lydian_metrics::proportion::Proportion;
    /// let test = Proportion::new(7, 10).expect("7 is at most 10").binomial_test(0.5);
    /// assert!((test - 0.34375).abs() < 1e-12);
    /// ```
    pub fn binomial_test(self, share: f64) -> f64 {
        let observed = binomial(self.successes, self.trials, share);
        // Outcomes as likely as the observed one may differ from it in the last digits.
        let limit = observed * (1.0 + 1e-7);
        let total: f64 = (0..=self.trials)
            .map(|k| binomial(k, self.trials, share))
            .filter(|&probability| probability <= limit)
            .sum();
        total.min(1.0)
    }
}

/// Returns the two-sided p-value of McNemar's exact test.
///
/// The arguments count the items that only the first and only the second system got right; what both or neither
/// got right does not matter.
///
/// ```
/// use lydian_metrics::proportion::mcnemar;
/// assert!((mcnemar(5, 15) - 0.041_389).abs() < 1e-6);
/// assert_eq!(mcnemar(0, 0), 1.0);
/// ```
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let (fewer, all) = (only_first.min(only_second), only_first + only_second);
    let tail: f64 = (0..=fewer).map(|k| binomial(k, all, 0.5)).sum();
    (2.0 * tail).min(1.0)
}

/// Returns the p-value of McNemar's test with the χ² approximation and the continuity correction.
///
/// For many differing items it agrees with the exact test; without any it is 1.
///
/// ```
/// use lydian_metrics::proportion::mcnemar_chi_squared;
/// assert!((mcnemar_chi_squared(121, 59) - 5.450_095e-6).abs() < 1e-11);
/// ```
pub fn mcnemar_chi_squared(only_first: u64, only_second: u64) -> f64 {
    if only_first + only_second == 0 {
        return 1.0;
    }
    let distance = only_first.abs_diff(only_second) as f64 - 1.0;
    let statistic = distance * distance / (only_first + only_second) as f64;
    libm::erfc(libm::sqrt(statistic / 2.0))
}
