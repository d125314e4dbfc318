//! Identifiers of corpus entries.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of an entry: a JSON integer or string, compared by its text (decision 2).
///
/// ```
/// use lydian_model::EntryId;
/// let number: EntryId = serde_json::from_str("1").unwrap();
/// let text: EntryId = serde_json::from_str("\"1\"").unwrap();
/// assert_eq!(number, text);
/// assert_eq!(serde_json::to_string(&number).unwrap(), "1");
/// ```
#[derive(Clone, Debug)]
pub struct EntryId {
    text: String,
    integer: bool,
}

impl EntryId {
    /// Returns an id written as a JSON string.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            integer: false,
        }
    }

    /// Returns an id written as a JSON integer.
    pub fn integer(number: i64) -> Self {
        Self {
            text: number.to_string(),
            integer: true,
        }
    }

    /// Returns the text by which ids are compared and which run cards show.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for EntryId {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for EntryId {}

impl PartialOrd for EntryId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EntryId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for EntryId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Serialize for EntryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.text.parse::<i64>() {
            Ok(number) if self.integer => serializer.serialize_i64(number),
            _ => serializer.serialize_str(&self.text),
        }
    }
}

impl<'de> Deserialize<'de> for EntryId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl serde::de::Visitor<'_> for Visitor {
            type Value = EntryId;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an integer or a string")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<EntryId, E> {
                Ok(EntryId::integer(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<EntryId, E> {
                i64::try_from(number).map(EntryId::integer).map_err(|_| {
                    E::custom("entry id is an integer beyond 9223372036854775807; write it as a string")
                })
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<EntryId, E> {
                Ok(EntryId::text(text))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for EntryId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EntryId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_not_ids() {
        assert!(serde_json::from_str::<EntryId>("1.5").is_err());
        assert!(serde_json::from_str::<EntryId>("null").is_err());
    }

    #[test]
    fn a_string_of_digits_stays_a_string() {
        let id: EntryId = serde_json::from_str("\"007\"").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"007\"");
    }
}
