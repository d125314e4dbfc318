//! Text of foreign files, made safe to show: nothing in it moves the cursor, reorders or hides what stands beside it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns whether a character acts on the text around it instead of being seen: control characters, line separators,
/// embeddings, overrides and isolates of direction, annotations, a byte-order mark.
///
/// Joiners and zero-width spaces stay: Persian, Khmer and the scripts of India are written with them.
pub const fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2066}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
    )
}

/// Returns whether a character only marks a direction. Hebrew and Arabic texts hold such marks; they have no look.
const fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{200E}' | '\u{200F}' | '\u{061C}')
}

/// Returns a text on one line. What is hidden is shown as a replacement character, marks of direction are left out.
pub fn tame(text: &str) -> String {
    replaced(text, is_hidden).into_owned()
}

/// Returns a text of several lines and columns like [`tame`], with its line feeds and tabs.
pub fn tame_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |character| {
        is_hidden(character) && !matches!(character, '\n' | '\t')
    })
}

fn replaced(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|character| hidden(character) || is_direction_mark(character))
    {
        return Cow::Borrowed(text);
    }
    text.chars()
        .filter(|character| !is_direction_mark(*character))
        .map(|character| if hidden(character) { '\u{FFFD}' } else { character })
        .collect()
}

/// Returns a JSON document that says the same without a character that acts on a terminal: they stand as `\u202e`.
pub fn tame_json(document: &str) -> Cow<'_, str> {
    // JSON escapes the controls of ASCII itself, but for the last one; the others can only stand in strings.
    let acts =
        |character: char| character > '\u{7E}' && (is_hidden(character) || is_direction_mark(character));
    if !document.chars().any(acts) {
        return Cow::Borrowed(document);
    }
    let mut escaped = String::with_capacity(document.len() + 64);
    for character in document.chars() {
        if acts(character) {
            write!(escaped, "\\u{:04x}", u32::from(character)).expect("writing to a string");
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\u{9b}31mc\u{202e}d\u{2066}e\u{2069}f\r\u{7f}\u{2028}g";

    #[test]
    fn what_acts_on_a_terminal_is_shown_instead() {
        assert_eq!(
            tame(HOSTILE),
            "a\u{FFFD}[2Jb\u{FFFD}31mc\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}\u{FFFD}\u{FFFD}g"
        );
        assert_eq!(tame("one\ntwo\tthree"), "one\u{FFFD}two\u{FFFD}three");
        assert_eq!(tame_lines("one\ntwo\tthree\r"), "one\ntwo\tthree\u{FFFD}");
    }

    #[test]
    fn what_scripts_are_written_with_stays() {
        for text in [
            "می\u{200c}خواهم",
            "ក\u{200b}ខ",
            "क्\u{200d}ष",
            "👩\u{200d}🔬",
            "e\u{301}",
        ] {
            assert_eq!(tame(text), text);
        }
        assert_eq!(tame("שלום\u{200f}!"), "שלום!");
    }

    #[test]
    fn json_says_the_same() {
        let document = serde_json::to_string(HOSTILE).unwrap();
        let tamed = tame_json(&document);
        assert!(!tamed.chars().any(is_hidden), "{tamed}");
        assert_eq!(serde_json::from_str::<String>(&tamed).unwrap(), HOSTILE);
    }
}
