//! Finds duplicate keys in a document without building it.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::json::pointer_token;

/// Visits any value and collects the pointers of keys that an object holds twice.
pub(crate) struct UniqueKeys<'out> {
    path: String,
    duplicates: &'out mut Vec<String>,
}

impl<'out> UniqueKeys<'out> {
    pub(crate) fn new(duplicates: &'out mut Vec<String>) -> Self {
        Self {
            path: String::new(),
            duplicates,
        }
    }

    fn below(&mut self, token: &str) -> UniqueKeys<'_> {
        UniqueKeys {
            path: format!("{}/{token}", self.path),
            duplicates: self.duplicates,
        }
    }
}

impl<'de> DeserializeSeed<'de> for UniqueKeys<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0_usize;
        while items.next_element_seed(self.below(&index.to_string()))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            let token = pointer_token(&key);
            fields.next_value_seed(self.below(&token))?;
            if !seen.insert(key) {
                self.duplicates.push(format!("{}/{token}", self.path));
            }
        }
        Ok(())
    }
}
