//! Comparison of two cards value by value.

use std::collections::BTreeSet;

use serde_json::Value;

use super::basis::{Basis, check};
use super::{Change, FieldCheck, MOST_CHANGES, Sources};

/// What a comparison found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) fields: Vec<FieldCheck>,
    pub(super) changes: Vec<Change>,
    pub(super) change_count: u64,
}

/// Fields that are compared as a whole because their content is free.
const WHOLE: [&str; 5] = ["parameters", "plugin_metrics", "served", "steps", "flags"];

/// Compares a card with what it should be.
pub(super) fn compare(stated: &Value, expected: &Value, sources: &Sources<'_>) -> Found {
    let mut walk = Walk {
        found: Found::default(),
        sources,
    };
    walk.value(&mut Vec::new(), Some(stated), Some(expected));
    walk.found
}

struct Walk<'s> {
    found: Found,
    sources: &'s Sources<'s>,
}

impl Walk<'_> {
    fn value<'v>(
        &mut self,
        path: &mut Vec<(&'v str, String)>,
        stated: Option<&'v Value>,
        expected: Option<&'v Value>,
    ) {
        let whole = path.last().is_some_and(|(name, _)| WHOLE.contains(name));
        match (stated, expected) {
            (Some(Value::Object(left)), Some(Value::Object(right))) if !whole => {
                let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
                if keys.is_empty() {
                    self.leaf(path, stated, expected);
                }
                for key in keys {
                    path.push((key, escaped(key)));
                    self.value(path, left.get(key), right.get(key));
                    path.pop();
                }
            }
            (Some(Value::Array(left)), Some(Value::Array(right))) if !whole => {
                if left.len() != right.len() || left.is_empty() {
                    self.leaf(path, stated, expected);
                }
                for (index, (left, right)) in left.iter().zip(right).enumerate() {
                    path.push(("[]", index.to_string()));
                    self.value(path, Some(left), Some(right));
                    path.pop();
                }
            }
            _ => self.leaf(path, stated, expected),
        }
    }

    fn leaf(&mut self, path: &[(&str, String)], stated: Option<&Value>, expected: Option<&Value>) {
        let names: Vec<&str> = path.iter().map(|(name, _)| *name).collect();
        let check = check(&names, self.sources);
        let changed = check.basis != Basis::NotChecked && stated != expected;
        let field = field_name(&names);
        let position = self.found.fields.iter().rposition(|known| {
            known.field == field && known.basis == check.basis && known.needs == check.needs
        });
        let index = position.unwrap_or_else(|| {
            self.found.fields.push(FieldCheck {
                field,
                basis: check.basis,
                needs: check.needs,
                values: 0,
                changed: 0,
            });
            self.found.fields.len() - 1
        });
        let entry = &mut self.found.fields[index];
        entry.values += 1;
        if changed {
            entry.changed += 1;
            self.found.change_count += 1;
            if self.found.changes.len() < MOST_CHANGES {
                self.found.changes.push(Change {
                    pointer: path
                        .iter()
                        .fold(String::new(), |pointer, (_, part)| pointer + "/" + part),
                    stated: summary(stated),
                    expected: summary(expected),
                });
            }
        }
    }
}

/// Returns the name under which a value is reported: elements of lists and of free maps are taken together.
fn field_name(path: &[&str]) -> String {
    let mut name = String::new();
    for (depth, part) in path.iter().enumerate() {
        if path[..depth].iter().any(|outer| is_map(outer)) {
            break;
        }
        let of_breakdown = depth == 2 && path[1].starts_with("by_");
        if *part == "[]" || of_breakdown {
            name.push_str("[]");
            continue;
        }
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(part);
    }
    name
}

fn is_map(field: &str) -> bool {
    [
        "confidence_intervals",
        "composite_weights",
        "tier_boundaries",
        "outcomes",
        "signatures",
        "caveats",
        "notes",
        "values_from",
    ]
    .contains(&field)
}

/// Returns a value for a report: a list only as its length.
fn summary(value: Option<&Value>) -> Value {
    match value {
        None => Value::Null,
        Some(Value::Array(elements)) => Value::String(format!("{} elements", elements.len())),
        Some(value) => value.clone(),
    }
}

/// Escapes a key for a JSON pointer (RFC 6901).
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
