//! The classes of characters for each tokenizer.

use std::sync::LazyLock;

use super::split::{Class, Classes};
use super::unicode_tables::{NUMBERS, PUNCTUATION, SYMBOLS};
use crate::text::is_ascii_space;

/// Only white space separates.
pub(super) static NONE: Classes = Classes {
    ascii: ascii_plain(),
    other: |_| Class::Word,
};

/// ASCII symbols, stops and hyphens; the apostrophe belongs to words.
pub(super) static WESTERN: Classes = Classes {
    ascii: ascii_western(),
    other: |_| Class::Word,
};

/// As western, and Chinese characters are symbols.
pub(super) static CHINESE: Classes = Classes {
    ascii: ascii_western(),
    other: |c| if is_chinese(c) { Class::Symbol } else { Class::Word },
};

/// Unicode punctuation, numbers and symbols.
pub(super) static INTERNATIONAL: LazyLock<Classes> = LazyLock::new(|| {
    let mut ascii = ascii_plain();
    for (byte, class) in (0_u8..).zip(&mut ascii) {
        if *class != Class::Space {
            *class = category(char::from(byte));
        }
    }
    Classes {
        ascii,
        other: category_in_table,
    }
});

const fn ascii_plain() -> [Class; 128] {
    let mut table = [Class::Word; 128];
    let mut byte = 0;
    while byte < 128 {
        if is_ascii_space(byte) {
            table[byte as usize] = Class::Space;
        }
        byte += 1;
    }
    table
}

const fn ascii_western() -> [Class; 128] {
    let mut table = ascii_plain();
    let mut byte = b'!';
    while byte < 128 {
        table[byte as usize] = match byte {
            b'0'..=b'9' => Class::Digit,
            b'.' | b',' => Class::Stop,
            b'-' => Class::Hyphen,
            b'{'..=b'~' | b'['..=b'`' | b'!'..=b'&' | b'('..=b'+' | b':'..=b'@' | b'/' => Class::Symbol,
            _ => Class::Word,
        };
        byte += 1;
    }
    table
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

/// The categories of the first plane.
static PLANE: LazyLock<Vec<Class>> = LazyLock::new(|| {
    (0..=0xffff)
        .map(|code| char::from_u32(code).map_or(Class::Word, category))
        .collect()
});

fn category_in_table(c: char) -> Class {
    PLANE.get(c as usize).copied().unwrap_or_else(|| category(c))
}

fn category(c: char) -> Class {
    if within(&PUNCTUATION, c) {
        Class::Stop
    } else if within(&NUMBERS, c) {
        Class::Digit
    } else if within(&SYMBOLS, c) {
        Class::Symbol
    } else {
        Class::Word
    }
}

/// Returns whether a character lies in one of the runs: behind an odd number of bounds.
fn within(bounds: &[u32], c: char) -> bool {
    bounds.partition_point(|&bound| bound <= u32::from(c)) % 2 == 1
}
