//! What changed between the setup of a run and what would be run now.

use lydian_model::RunSetup;
use serde_json::Value;

/// A field of the setup with two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Its JSON pointer.
    pub(crate) field: String,
    /// Its value on the left.
    pub(crate) left: String,
    /// Its value on the right.
    pub(crate) right: String,
}

/// Returns the fields in which two setups differ; identity and time of the run do not count.
pub(crate) fn differences(left: &RunSetup, right: &RunSetup) -> Vec<Difference> {
    let document = |setup: &RunSetup| {
        let mut value = serde_json::to_value(setup).expect("a setup is a JSON document");
        if let Some(fields) = value.as_object_mut() {
            fields.remove("run_id");
            fields.remove("timestamp");
        }
        value
    };
    let mut found = Vec::new();
    compare(&document(left), &document(right), "", &mut found);
    found
}

fn compare(left: &Value, right: &Value, field: &str, found: &mut Vec<Difference>) {
    match (left, right) {
        _ if left == right => {}
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let value = |of: &serde_json::Map<String, Value>| of.get(key).cloned().unwrap_or(Value::Null);
                compare(&value(one), &value(other), &format!("{field}/{key}"), found);
            }
        }
        _ => found.push(Difference {
            field: field.trim_start_matches('/').to_owned(),
            left: shown(left),
            right: shown(right),
        }),
    }
}

/// Long values, such as prompts and lists of ids, are cut: the difference is in the field, not on the screen.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.len() > 8 => format!("{} items", items.len()),
        other => other.to_string(),
    };
    if text.chars().count() > 70 {
        let start: String = text.chars().take(67).collect();
        format!("{start}…")
    } else {
        text
    }
}
