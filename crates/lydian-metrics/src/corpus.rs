//! Hypotheses with their references, checked once so that every metric can rely on the shape.

use crate::error::MetricError;

/// A hypothesis stream with one or more reference streams of the same length.
///
/// A missing reference is `None`; an empty string is a reference that says nothing.
///
/// ```
/// use lydian_metrics::Corpus;
/// let corpus = Corpus::with_missing(&["a", "b"], &[vec![Some("a"), Some("b")], vec![None, Some("c")]])?;
/// assert_eq!(corpus.references(0), ["a"]);
/// assert_eq!(corpus.references(1), ["b", "c"]);
/// assert_eq!(corpus.reference_count(), None); // it varies
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Corpus<'a> {
    hypotheses: Vec<&'a str>,
    references: Vec<&'a str>,
    starts: Vec<usize>,
}

impl<'a> Corpus<'a> {
    /// Builds a corpus from reference streams without gaps: `references[stream][segment]`.
    ///
    /// ```
    /// use lydian_metrics::Corpus;
    /// let corpus = Corpus::new(&["the cat"], &[&["the cat"], &["a cat"]])?;
    /// assert_eq!((corpus.len(), corpus.reference_count()), (1, Some(2)));
    /// # Ok::<(), lydian_metrics::MetricError>(())
    /// ```
    pub fn new<S: AsRef<[&'a str]>>(hypotheses: &[&'a str], references: &[S]) -> Result<Self, MetricError> {
        let lengths: Vec<usize> = references.iter().map(|stream| stream.as_ref().len()).collect();
        Self::build(hypotheses, &lengths, |stream, segment| {
            Some(references[stream].as_ref()[segment])
        })
    }

    /// Builds a corpus from reference streams in which references may be missing.
    ///
    /// ```
    /// use lydian_metrics::{Corpus, MetricError};
    /// let error = Corpus::with_missing(&["a", "b"], &[[Some("a"), None]]).unwrap_err();
    /// assert_eq!(error, MetricError::SegmentWithoutReference { segment: 1 });
    /// ```
    pub fn with_missing<S: AsRef<[Option<&'a str>]>>(
        hypotheses: &[&'a str],
        references: &[S],
    ) -> Result<Self, MetricError> {
        let lengths: Vec<usize> = references.iter().map(|stream| stream.as_ref().len()).collect();
        Self::build(hypotheses, &lengths, |stream, segment| {
            references[stream].as_ref()[segment]
        })
    }

    fn build(
        hypotheses: &[&'a str],
        lengths: &[usize],
        reference: impl Fn(usize, usize) -> Option<&'a str>,
    ) -> Result<Self, MetricError> {
        if hypotheses.is_empty() {
            return Err(MetricError::EmptyCorpus);
        }
        if lengths.is_empty() {
            return Err(MetricError::NoReferences);
        }
        if let Some(stream) = lengths.iter().position(|&length| length != hypotheses.len()) {
            return Err(MetricError::LengthMismatch {
                stream,
                hypotheses: hypotheses.len(),
                references: lengths[stream],
            });
        }
        let mut references = Vec::with_capacity(hypotheses.len() * lengths.len());
        let mut starts = Vec::with_capacity(hypotheses.len() + 1);
        starts.push(0);
        for segment in 0..hypotheses.len() {
            references.extend((0..lengths.len()).filter_map(|stream| reference(stream, segment)));
            if starts.last() == Some(&references.len()) {
                return Err(MetricError::SegmentWithoutReference { segment });
            }
            starts.push(references.len());
        }
        Ok(Self {
            hypotheses: hypotheses.to_vec(),
            references,
            starts,
        })
    }

    /// Returns the number of segments, at least 1.
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Returns whether there is no segment, which never holds for a corpus that was built.
    pub fn is_empty(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Returns the hypothesis of a segment.
    pub fn hypothesis(&self, segment: usize) -> &'a str {
        self.hypotheses[segment]
    }

    /// Returns the references of a segment, in stream order, at least one.
    pub fn references(&self, segment: usize) -> &[&'a str] {
        &self.references[self.starts[segment]..self.starts[segment + 1]]
    }

    /// Returns how many references every segment has, or `None` when the number varies.
    pub fn reference_count(&self) -> Option<usize> {
        let first = self.references(0).len();
        (1..self.len())
            .all(|segment| self.references(segment).len() == first)
            .then_some(first)
    }
}
