//! sacreBLEU's intervals and p-values, to the last bit: 32-bit sums of resamples, NumPy's means, its tests.
//!
//! The paired-bootstrap p-value is here for comparison with published numbers only: on pairs without any
//! difference it falls below 0.05 in more than 10 % of cases. Use [`randomization`](crate::randomization).

use rayon::prelude::*;

use crate::bootstrap::{Bootstrap, for_each_block};
use crate::error::MetricError;
use crate::exact_mean::exact_mean;
use crate::metric::Metric;
use crate::numeric::{Numeric, NumpyFloat};
use crate::packed::Packed;
use crate::randomization::Randomization;
use crate::rng::Pcg64;
use crate::stats::StatsTable;

/// Below this a 32-bit float holds every integer, so the order of adding does not matter.
const EXACT_SINGLES: f64 = 16_777_216.0;

/// The resampled scores of one system, as sacreBLEU computes them.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, bootstrap::Bootstrap, chrf::Chrf, parity::resample};
/// let corpus = Corpus::new(&["a cat", "the dog"], &[&["the cat", "the dog"]])?;
/// let chrf = Chrf::default();
/// let resampled = resample(&[(&chrf, &chrf.table(&corpus))], Bootstrap::default()).remove(0);
/// // sacreBLEU 2.6.0 with NumPy 2: μ = 64.35 ± 34.38
/// let confidence = resampled.confidence();
/// assert_eq!(format!("{:.2} ± {:.2}", confidence.mean, confidence.half_width), "64.35 ± 34.38");
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    scores: Vec<NumpyFloat>,
}

/// A mean of resampled scores and half the width of the interval that holds 95 % of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// The mean of the resampled scores.
    pub mean: f64,
    /// Half the distance of the interval's bounds.
    pub half_width: f64,
}

/// Resamples several systems or metrics with one index stream.
///
/// # Panics
/// When the tables differ in their number of rows.
pub fn resample(systems: &[(&dyn Metric, &StatsTable)], bootstrap: Bootstrap) -> Vec<Resampled> {
    resample_from(systems, Pcg64::seeded(bootstrap.seed), bootstrap.resamples)
}

fn resample_from(systems: &[(&dyn Metric, &StatsTable)], rng: Pcg64, resamples: usize) -> Vec<Resampled> {
    let mut results = vec![
        Resampled {
            scores: Vec::with_capacity(resamples)
        };
        systems.len()
    ];
    let Some(entries) = systems.first().map(|(_, table)| table.len()) else {
        return results;
    };
    assert!(
        systems.iter().all(|(_, table)| table.len() == entries),
        "tables of one corpus are equally long"
    );
    let rows: Vec<Singles> = systems
        .iter()
        .map(|(metric, table)| Singles::new(*metric, table))
        .collect();
    for_each_block(rng, entries, resamples, |block| {
        let scores: Vec<Vec<NumpyFloat>> = block
            .par_chunks(entries)
            .map(|draws| {
                let pairs = systems.iter().zip(&rows);
                pairs
                    .map(|((metric, _), rows)| metric.score_singles(&rows.sum(draws)))
                    .collect()
            })
            .collect();
        for row in scores {
            for (result, score) in results.iter_mut().zip(row) {
                result.scores.push(score);
            }
        }
    });
    results
}

/// The rows of a table as 32-bit floats.
struct Singles {
    packed: Packed,
    /// How large a unit of each column is.
    units: Vec<f64>,
    /// Whether every value is a whole number, so that small sums are exact in any order.
    whole: bool,
    rows: Vec<f32>,
}

impl Singles {
    fn new(metric: &dyn Metric, table: &StatsTable) -> Self {
        let units = (0..table.width())
            .map(|column| 1.0 / metric.column_value(column, 1))
            .collect();
        let rows = table
            .rows()
            .flat_map(|row| values(metric, row))
            .map(narrow)
            .collect();
        Self {
            packed: Packed::new(table),
            units,
            whole: is_whole(metric, table),
            rows,
        }
    }

    fn sum(&self, draws: &[u32]) -> Vec<f32> {
        let width = self.units.len();
        if self.whole {
            let sums = self.packed.sum(draws);
            let values = sums
                .iter()
                .zip(&self.units)
                .map(|(&sum, unit)| (sum as f64 / unit).round());
            if values.clone().all(|value| value <= EXACT_SINGLES) {
                return values.map(narrow).collect();
            }
        }
        let mut sums = vec![0.0_f32; width];
        for &draw in draws {
            let row = &self.rows[draw as usize * width..(draw as usize + 1) * width];
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value;
            }
        }
        sums
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to 32 bits is what NumPy does here"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}

impl Resampled {
    /// Returns the scores in the order of the resamples.
    pub fn scores(&self) -> impl Iterator<Item = f64> {
        self.scores.iter().map(|score| score.value())
    }

    /// Returns what `--confidence` prints for one system.
    ///
    /// Where sacreBLEU 2.6.0 stops with a `TypeError`, because some resamples of chrF or TER score exactly 0
    /// and are of another type, the numbers are computed with 64-bit floats.
    pub fn confidence(&self) -> Confidence {
        match self.array() {
            Array::Single(scores) => {
                let wide: Vec<f64> = scores.iter().map(|&score| f64::from(score)).collect();
                let mean = f64::from(narrow(exact_mean(&wide)));
                Confidence {
                    mean,
                    half_width: half_width_single(&scores),
                }
            }
            Array::Double(scores) => Confidence {
                mean: exact_mean(&scores),
                half_width: half_width(&scores),
            },
        }
    }

    /// Returns what the paired tests print: the same interval with NumPy's mean of the sorted scores.
    pub fn array_confidence(&self) -> Confidence {
        match self.array() {
            Array::Single(mut scores) => {
                scores.sort_unstable_by(f32::total_cmp);
                let mean = f64::from(pairwise_sum(&scores) / narrow(scores.len() as f64));
                Confidence {
                    mean,
                    half_width: half_width_single(&scores),
                }
            }
            Array::Double(mut scores) => {
                scores.sort_unstable_by(f64::total_cmp);
                let mean = pairwise_sum(&scores) / scores.len() as f64;
                Confidence {
                    mean,
                    half_width: half_width(&scores),
                }
            }
        }
    }

    /// Returns the p-value of sacreBLEU's paired bootstrap test against a baseline.
    ///
    /// `difference` is the absolute difference of the two corpus scores.
    pub fn p_value(&self, baseline: &Self, difference: f64) -> f64 {
        let larger = match (self.array(), baseline.array()) {
            (Array::Single(system), Array::Single(baseline)) => {
                let differences: Vec<f32> =
                    system.iter().zip(&baseline).map(|(a, b)| (a - b).abs()).collect();
                let mean = pairwise_sum(&differences) / narrow(differences.len() as f64);
                differences
                    .iter()
                    .filter(|&&d| d - mean > narrow(difference))
                    .count()
            }
            (system, baseline) => {
                let (system, baseline) = (system.double(), baseline.double());
                let differences: Vec<f64> =
                    system.iter().zip(&baseline).map(|(a, b)| (a - b).abs()).collect();
                let mean = pairwise_sum(&differences) / differences.len() as f64;
                differences.iter().filter(|&&d| d - mean > difference).count()
            }
        };
        (larger + 1) as f64 / (self.scores.len() + 1) as f64
    }

    /// Returns the NumPy array of the scores: one Python float among them makes all of them 64 bits wide.
    fn array(&self) -> Array {
        let singles: Option<Vec<f32>> = self
            .scores
            .iter()
            .map(|score| match score {
                NumpyFloat::Single(value) => Some(*value),
                NumpyFloat::Python(_) => None,
            })
            .collect();
        singles.map_or_else(|| Array::Double(self.scores().collect()), Array::Single)
    }
}

enum Array {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Array {
    fn double(self) -> Vec<f64> {
        match self {
            Self::Single(values) => values.into_iter().map(f64::from).collect(),
            Self::Double(values) => values,
        }
    }
}

fn half_width(scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let cut = sorted.len() / 40;
    match (sorted.get(cut), sorted.iter().nth_back(cut)) {
        (Some(lower), Some(upper)) => 0.5 * (upper - lower),
        _ => f64::NAN,
    }
}

fn half_width_single(scores: &[f32]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let cut = sorted.len() / 40;
    match (sorted.get(cut), sorted.iter().nth_back(cut)) {
        (Some(lower), Some(upper)) => f64::from(0.5 * (upper - lower)),
        _ => f64::NAN,
    }
}

/// Adds in NumPy's order: eight running sums over up to 128 values, halves above that.
fn pairwise_sum<T: Copy + Default + std::ops::Add<Output = T>>(values: &[T]) -> T {
    let n = values.len();
    if n < 8 {
        return values.iter().fold(T::default(), |sum, &value| sum + value);
    }
    if n > 128 {
        let middle = n / 2 - n / 2 % 8;
        return pairwise_sum(&values[..middle]) + pairwise_sum(&values[middle..]);
    }
    let (blocks, rest) = values.as_chunks::<8>();
    let mut sums = blocks[0];
    for block in &blocks[1..] {
        for (sum, &value) in sums.iter_mut().zip(block) {
            *sum = *sum + value;
        }
    }
    let all = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    rest.iter().fold(all, |sum, &value| sum + value)
}

/// Returns the p-value of the paired bootstrap test from resampled differences, with 64-bit floats.
///
/// ```
/// use lydian_metrics::parity::shifted_p_value;
/// assert_eq!(shifted_p_value(&[1.0, 2.0, 3.0], 0.5), 0.5);
/// ```
pub fn shifted_p_value(differences: &[f64], difference: f64) -> f64 {
    let mean = differences.iter().map(|d| d.abs()).sum::<f64>() / differences.len() as f64;
    let larger = differences
        .iter()
        .filter(|d| d.abs() - mean > difference.abs())
        .count();
    (larger + 1) as f64 / (differences.len() + 1) as f64
}

/// Returns the p-value of sacreBLEU's approximate randomisation test.
///
/// Trials count only when their difference is larger than the observed one, so two identical systems get the
/// smallest p-value there is; the [exact test](Randomization::test) says 1.
pub fn randomization_p_value(
    metric: &dyn Metric,
    baseline: &StatsTable,
    system: &StatsTable,
    randomization: Randomization,
) -> Result<f64, MetricError> {
    if !baseline.is_paired_with(system) {
        return Err(MetricError::TableMismatch {
            left: baseline.len(),
            right: system.len(),
        });
    }
    let score = |table| metric.table_score(table, Numeric::Sacrebleu);
    let difference = (score(baseline) - score(system)).abs();
    let larger = |left: &[f64], right: &[f64]| {
        (metric.score_shuffled(left) - metric.score_shuffled(right)).abs() > difference
    };
    let exceeding = if is_whole(metric, baseline) && is_whole(metric, system) {
        let (left, right) = randomization.sums(baseline, system)?;
        left.rows()
            .zip(right.rows())
            .filter(|(a, b)| larger(&values(metric, a), &values(metric, b)))
            .count()
    } else {
        fractional_sums(metric, baseline, system, randomization)
            .filter(|(a, b)| larger(a, b))
            .count()
    };
    Ok((exceeding + 1) as f64 / (randomization.trials + 1) as f64)
}

fn values(metric: &dyn Metric, row: &[u64]) -> Vec<f64> {
    row.iter()
        .enumerate()
        .map(|(column, &count)| metric.column_value(column, count))
        .collect()
}

/// Returns whether every value of a table is a whole number, so that small sums are exact in any order.
fn is_whole(metric: &dyn Metric, table: &StatsTable) -> bool {
    table
        .rows()
        .all(|row| values(metric, row).iter().all(|value| value.fract() == 0.0))
}

/// Adds the values of both shuffled systems segment by segment, rounding as the matrix product does.
fn fractional_sums(
    metric: &dyn Metric,
    baseline: &StatsTable,
    system: &StatsTable,
    randomization: Randomization,
) -> impl Iterator<Item = (Vec<f64>, Vec<f64>)> {
    let rows: Vec<[Vec<f64>; 2]> = baseline
        .rows()
        .zip(system.rows())
        .map(|(a, b)| [values(metric, a), values(metric, b)])
        .collect();
    let mut flips = randomization.flips(rows.len());
    (0..randomization.trials).map(move |_| {
        let width = rows.first().map_or(0, |[row, _]| row.len());
        let (mut left, mut right) = (vec![0.0; width], vec![0.0; width]);
        for [first, second] in &rows {
            let (a, b) = if flips.next() == Some(true) {
                (first, second)
            } else {
                (second, first)
            };
            for column in 0..width {
                left[column] += a[column];
                right[column] += b[column];
            }
        }
        (left, right)
    })
}

/// Resamples systems for the intervals of the approximate randomisation test.
///
/// There the resampled indices come from the stream of the coin flips, after all of them.
///
/// # Panics
/// When the tables differ in their number of rows.
pub fn resample_after_flips(
    systems: &[(&dyn Metric, &StatsTable)],
    randomization: Randomization,
    resamples: usize,
) -> Vec<Resampled> {
    let segments = systems.first().map_or(0, |(_, table)| table.len());
    let mut rng = Pcg64::seeded(randomization.seed);
    rng.skip_u32((randomization.trials * segments).div_ceil(32) as u64);
    resample_from(systems, rng, resamples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_add_in_the_order_of_numpy() {
        // NumPy 2.5.5: np.sum(1 / np.arange(1, n + 1, dtype='float32')), as hexadecimal bits.
        for (n, bits) in [
            (5, 0x4012_2223),
            (100, 0x40a5_ff01),
            (129, 0x40ae_1bda),
            (1000, 0x40ef_88fc),
        ] {
            let values: Vec<f32> = (1_u16..=n).map(|i| 1.0 / f32::from(i)).collect();
            assert_eq!(pairwise_sum(&values).to_bits(), bits, "{n} values");
        }
    }
}
