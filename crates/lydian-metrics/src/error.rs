//! What can be wrong with the input of a metric or a test.

use std::fmt;

/// Why a corpus cannot be scored.
///
/// ```
/// use lydian_metrics::{Corpus, MetricError};
/// let error = Corpus::new(&["a", "b"], &[&["a"]]).unwrap_err();
/// assert_eq!(error, MetricError::LengthMismatch { stream: 0, hypotheses: 2, references: 1 });
/// assert_eq!(error.to_string(), "reference stream 1 has 1 segment, the hypotheses have 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricError {
    /// There is no segment to score.
    EmptyCorpus,
    /// There is no reference stream at all.
    NoReferences,
    /// A reference stream is longer or shorter than the hypotheses.
    LengthMismatch {
        /// Which reference stream, from 0.
        stream: usize,
        /// How many hypotheses there are.
        hypotheses: usize,
        /// How many segments the stream has.
        references: usize,
    },
    /// All references of a segment are missing.
    SegmentWithoutReference {
        /// Which segment, from 0.
        segment: usize,
    },
    /// The texts of a segment are so long and so different that a metric would take too long or too much memory.
    TooLong {
        /// Which segment, from 0.
        segment: usize,
        /// The name of the metric.
        metric: String,
    },
    /// Two tables of statistics do not belong to the same segments or metric.
    TableMismatch {
        /// How many rows the first table has.
        left: usize,
        /// How many rows the second table has.
        right: usize,
    },
    /// Two results cannot be compared because their signatures differ.
    SignatureMismatch {
        /// The first signature.
        left: String,
        /// The second signature.
        right: String,
    },
    /// A text is not a signature.
    NotASignature {
        /// The text.
        text: String,
    },
}

impl fmt::Display for MetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyCorpus => f.write_str("there is no segment to score"),
            Self::NoReferences => f.write_str("there is no reference to score against"),
            Self::LengthMismatch {
                stream,
                hypotheses,
                references,
            } => {
                let noun = if *references == 1 { "segment" } else { "segments" };
                write!(
                    f,
                    "reference stream {} has {references} {noun}, the hypotheses have {hypotheses}",
                    stream + 1
                )
            }
            Self::SegmentWithoutReference { segment } => {
                write!(f, "segment {} has no reference", segment + 1)
            }
            Self::TooLong { segment, metric } => {
                write!(
                    f,
                    "segment {} is too long for {metric}: its texts differ in too much of their length",
                    segment + 1
                )
            }
            Self::TableMismatch { left, right } => {
                write!(f, "statistics of {left} and {right} segments are not paired")
            }
            Self::SignatureMismatch { left, right } => {
                write!(
                    f,
                    "scores with different signatures cannot be compared: {left} and {right}"
                )
            }
            Self::NotASignature { text } => write!(f, "not a metric signature: {text:?}"),
        }
    }
}

impl std::error::Error for MetricError {}
