//! Predictions files: JSON Lines with an `id` and an `output` per line.

use std::io::{BufRead, Read};

use schemars::JsonSchema;
use serde::de::DeserializeSeed;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::corpus::read::{EntryPlace, MAX_TEXT_BYTES, ReadError};
use crate::diagnostic::{Diagnostic, Findings, Place};
use crate::foreign::foreign;
use crate::json::guard::{Guard, Limits};
use crate::json::syntax;
use crate::json::value::{Oddities, Oddity, ValueSeed, describe, quoted};
use crate::{EntryId, Sha256Hex};

const RULE: &str = "predictions format";
/// Longest line: an output and as much again for further fields.
const MAX_LINE_BYTES: u64 = 2 * MAX_TEXT_BYTES as u64;

/// One line of a predictions file; further fields are ignored.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
pub struct PredictionLine {
    /// The entry.
    pub id: EntryId,
    /// The output, as it was written.
    pub output: String,
    /// One-based line of the file.
    #[schemars(skip)]
    pub line: u64,
}

/// A predictions file whose ids are unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredictionsFile {
    /// The lines in file order.
    pub lines: Vec<PredictionLine>,
    /// Digest of the file's bytes.
    pub sha256: Sha256Hex,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl PredictionsFile {
    /// Returns an error for every line whose id `is_known` does not know.
    pub fn unknown_ids(&self, is_known: impl Fn(&EntryId) -> bool) -> Result<(), ReadError> {
        let mut findings = Findings::default();
        for line in self.lines.iter().filter(|line| !is_known(&line.id)) {
            findings.push(Diagnostic::error(
                "unknown_id",
                RULE,
                Place {
                    entry_id: Some(line.id.clone()),
                    ..Place::line(line.line)
                },
                format!("the corpus has no entry {}", line.id),
                "check that the predictions belong to this corpus",
            ));
        }
        if findings.has_errors() {
            Err(ReadError::Invalid(Box::new(findings)))
        } else {
            Ok(())
        }
    }
}

/// Reads a predictions file; further fields of a line are ignored, blank lines too.
///
/// ```
/// use lydian_model::predictions::read_predictions;
/// let file = read_predictions("{\"id\": 1, \"output\": \"ola\"}\n".as_bytes()).unwrap();
/// assert_eq!(file.lines[0].output, "ola");
/// ```
pub fn read_predictions<R: BufRead>(mut source: R) -> Result<PredictionsFile, ReadError> {
    let mut findings = Findings::default();
    let mut lines: Vec<PredictionLine> = Vec::new();
    let mut seen = std::collections::BTreeMap::new();
    let mut hasher = Sha256::new();
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        let read = source
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer);
        if let Some(end) = fatal(&buffer, number) {
            findings.push(end);
            break;
        }
        let text = match number {
            1 => strip_mark(&buffer, &mut findings),
            _ => &buffer,
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Some(line) = read_line(text, number, &mut findings)? else {
            continue;
        };
        if let Some(first) = seen.insert(line.id.clone(), number) {
            findings.push(Diagnostic::error(
                "duplicate_id",
                "decision 2",
                Place {
                    entry_id: Some(line.id.clone()),
                    ..Place::line(number)
                },
                format!("the id {} already stands on line {first}", line.id),
                "keep one line per entry; 1 and \"1\" are the same id",
            ));
            seen.insert(line.id.clone(), first);
            continue;
        }
        lines.push(line);
    }
    if lines.is_empty() && !findings.has_errors() {
        findings.push(Diagnostic::error(
            "no_predictions",
            RULE,
            Place::default(),
            "the file has no predictions",
            "write one {\"id\": …, \"output\": …} per line",
        ));
    }
    if findings.has_errors() {
        return Err(ReadError::Invalid(Box::new(findings)));
    }
    Ok(PredictionsFile {
        lines,
        sha256: Sha256Hex::from_digest(&hasher.finalize()),
        diagnostics: findings.into_sorted(),
    })
}

/// Returns why the file cannot be read on after this line.
fn fatal(line: &[u8], number: u64) -> Option<Diagnostic> {
    if number == 1
        && let Some(foreign) = foreign(line)
    {
        return Some(Diagnostic::error(
            "not_json",
            syntax::RULE,
            Place::line(1),
            format!("the file is {}, not JSON Lines in UTF-8", foreign.what),
            foreign.remedy,
        ));
    }
    (line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n")).then(|| {
        Diagnostic::error(
            "line_too_long",
            RULE,
            Place::line(number),
            format!("the line is longer than {MAX_LINE_BYTES} bytes"),
            "write one prediction per line, ended by a line feed",
        )
    })
}

fn strip_mark<'line>(line: &'line [u8], findings: &mut Findings) -> &'line [u8] {
    let Some(rest) = line.strip_prefix(b"\xEF\xBB\xBF") else {
        return line;
    };
    findings.push(Diagnostic::warning(
        "byte_order_mark",
        syntax::RULE,
        Place::line(1),
        "the file starts with a byte order mark",
        "save it as UTF-8 without one",
    ));
    rest
}

fn read_line(text: &[u8], number: u64, findings: &mut Findings) -> Result<Option<PredictionLine>, ReadError> {
    let Some(value) = parse_line(text, number, findings)? else {
        return Ok(None);
    };
    let place = EntryPlace {
        index: number - 1,
        line: number,
        pointer: None,
    };
    let mut error = |check, message: String, fix: &str| {
        findings.push(Diagnostic::error(check, RULE, place.whole(), message, fix));
    };
    let Value::Object(mut fields) = value else {
        error(
            "wrong_type",
            format!("a line must be an object, found {}", describe(&value)),
            "write {\"id\": …, \"output\": …}",
        );
        return Ok(None);
    };
    let id = match fields.shift_remove("id") {
        Some(Value::Number(number)) if number.as_i64().is_some() => number.as_i64().map(EntryId::integer),
        Some(Value::String(text)) => Some(EntryId::text(text)),
        Some(other) => {
            let message = format!("id must be an integer or a string, found {}", describe(&other));
            error("wrong_type", message, "write the id of the corpus entry");
            None
        }
        None => {
            error(
                "missing_field",
                "id is missing".to_owned(),
                "write the id of the corpus entry",
            );
            None
        }
    };
    let output = match fields.shift_remove("output") {
        Some(Value::String(text)) => Some(text),
        Some(other) => {
            let message = format!("output must be a string, found {}", describe(&other));
            let fix = "write \"\" for an empty output; leave the line out if there was no answer";
            error("wrong_type", message, fix);
            None
        }
        None => {
            let message = match fields.keys().find(|key| OTHER_NAMES.contains(&key.as_str())) {
                Some(key) => format!("output is missing; there is {}", quoted(key)),
                None => "output is missing".to_owned(),
            };
            error("missing_field", message, "write the method's text as \"output\"");
            None
        }
    };
    Ok(id.zip(output).map(|(id, output)| PredictionLine {
        id,
        output,
        line: number,
    }))
}

/// What others call the output.
const OTHER_NAMES: [&str; 7] = [
    "answer",
    "predicted",
    "prediction",
    "hypothesis",
    "hyp",
    "translation",
    "text",
];

fn parse_line(text: &[u8], number: u64, findings: &mut Findings) -> Result<Option<Value>, ReadError> {
    let guard = Guard::over(
        text,
        Limits {
            depth: crate::json::MAX_DEPTH,
            string_bytes: MAX_TEXT_BYTES,
        },
    );
    let mut parser = serde_json::Deserializer::from_reader(guard.reader());
    let mut oddities = Oddities::new();
    let parsed = ValueSeed::new(String::new(), &mut oddities)
        .deserialize(&mut parser)
        .and_then(|value| parser.end().map(|()| value));
    match parsed {
        Ok(value) => {
            for (pointer, oddity) in oddities {
                if let Oddity::DuplicateKey { key } = oddity {
                    findings.push(Diagnostic::error(
                        "duplicate_key",
                        syntax::RULE,
                        Place {
                            pointer: Some(pointer),
                            ..Place::line(number)
                        },
                        format!("the key {} stands twice in one object", quoted(&key)),
                        "keep one of the two",
                    ));
                }
            }
            Ok(Some(value))
        }
        Err(error) => {
            let mut diagnostic = syntax::explain(&guard, &error)?;
            diagnostic.place.line = Some(number);
            findings.push(diagnostic);
            Ok(None)
        }
    }
}
