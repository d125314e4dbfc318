//! Why a file is no JSON, in words that lead to the byte.

use std::io::{self, Read};

use serde_json::error::Category;

use crate::diagnostic::{Diagnostic, Place};
use crate::json::guard::{Guard, Position, Stop};
use crate::quotation::curly_mark;

/// Rule cited for everything that is not well-formed JSON.
pub(crate) const RULE: &str = "RFC 8259";

/// Returns the failure of the source, or what is wrong with the text, after the parser gave up with `error`.
pub(crate) fn explain<R: Read>(guard: &Guard<R>, error: &serde_json::Error) -> Result<Diagnostic, io::Error> {
    let mut position = guard.position();
    let Some(stop) = guard.take_stop() else {
        return Ok(explain_text(guard, error, position));
    };
    // The parser saw the last good byte; the bad one follows.
    position.column += 1;
    let (check, message, fix) = match stop {
        Stop::Io(error) => return Err(error),
        Stop::NotUtf8 { byte } => (
            "not_utf8",
            format!("byte 0x{byte:02X} is not valid UTF-8"),
            "save the file as UTF-8, or convert it with `iconv -f ENCODING -t UTF-8`".to_owned(),
        ),
        Stop::CutCharacter => (
            "cut_off",
            "the file ends inside a character".to_owned(),
            "copy or download the file again".to_owned(),
        ),
        Stop::Foreign(foreign) => (
            "not_json",
            format!("the file is {}, not JSON in UTF-8", foreign.what),
            foreign.remedy.to_owned(),
        ),
        Stop::StringTooLong { limit } => (
            "string_too_long",
            format!("a string is longer than {limit} bytes"),
            "check for a missing quotation mark; split long texts into entries".to_owned(),
        ),
        Stop::TooDeep { limit } => (
            "too_deep",
            format!("arrays and objects are nested deeper than {limit} levels"),
            "flatten the document".to_owned(),
        ),
    };
    Ok(Diagnostic::error(check, RULE, place(position), message, fix))
}

fn explain_text<R: Read>(guard: &Guard<R>, error: &serde_json::Error, position: Position) -> Diagnostic {
    let place = place(position);
    if let Some((_, mark)) = curly_mark(&guard.line_here()) {
        let message = format!("the curly quotation mark {mark} stands where JSON wants a straight one");
        let fix = "replace the curly marks that quote names and texts with \"; plain text editors write it, word processors do not";
        return Diagnostic::error("not_json", RULE, place, message, fix);
    }
    if error.classify() == Category::Eof {
        let message = if guard.ends_in_string() {
            "the file ends inside a string"
        } else if position.line == 1 && position.column == 0 {
            "the file is empty"
        } else {
            "the file ends before its JSON does"
        };
        return Diagnostic::error("cut_off", RULE, place, message, "copy or download the file again");
    }
    let word = guard.word_here();
    let bare = word.trim_start_matches(['-', '+']);
    let (message, fix) = if ["NaN", "nan", "Infinity", "inf", "Inf"].contains(&bare) {
        (
            format!("{word} is not a JSON number"),
            "write null and say why elsewhere, or leave the field out",
        )
    } else if ["None", "True", "False", "undefined"].contains(&bare) {
        (format!("{word} is not a JSON value"), "write null, true or false")
    } else if word.starts_with('\'') {
        (
            "a single quotation mark where JSON wants a value".to_owned(),
            "quote strings with \"",
        )
    } else if word.starts_with("//") || word.starts_with('#') || word.starts_with("/*") {
        ("JSON has no comments".to_owned(), "remove the comment")
    } else if is_half_a_character(error) {
        (
            "an escape such as \\ud83d is half of a character, and its other half does not follow".to_owned(),
            "write the character itself, or both halves: \\ud83d\\ude00",
        )
    } else {
        (
            without_position(error),
            "correct the file at this place; any JSON checker shows it",
        )
    };
    Diagnostic::error("not_json", RULE, place, message, fix)
}

fn place(position: Position) -> Place {
    Place {
        line: Some(position.line),
        column: Some(position.column.max(1)),
        ..Place::default()
    }
}

/// Says whether a surrogate stands alone; the parser has two messages for it, depending on what follows.
fn is_half_a_character(error: &serde_json::Error) -> bool {
    let text = error.to_string();
    text.contains("surrogate") || text.contains("unexpected end of hex escape")
}

/// The parser's message without its position, which counts bytes.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
