//! Ranking many systems by pairwise tests: rank ranges and clusters.

use rayon::prelude::*;

use crate::error::MetricError;
use crate::metric::Metric;
use crate::multiple::holm;
use crate::numeric::Numeric;
use crate::randomization::{PairedTest, Randomization};
use crate::stats::StatsTable;

/// The systems of one corpus under one metric, best first, with what pairwise tests say about their order.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, chrf::Chrf, randomization::Randomization, ranking::Ranking};
/// let references: Vec<String> = (0..30).map(|i| format!("sentence number {i}")).collect();
/// let references: Vec<&str> = references.iter().map(String::as_str).collect();
/// let worse: Vec<&str> = references.iter().map(|line| &line[3..]).collect();
/// let chrf = Chrf::default();
/// let table = |hypotheses: &[&str]| Ok(chrf.table(&Corpus::new(hypotheses, &[&references])?));
/// let tables = [table(&worse)?, table(&references)?, table(&references)?];
///
/// let ranking = Ranking::new(&chrf, &[&tables[0], &tables[1], &tables[2]], Randomization::default(), 0.05)?;
/// let order: Vec<usize> = ranking.standings.iter().map(|standing| standing.system).collect();
/// assert_eq!(order, [1, 2, 0]);
/// // The two perfect systems share the first place.
/// assert_eq!((ranking.standings[0].best_rank, ranking.standings[0].worst_rank), (1, 2));
/// assert_eq!(ranking.standings.iter().map(|standing| standing.cluster).collect::<Vec<_>>(), [1, 1, 2]);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The systems, best first.
    pub standings: Vec<Standing>,
    /// All pairwise tests, by the systems' positions in the input.
    pub pairs: Vec<Pair>,
}

/// One system in a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The position of the system in the input, from 0.
    pub system: usize,
    /// Its score.
    pub score: f64,
    /// One more than the number of systems that are significantly better.
    pub best_rank: usize,
    /// The number of systems minus those that are significantly worse.
    pub worst_rank: usize,
    /// The cluster, from 1: all systems of a cluster are significantly better than all of the next.
    pub cluster: usize,
}

/// The test of one pair of systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first system's position in the input.
    pub first: usize,
    /// The second system's position in the input.
    pub second: usize,
    /// The difference and the raw p-value.
    pub test: PairedTest,
    /// The p-value after Holm's correction over all pairs.
    pub corrected: f64,
}

impl Ranking {
    /// Tests all pairs and ranks the systems; `alpha` is the level for the corrected p-values, such as 0.05.
    pub fn new(
        metric: &dyn Metric,
        tables: &[&StatsTable],
        randomization: Randomization,
        alpha: f64,
    ) -> Result<Self, MetricError> {
        let indices: Vec<(usize, usize)> = (0..tables.len())
            .flat_map(|i| (i + 1..tables.len()).map(move |j| (i, j)))
            .collect();
        let tests: Vec<PairedTest> = indices
            .par_iter()
            .map(|&(i, j)| randomization.test(metric, tables[i], tables[j]))
            .collect::<Result<_, _>>()?;
        let raw: Vec<f64> = tests.iter().map(|test| test.p_value).collect();
        let pairs: Vec<Pair> = indices
            .into_iter()
            .zip(tests)
            .zip(holm(&raw))
            .map(|(((first, second), test), corrected)| Pair {
                first,
                second,
                test,
                corrected,
            })
            .collect();
        let sign = if metric.higher_is_better() { 1.0 } else { -1.0 };
        let scores: Vec<f64> = tables
            .iter()
            .map(|table| metric.table_score(table, Numeric::Exact))
            .collect();
        let significantly_better = |better: usize, worse: usize| {
            pairs.iter().any(|pair| {
                let difference = sign * pair.test.difference;
                pair.corrected <= alpha
                    && ((pair.first, pair.second) == (better, worse) && difference > 0.0
                        || (pair.second, pair.first) == (better, worse) && difference < 0.0)
            })
        };
        let mut order: Vec<usize> = (0..tables.len()).collect();
        order.sort_by(|&a, &b| (sign * scores[b]).total_cmp(&(sign * scores[a])));
        let mut cluster = 1;
        let standings = order
            .iter()
            .enumerate()
            .map(|(place, &system)| {
                let (above, here) = order.split_at(place);
                if place > 0
                    && above
                        .iter()
                        .all(|&better| here.iter().all(|&worse| significantly_better(better, worse)))
                {
                    cluster += 1;
                }
                let better = order
                    .iter()
                    .filter(|&&other| significantly_better(other, system))
                    .count();
                let worse = order
                    .iter()
                    .filter(|&&other| significantly_better(system, other))
                    .count();
                Standing {
                    system,
                    score: scores[system],
                    best_rank: better + 1,
                    worst_rank: tables.len() - worse,
                    cluster,
                }
            })
            .collect();
        Ok(Self { standings, pairs })
    }
}
