//! JSON Lines: an entry per line, or a dataset block on the first and entries on the others.

use std::io::{self, Read};

use serde::de::DeserializeSeed;
use serde_json::{Map, Value};

use super::columns::rename;
use super::lines::Lines;
use super::{ImportOptions, Intake};
use crate::corpus::read::{MAX_TEXT_BYTES, Outline, Target};
use crate::diagnostic::{Diagnostic, Place};
use crate::json::guard::{Guard, Limits};
use crate::json::syntax;
use crate::json::value::{Oddities, Oddity, ValueSeed, describe, quoted};

/// Reads entries from JSON Lines.
pub fn read<R: Read>(
    source: R,
    options: &ImportOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    let mut lines = Lines::new(source, options.encoding.as_deref());
    let mut renamed = std::collections::BTreeSet::new();
    loop {
        let (number, line) = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                let problem = lines.take_problem().ok_or(error)?;
                intake.target.findings.push(problem.diagnostic());
                return Ok(None);
            }
        };
        if line.trim().is_empty() {
            continue;
        }
        let Some(object) = parse(line, number, &mut intake)? else {
            continue;
        };
        if intake.next_index == 0 && intake.stated.dataset.is_none() && is_header(&object) {
            take_header(object, &mut intake);
            continue;
        }
        let (mut object, changed) = rename(split_translation(object, options), options);
        for (name, field) in changed {
            if renamed.insert((name.clone(), field.clone())) {
                let message = format!("the field {} is read as {field}", quoted(&name));
                intake.warning(
                    "renamed_column",
                    Place::line(number),
                    (message, "rename the field if that is wrong"),
                );
            }
        }
        if object.get("id").is_none_or(Value::is_null) {
            object.insert("id".to_owned(), number.into());
            if renamed.insert((String::new(), "id".to_owned())) {
                let message = "entries without an id get the number of their line".to_owned();
                let fix = "add ids that stay the same when lines move";
                intake.warning("numbered_entries", Place::line(number), (message, fix));
            }
        }
        intake.entry(object, number);
    }
    intake.hasher = lines.hasher();
    Ok(Some(intake.finish()))
}

fn is_header(object: &Map<String, Value>) -> bool {
    object.contains_key("dataset") && !object.contains_key("source")
}

fn take_header(mut object: Map<String, Value>, intake: &mut Intake<'_, '_>) {
    intake.stated.dataset = object.shift_remove("dataset");
    intake.stated.rest = object;
    intake.stated.list_only = false;
}

/// Turns `{"translation": {"en": …, "fr": …}}` into source and reference, by the languages that were given.
fn split_translation(mut object: Map<String, Value>, options: &ImportOptions) -> Map<String, Value> {
    let defaults = &options.read.defaults;
    if let (Some(Value::Object(texts)), Some(source), Some(target)) = (
        object.get("translation"),
        &defaults.source_language,
        &defaults.target_language,
    ) && let (Some(source), Some(target)) = (texts.get(source).cloned(), texts.get(target).cloned())
        && !object.contains_key("source")
        && !object.contains_key("reference")
    {
        object.shift_remove("translation");
        object.insert("source".to_owned(), source);
        object.insert("reference".to_owned(), target);
    }
    object
}

fn parse(line: &str, number: u64, intake: &mut Intake<'_, '_>) -> io::Result<Option<Map<String, Value>>> {
    let guard = Guard::over(
        line.as_bytes(),
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
    let findings = &mut *intake.target.findings;
    let value = match parsed {
        Ok(value) => value,
        Err(error) => {
            let mut diagnostic = syntax::explain(&guard, &error)?;
            diagnostic.place.line = Some(number);
            findings.push(diagnostic);
            return Ok(None);
        }
    };
    for (pointer, oddity) in oddities {
        let place = Place {
            line: Some(number),
            ..Place::pointer(pointer)
        };
        findings.push(match oddity {
            Oddity::DuplicateKey { key } => Diagnostic::error(
                "duplicate_key",
                syntax::RULE,
                place,
                format!("the key {} stands twice in one object", quoted(&key)),
                "keep one of the two",
            ),
            Oddity::InexactInteger => Diagnostic::warning(
                "inexact_number",
                syntax::RULE,
                place,
                "a number of 2^53 or more is not kept exactly",
                "write it as a string",
            ),
        });
    }
    match value {
        Value::Object(object) => Ok(Some(object)),
        other => {
            let message = format!("a line must be an object, found {}", describe(&other));
            let fix = "write each entry as an object with id, source and reference";
            intake.error("wrong_type", Place::line(number), (message, fix));
            Ok(None)
        }
    }
}
