//! Any JSON value, with duplicate keys noticed instead of silently overwritten.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

use crate::json::pointer_token;

/// Something about a value that a plain [`Value`] cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// An object holds a key twice; the first value is kept.
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// An integer too large to be kept exactly.
    InexactInteger,
}

/// Oddities with the JSON pointer below the value that was read.
pub(crate) type Oddities = Vec<(String, Oddity)>;

/// Reads a value and collects its oddities.
pub(crate) struct ValueSeed<'out> {
    path: String,
    oddities: &'out mut Oddities,
}

/// Largest integer that a double holds together with all smaller ones.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'out> ValueSeed<'out> {
    pub(crate) fn new(path: String, oddities: &'out mut Oddities) -> Self {
        Self { path, oddities }
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        if value.abs() >= EXACT {
            self.oddities.push((self.path, Oddity::InexactInteger));
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(ValueSeed::new(
            format!("{}/{}", self.path, list.len()),
            self.oddities,
        ))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let path = format!("{}/{}", self.path, pointer_token(&key));
            let value = fields.next_value_seed(ValueSeed::new(path.clone(), self.oddities))?;
            if map.contains_key(&key) {
                self.oddities.push((path, Oddity::DuplicateKey { key }));
            } else {
                map.insert(key, value);
            }
        }
        Ok(Value::Object(map))
    }
}

/// Returns the kind of a value with an excerpt, for messages: `string "hard"`, `null`.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("{value}"),
        Value::Number(number) => format!("number {number}"),
        Value::String(text) => format!("string {}", quoted(text)),
        Value::Array(items) => format!("array of {}", items.len()),
        Value::Object(_) => "object".to_owned(),
    }
}

/// Returns `text` in quotation marks, with control characters escaped and at most 60 characters shown.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
