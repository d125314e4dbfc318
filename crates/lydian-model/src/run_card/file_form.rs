//! Whether a file's bytes are those that a run card is written as.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::canonical::canonical_bytes;
use crate::json::pointer_token;
use crate::run_card::RunCard;

/// How the bytes of a file compare with the card that was read from them (decision 24).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum FileForm {
    /// Byte for byte what is written for this card.
    Canonical,
    /// The same document with other white space, order or spelling of numbers.
    Reformatted,
    /// A document that reads as this card and is another one, such as a list in place of an object.
    OtherDocument {
        /// JSON pointer to the first value that differs.
        pointer: String,
    },
}

/// Compares `bytes` with what is written for `card`, which was read from them.
///
/// A hash is computed over a document. Readers forgive some differences between documents, so a card may carry the
/// hash of what it was taken for and not of what stands in the file.
pub fn file_form(bytes: &[u8], card: &RunCard) -> FileForm {
    if bytes == card.file_bytes() {
        return FileForm::Canonical;
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Ok(found) = serde_json::from_slice::<Value>(bytes) else {
        return FileForm::OtherDocument {
            pointer: String::new(),
        };
    };
    let expected = serde_json::to_value(card).expect("cards have string keys and finite numbers");
    match difference(&found, &expected) {
        None => FileForm::Reformatted,
        Some(pointer) => FileForm::OtherDocument { pointer },
    }
}

/// Returns the pointer of the first difference; `1` and `1.0` are the same number.
fn difference(found: &Value, expected: &Value) -> Option<String> {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = found.keys().chain(expected.keys());
            let mut keys: Vec<&String> = keys.collect();
            keys.sort();
            keys.into_iter().find_map(|key| {
                let place = format!("/{}", pointer_token(key));
                match (found.get(key), expected.get(key)) {
                    (Some(found), Some(expected)) => {
                        difference(found, expected).map(|below| format!("{place}{below}"))
                    }
                    _ => Some(place),
                }
            })
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => found
            .iter()
            .zip(expected)
            .enumerate()
            .find_map(|(index, (found, expected))| {
                difference(found, expected).map(|below| format!("/{index}{below}"))
            }),
        _ => (canonical_bytes(found) != canonical_bytes(expected)).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_pointed_to() {
        let expected = json!({"a": [1, {"b/c": 2.0}], "d": {"e": null}});
        for (found, pointer) in [
            (json!({"d": {"e": null}, "a": [1.0, {"b/c": 2}]}), None),
            (json!({"a": [1, {"b/c": 3}], "d": {"e": null}}), Some("/a/1/b~1c")),
            (json!({"a": [1], "d": {"e": null}}), Some("/a")),
            (json!({"a": [1, {"b/c": 2}], "d": {}}), Some("/d/e")),
            (json!({"a": [1, {"b/c": 2}], "d": [null]}), Some("/d")),
        ] {
            assert_eq!(difference(&found, &expected).as_deref(), pointer, "{found}");
        }
    }
}
