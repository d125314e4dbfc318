//! How long outputs are compared with their references.

use unicode_segmentation::UnicodeSegmentation;

/// Returns the number of extended grapheme clusters, what readers take for characters.
///
/// The text is counted as it is; composed and decomposed forms of a letter are one cluster each.
///
/// ```
/// use lydian_metrics::length::graphemes;
/// assert_eq!((graphemes("e\u{301}te"), graphemes("क्षि")), (3, 1));
/// ```
pub fn graphemes(text: &str) -> usize {
    text.graphemes(true).count()
}

/// Returns the length of a hypothesis relative to its reference, or `None` when the reference is empty.
///
/// ```
/// use lydian_metrics::length::ratio;
/// assert_eq!(ratio("abc", "abcd"), Some(0.75));
/// assert_eq!(ratio("abc", ""), None);
/// ```
pub fn ratio(hypothesis: &str, reference: &str) -> Option<f64> {
    match graphemes(reference) {
        0 => None,
        length => Some(graphemes(hypothesis) as f64 / length as f64),
    }
}

/// Returns the mean of the ratios of all pairs whose reference is not empty, or `None` when there is none.
///
/// ```
/// use lydian_metrics::length::mean_ratio;
/// assert_eq!(mean_ratio([("ab", "abcd"), ("abcd", "ab")]), Some(1.25));
/// ```
pub fn mean_ratio<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<f64> {
    let ratios: Vec<f64> = pairs
        .into_iter()
        .filter_map(|(hypothesis, reference)| ratio(hypothesis, reference))
        .collect();
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}
