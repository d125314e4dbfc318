//! A table of segment statistics: one row of integers per segment.

use rayon::prelude::*;

use crate::corpus::Corpus;

/// The statistics of all segments of one system under one metric.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, Numeric, chrf::Chrf};
/// let corpus = Corpus::new(&["the cat", "a dog"], &[&["the cat", "the dog"]])?;
/// let chrf = Chrf::default();
/// let table = chrf.table(&corpus);
/// assert_eq!(table.len(), 2);
/// // Scores of subsets come from the same rows.
/// assert_eq!(chrf.score(&table.sum_of([0]), Numeric::Exact), 100.0);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatsTable {
    width: usize,
    values: Vec<u64>,
}

impl StatsTable {
    /// Builds an empty table for rows of `width` integers.
    ///
    /// # Panics
    /// When `width` is 0.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a row has at least one column");
        Self {
            width,
            values: Vec::new(),
        }
    }

    /// Fills a table by computing the row of every segment of a corpus, in parallel.
    pub fn compute(
        width: usize,
        corpus: &Corpus<'_>,
        count: impl Fn(&str, &[&str], &mut [u64]) + Sync,
    ) -> Self {
        let mut table = Self::new(width);
        table.values = vec![0; width * corpus.len()];
        table
            .values
            .par_chunks_mut(width)
            .enumerate()
            .with_min_len(64)
            .for_each(|(segment, row)| {
                count(corpus.hypothesis(segment), corpus.references(segment), row);
            });
        table
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row does not have the table's width.
    pub fn push(&mut self, row: &[u64]) {
        assert_eq!(row.len(), self.width, "the row has the table's width");
        self.values.extend_from_slice(row);
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns whether another table has rows of the same width for as many segments.
    pub fn is_paired_with(&self, other: &Self) -> bool {
        self.width == other.width && self.len() == other.len()
    }

    /// Returns one row.
    pub fn row(&self, segment: usize) -> &[u64] {
        &self.values[segment * self.width..(segment + 1) * self.width]
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.values.chunks_exact(self.width)
    }

    /// Returns the column sums of all rows.
    pub fn sum(&self) -> Vec<u64> {
        self.sum_of(0..self.len())
    }

    /// Returns the column sums of the given rows; a row may be named more than once.
    pub fn sum_of(&self, segments: impl IntoIterator<Item = usize>) -> Vec<u64> {
        let mut sums = vec![0; self.width];
        for segment in segments {
            for (sum, value) in sums.iter_mut().zip(self.row(segment)) {
                *sum += value;
            }
        }
        sums
    }
}
