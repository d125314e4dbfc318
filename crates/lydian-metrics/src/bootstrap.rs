//! Bootstrap resampling of segments: intervals for scores, shares and anything computed from table rows.

use rayon::prelude::*;

use crate::error::MetricError;
use crate::metric::Metric;
use crate::packed::Packed;
use crate::rng::Pcg64;
use crate::stats::StatsTable;

/// About so many segments are drawn at a time: few enough for a core's own cache.
const BLOCK_DRAWS: usize = 1 << 16;
/// So many resamples at least are drawn at a time, so that all cores have work.
const BLOCK_RESAMPLES: usize = 16;

/// A number of resamples and the seed of their index stream.
///
/// The stream depends on nothing else, so every metric and every system of the same size sees the same
/// resamples, and numbers computed from the sums of one resample belong together.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, Numeric, bootstrap::Bootstrap, chrf::Chrf, exact::ExactMatch};
/// let corpus = Corpus::new(&["one", "two", "tree"], &[&["one", "two", "three"]])?;
/// let bootstrap = Bootstrap::default();
/// let interval = bootstrap.interval(&Chrf::plus_plus(), &Chrf::plus_plus().table(&corpus));
/// assert!(interval.lower < 100.0 && interval.upper == 100.0);
///
/// // A number of one's own, from the sums of two metrics in the same resample:
/// let tables = [Chrf::plus_plus().table(&corpus), ExactMatch.table(&corpus)];
/// let sums = bootstrap.sums_of(&[&tables[0], &tables[1]]);
/// let mean_of_both: Vec<f64> = (0..bootstrap.resamples)
///     .map(|i| {
///         let chrf = Chrf::plus_plus().score(sums[0].row(i), Numeric::Exact);
///         (chrf + ExactMatch.score(sums[1].row(i), Numeric::Exact)) / 2.0
///     })
///     .collect();
/// assert_eq!(mean_of_both.len(), 1000);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// How many resamples are drawn.
    pub resamples: usize,
    /// The seed of the index stream.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 1,000 resamples with seed 12345.
    fn default() -> Self {
        Self {
            resamples: 1000,
            seed: 12345,
        }
    }
}

impl Bootstrap {
    /// Returns the column sums of every resample: one row per resample.
    pub fn sums(&self, table: &StatsTable) -> StatsTable {
        self.sums_of(&[table]).remove(0)
    }

    /// Returns the column sums of every resample for several tables of the same number of rows.
    ///
    /// # Panics
    /// When the tables differ in their number of rows.
    pub fn sums_of(&self, tables: &[&StatsTable]) -> Vec<StatsTable> {
        let mut sums: Vec<StatsTable> = tables
            .iter()
            .map(|table| StatsTable::new(table.width()))
            .collect();
        let Some(entries) = tables.first().map(|table| table.len()) else {
            return sums;
        };
        assert!(
            tables.iter().all(|table| table.len() == entries),
            "tables of one corpus are equally long"
        );
        let packed: Vec<Packed> = tables.iter().map(|table| Packed::new(table)).collect();
        for_each_block(Pcg64::seeded(self.seed), entries, self.resamples, |block| {
            let rows: Vec<Vec<Vec<u64>>> = block
                .par_chunks(entries)
                .map(|draws| packed.iter().map(|packed| packed.sum(draws)).collect())
                .collect();
            for row in rows {
                for (sums, row) in sums.iter_mut().zip(row) {
                    sums.push(&row);
                }
            }
        });
        sums
    }

    /// Calls a function with how often each of `entries` was drawn, for every resample.
    ///
    /// For statistics that are not sums of integers; the results are in the order of the resamples.
    ///
    /// ```
    /// use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
    /// let values = [0.25, 0.5, 0.75, 1.0];
    /// let means = Bootstrap::default().map(values.len(), |drawn| {
    ///     drawn.iter().zip(values).map(|(&times, value)| f64::from(times) * value).sum::<f64>() / 4.0
    /// });
    /// let interval = percentile_interval(&means);
    /// assert!(interval.lower < 0.625 && 0.625 < interval.upper);
    /// ```
    pub fn map<T: Send>(&self, entries: usize, statistic: impl Fn(&[u32]) -> T + Sync) -> Vec<T> {
        let mut results = Vec::with_capacity(self.resamples);
        for_each_block(Pcg64::seeded(self.seed), entries, self.resamples, |block| {
            results.par_extend(block.par_chunks(entries.max(1)).map(|draws| {
                let mut drawn = vec![0; entries];
                for &draw in draws {
                    drawn[draw as usize] += 1;
                }
                statistic(&drawn)
            }));
        });
        results
    }

    /// Returns the score of every resample, in the exact mode.
    pub fn scores(&self, metric: &dyn Metric, table: &StatsTable) -> Vec<f64> {
        scores_of_sums(metric, &self.sums(table))
    }

    /// Returns the 95 % percentile interval of a score.
    pub fn interval(&self, metric: &dyn Metric, table: &StatsTable) -> Interval {
        percentile_interval(&self.scores(metric, table))
    }
}

impl Bootstrap {
    /// Returns the difference of two systems in every resample, first minus second.
    ///
    /// ```
    /// use lydian_metrics::{Corpus, Metric, bootstrap::{Bootstrap, percentile_interval}, chrf::Chrf};
    /// let chrf = Chrf::default();
    /// let references = ["one house", "two houses", "three"];
    /// let table = |hypotheses: &[&str]| Ok(chrf.table(&Corpus::new(hypotheses, &[&references])?));
    /// let (first, second) = (table(&references)?, table(&["one horse", "two horses", "tree"])?);
    /// let interval = percentile_interval(&Bootstrap::default().differences(&chrf, &first, &second)?);
    /// assert!(interval.lower > 0.0);
    /// # Ok::<(), lydian_metrics::MetricError>(())
    /// ```
    pub fn differences(
        &self,
        metric: &dyn Metric,
        first: &StatsTable,
        second: &StatsTable,
    ) -> Result<Vec<f64>, MetricError> {
        if !first.is_paired_with(second) {
            return Err(MetricError::TableMismatch {
                left: first.len(),
                right: second.len(),
            });
        }
        let sums = self.sums_of(&[first, second]);
        let (first, second) = (scores_of_sums(metric, &sums[0]), scores_of_sums(metric, &sums[1]));
        Ok(first.iter().zip(&second).map(|(a, b)| a - b).collect())
    }
}

/// Returns the exact-mode score of every row of sums.
pub(crate) fn scores_of_sums(metric: &dyn Metric, sums: &StatsTable) -> Vec<f64> {
    sums.rows()
        .map(|row| metric.score(row, crate::Numeric::Exact))
        .collect()
}

/// Draws the resamples one after another and hands them over in blocks of whole resamples.
pub(crate) fn for_each_block(
    mut rng: Pcg64,
    entries: usize,
    resamples: usize,
    mut use_block: impl FnMut(&[u32]),
) {
    let Ok(bound) = u32::try_from(entries) else { return };
    if bound == 0 {
        return;
    }
    let at_once = (BLOCK_DRAWS / entries).max(BLOCK_RESAMPLES).min(resamples);
    let mut block = Vec::with_capacity(at_once * entries);
    let mut left = resamples;
    while left > 0 {
        let now = left.min(at_once);
        block.clear();
        rng.extend_below(bound, now * entries, &mut block);
        use_block(&block);
        left -= now;
    }
}

/// The mean of resampled scores and the bounds between which 95 % of them lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean of the resampled scores.
    pub mean: f64,
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
}

/// Returns the interval that leaves the lowest and the highest fortieth of the scores out.
///
/// Without any score all three numbers are NaN.
///
/// ```
/// use lydian_metrics::bootstrap::percentile_interval;
/// let scores: Vec<f64> = (0..1000).map(f64::from).collect();
/// let interval = percentile_interval(&scores);
/// assert_eq!((interval.lower, interval.upper), (25.0, 974.0));
/// ```
pub fn percentile_interval(scores: &[f64]) -> Interval {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return Interval {
            mean: f64::NAN,
            lower: f64::NAN,
            upper: f64::NAN,
        };
    };
    let cut = sorted.len() / 40;
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    Interval {
        mean,
        lower: sorted[cut],
        upper: sorted[last - cut],
    }
}
