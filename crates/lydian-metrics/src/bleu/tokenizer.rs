//! The tokenizers of BLEU.

use std::borrow::Cow;
use std::sync::Arc;

use super::classes::{CHINESE, INTERNATIONAL, NONE, WESTERN};
use super::split::{self, Edges};
use crate::sentencepiece::SentencePiece;
use crate::text;

/// How a text is cut into tokens before BLEU counts n-grams.
///
/// ```
/// use lydian_metrics::bleu::Tokenizer;
/// assert_eq!("intl".parse(), Ok(Tokenizer::International));
/// assert_eq!(Tokenizer::Mteval13a.tokens("It's 3.5, no?"), ["It's", "3.5", ",", "no", "?"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// The pieces of a SentencePiece model; BLEU over them is spBLEU.
    SentencePiece(Arc<SentencePiece>),
}

impl Tokenizer {
    /// The tokenizers that need no file.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Mteval13a,
        Self::International,
        Self::Character,
        Self::Chinese,
    ];

    /// Returns the name as signatures and options write it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::None => "none",
            Self::Mteval13a => "13a",
            Self::International => "intl",
            Self::Character => "char",
            Self::Chinese => "zh",
            Self::SentencePiece(model) => model.name(),
        }
    }

    /// Returns the tokens of a text.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        self.for_each(text, |token| tokens.push(token.to_owned()));
        tokens
    }

    /// Calls `emit` with every token of a text.
    pub(super) fn for_each(&self, text: &str, mut emit: impl FnMut(&str)) {
        let text = text.trim_end_matches(text::is_space);
        match self {
            Self::None => split::tokens(text, &NONE, Edges::Bare, emit),
            Self::Mteval13a => split::tokens(&plain(text), &WESTERN, Edges::Padded, emit),
            Self::International => split::tokens(text, &INTERNATIONAL, Edges::Bare, emit),
            Self::Chinese => {
                split::tokens(
                    text.trim_start_matches(text::is_space),
                    &CHINESE,
                    Edges::Bare,
                    emit,
                );
            }
            Self::Character => {
                let mut buffer = [0; 4];
                for c in text.chars().filter(|&c| !text::is_space(c)) {
                    emit(c.encode_utf8(&mut buffer));
                }
            }
            // Pieces are separated by spaces and cut at white space again, which some models keep in pieces.
            Self::SentencePiece(model) => {
                model.for_each(text, |piece| text::split(piece).for_each(&mut emit));
            }
        }
    }
}

/// Joins lines, drops SGML's mark of skipped text and resolves entities, as mteval does first.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'<' | b'\n' | b'&')) {
        return Cow::Borrowed(text);
    }
    let text = text
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ");
    Cow::Owned(if text.contains('&') { unescape(&text) } else { text })
}

/// Replaces four XML entities, in this order: `&amp;lt;` becomes `<`.
pub(crate) fn unescape(line: &str) -> String {
    line.replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
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
