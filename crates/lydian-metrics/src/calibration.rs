//! How often tests and intervals claim a difference where there is none.
//!
//! A test at a level of 5 % should do so in 5 of 100 cases. Whether it does is measured on real texts: segments of
//! two systems are drawn at random and their outputs exchanged by the toss of a coin, so that neither side is
//! better; then the test is asked.

use rayon::prelude::*;

use crate::bootstrap::{Bootstrap, percentile_interval, scores_of_sums};
use crate::error::MetricError;
use crate::metric::Metric;
use crate::numeric::Numeric;
use crate::parity::shifted_p_value;
use crate::proportion::{Proportion, mcnemar};
use crate::randomization::Randomization;
use crate::rng::Pcg64;
use crate::special::binomial;
use crate::stats::StatsTable;

/// The size of an experiment.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, calibration::Calibration, chrf::Chrf};
/// let references: Vec<String> = (0..40).map(|i| format!("sentence number {i}")).collect();
/// let (mut one, mut two) = (references.clone(), references.clone());
/// for i in 0..40 {
///     one[i] = format!("sentance {} {i}", "really ".repeat(i % 3));
///     two[i] = format!("a sentence{} {i}", " indeed".repeat(i % 4));
/// }
/// let lines = |lines: &'static [String]| -> Vec<&str> { lines.iter().map(String::as_str).collect() };
/// # let (one, two, references) = (&*one.leak(), &*two.leak(), &*references.leak());
/// let chrf = Chrf::plus_plus();
/// let table = |texts| Ok(chrf.table(&Corpus::new(&lines(texts), &[lines(references)])?));
/// let calibration = Calibration { trials: 200, segments: 40, ..Calibration::default() };
/// let rejections = calibration.paired(&chrf, &table(one)?, &table(two)?)?;
/// // The default test keeps its level; sacreBLEU's paired bootstrap does not.
/// assert!(rejections.randomization < 0.1 && rejections.randomization < rejections.sacrebleu_bootstrap);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// How many pairs of systems without a difference are made.
    pub trials: usize,
    /// How many segments each pair has.
    pub segments: usize,
    /// How many resamples or shufflings each test makes.
    pub resamples: usize,
    /// The level of the tests.
    pub level: f64,
    /// The seed of everything that is drawn.
    pub seed: u64,
}

impl Default for Calibration {
    /// 2,000 trials of 100 segments, 1,000 resamples, 5 %, seed 12345.
    fn default() -> Self {
        Self {
            trials: 2000,
            segments: 100,
            resamples: 1000,
            level: 0.05,
            seed: 12345,
        }
    }
}

/// The share of trials in which each test claimed a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rejections {
    /// [Approximate randomisation](crate::randomization), the default test.
    pub randomization: f64,
    /// The percentile interval of the difference leaves 0 out.
    pub difference_interval: f64,
    /// The percentile interval of one side's score leaves the score of all segments out.
    pub score_interval: f64,
    /// The paired bootstrap test of sacreBLEU.
    pub sacrebleu_bootstrap: f64,
}

impl Calibration {
    /// Measures the paired tests on the segments of two systems.
    pub fn paired(
        &self,
        metric: &dyn Metric,
        first: &StatsTable,
        second: &StatsTable,
    ) -> Result<Rejections, MetricError> {
        if !first.is_paired_with(second) {
            return Err(MetricError::TableMismatch {
                left: first.len(),
                right: second.len(),
            });
        }
        // Both outputs of a segment are equally likely on either side.
        let mut all = first.sum();
        for (sum, other) in all.iter_mut().zip(second.sum()) {
            *sum += other;
        }
        let expected = metric.score(&all, Numeric::Exact);
        let claims: Vec<[bool; 4]> = (0..self.trials as u64)
            .into_par_iter()
            .map(|trial| {
                let mut rng = Pcg64::seeded(self.seed.wrapping_add(trial));
                let pair = self.pair_without_difference(&mut rng, first, second);
                self.claims(metric, &pair, expected, rng.next_u64())
            })
            .collect::<Result<_, _>>()?;
        let share = |test: usize| {
            let count = claims.iter().filter(|claims| claims[test]).count();
            count as f64 / claims.len() as f64
        };
        Ok(Rejections {
            randomization: share(0),
            difference_interval: share(1),
            score_interval: share(2),
            sacrebleu_bootstrap: share(3),
        })
    }

    /// Draws segments and gives each side one of the two outputs by chance.
    fn pair_without_difference(
        &self,
        rng: &mut Pcg64,
        first: &StatsTable,
        second: &StatsTable,
    ) -> [StatsTable; 2] {
        let bound = u32::try_from(first.len()).unwrap_or(u32::MAX);
        let mut pair = [first.width(), first.width()].map(StatsTable::new);
        for _ in 0..self.segments {
            let segment = rng.below(bound) as usize;
            let exchanged = rng.below(2) as usize;
            pair[exchanged].push(first.row(segment));
            pair[1 - exchanged].push(second.row(segment));
        }
        pair
    }

    /// Asks every test whether the two sides differ.
    fn claims(
        &self,
        metric: &dyn Metric,
        [first, second]: &[StatsTable; 2],
        expected: f64,
        seed: u64,
    ) -> Result<[bool; 4], MetricError> {
        let trials = self.resamples;
        let test = Randomization { trials, seed }.test(metric, first, second)?;
        let resamples = self.resamples;
        let sums = Bootstrap { resamples, seed }.sums_of(&[first, second]);
        let (first, second) = (scores_of_sums(metric, &sums[0]), scores_of_sums(metric, &sums[1]));
        let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a - b).collect();
        let leaves_out = |scores: &[f64], value: f64| {
            let interval = percentile_interval(scores);
            value < interval.lower || value > interval.upper
        };
        Ok([
            test.p_value <= self.level,
            leaves_out(&differences, 0.0),
            leaves_out(&first, expected),
            shifted_p_value(&differences, test.difference) <= self.level,
        ])
    }
}

/// How often the tests and intervals for shares are wrong, computed from the binomial distribution.
///
/// Counts are whole numbers, so an exact test cannot have every level; it stays below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareErrors {
    /// The exact binomial test claims another share.
    pub binomial: f64,
    /// The Clopper–Pearson interval leaves the true share out.
    pub clopper_pearson: f64,
    /// The Wilson interval leaves the true share out.
    pub wilson: f64,
    /// McNemar's exact test claims a difference when as many segments as there are differ.
    pub mcnemar: f64,
}

impl ShareErrors {
    /// Computes the errors for a true share, a number of segments and a level.
    ///
    /// ```
    /// use lydian_metrics::calibration::ShareErrors;
    /// let errors = ShareErrors::new(0.5, 200, 0.05);
    /// assert!(errors.binomial <= 0.05 && errors.mcnemar <= 0.05 && errors.clopper_pearson <= 0.05);
    /// assert!((0.04..0.06).contains(&errors.wilson));
    /// ```
    pub fn new(share: f64, segments: u64, level: f64) -> Self {
        let mut errors = Self {
            binomial: 0.0,
            clopper_pearson: 0.0,
            wilson: 0.0,
            mcnemar: 0.0,
        };
        for successes in 0..=segments {
            let Some(observed) = Proportion::new(successes, segments) else {
                continue;
            };
            let probability = binomial(successes, segments, share);
            let outside = |(lower, upper): (f64, f64)| share < lower || share > upper;
            let mut add = |error: fn(&mut Self) -> &mut f64, wrong: bool, probability: f64| {
                if wrong {
                    *error(&mut errors) += probability;
                }
            };
            add(
                |e| &mut e.binomial,
                observed.binomial_test(share) <= level,
                probability,
            );
            add(
                |e| &mut e.clopper_pearson,
                outside(observed.clopper_pearson(1.0 - level)),
                probability,
            );
            add(
                |e| &mut e.wilson,
                outside(observed.wilson(1.0 - level)),
                probability,
            );
            let even = binomial(successes, segments, 0.5);
            add(
                |e| &mut e.mcnemar,
                mcnemar(successes, segments - successes) <= level,
                even,
            );
        }
        errors
    }
}
