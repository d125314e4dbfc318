//! The substitution passes of mteval: ASCII symbols and punctuation become tokens of their own.

use super::unicode_tables::{NUMBERS, PUNCTUATION, SYMBOLS};
use crate::text;

/// Tokenizes like `mteval-v13a.pl`.
pub(super) fn tokenize_13a(text: &str) -> String {
    let mut line = text
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ");
    if line.contains('&') {
        line = unescape(&line);
    }
    split_western(&format!(" {line} "))
}

/// Replaces four XML entities, in this order: `&amp;lt;` becomes `<`.
pub(crate) fn unescape(line: &str) -> String {
    line.replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
}

/// Isolates ASCII symbols and punctuation and joins the tokens with single spaces.
pub(super) fn split_western(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    join(&punctuation_passes(&isolate(&chars, is_ascii_symbol)))
}

/// Tokenizes like `mteval-v14.pl` with Unicode categories.
pub(super) fn tokenize_international(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let chars = pair_pass(&chars, |c| !is_number(c), is_punctuation, Split::AroundSecond);
    let chars = pair_pass(&chars, is_punctuation, |c| !is_number(c), Split::AroundFirst);
    join(&isolate(&chars, is_symbol))
}

/// Splits full stops, commas and hyphens off, depending on digits next to them.
pub(crate) fn punctuation_passes(chars: &[char]) -> Vec<char> {
    let not_digit = |c: char| !c.is_ascii_digit();
    let stop = |c| matches!(c, '.' | ',');
    let chars = pair_pass(chars, not_digit, stop, Split::AroundSecond);
    let chars = pair_pass(&chars, stop, not_digit, Split::AroundFirst);
    pair_pass(&chars, |c| c.is_ascii_digit(), |c| c == '-', Split::AroundSecond)
}

/// Which character of a pair gets a space on both sides.
#[derive(Clone, Copy)]
enum Split {
    AroundFirst,
    AroundSecond,
}

/// Replaces the pairs that match from left to right, without overlap.
fn pair_pass(
    chars: &[char],
    first: impl Fn(char) -> bool,
    second: impl Fn(char) -> bool,
    split: Split,
) -> Vec<char> {
    let mut spaced = Vec::with_capacity(chars.len() + 16);
    let mut rest = chars;
    while let [a, tail @ ..] = rest {
        match tail {
            [b, after @ ..] if first(*a) && second(*b) => {
                match split {
                    Split::AroundFirst => spaced.extend([' ', *a, ' ', *b]),
                    Split::AroundSecond => spaced.extend([*a, ' ', *b, ' ']),
                }
                rest = after;
            }
            _ => {
                spaced.push(*a);
                rest = tail;
            }
        }
    }
    spaced
}

/// Puts a space on both sides of every character of a class.
pub(crate) fn isolate(chars: &[char], class: impl Fn(char) -> bool) -> Vec<char> {
    let mut spaced = Vec::with_capacity(chars.len() + 16);
    for &c in chars {
        if class(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    spaced
}

/// ASCII symbols that are always tokens: all but the apostrophe, comma, hyphen and full stop. The space is
/// among them, which changes nothing.
pub(crate) fn is_ascii_symbol(c: char) -> bool {
    matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}

fn join(chars: &[char]) -> String {
    let spaced: String = chars.iter().collect();
    let tokens: Vec<&str> = text::split(&spaced).collect();
    tokens.join(" ")
}

fn is_punctuation(c: char) -> bool {
    within(&PUNCTUATION, c)
}

fn is_number(c: char) -> bool {
    within(&NUMBERS, c)
}

fn is_symbol(c: char) -> bool {
    within(&SYMBOLS, c)
}

/// Returns whether a character lies in one of the runs: behind an odd number of bounds.
fn within(bounds: &[u32], c: char) -> bool {
    bounds.partition_point(|&bound| bound <= u32::from(c)) % 2 == 1
}
