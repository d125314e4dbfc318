//! Tercom's tokenizer: lower-casing, normalization, punctuation removal.

use super::passes;
use super::{AsianSupport, Normalization, Punctuation, TerConfig};
use crate::bleu::unescape;
use crate::text::{self, Case};

/// Returns the text with its words separated by white space.
pub(super) fn apply(config: &TerConfig, text: &str) -> String {
    let text = text.trim_end_matches(text::is_space);
    if text.is_empty() {
        return String::new();
    }
    let mut text = match config.case {
        Case::Mixed => text.to_owned(),
        Case::Lower => text.to_lowercase(),
    };
    let asian = config.asian_support == AsianSupport::On;
    if config.normalization == Normalization::On {
        text = normalize(&text);
        if asian {
            text = isolate_asian(&text);
        }
    }
    if config.punctuation == Punctuation::Removed {
        text.retain(|c| !matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')'));
        if asian {
            text.retain(|c| !is_asian_punctuation(c) && !is_full_width_punctuation(c));
        }
    }
    text
}

/// Joins lines, resolves entities and splits Western punctuation off.
fn normalize(text: &str) -> String {
    let joined = text.replace("\n-", "").replace('\n', " ");
    let padded = format!(" {} ", unescape(&joined));
    let chars: Vec<char> = padded.chars().collect();
    let isolated: String = passes::isolate(&chars, passes::is_ascii_symbol)
        .into_iter()
        .collect();
    // The text ends with a space, so Tercom's rule for 's at the very end never applies.
    let chars: Vec<char> = isolated.replace("'s ", " 's ").chars().collect();
    passes::punctuation_passes(&chars).into_iter().collect()
}

/// Splits Chinese characters, and Asian and full-width punctuation, off.
///
/// Tercom's rules for kana need them at the very beginning of the text, where a space always stands, so kana
/// stay together.
fn isolate_asian(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for class in [is_ideograph, is_asian_punctuation, is_full_width_punctuation] {
        chars = passes::isolate(&chars, class);
    }
    chars.into_iter().collect()
}

/// Ideographs, strokes, radicals, compatibility forms. The range from U+3200 ends at U+3F22 in the source,
/// where U+32FF was meant.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2eff}'
        | '\u{31c0}'..='\u{31ef}'
        | '\u{3200}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}')
}

fn is_asian_punctuation(c: char) -> bool {
    matches!(c,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
        | '\u{ff61}'..='\u{ff65}' | '\u{30fb}')
}

fn is_full_width_punctuation(c: char) -> bool {
    matches!(
        c,
        '\u{ff0e}'
            | '\u{ff0c}'
            | '\u{ff1f}'
            | '\u{ff1a}'
            | '\u{ff1b}'
            | '\u{ff01}'
            | '\u{ff02}'
            | '\u{ff08}'
            | '\u{ff09}'
    )
}
