//! The substitution passes of mteval that Tercom shares, one after the other over the whole text.

/// Splits full stops, commas and hyphens off, depending on digits next to them.
pub(super) fn punctuation_passes(chars: &[char]) -> Vec<char> {
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
pub(super) fn isolate(chars: &[char], class: impl Fn(char) -> bool) -> Vec<char> {
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
pub(super) fn is_ascii_symbol(c: char) -> bool {
    matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}
