//! Reads a run card of which nothing is known but its bytes.

use serde::Deserialize;
use serde::de::DeserializeSeed;
use serde_path_to_error::Segment;

use crate::corpus::read::ReadError;
use crate::diagnostic::{Diagnostic, Findings, Place};
use crate::json::guard::{Guard, Limits};
use crate::json::unique::UniqueKeys;
use crate::json::value::quoted;
use crate::json::{MAX_DEPTH, pointer_token, syntax};
use crate::run_card::{RunCard, SCHEMA};

const RULE: &str = "B §3";
/// Longest string: a system prompt with its coaching data.
const MAX_STRING_BYTES: usize = 16 << 20;

/// The field that says what a document is.
#[derive(Deserialize)]
struct Header {
    schema: Option<serde_json::Value>,
}

/// Reads a run card; whether its hash and numbers hold is for verification to say.
///
/// ```
/// let error = lydian_model::run_card::read::read_run_card(b"{\"schema\": \"lydian.run-card/9\"}").unwrap_err();
/// assert!(error.to_string().contains("version 9"));
/// ```
pub fn read_run_card(bytes: &[u8]) -> Result<RunCard, ReadError> {
    let bytes = checked(bytes)?;
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        // A derived reader would take an array for the fields in order.
        return Err(invalid(Diagnostic::error(
            "not_a_card",
            RULE,
            Place::pointer(""),
            "a run card is an object",
            "give the file run-card.json of a run",
        )));
    }
    let header: Header = serde_json::from_slice(bytes).map_err(|error| refuse(&error))?;
    check_schema(header.schema.as_ref())?;
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut parser).map_err(|error| {
        let pointer = error
            .path()
            .iter()
            .fold(String::new(), |path, segment| match segment {
                Segment::Seq { index } => format!("{path}/{index}"),
                Segment::Map { key } => format!("{path}/{}", pointer_token(key)),
                Segment::Enum { variant } => format!("{path}/{variant}"),
                Segment::Unknown => path,
            });
        invalid(explain(pointer, error.inner()))
    })
}

/// Returns the bytes without a byte order mark if they are JSON within the limits and without duplicate keys.
fn checked(bytes: &[u8]) -> Result<&[u8], ReadError> {
    let guard = Guard::over(
        bytes,
        Limits {
            depth: MAX_DEPTH,
            string_bytes: MAX_STRING_BYTES,
        },
    );
    let mut duplicates = Vec::new();
    let mut parser = serde_json::Deserializer::from_reader(guard.reader());
    let parsed = UniqueKeys::new(&mut duplicates)
        .deserialize(&mut parser)
        .and_then(|()| parser.end());
    if let Err(error) = parsed {
        return Err(invalid(syntax::explain(&guard, &error)?));
    }
    let mut findings = Findings::default();
    for pointer in duplicates {
        findings.push(Diagnostic::error(
            "duplicate_key",
            syntax::RULE,
            Place::pointer(pointer),
            "the key stands twice in one object",
            "take the original file: no program writes such a card",
        ));
    }
    if findings.has_errors() {
        return Err(ReadError::Invalid(Box::new(findings)));
    }
    Ok(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

/// Accepts the current schema; says of others whether they are newer or something else (decision 27).
fn check_schema(schema: Option<&serde_json::Value>) -> Result<(), ReadError> {
    let (check, message, fix) = match schema.map(|schema| schema.as_str()) {
        Some(Some(name)) if name == SCHEMA => return Ok(()),
        Some(Some(name)) => match name.strip_prefix("lydian.run-card/") {
            Some(version) => (
                "unknown_version",
                format!("run card version {version} is not known; this program reads version 1"),
                "use a newer lydian",
            ),
            None => (
                "not_a_card",
                format!("the document is {}, not a run card", quoted(name)),
                "give the file run-card.json of a run",
            ),
        },
        Some(None) => (
            "not_a_card",
            "schema must be a string".to_owned(),
            "give the file run-card.json of a run",
        ),
        None => (
            "not_a_card",
            "the document has no schema field, so it is no run card".to_owned(),
            "give the file run-card.json of a run",
        ),
    };
    Err(invalid(Diagnostic::error(
        check,
        "decision 27",
        Place::pointer("/schema"),
        message,
        fix,
    )))
}

fn refuse(error: &serde_json::Error) -> ReadError {
    invalid(Diagnostic::error(
        "not_a_card",
        RULE,
        Place::pointer("/schema"),
        short_message(error),
        "give the file run-card.json of a run",
    ))
}

/// Says in the words of documents, not of Rust, what is wrong at `pointer`.
fn explain(pointer: String, error: &serde_json::Error) -> Diagnostic {
    const FIX: &str = "the card was written by another program or changed by hand; take the original file";
    let message = short_message(error);
    let named = |prefix: &str| Some(message.strip_prefix(prefix)?.split('`').nth(1)?.to_owned());
    let at = |name: &str| {
        let place = format!("/{}", pointer_token(name));
        if pointer.ends_with(&place) {
            pointer.clone()
        } else {
            format!("{pointer}{place}")
        }
    };
    let (check, pointer, message) = if let Some(name) = named("missing field ") {
        ("missing_field", at(&name), format!("{name} is missing"))
    } else if let Some(name) = named("unknown field ") {
        (
            "unknown_field",
            at(&name),
            format!("a card has no field {name} here"),
        )
    } else if message.starts_with("invalid type") || message.starts_with("invalid length") {
        ("wrong_type", pointer, in_plain_words(&message))
    } else {
        ("wrong_value", pointer, in_plain_words(&message))
    };
    Diagnostic::error(check, RULE, Place::pointer(pointer), message, FIX)
}

/// Replaces the names of Rust's types by those of JSON's.
fn in_plain_words(message: &str) -> String {
    let Some((found, expected)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "f64" => "a number",
        "u64" | "u32" | "u16" | "u8" | "usize" => "a whole number of 0 or more",
        "i64" | "i32" => "a whole number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") || other.starts_with("internally tagged enum ") => "an object",
        other => other,
    };
    let found = found
        .trim_start_matches("invalid type: ")
        .trim_start_matches("invalid value: ");
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        other => other,
    };
    format!("expected {expected}, found {found}")
}

/// The parser's message without its position.
fn short_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

fn invalid(diagnostic: Diagnostic) -> ReadError {
    let mut findings = Findings::default();
    findings.push(diagnostic);
    ReadError::Invalid(Box::new(findings))
}
