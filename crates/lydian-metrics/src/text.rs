//! White space and case as the reference implementation's language, Python, defines them.

use std::borrow::Cow;

/// Returns whether Python's `str.split()` treats the character as white space.
///
/// That is the Unicode property `White_Space` plus the four information separators U+001C to U+001F.
///
/// ```
/// use lydian_metrics::text::is_space;
/// assert!(is_space('\u{1c}') && is_space('\u{3000}'));
/// assert!(!is_space('\u{200b}') && !is_space('\u{feff}'));
/// ```
#[inline]
pub fn is_space(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => is_ascii_space(byte),
        _ => c.is_whitespace(),
    }
}

/// Returns whether an ASCII character is white space for Python.
pub(crate) const fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=b' ')
}

/// Splits a text at runs of white space, like Python's `str.split()`.
///
/// ```
/// let words: Vec<&str> = lydian_metrics::text::split(" two\u{1f}words ").collect();
/// assert_eq!(words, ["two", "words"]);
/// ```
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Returns the lower-case form when `case` asks for it, otherwise the text itself.
pub(crate) fn fold(text: &str, case: Case) -> Cow<'_, str> {
    match case {
        Case::Mixed => Cow::Borrowed(text),
        Case::Lower => Cow::Owned(text.to_lowercase()),
    }
}

/// Whether a metric looks at letters as written or at their lower-case forms.
///
/// ```
/// use lydian_metrics::{chrf::ChrfConfig, text::Case};
/// assert_eq!(ChrfConfig::default().case, Case::Mixed);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// Case counts.
    #[default]
    Mixed,
    /// Both sides are lower-cased first.
    Lower,
}

impl Case {
    /// Returns the value as signatures write it: `mixed` or `lc`.
    ///
    /// ```
    /// assert_eq!(lydian_metrics::text::Case::Lower.as_str(), "lc");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Case::Mixed => "mixed",
            Case::Lower => "lc",
        }
    }
}
