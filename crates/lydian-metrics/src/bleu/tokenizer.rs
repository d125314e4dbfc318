//! The tokenizers of BLEU.

use super::western;
use crate::text;

/// How a text is cut into tokens before BLEU counts n-grams.
///
/// ```
/// use lydian_metrics::bleu::Tokenizer;
/// assert_eq!("intl".parse(), Ok(Tokenizer::International));
/// assert_eq!(Tokenizer::Mteval13a.apply("Hello, world"), "Hello , world");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// The text as it is, cut at white space.
    None,
    /// `mteval-v13a`, WMT's standard.
    #[default]
    Mteval13a,
    /// `mteval-v14` with Unicode punctuation and symbols.
    International,
    /// Every character is a token.
    Character,
    /// Chinese characters are tokens, the rest as in 13a.
    Chinese,
}

impl Tokenizer {
    /// All tokenizers.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Mteval13a,
        Self::International,
        Self::Character,
        Self::Chinese,
    ];

    /// Returns the name as signatures and options write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Mteval13a => "13a",
            Self::International => "intl",
            Self::Character => "char",
            Self::Chinese => "zh",
        }
    }

    /// Returns the text with its tokens separated by white space.
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Mteval13a => western::tokenize_13a(text),
            Self::International => western::tokenize_international(text),
            Self::Character => {
                let mut spaced = String::with_capacity(2 * text.len());
                for (index, c) in text.chars().enumerate() {
                    if index > 0 {
                        spaced.push(' ');
                    }
                    spaced.push(c);
                }
                spaced
            }
            Self::Chinese => tokenize_chinese(text),
        }
    }
}

impl std::str::FromStr for Tokenizer {
    type Err = UnknownTokenizer;

    fn from_str(name: &str) -> Result<Self, UnknownTokenizer> {
        Self::ALL
            .into_iter()
            .find(|tokenizer| tokenizer.as_str() == name)
            .ok_or(UnknownTokenizer)
    }
}

/// A name that is not one of the built-in tokenizers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTokenizer;

impl std::fmt::Display for UnknownTokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a built-in tokenizer (none, 13a, intl, char, zh)")
    }
}

impl std::error::Error for UnknownTokenizer {}

fn tokenize_chinese(text: &str) -> String {
    let mut spaced = String::with_capacity(2 * text.len());
    for c in text.trim_matches(text::is_space).chars() {
        if is_chinese(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    western::split_western(&spaced)
}

/// Returns whether sacreBLEU's `zh` takes the character for a Chinese one.
///
/// Its ranges for Extension B and the compatibility supplement are written with four-digit escapes, so they
/// cover U+2001 to U+2A6D and U+2F81 to U+2FA1 instead; the score depends on it.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{2001}'..='\u{2a6d}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{2ff0}'..='\u{303f}'
        | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31ef}'
        | '\u{3200}'..='\u{4db5}'
        | '\u{4e00}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}'
        | '\u{fa30}'..='\u{fa6a}'
        | '\u{fa70}'..='\u{fad9}'
        | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}')
}
