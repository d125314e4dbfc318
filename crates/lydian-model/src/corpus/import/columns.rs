//! Names of columns and fields in foreign files, and what an entry calls them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{ImportOptions, Intake};
use crate::LanguageTag;
use crate::corpus::read::FIELDS;
use crate::diagnostic::Place;
use crate::json::value::quoted;

/// What others call the fields of an entry.
pub(crate) const ALIASES: [(&str, &str); 17] = [
    ("src", "source"),
    ("source_text", "source"),
    ("source text", "source"),
    ("source sentence", "source"),
    ("ref", "reference"),
    ("target", "reference"),
    ("tgt", "reference"),
    ("trg", "reference"),
    ("translation", "reference"),
    ("target_text", "reference"),
    ("target text", "reference"),
    ("reference_text", "reference"),
    ("expected", "reference"),
    ("note", "notes"),
    ("comment", "notes"),
    ("comments", "notes"),
    ("alternatives", "variants"),
];

/// Separates several variants in one cell.
const VARIANT_SEPARATOR: char = '|';

/// Guesses the field that a name stands for.
type Guess<'guess> = dyn Fn(&str) -> Option<&'static str> + 'guess;

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Columns {
    fields: Vec<String>,
}

impl Columns {
    /// Reads the header line; `None` if it cannot be one, which is reported.
    pub(super) fn read(header: &[String], line: u64, intake: &mut Intake<'_, '_>) -> Option<Self> {
        let names: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        let place = || Place::line(line);
        let fields = field_names(&names, intake.options);
        let mut seen = BTreeSet::new();
        let repeated: Vec<String> = fields
            .iter()
            .filter(|field| !field.is_empty() && !seen.insert(field.as_str()))
            .map(|field| quoted(field))
            .collect();
        let missing: Vec<&str> = ["source", "reference"]
            .into_iter()
            .filter(|field| !fields.iter().any(|name| name == field))
            .collect();
        if !missing.is_empty() {
            let shown: Vec<String> = names.iter().take(12).map(|name| quoted(name)).collect();
            let message = format!(
                "there is no column {}; the first line holds {}",
                missing.join(" and no column "),
                shown.join(", ")
            );
            let fix = "name the columns source and reference in the first line (id, domain, … are optional)";
            intake.error("missing_column", place(), (message, fix));
        }
        if !repeated.is_empty() {
            let message = format!("the column {} stands twice", repeated.join(", "));
            intake.error("duplicate_column", place(), (message, "remove or rename one"));
        }
        if !missing.is_empty() || !repeated.is_empty() {
            return None;
        }
        for (name, field) in names.iter().zip(&fields).filter(|(name, field)| name != field) {
            let message = format!("the column {} is read as {field}", quoted(name));
            intake.warning(
                "renamed_column",
                place(),
                (message, "rename the column if that is wrong"),
            );
        }
        if !fields.iter().any(|field| field == "id") {
            let message = "there is no column id: entries are numbered in file order".to_owned();
            intake.warning(
                "numbered_entries",
                place(),
                (message, "add ids that stay the same when rows move"),
            );
        }
        Some(Self { fields })
    }

    /// Returns the number of columns.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// Says whether one of the columns holds ids.
    fn has_ids(&self) -> bool {
        self.fields.iter().any(|field| field == "id")
    }

    /// Hands a row on; blank cells are absent fields, blank rows are left out.
    pub(super) fn row(&self, cells: impl Iterator<Item = Value>, line: u64, intake: &mut Intake<'_, '_>) {
        let mut object = Map::new();
        for (field, cell) in self.fields.iter().zip(cells) {
            if let Some(value) = cell_value(field, cell) {
                let name = if field.is_empty() { "unnamed" } else { field };
                object.insert(name.to_owned(), value);
            }
        }
        if object.is_empty() {
            return;
        }
        if !self.has_ids() {
            object.insert("id".to_owned(), (intake.next_index + 1).into());
        }
        intake.entry(object, line);
    }
}

/// Returns the entry field each name stands for: by its own name, else by language, else by alias. No field is
/// given twice by guessing; a name that comes too late stays as it is.
fn field_names(names: &[String], options: &ImportOptions) -> Vec<String> {
    let folded = |tag: &str| LanguageTag::parse(tag).ok().map(|tag| tag.folded().to_owned());
    let defaults = &options.read.defaults;
    let source = defaults.source_language.as_deref().and_then(folded);
    let target = defaults.target_language.as_deref().and_then(folded);
    let by_name = |name: &str| {
        FIELDS
            .iter()
            .find(|field| **field == name.to_lowercase())
            .copied()
    };
    let by_language = |name: &str| match folded(name) {
        tag @ Some(_) if tag == source => Some("source"),
        tag @ Some(_) if tag == target => Some("reference"),
        _ => None,
    };
    let by_alias = |name: &str| {
        let lower = name.to_lowercase();
        ALIASES
            .iter()
            .find(|(alias, _)| *alias == lower)
            .map(|(_, field)| *field)
    };
    let mut fields: Vec<Option<&str>> = names.iter().map(|name| by_name(name)).collect();
    let guesses: [&Guess<'_>; 2] = [&by_language, &by_alias];
    for guess in guesses {
        for (index, name) in names.iter().enumerate() {
            if let (None, Some(field)) = (fields[index], guess(name))
                && !fields.contains(&Some(field))
            {
                fields[index] = Some(field);
            }
        }
    }
    names
        .iter()
        .zip(fields)
        .map(|(name, field)| field.unwrap_or(name).to_owned())
        .collect()
}

/// Returns a cell as the value of a field.
fn cell_value(field: &str, cell: Value) -> Option<Value> {
    let Value::String(text) = cell else {
        return (!cell.is_null()).then(|| match field {
            "id" | "difficulty" => cell,
            _ => match cell {
                Value::Number(_) | Value::Bool(_) => Value::String(cell.to_string()),
                other => other,
            },
        });
    };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    Some(match field {
        "source" | "reference" => Value::String(text),
        "id" | "difficulty" => match trimmed.parse::<i64>() {
            Ok(number) if number.to_string() == trimmed => number.into(),
            _ => Value::String(trimmed.to_owned()),
        },
        "variants" => trimmed
            .split(VARIANT_SEPARATOR)
            .map(str::trim)
            .filter(|variant| !variant.is_empty())
            .collect(),
        _ => Value::String(trimmed.to_owned()),
    })
}

/// Renames the fields of a JSON object the way columns are read; returns the names that were changed.
pub(super) fn rename(
    object: Map<String, Value>,
    options: &ImportOptions,
) -> (Map<String, Value>, Vec<(String, String)>) {
    let names: Vec<String> = object.keys().cloned().collect();
    let fields = field_names(&names, options);
    let mut changed = Vec::new();
    let mut renamed = Map::new();
    for ((name, value), field) in object.into_iter().zip(fields) {
        // Case and aliases never merge two fields into one.
        if name != field && !renamed.contains_key(&field) && !names.contains(&field) {
            changed.push((name, field.clone()));
            renamed.insert(field, value);
        } else {
            renamed.insert(name, value);
        }
    }
    (renamed, changed)
}
