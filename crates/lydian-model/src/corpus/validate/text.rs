//! What can be wrong with a text itself: characters nobody sees, broken encodings, mixed normalisation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfd_quick};

/// An observation about a text, with the words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextProblem {
    pub(super) check: &'static str,
    pub(super) message: String,
    pub(super) fix: &'static str,
}

/// Returns every problem of one text.
pub(super) fn problems(text: &str) -> Vec<TextProblem> {
    let mut found = Vec::new();
    if text.trim().len() != text.len() && !text.trim().is_empty() {
        found.push(TextProblem {
            check: "outer_space",
            message: "starts or ends with white space".to_owned(),
            fix: "trim it",
        });
    }
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return found;
    }
    found.extend(first_odd_character(text));
    found.extend(mojibake(text));
    found
}

/// Names the first character that cannot be seen or breaks lines.
fn first_odd_character(text: &str) -> Option<TextProblem> {
    text.chars().find_map(|character| {
        let (check, what, fix) = match character {
            '\t' | '\n' | '\r' => return None,
            '\u{FFFD}' => (
                "replacement_character",
                "holds the replacement character",
                "take the text from its source again: a character was lost",
            ),
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{0B}' | '\u{0C}' => (
                "line_separator",
                "holds a line separator",
                "use a space or a line feed: other tools split lines here",
            ),
            '\u{AD}'
            | '\u{200B}'
            | '\u{2060}'
            | '\u{FEFF}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => (
                "invisible_character",
                "holds an invisible character",
                "remove it unless the writing system needs it",
            ),
            '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => (
                "private_use_character",
                "holds a private-use character",
                "use standard Unicode: other people's fonts do not show it",
            ),
            other if other.is_control() => ("control_character", "holds a control character", "remove it"),
            _ => return None,
        };
        Some(TextProblem {
            check,
            message: format!("{what} (U+{:04X})", u32::from(character)),
            fix,
        })
    })
}

/// Finds UTF-8 that was read as Windows-1252 or Windows-1251 somewhere on the way: `Ã©` for `é`.
fn mojibake(text: &str) -> Option<TextProblem> {
    let western = |sequences: usize| sequences >= 1;
    // Cyrillic capitals followed by Ukrainian or Serbian letters also occur in words: one pair proves nothing.
    let cyrillic = |sequences: usize| sequences >= 3;
    let (seen, meant) = misread(text, encoding_rs::WINDOWS_1252, western)
        .or_else(|| misread(text, encoding_rs::WINDOWS_1251, cyrillic))?;
    Some(TextProblem {
        check: "mojibake",
        message: format!("holds {seen:?}, which looks like {meant:?} in a wrong encoding"),
        fix: "read the original file as UTF-8",
    })
}

/// Returns the first run of non-ASCII characters that are the bytes of other characters, and those.
fn misread(
    text: &str,
    encoding: &'static encoding_rs::Encoding,
    enough: impl Fn(usize) -> bool,
) -> Option<(String, String)> {
    let runs = text.split(|character: char| character.is_ascii());
    for run in runs.filter(|run| !run.is_empty()) {
        let (bytes, _, unmappable) = encoding.encode(run);
        if unmappable || bytes.len() < 2 {
            continue;
        }
        let Ok(meant) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let plausible = meant.chars().all(|c| c.is_alphanumeric() || is_typographic(c));
        if plausible && enough(meant.chars().count()) {
            return Some((run.to_owned(), meant.to_owned()));
        }
    }
    None
}

fn is_typographic(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '«' | '»' | '°' | '¿' | '¡' | '\u{A0}')
        || unicode_normalization::char::is_combining_mark(character)
}

/// Which Unicode normalisation a text commits itself to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// NFC and NFD agree.
    Either,
    /// Composed: NFC.
    Composed,
    /// Decomposed, wholly or in part.
    Decomposed,
}

/// Returns the form of a text.
pub(super) fn form(text: &str) -> Form {
    if text.is_ascii() {
        return Form::Either;
    }
    let is_nfc = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => true,
        IsNormalized::No => false,
        IsNormalized::Maybe => text.nfc().eq(text.chars()),
    };
    if !is_nfc {
        return Form::Decomposed;
    }
    match is_nfd_quick(text.chars()) {
        IsNormalized::Yes => Form::Either,
        _ => Form::Composed,
    }
}

/// Says whether two texts are the same after NFC and trimming (decision 3).
pub(super) fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    one == other || (!one.is_ascii() && !other.is_ascii() && one.nfc().eq(other.nfc()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(text: &str) -> Vec<&'static str> {
        problems(text).into_iter().map(|problem| problem.check).collect()
    }

    #[test]
    fn characters_nobody_sees_are_named() {
        assert_eq!(checks("plain text, ênhiyawêwin — «ok» ʔ ᓀᐦᐃᔭᐍᐏᐣ"), [""; 0]);
        assert_eq!(checks("a\u{200B}b"), ["invisible_character"]);
        assert_eq!(checks("a\u{7}b"), ["control_character"]);
        assert_eq!(checks("a\u{2028}b"), ["line_separator"]);
        assert_eq!(checks("a\u{FFFD}b"), ["replacement_character"]);
        assert_eq!(checks("a\u{E000}b"), ["private_use_character"]);
        assert_eq!(checks(" a"), ["outer_space"]);
        assert!(problems("\u{7}")[0].message.contains("U+0007"));
        // Joiners are part of many writing systems.
        assert_eq!(checks("می\u{200C}خواهم"), [""; 0]);
    }

    #[test]
    fn utf8_in_a_wrong_encoding_is_recognised() {
        for (text, meant) in [
            ("cafÃ© noir", "é"),
            ("itâ€™s", "’"),
            ("MÃ¼ller", "ü"),
            ("РџСЂРёРІРµС‚", "Привет"),
        ] {
            let found = problems(text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].message.contains(meant), "{}", found[0].message);
        }
    }

    #[test]
    fn real_words_are_no_mojibake() {
        for text in [
            "NÃO",
            "São Tomé",
            "Âge",
            "Рік",
            "Її Сім'я",
            "façade",
            "«Él»",
            "naïve café",
            "ÁÉÍ",
            "Þórr",
            "ÄÖÜ",
        ] {
            assert_eq!(checks(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_form_of_a_text_is_known() {
        assert_eq!(form("plain"), Form::Either);
        assert_eq!(form("漢字"), Form::Either);
        assert_eq!(form("nêhiyaw"), Form::Composed);
        assert_eq!(form("ne\u{302}hiyaw"), Form::Decomposed);
        assert!(same("nêhiyaw ", "ne\u{302}hiyaw"));
        assert!(!same("a", "A"));
    }
}
