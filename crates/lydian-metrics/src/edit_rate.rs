//! CER and WER: the edit distance in characters or words relative to the reference.

use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::corpus::Corpus;
use crate::distance;
use crate::error::MetricError;
use crate::metric::{Metric, SignatureField};
use crate::numeric::{Number, Numeric, NumpyFloat};
use crate::text::{self, Case};

/// What an edit rate counts.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, edit_rate::{EditRate, Unit}};
/// let cer = EditRate::new(Unit::Character);
/// assert_eq!(cer.sentence_score("kitten", &["sitting"], Numeric::Exact)?, 100.0 * (3.0 / 7.0));
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Code points, white space included, after runs of it have become one space and the ends are trimmed.
    Character,
    /// Words between white space.
    Word,
}

/// The character error rate (CER) or word error rate (WER), in percent of the reference length.
///
/// Unlike TER there are no shifts, and case counts unless told otherwise. With several references the one with
/// the lowest rate is taken, the earliest of equal ones. A row holds the edits and the reference length.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, edit_rate::{EditRate, Unit}};
/// let wer = EditRate::new(Unit::Word);
/// assert_eq!(wer.sentence_score("the cat sat", &["a cat sat"], Numeric::Exact)?, 100.0 * (1.0 / 3.0));
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditRate {
    unit: Unit,
    case: Case,
}

impl EditRate {
    /// Builds the rate for a unit; case counts.
    pub fn new(unit: Unit) -> Self {
        Self {
            unit,
            case: Case::Mixed,
        }
    }

    /// Sets whether case counts.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// Returns edits and reference length, or `None` if the edits take more than `budget` steps to count.
    fn edits(self, hypothesis: &str, reference: &str, budget: u64) -> Option<(u64, u64)> {
        match self.unit {
            Unit::Word => {
                let hypothesis: Vec<&str> = text::split(hypothesis).collect();
                let reference: Vec<&str> = text::split(reference).collect();
                let edits = distance_within(&hypothesis, &reference, budget)?;
                Some((edits, reference.len() as u64))
            }
            Unit::Character => {
                let (hypothesis, reference) = (spaced_chars(hypothesis), spaced_chars(reference));
                let edits = distance_within(&hypothesis, &reference, budget)?;
                Some((edits, reference.len() as u64))
            }
        }
    }
}

/// More steps of 64 cells than this are refused: some seconds.
const BUDGET: u64 = 1 << 31;

/// Returns the characters with one space between words.
fn spaced_chars(text: &str) -> Vec<char> {
    let mut chars = Vec::with_capacity(text.len());
    for word in text::split(text) {
        if !chars.is_empty() {
            chars.push(' ');
        }
        chars.extend(word.chars());
    }
    chars
}

/// Returns the least number of insertions, deletions and substitutions that turn one list into the other.
///
/// The time grows with the length of the longer list times the distance.
///
/// ```
/// use lydian_metrics::edit_rate::levenshtein;
/// assert_eq!(levenshtein(&['a', 'b', 'c'], &['b', 'c', 'd']), 2);
/// ```
pub fn levenshtein<T: Eq + Hash>(left: &[T], right: &[T]) -> u64 {
    distance_within(left, right, u64::MAX).unwrap_or(u64::MAX)
}

/// Returns the distance, or `None` if it takes more than `budget` steps of 64 cells.
fn distance_within<T: Eq + Hash>(left: &[T], right: &[T], budget: u64) -> Option<u64> {
    let mut numbers: FxHashMap<&T, u32> = FxHashMap::default();
    let both: Vec<u32> = left
        .iter()
        .chain(right)
        .map(|item| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(item).or_insert(next)
        })
        .collect();
    let (left, right) = both.split_at(left.len());
    distance::levenshtein(left, right, budget)
}

impl Metric for EditRate {
    fn name(&self) -> String {
        match self.unit {
            Unit::Character => "CER".to_owned(),
            Unit::Word => "WER".to_owned(),
        }
    }

    fn width(&self) -> usize {
        2
    }

    fn higher_is_better(&self) -> bool {
        false
    }

    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]) {
        let hypothesis = text::fold(hypothesis, self.case);
        let mut best = f64::INFINITY;
        let candidates = if references.is_empty() {
            &[""][..]
        } else {
            references
        };
        for reference in candidates {
            let reference = text::fold(reference, self.case);
            let Some((edits, length)) = self.edits(&hypothesis, &reference, u64::MAX) else {
                continue;
            };
            let rate = rate(&[edits as f64, length as f64]);
            if rate < best {
                best = rate;
                row.copy_from_slice(&[edits, length]);
            }
        }
    }

    fn check(&self, corpus: &Corpus<'_>) -> Result<(), MetricError> {
        let steps = |left: &str, right: &str| {
            let (shorter, longer) = (left.len().min(right.len()), left.len().max(right.len()));
            (shorter as u64 / 64 + 2).saturating_mul(longer as u64)
        };
        (0..corpus.len()).into_par_iter().try_for_each(|segment| {
            let hypothesis = corpus.hypothesis(segment);
            for reference in corpus.references(segment) {
                if steps(hypothesis, reference) > BUDGET
                    && self
                        .edits(
                            &text::fold(hypothesis, self.case),
                            &text::fold(reference, self.case),
                            BUDGET,
                        )
                        .is_none()
                {
                    return Err(MetricError::TooLong {
                        segment,
                        metric: self.name(),
                    });
                }
            }
            Ok(())
        })
    }

    fn score_values(&self, values: &[f64], _numeric: Numeric) -> f64 {
        rate(values)
    }

    fn score_singles(&self, values: &[f32]) -> NumpyFloat {
        let values: Vec<NumpyFloat> = values.iter().map(|&value| NumpyFloat::Single(value)).collect();
        rate(&values)
    }

    fn column_name(&self, column: usize) -> &'static str {
        if column == 0 { "edits" } else { "reference_length" }
    }

    fn signature_fields(&self) -> Vec<SignatureField> {
        let tokens = match self.unit {
            Unit::Character => "char",
            Unit::Word => "none",
        };
        vec![
            SignatureField::new("case", "c", self.case.as_str()),
            SignatureField::new("tok", "tok", tokens),
        ]
    }
}

/// Returns edits over length in percent; 100 for edits against nothing, 0 for nothing against nothing.
pub(crate) fn rate<N: Number>(values: &[N]) -> N {
    let (edits, length) = (values[0], values[1]);
    let rate = if length.is_positive() {
        edits.over(length)
    } else {
        N::literal(if edits.is_positive() { 1.0 } else { 0.0 })
    };
    N::literal(100.0).times(rate)
}
