//! What a metric is: integer statistics per segment and a pure function from their sums to a score.

use crate::corpus::Corpus;
use crate::error::MetricError;
use crate::numeric::{Numeric, NumpyFloat};
use crate::overlap::Overlap;
use crate::signature::Signature;
use crate::stats::StatsTable;

/// A text metric.
///
/// The statistics of a segment are a row of integers of fixed width. Rows of a corpus, of a subset or of a
/// bootstrap resample are added up column by column and scored once; a corpus score is never a mean of
/// sentence scores.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, chrf::Chrf};
/// let chrf = Chrf::plus_plus();
/// let mut sums = chrf.stats("the cat sat", &["the cat sat down"])?;
/// for (sum, value) in sums.iter_mut().zip(chrf.stats("a dog", &["the dog"])?) {
///     *sum += value;
/// }
/// assert!((chrf.score(&sums, Numeric::Exact) - 58.061_113).abs() < 1e-6);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
pub trait Metric: Send + Sync {
    /// Returns the name as sacreBLEU prints it, such as `chrF2++`.
    fn name(&self) -> String;

    /// Returns how many integers a row has.
    fn width(&self) -> usize;

    /// Writes the statistics of one segment into `row`, which has [`width`](Metric::width) places.
    ///
    /// Without any reference the row is that of an empty reference; [`stats`](Metric::stats) and [`Corpus`]
    /// refuse that case before it comes here.
    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]);

    /// Returns the score of added-up values, on the metric's usual scale.
    fn score_values(&self, values: &[f64], numeric: Numeric) -> f64;

    /// Returns the score of 32-bit sums under NumPy's rules, as sacreBLEU scores a bootstrap resample.
    fn score_singles(&self, values: &[f32]) -> NumpyFloat;

    /// Returns the signature fields between the reference count and the version.
    fn signature_fields(&self) -> Vec<SignatureField>;

    /// Returns what a column counts; columns of the same name belong to rising orders.
    fn column_name(&self, column: usize) -> &'static str;

    /// Returns the parts of a score as sacreBLEU prints them after it, for metrics that have such parts.
    fn verbose(&self, sums: &[u64], numeric: Numeric) -> Option<String> {
        let _ = (sums, numeric);
        None
    }

    /// Returns which n-grams of a segment match, for metrics that compare n-grams.
    fn overlaps(&self, hypothesis: &str, references: &[&str]) -> Vec<Overlap> {
        let _ = (hypothesis, references);
        Vec::new()
    }

    /// Returns whether a higher score is a better one.
    fn higher_is_better(&self) -> bool {
        true
    }

    /// Returns the value of a column: the count itself unless the column is kept in a finer unit.
    fn column_value(&self, column: usize, count: u64) -> f64 {
        let _ = column;
        count as f64
    }

    /// Returns the score of a shuffled corpus as sacreBLEU's approximate randomisation computes it.
    fn score_shuffled(&self, values: &[f64]) -> f64 {
        self.score_values(values, Numeric::Sacrebleu)
    }

    /// Returns the score of added-up rows.
    ///
    /// # Panics
    /// When `sums` does not have the metric's width.
    fn score(&self, sums: &[u64], numeric: Numeric) -> f64 {
        assert_eq!(
            sums.len(),
            self.width(),
            "a row of {} has {} columns",
            self.name(),
            self.width()
        );
        let values: Vec<f64> = sums
            .iter()
            .enumerate()
            .map(|(i, &sum)| self.column_value(i, sum))
            .collect();
        self.score_values(&values, numeric)
    }

    /// Returns the score of a whole table of rows.
    fn table_score(&self, table: &StatsTable, numeric: Numeric) -> f64 {
        self.score(&table.sum(), numeric)
    }

    /// Returns the statistics of one segment.
    fn stats(&self, hypothesis: &str, references: &[&str]) -> Result<Vec<u64>, MetricError> {
        if references.is_empty() {
            return Err(MetricError::SegmentWithoutReference { segment: 0 });
        }
        let mut row = vec![0; self.width()];
        self.count(hypothesis, references, &mut row);
        Ok(row)
    }

    /// Returns the score of one segment alone.
    fn sentence_score(
        &self,
        hypothesis: &str,
        references: &[&str],
        numeric: Numeric,
    ) -> Result<f64, MetricError> {
        Ok(self.score(&self.stats(hypothesis, references)?, numeric))
    }

    /// Returns the score of a corpus.
    fn corpus_score(&self, corpus: &Corpus<'_>, numeric: Numeric) -> f64 {
        self.table_score(&self.table(corpus), numeric)
    }

    /// Refuses a corpus with a segment whose statistics would take too long or too much memory.
    ///
    /// Every other method computes them whatever it takes. Which lengths are refused is said in
    /// `docs/reference/metrics.md`; texts of a hundred thousand words are not.
    ///
    /// ```
    /// use lydian_metrics::{Corpus, Metric, MetricError, edit_rate::{EditRate, Unit}};
    /// let (a, b) = ("ab".repeat(400_000), "b a c".repeat(200_000));
    /// let error = EditRate::new(Unit::Character).check(&Corpus::new(&[&*a], &[[&*b]])?).unwrap_err();
    /// assert_eq!(error, MetricError::TooLong { segment: 0, metric: "CER".to_owned() });
    /// assert!(EditRate::new(Unit::Character).check(&Corpus::new(&[&*a], &[[&*a]])?).is_ok());
    /// # Ok::<(), lydian_metrics::MetricError>(())
    /// ```
    fn check(&self, corpus: &Corpus<'_>) -> Result<(), MetricError> {
        let _ = corpus;
        Ok(())
    }

    /// Returns the statistics of every segment of a corpus, computed on all cores.
    fn table(&self, corpus: &Corpus<'_>) -> StatsTable {
        StatsTable::compute(self.width(), corpus, |hypothesis, references, row| {
            self.count(hypothesis, references, row);
        })
    }

    /// Returns the signature for `references` references per segment (`None`: the number varies).
    fn signature(&self, references: Option<usize>) -> Signature {
        Signature::new(references, self.signature_fields())
    }
}

/// One `key:value` of a signature with the short form of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureField {
    /// The key, such as `case`.
    pub key: &'static str,
    /// The key of the short form, such as `c`.
    pub short: &'static str,
    /// The value, such as `mixed`.
    pub value: String,
}

impl SignatureField {
    /// Builds a field.
    pub fn new(key: &'static str, short: &'static str, value: impl Into<String>) -> Self {
        Self {
            key,
            short,
            value: value.into(),
        }
    }
}

/// Returns `yes` or `no`, as signatures write truth values.
pub(crate) fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}
