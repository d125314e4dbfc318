//! Reads the fields of one JSON object and notes everything that is wrong with them.

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::entry_id::EntryId;

/// An object being read, and the findings so far.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    pointer: String,
    entry_id: Option<EntryId>,
    found: &'a mut Vec<Diagnostic>,
}

/// A finding before it knows its place.
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) check: &'static str,
    pub(super) rule: &'static str,
    pub(super) message: String,
    pub(super) fix: String,
}

impl Finding {
    /// Returns an error.
    pub(super) fn error(
        check: &'static str,
        rule: &'static str,
        message: impl Into<String>,
        fix: &str,
    ) -> Self {
        Self {
            severity: Severity::Error,
            check,
            rule,
            message: message.into(),
            fix: fix.to_owned(),
        }
    }

    /// Returns a warning.
    pub(super) fn warning(
        check: &'static str,
        rule: &'static str,
        message: impl Into<String>,
        fix: &str,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(check, rule, message, fix)
        }
    }
}

impl<'a> Fields<'a> {
    /// Starts to read an object.
    pub(super) fn new(
        map: &'a Map<String, Value>,
        pointer: String,
        entry_id: Option<EntryId>,
        found: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            map,
            pointer,
            entry_id,
            found,
        }
    }

    /// Notes a finding about a field, or about the object itself when `key` is empty.
    pub(super) fn note(&mut self, key: &str, finding: Finding) {
        let below = if key.is_empty() {
            String::new()
        } else {
            format!("/{}", escaped(key))
        };
        self.push(&below, finding);
    }

    /// Notes a finding about a place below this object, such as `keywords/3`.
    pub(super) fn note_below(&mut self, path: &str, finding: Finding) {
        self.push(&format!("/{path}"), finding);
    }

    fn push(&mut self, below: &str, finding: Finding) {
        let pointer = format!("{}{below}", self.pointer);
        self.found.push(Diagnostic {
            severity: finding.severity,
            check: finding.check,
            rule: finding.rule,
            place: Place {
                pointer: Some(pointer),
                entry_id: self.entry_id.clone(),
                ..Place::default()
            },
            message: finding.message,
            fix: finding.fix,
        });
    }

    /// Returns the value of a field; null counts as absent.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Reads a required text that is not blank.
    pub(super) fn text(&mut self, key: &str, rule: &'static str) -> Option<String> {
        if self.value(key).is_none() {
            let message = format!("`{key}` is missing");
            self.note(
                key,
                Finding::error("missing_field", rule, message, &format!("add `{key}`")),
            );
            return None;
        }
        self.optional_text(key, rule)
    }

    /// Reads a text that may be absent but not blank.
    pub(super) fn optional_text(&mut self, key: &str, rule: &'static str) -> Option<String> {
        match self.value(key)? {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::String(_) => {
                let message = format!("`{key}` is empty");
                self.note(
                    key,
                    Finding::error("empty_field", rule, message, "write the text or remove the field"),
                );
                None
            }
            other => {
                self.wrong_type(key, rule, "a text", other);
                None
            }
        }
    }

    /// Reads a list of texts; absent means empty. Entries that are no texts or blank are noted and left out.
    pub(super) fn texts(&mut self, key: &str, rule: &'static str) -> Vec<String> {
        let Some(values) = self.list(key, rule) else {
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(values.len());
        for (at, value) in values.iter().enumerate() {
            match value {
                Value::String(text) if !text.trim().is_empty() => texts.push(text.clone()),
                other => self.wrong_type(&format!("{key}/{at}"), rule, "a text that is not empty", other),
            }
        }
        texts
    }

    /// Reads a list; `None` when it is absent or none.
    pub(super) fn list(&mut self, key: &str, rule: &'static str) -> Option<&'a Vec<Value>> {
        match self.value(key)? {
            Value::Array(values) => Some(values),
            other => {
                self.wrong_type(key, rule, "a list", other);
                None
            }
        }
    }

    /// Reads an object as fields of its own; `None` when it is absent or none.
    pub(super) fn object(&mut self, key: &str, rule: &'static str) -> Option<Fields<'_>> {
        let value = self.value(key)?;
        self.nested(key, value, rule)
    }

    /// Reads a value inside this object as fields of its own; `place` is its pointer below this object.
    pub(super) fn nested(&mut self, place: &str, value: &'a Value, rule: &'static str) -> Option<Fields<'_>> {
        match value {
            Value::Object(map) => Some(Fields {
                map,
                pointer: format!("{}/{place}", self.pointer),
                entry_id: self.entry_id.clone(),
                found: self.found,
            }),
            other => {
                self.wrong_type(place, rule, "an object", other);
                None
            }
        }
    }

    /// Notes every field that is not in the list: a misspelt optional field would be lost silently.
    pub(super) fn only(&mut self, known: &[&str], rule: &'static str) {
        let unknown: Vec<&String> = self
            .map
            .keys()
            .filter(|key| !known.contains(&key.as_str()))
            .collect();
        for key in unknown {
            let message = format!("unknown field `{key}`");
            let fix = format!("use one of {}", known.join(", "));
            self.note(key, Finding::error("unknown_field", rule, message, &fix));
        }
    }

    /// Returns the names and values of an object whose values are texts (or numbers, kept as text).
    pub(super) fn named_texts(&mut self, key: &str, rule: &'static str) -> Option<Vec<(String, String)>> {
        let fields = self.object(key, rule)?;
        let pairs = fields
            .map
            .iter()
            .map(|(name, value)| (name.clone(), plain(value)));
        Some(pairs.collect())
    }

    /// Notes a value of the wrong type.
    pub(super) fn wrong_type(&mut self, key: &str, rule: &'static str, wanted: &str, value: &Value) {
        let message = format!("`{key}` is {}, expected {wanted}", kind(value));
        let fix = format!("write {wanted}");
        self.note_below(key, Finding::error("wrong_type", rule, message, &fix));
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the truth value {value}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.trim().is_empty() => "an empty text".to_owned(),
        Value::String(text) => format!("the text `{}`", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
