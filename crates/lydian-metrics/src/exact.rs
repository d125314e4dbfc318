//! Exact match: how many segments equal one of their references.

use crate::metric::{Metric, SignatureField};
use crate::numeric::{Number, Numeric, NumpyFloat};

/// The share of segments, in percent, whose output equals one of the references code point by code point
/// after trimming white space at both ends.
///
/// Nothing is normalised here: bring both sides to one Unicode form first if that is what should count. A row
/// holds 1 or 0 for the match, and 1.
///
/// ```
/// use lydian_metrics::{Corpus, Metric, Numeric, exact::ExactMatch};
/// let corpus = Corpus::new(&["tânisi ", "ēkosi"], &[&["tânisi", "êkosi"]])?;
/// assert_eq!(ExactMatch.corpus_score(&corpus, Numeric::Exact), 50.0);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactMatch;

impl Metric for ExactMatch {
    fn name(&self) -> String {
        "ExactMatch".to_owned()
    }

    fn width(&self) -> usize {
        2
    }

    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]) {
        let hypothesis = hypothesis.trim();
        row[0] = u64::from(references.iter().any(|reference| reference.trim() == hypothesis));
        row[1] = 1;
    }

    fn score_values(&self, values: &[f64], _numeric: Numeric) -> f64 {
        percentage(values)
    }

    fn score_singles(&self, values: &[f32]) -> NumpyFloat {
        let values: Vec<NumpyFloat> = values.iter().map(|&value| NumpyFloat::Single(value)).collect();
        percentage(&values)
    }

    fn column_name(&self, column: usize) -> &'static str {
        if column == 0 { "matches" } else { "segments" }
    }

    fn signature_fields(&self) -> Vec<SignatureField> {
        vec![
            SignatureField::new("case", "c", "mixed"),
            SignatureField::new("trim", "trim", "yes"),
        ]
    }
}

/// Returns 100 times the first value over the second, or 0 when the second is 0.
pub(crate) fn percentage<N: Number>(values: &[N]) -> N {
    if values[1].is_positive() {
        N::literal(100.0).times(values[0].over(values[1]))
    } else {
        N::literal(0.0)
    }
}
