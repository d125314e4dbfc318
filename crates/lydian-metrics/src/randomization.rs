//! Paired approximate randomisation: is the difference of two systems larger than chance would make it?

use rayon::prelude::*;

use crate::bootstrap::scores_of_sums;
use crate::error::MetricError;
use crate::metric::Metric;
use crate::numeric::Numeric;
use crate::packed::greatest_common_divisor;
use crate::rng::Pcg64;
use crate::stats::StatsTable;

/// How many trials share the prepared partial sums of a block of segments.
const TRIALS_AT_ONCE: usize = 1250;

/// A number of trials and the seed of their coin flips.
///
/// Each trial exchanges the outputs of the two systems at random, segment by segment. The p-value is the share
/// of trials whose absolute difference reaches the observed one, the observed pair counting as a trial itself:
/// under the null hypothesis a p-value of at most 5 % comes up at most 5 % of the time.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, chrf::Chrf, randomization::Randomization};
/// let references: Vec<String> = (0..40).map(|i| format!("sentence number {i}")).collect();
/// let worse: Vec<String> = (0..40).map(|i| format!("sentance number {i}")).collect();
/// let references: Vec<&str> = references.iter().map(String::as_str).collect();
/// let worse: Vec<&str> = worse.iter().map(String::as_str).collect();
/// let chrf = Chrf::plus_plus();
/// let perfect = chrf.table(&Corpus::new(&references, &[&references])?);
/// let worse = chrf.table(&Corpus::new(&worse, &[&references])?);
///
/// let test = Randomization::default().test(&chrf, &perfect, &worse)?;
/// assert!(test.difference > 0.0 && test.p_value < 0.001);
/// // A system does not differ from itself.
/// assert_eq!(Randomization::default().test(&chrf, &worse, &worse)?.p_value, 1.0);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Randomization {
    /// How many trials are made.
    pub trials: usize,
    /// The seed of the coin flips.
    pub seed: u64,
}

impl Default for Randomization {
    /// 10,000 trials with seed 12345.
    fn default() -> Self {
        Self {
            trials: 10_000,
            seed: 12345,
        }
    }
}

/// What a paired test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedTest {
    /// The score of the first system minus that of the second.
    pub difference: f64,
    /// How often chance alone makes a difference this large, two-sided.
    pub p_value: f64,
}

impl Randomization {
    /// Tests whether two systems differ.
    pub fn test(
        &self,
        metric: &dyn Metric,
        first: &StatsTable,
        second: &StatsTable,
    ) -> Result<PairedTest, MetricError> {
        let (left, right) = self.sums(first, second)?;
        let (left, right) = (scores_of_sums(metric, &left), scores_of_sums(metric, &right));
        let difference =
            metric.table_score(first, Numeric::Exact) - metric.table_score(second, Numeric::Exact);
        let differences: Vec<f64> = left.iter().zip(&right).map(|(a, b)| a - b).collect();
        Ok(PairedTest {
            difference,
            p_value: p_value(difference, &differences),
        })
    }

    /// Returns the column sums of both shuffled systems in every trial: two tables with one row per trial.
    ///
    /// Flips depend on the seed and the number of segments only, so the sums of several metrics belong together
    /// trial by trial.
    pub fn sums(
        &self,
        first: &StatsTable,
        second: &StatsTable,
    ) -> Result<(StatsTable, StatsTable), MetricError> {
        if !first.is_paired_with(second) {
            return Err(MetricError::TableMismatch {
                left: first.len(),
                right: second.len(),
            });
        }
        let (small, factors) = Differences::<i32>::new(first, second)
            .map_or((None, Vec::new()), |(differences, factors)| {
                (Some(differences), factors)
            });
        let narrow = small
            .as_ref()
            .and_then(Differences::narrow)
            .filter(Differences::fits);
        let chunks: Vec<std::ops::Range<usize>> = (0..self.trials)
            .step_by(TRIALS_AT_ONCE)
            .map(|start| start..self.trials.min(start + TRIALS_AT_ONCE))
            .collect();
        let gains: Vec<Vec<i64>> = chunks
            .into_par_iter()
            .map(|trials| {
                let flips = Flips::new(self.seed, first.len(), trials);
                match (&narrow, &small) {
                    (Some(differences), _) => differences.gains_in_blocks(&flips, &factors),
                    (None, Some(differences)) => differences.gains(&flips, &factors),
                    (None, None) => Differences::<i64>::wide(first, second).gains(&flips, &[]),
                }
            })
            .collect();
        let (all_first, all_second) = (first.sum(), second.sum());
        let (mut left, mut right) = (StatsTable::new(first.width()), StatsTable::new(first.width()));
        let mut row = vec![0_u64; first.width()];
        for gain in gains.iter().flat_map(|chunk| chunk.chunks_exact(first.width())) {
            for (column, &gain) in gain.iter().enumerate() {
                row[column] = all_second[column].wrapping_add_signed(gain);
            }
            left.push(&row);
            for (column, value) in row.iter_mut().enumerate() {
                *value = all_first[column]
                    .wrapping_add(all_second[column])
                    .wrapping_sub(*value);
            }
            right.push(&row);
        }
        Ok((left, right))
    }
}

impl Randomization {
    /// Returns the coin flips of all trials one after another; `true` keeps the first system's output.
    ///
    /// For statistics that are not sums of integers. Every trial takes as many flips as there are segments.
    ///
    /// ```
    /// use lydian_metrics::randomization::{Randomization, p_value};
    /// let (first, second) = ([0.9, 0.8, 0.7, 0.9], [0.5, 0.6, 0.2, 0.7]);
    /// let randomization = Randomization::default();
    /// let mut flips = randomization.flips(first.len());
    /// let differences: Vec<f64> = (0..randomization.trials)
    ///     .map(|_| {
    ///         let pairs = first.iter().zip(&second).zip(&mut flips);
    ///         pairs.map(|((a, b), keep)| if keep { a - b } else { b - a }).sum::<f64>() / 4.0
    ///     })
    ///     .collect();
    /// // All four differences have the same sign: the two-sided p-value is about 2 / 16.
    /// assert!((p_value(0.325, &differences) - 0.125).abs() < 0.01);
    /// ```
    pub fn flips(&self, segments: usize) -> impl Iterator<Item = bool> + use<> {
        let mut rng = Pcg64::seeded(self.seed);
        let words = (self.trials * segments).div_ceil(32);
        (0..words).flat_map(move |_| {
            let word = rng.next_u32();
            (0..32).map(move |bit| word >> bit & 1 == 1)
        })
    }
}

/// Returns the share of trials, the observed one included, whose absolute difference reaches the observed one.
///
/// ```
/// use lydian_metrics::randomization::p_value;
/// assert_eq!(p_value(2.0, &[0.5, -2.0, 1.0]), 0.5);
/// ```
pub fn p_value(observed: f64, differences: &[f64]) -> f64 {
    // Sums in another order may differ in the last bits; that must not decide about reaching.
    let threshold = observed.abs() * (1.0 - 1e-12) - 1e-12;
    let reached = differences
        .iter()
        .filter(|difference| difference.abs() >= threshold)
        .count();
    (reached + 1) as f64 / (differences.len() + 1) as f64
}

/// The coin flips of some trials: numpy's `integers(2, size=(trials, segments), dtype=bool)`.
struct Flips {
    words: Vec<u32>,
    offset: usize,
    segments: usize,
    trials: usize,
}

impl Flips {
    fn new(seed: u64, segments: usize, trials: std::ops::Range<usize>) -> Self {
        let first = trials.start * segments;
        let offset = first % 32;
        let mut rng = Pcg64::seeded(seed);
        rng.skip_u32((first / 32) as u64);
        let mut words = vec![0; (offset + trials.len() * segments).div_ceil(32) + 1];
        rng.fill_u32(&mut words);
        Self {
            words,
            offset,
            segments,
            trials: trials.len(),
        }
    }

    /// Returns the flips of up to eight segments of a trial; a set bit takes the first system's output.
    fn eight(&self, trial: usize, segment: usize) -> usize {
        let bit = self.offset + trial * self.segments + segment;
        let both = u64::from(self.words[bit / 32]) | u64::from(self.words[bit / 32 + 1]) << 32;
        let wanted = (self.segments - segment).min(8);
        usize::from((both >> (bit % 32)).to_le_bytes()[0]) & ((1 << wanted) - 1)
    }
}

/// What each segment gains when the first system's output replaces the second's.
struct Differences<T> {
    width: usize,
    values: Vec<T>,
}

impl Differences<i32> {
    /// Returns the differences with the columns' common factors taken out, if every sum of them fits.
    fn new(first: &StatsTable, second: &StatsTable) -> Option<(Self, Vec<i64>)> {
        let wide = Differences::<i64>::wide(first, second);
        let mut factors = vec![0_u64; wide.width];
        let mut totals = vec![0_u128; wide.width];
        for row in wide.values.chunks_exact(wide.width) {
            for (column, value) in row.iter().enumerate() {
                factors[column] = greatest_common_divisor(factors[column], value.unsigned_abs());
                totals[column] += u128::from(value.unsigned_abs());
            }
        }
        let factors: Vec<i64> = factors
            .iter()
            .map(|&factor| i64::try_from(factor.max(1)).ok())
            .collect::<Option<_>>()?;
        let mut values = Vec::with_capacity(wide.values.len());
        for row in wide.values.chunks_exact(wide.width) {
            for (value, factor) in row.iter().zip(&factors) {
                values.push(i32::try_from(value / factor).ok()?);
            }
        }
        let fits = totals.iter().zip(&factors).all(|(&total, &factor)| {
            u128::try_from(factor).is_ok_and(|factor| total / factor < i32::MAX as u128)
        });
        fits.then_some((
            Self {
                width: wide.width,
                values,
            },
            factors,
        ))
    }
}

impl Differences<i64> {
    fn wide(first: &StatsTable, second: &StatsTable) -> Self {
        let pairs = first.rows().zip(second.rows());
        let values = pairs
            .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.wrapping_sub(*b).cast_signed()))
            .collect();
        Self {
            width: first.width(),
            values,
        }
    }
}

impl<T: Copy + Default + std::ops::AddAssign + Into<i64>> Differences<T> {
    /// Returns, for every trial, the sums over the segments whose flip is set, times the columns' factors.
    fn gains(&self, flips: &Flips, factors: &[i64]) -> Vec<i64> {
        let mut gains = vec![0; flips.trials * self.width];
        self.add_gains(flips, 0..flips.segments, &mut gains);
        multiply(&mut gains, factors, self.width);
        gains
    }

    /// Adds, for every trial, the sums over those of some segments whose flip is set.
    fn add_gains(&self, flips: &Flips, segments: std::ops::Range<usize>, gains: &mut [i64]) {
        let width = self.width;
        let mut sums = vec![T::default(); flips.trials * width];
        let mut partial = vec![T::default(); 256 * width];
        for segment in segments.clone().step_by(8) {
            let end = segments.end.min(segment + 8);
            fill_partial_sums(&self.values[segment * width..end * width], width, &mut partial);
            match width {
                10 => add_partial_sums::<T, 10>(&mut sums, &partial, |trial| flips.eight(trial, segment)),
                18 => add_partial_sums::<T, 18>(&mut sums, &partial, |trial| flips.eight(trial, segment)),
                24 => add_partial_sums::<T, 24>(&mut sums, &partial, |trial| flips.eight(trial, segment)),
                _ => {
                    for (trial, sums) in sums.chunks_exact_mut(width).enumerate() {
                        let start = flips.eight(trial, segment) * width;
                        for (sum, value) in sums.iter_mut().zip(&partial[start..start + width]) {
                            *sum += *value;
                        }
                    }
                }
            }
        }
        for (gain, sum) in gains.iter_mut().zip(sums) {
            *gain += sum.into();
        }
    }
}

impl Differences<i16> {
    /// Returns the differences in 16 bits, of which the machine adds more at once, if they are small.
    fn narrow(wide: &Differences<i32>) -> Option<Self> {
        let values = wide.values.iter().map(|&value| i16::try_from(value).ok());
        Some(Self {
            width: wide.width,
            values: values.collect::<Option<_>>()?,
        })
    }

    /// Returns what [`gains`](Differences::gains) does, in blocks of segments whose sums fit 16 bits.
    fn gains_in_blocks(&self, flips: &Flips, factors: &[i64]) -> Vec<i64> {
        let mut gains = vec![0; flips.trials * self.width];
        let largest = self.values.iter().map(|value| value.unsigned_abs()).max();
        let fitting = (i16::MAX.unsigned_abs() / largest.unwrap_or(1).max(1)) as usize;
        let block = (fitting / 8 * 8).max(8);
        for start in (0..flips.segments).step_by(block) {
            let end = flips.segments.min(start + block);
            self.add_gains(flips, start..end, &mut gains);
        }
        multiply(&mut gains, factors, self.width);
        gains
    }

    /// Returns whether blocks are long enough to be worth it.
    fn fits(&self) -> bool {
        self.values.iter().all(|value| value.unsigned_abs() < 512)
    }
}

/// Multiplies every column by its factor.
fn multiply(gains: &mut [i64], factors: &[i64], width: usize) {
    if factors.iter().all(|&factor| factor == 1) {
        return;
    }
    for row in gains.chunks_exact_mut(width) {
        for (gain, factor) in row.iter_mut().zip(factors) {
            *gain *= factor;
        }
    }
}

/// Adds to the sums of every trial those of the segments whose flips are set, for a width the compiler knows.
fn add_partial_sums<T: Copy + std::ops::AddAssign, const WIDTH: usize>(
    sums: &mut [T],
    partial: &[T],
    flips: impl Fn(usize) -> usize,
) {
    let (partial, _) = partial.as_chunks::<WIDTH>();
    let (sums, _) = sums.as_chunks_mut::<WIDTH>();
    for (trial, sums) in sums.iter_mut().enumerate() {
        for (sum, value) in sums.iter_mut().zip(&partial[flips(trial)]) {
            *sum += *value;
        }
    }
}

/// Writes the sum of every subset of up to eight rows; bit `i` of a subset's number stands for row `i`.
fn fill_partial_sums<T: Copy + Default + std::ops::AddAssign>(rows: &[T], width: usize, partial: &mut [T]) {
    partial[..width].fill(T::default());
    for (index, row) in rows.chunks_exact(width).enumerate() {
        let (without, with) = partial.split_at_mut((1 << index) * width);
        with[..without.len()].copy_from_slice(without);
        for sums in with[..without.len()].chunks_exact_mut(width) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += *value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_those_of_numpy() {
        // NumPy 2.5.5: default_rng(12345).integers(2, size=(1000, 77), dtype=bool), FNV-1a over all flips.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for chunk in [0..400, 400..401, 401..1000] {
            let flips = Flips::new(12345, 77, chunk.clone());
            for trial in 0..chunk.len() {
                for segment in 0..77 {
                    hash = (hash ^ (flips.eight(trial, segment) & 1) as u64).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        assert_eq!(hash, 0xd483_2913_adc3_7be1);
    }

    fn tables(scale: u64) -> (StatsTable, StatsTable) {
        let (mut first, mut second) = (StatsTable::new(2), StatsTable::new(2));
        for i in 0..129 {
            first.push(&[i * 7 % 11 * scale, 3]);
            second.push(&[i * 5 % 13 * scale, i]);
        }
        (first, second)
    }

    #[test]
    fn trial_sums_are_the_sums_of_the_flipped_rows() {
        for scale in [1, 40, 1000, 1 << 40] {
            let (first, second) = tables(scale);
            let (left, right) = Randomization {
                trials: 1300,
                seed: 4,
            }
            .sums(&first, &second)
            .unwrap();
            let flips = Flips::new(4, 129, 0..1300);
            for trial in [0, 1, 1249, 1250, 1299] {
                let mut expected = [[0; 2]; 2];
                for segment in 0..129 {
                    let swap = flips.eight(trial, segment) & 1 == 0;
                    let sides = if swap {
                        [&second, &first]
                    } else {
                        [&first, &second]
                    };
                    for (expected, table) in expected.iter_mut().zip(sides) {
                        expected[0] += table.row(segment)[0];
                        expected[1] += table.row(segment)[1];
                    }
                }
                assert_eq!(
                    [left.row(trial), right.row(trial)],
                    [&expected[0][..], &expected[1][..]]
                );
            }
        }
    }
}
