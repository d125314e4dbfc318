//! Reads corpora from other formats: JSON Lines, tables, spreadsheets, line-aligned text, translation memories.
//!
//! Every reader streams, reports all problems like the reader of JSON, and builds each entry from the same fields
//! with the same checks.

use serde_json::{Map, Value};
use sha2::Digest;

use crate::Sha256Hex;
use crate::corpus::read::{EntryPlace, Outline, ReadOptions, StatedEnvelope, Target};
use crate::diagnostic::{Diagnostic, Place};

pub mod aligned;
pub(crate) mod columns;
mod decode;
pub mod delimited;
mod format;
pub mod json_lines;
mod lines;
pub mod spreadsheet;
pub mod tmx;

pub use format::Format;

/// Rule cited for what a foreign format does not allow.
const RULE: &str = "import format";

/// How to read a file of another format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// File name and envelope values.
    pub read: ReadOptions,
    /// Fields for entries that lack them, such as `domain`.
    pub entry_defaults: Map<String, Value>,
    /// Label of the text encoding; without one, byte order marks decide and UTF-8 is assumed.
    pub encoding: Option<String>,
    /// Name of the sheet of a workbook; without one, the first that has a source column.
    pub sheet: Option<String>,
}

/// Counts entries, applies defaults and hands entries on.
struct Intake<'import, 'run> {
    target: &'import mut Target<'run>,
    options: &'import ImportOptions,
    next_index: u64,
    stated: StatedEnvelope,
    hasher: sha2::Sha256,
}

impl<'import, 'run> Intake<'import, 'run> {
    fn new(options: &'import ImportOptions, target: &'import mut Target<'run>) -> Self {
        Self {
            target,
            options,
            next_index: 0,
            stated: StatedEnvelope::nothing(),
            hasher: sha2::Sha256::new(),
        }
    }

    /// Builds an entry from its fields; one without an id gets its number.
    fn entry(&mut self, mut fields: Map<String, Value>, line: u64) {
        let place = EntryPlace {
            index: self.next_index,
            line,
            pointer: None,
        };
        self.next_index += 1;
        for (name, value) in &self.options.entry_defaults {
            if fields.get(name).is_none_or(Value::is_null) {
                fields.insert(name.clone(), value.clone());
            }
        }
        if let Some(entry) = crate::corpus::read::interpret(fields, &place, self.target.findings) {
            (self.target.sink)(entry, &place, self.target.findings);
        }
    }

    fn error(&mut self, check: &'static str, place: Place, words: (String, &str)) {
        self.target
            .findings
            .push(Diagnostic::error(check, RULE, place, words.0, words.1));
    }

    fn warning(&mut self, check: &'static str, place: Place, words: (String, &str)) {
        self.target
            .findings
            .push(Diagnostic::warning(check, RULE, place, words.0, words.1));
    }

    /// Resolves the envelope after the last entry.
    fn finish(self) -> Outline {
        let sha256 = Sha256Hex::from_digest(&self.hasher.finalize());
        crate::corpus::read::outline(
            self.stated,
            self.next_index,
            (&self.options.read, sha256),
            self.target.findings,
        )
    }
}
