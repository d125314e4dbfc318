//! The outer shape of a corpus file, visited as it streams by.

use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::entry;
use super::{EntryPlace, EntrySink, Layout, StatedEnvelope};
use crate::diagnostic::{Diagnostic, Findings, Place};
use crate::json::guard::Guard;
use crate::json::pointer_token;
use crate::json::value::{Oddities, Oddity, ValueSeed, describe};

pub(super) struct Session<'run, R> {
    pub(super) guard: &'run Guard<R>,
    pub(super) findings: &'run mut Findings,
    pub(super) sink: &'run mut EntrySink<'run>,
    pub(super) entry_count: u64,
}

/// The whole document.
pub(super) struct TopLevel<'seed, 'run, R> {
    pub(super) session: &'seed mut Session<'run, R>,
}

/// The value of `entries`, at the JSON pointer `pointer`.
struct Entries<'seed, 'run, R> {
    session: &'seed mut Session<'run, R>,
    pointer: &'static str,
}

/// One element of `entries`.
struct OneEntry<'seed, 'run, R> {
    session: &'seed mut Session<'run, R>,
    pointer: String,
}

/// Visits the scalars that are no object or array where one is wanted, and reports them.
macro_rules! report_scalars {
    ($result:expr, $method:ident) => {
        fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
            self.$method(&Value::Bool(value));
            Ok($result)
        }
        fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
            self.$method(&value.into());
            Ok($result)
        }
        fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
            self.$method(&value.into());
            Ok($result)
        }
        fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
            self.$method(&value.into());
            Ok($result)
        }
        fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
            self.$method(&value.into());
            Ok($result)
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            self.$method(&Value::Null);
            Ok($result)
        }
    };
}

impl<R: Read> TopLevel<'_, '_, R> {
    fn report(&mut self, value: &Value) {
        self.session.findings.push(Diagnostic::error(
            "wrong_type",
            "B §2.1",
            Place::pointer(""),
            format!(
                "a corpus is an object with `dataset` and `entries`, found {}",
                describe(value)
            ),
            "see the corpus format in the documentation",
        ));
    }

    fn refuse(mut self, value: &Value) {
        self.report(value);
    }
}

impl<'de, R: Read> DeserializeSeed<'de> for TopLevel<'_, '_, R> {
    type Value = StatedEnvelope;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<StatedEnvelope, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Read> Visitor<'de> for TopLevel<'_, '_, R> {
    type Value = StatedEnvelope;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a corpus")
    }

    report_scalars!(StatedEnvelope::nothing(), refuse);

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<StatedEnvelope, A::Error> {
        let entries = Entries {
            session: self.session,
            pointer: "",
        };
        entries.visit_seq(items)?;
        Ok(StatedEnvelope::nothing())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<StatedEnvelope, A::Error> {
        let mut stated = StatedEnvelope {
            has_entries: false,
            list_only: false,
            ..StatedEnvelope::nothing()
        };
        while let Some(key) = fields.next_key::<String>()? {
            let known = match key.as_str() {
                "entries" => stated.has_entries,
                "dataset" => stated.dataset.is_some(),
                other => stated.rest.contains_key(other),
            };
            if known {
                self.session.findings.push(duplicate_key(
                    &key,
                    Place::pointer(format!("/{}", pointer_token(&key))),
                ));
                fields.next_value::<IgnoredAny>()?;
                continue;
            }
            if key == "entries" {
                stated.has_entries = true;
                fields.next_value_seed(Entries {
                    session: self.session,
                    pointer: "/entries",
                })?;
                continue;
            }
            let pointer = format!("/{}", pointer_token(&key));
            let mut oddities = Oddities::new();
            let value = fields.next_value_seed(ValueSeed::new(pointer, &mut oddities))?;
            report_oddities(oddities, None, self.session.findings);
            if key == "dataset" {
                stated.dataset = Some(value);
            } else {
                stated.rest.insert(key, value);
            }
        }
        Ok(stated)
    }
}

impl<R: Read> Entries<'_, '_, R> {
    fn refuse(self, value: &Value) {
        self.session.findings.push(Diagnostic::error(
            "wrong_type",
            "B §2.1",
            Place::pointer(self.pointer),
            format!("entries must be an array, found {}", describe(value)),
            "write the entries as an array of objects",
        ));
    }
}

impl<'de, R: Read> DeserializeSeed<'de> for Entries<'_, '_, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Read> Visitor<'de> for Entries<'_, '_, R> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of entries")
    }

    report_scalars!((), refuse);

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.refuse(&Value::Object(Map::new()));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items
            .next_element_seed(OneEntry {
                pointer: format!("{}/{}", self.pointer, self.session.entry_count),
                session: self.session,
            })?
            .is_some()
        {
            self.session.entry_count += 1;
        }
        Ok(())
    }
}

impl<R: Read> OneEntry<'_, '_, R> {
    fn refuse(self, value: &Value) {
        let place = self.place();
        self.session.findings.push(Diagnostic::error(
            "wrong_type",
            "B §2.2",
            place.whole(),
            format!("an entry must be an object, found {}", describe(value)),
            "write each entry as an object with id, source and reference",
        ));
    }

    fn place(&self) -> EntryPlace {
        EntryPlace {
            index: self.session.entry_count,
            line: self.session.guard.position().line,
            pointer: Some(self.pointer.clone()),
        }
    }
}

impl<'de, R: Read> DeserializeSeed<'de> for OneEntry<'_, '_, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Read> Visitor<'de> for OneEntry<'_, '_, R> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an entry")
    }

    report_scalars!((), refuse);

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        self.refuse(&Value::Array(Vec::new()));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let place = self.place();
        let mut object = Map::new();
        let mut oddities = Oddities::new();
        while let Some(key) = fields.next_key::<String>()? {
            let path = format!("{}/{}", self.pointer, pointer_token(&key));
            if object.contains_key(&key) {
                oddities.push((path, Oddity::DuplicateKey { key }));
                fields.next_value::<IgnoredAny>()?;
            } else {
                let value = fields.next_value_seed(ValueSeed::new(path, &mut oddities))?;
                object.insert(key, value);
            }
        }
        report_oddities(oddities, Some(&place), self.session.findings);
        if let Some(entry) = entry::interpret(object, &place, self.session.findings) {
            (self.session.sink)(entry, &place, self.session.findings);
        }
        Ok(())
    }
}

fn report_oddities(oddities: Oddities, entry: Option<&EntryPlace>, findings: &mut Findings) {
    for (pointer, oddity) in oddities {
        let place = Place {
            line: entry.map(|place| place.line),
            ..Place::pointer(pointer)
        };
        findings.push(match oddity {
            Oddity::DuplicateKey { key } => duplicate_key(&key, place),
            Oddity::InexactInteger => Diagnostic::warning(
                "inexact_number",
                crate::json::syntax::RULE,
                place,
                "a number of 2^53 or more is not kept exactly",
                "write it as a string",
            ),
        });
    }
}

fn duplicate_key(key: &str, place: Place) -> Diagnostic {
    Diagnostic::error(
        "duplicate_key",
        crate::json::syntax::RULE,
        place,
        format!(
            "the key {} stands twice in one object",
            crate::json::value::quoted(key)
        ),
        "keep one of the two",
    )
}

impl StatedEnvelope {
    /// Returns how the envelope is laid out.
    pub(crate) fn layout(&self) -> Layout {
        if self.list_only {
            Layout::EntryList
        } else if self.dataset.is_some() {
            Layout::Dataset
        } else if self.rest.contains_key("corpus_id") {
            Layout::TopLevel
        } else {
            Layout::NoDataset
        }
    }
}
