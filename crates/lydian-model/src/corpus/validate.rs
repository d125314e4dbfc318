//! Checks of a corpus beyond the types of its fields.

use crate::corpus::Entry;
use crate::corpus::read::EntryPlace;
use crate::diagnostic::{Diagnostic, Findings, Place};

mod identity;

use identity::SeenTexts;

/// Checks entry by entry; remembers a digest per id and source, not the texts.
#[derive(Debug, Default)]
pub struct EntryChecks {
    ids: SeenTexts,
}

impl EntryChecks {
    /// Checks one entry against the rules and against the entries before it.
    pub fn check(&mut self, entry: &Entry, place: &EntryPlace, findings: &mut Findings) {
        self.check_id(entry, place, findings);
        for (field, text) in [("source", &entry.source), ("reference", &entry.reference)] {
            if text.trim().is_empty() {
                findings.push(Diagnostic::error(
                    "empty_text",
                    "decision 5",
                    at(entry, place, field),
                    format!("{field} is empty"),
                    "fill it, or remove the entry",
                ));
            }
        }
    }

    fn check_id(&mut self, entry: &Entry, place: &EntryPlace, findings: &mut Findings) {
        let Some(first) = self.ids.insert(entry.id.as_str(), place) else {
            return;
        };
        findings.push(Diagnostic::error(
            "duplicate_id",
            "decision 2",
            at(entry, place, "id"),
            format!("the id {} already stands at {first}", entry.id),
            "give each entry an id of its own; 1 and \"1\" are the same id",
        ));
    }
}

fn at(entry: &Entry, place: &EntryPlace, field: &str) -> Place {
    Place {
        entry_id: Some(entry.id.clone()),
        ..place.field(field)
    }
}
