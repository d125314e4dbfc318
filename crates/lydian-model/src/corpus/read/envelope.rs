//! The envelope of a corpus: from the file, else from flags, else from the file name (B §2.1).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Layout, ReadOptions, file_name};
use crate::corpus::Dataset;
use crate::diagnostic::{Diagnostic, Findings, Place};
use crate::json::value::describe;
use crate::{Segment, counted, vocabulary};

/// Origin recorded for a value that nothing states.
pub(super) const DEFAULT: &str = "default";
/// Version of a corpus that states none.
const UNSTATED_VERSION: &str = "0.0.0";
/// SPDX's word for a licence that nobody stated.
pub(crate) const UNSTATED_LICENSE: &str = "NOASSERTION";

/// What a file states beside its entries.
pub(crate) struct StatedEnvelope {
    /// The `dataset` block.
    pub(crate) dataset: Option<Value>,
    /// All other top-level fields.
    pub(crate) rest: Map<String, Value>,
    /// Whether there is an `entries` field.
    pub(crate) has_entries: bool,
    /// Whether the file is an array of entries.
    pub(crate) list_only: bool,
    /// Envelope values from the header of a foreign format.
    pub(crate) header: BTreeMap<&'static str, String>,
}

/// The envelope after defaults.
pub(crate) struct Envelope {
    pub(crate) dataset: Dataset,
    pub(crate) extra: Map<String, Value>,
    pub(crate) default_segment: Option<Segment>,
    pub(crate) layout: Layout,
    pub(crate) values_from: BTreeMap<String, String>,
}

impl StatedEnvelope {
    /// Returns the envelope of a file that states nothing.
    pub(crate) fn nothing() -> Self {
        Self {
            dataset: None,
            rest: Map::new(),
            has_entries: true,
            list_only: true,
            header: BTreeMap::new(),
        }
    }
}

/// Takes stated fields out of the file's objects and reports wrong types.
struct Stated<'findings> {
    fields: Map<String, Value>,
    pointer: &'static str,
    findings: &'findings mut Findings,
}

impl Stated<'_> {
    /// Removes a field that must be a string; blank ones count as not stated.
    fn take(&mut self, name: &str) -> Option<String> {
        match self.fields.shift_remove(name)? {
            Value::String(text) if !text.trim().is_empty() => Some(text),
            Value::String(_) | Value::Null => None,
            other => {
                self.findings.push(Diagnostic::error(
                    "wrong_type",
                    "B §2.1",
                    Place::pointer(format!("{}/{name}", self.pointer)),
                    format!("{name} must be a string, found {}", describe(&other)),
                    "write it as a string",
                ));
                None
            }
        }
    }

    /// Removes the list of provenance tags.
    fn take_tags(&mut self) -> Vec<String> {
        let Some(value) = self.fields.shift_remove("provenance") else {
            return Vec::new();
        };
        match &value {
            Value::Null => return Vec::new(),
            Value::Array(items) if items.iter().all(Value::is_string) => {
                return items
                    .iter()
                    .filter_map(|item| item.as_str().map(str::to_owned))
                    .collect();
            }
            _ => {}
        }
        self.findings.push(Diagnostic::error(
            "wrong_type",
            "B §2.1",
            Place::pointer(format!("{}/provenance", self.pointer)),
            format!(
                "provenance must be an array of strings, found {}",
                describe(&value)
            ),
            "list the provenance tags of the entries",
        ));
        Vec::new()
    }
}

/// Returns the envelope, with every missing or wrong field reported.
pub(crate) fn resolve(
    mut stated: StatedEnvelope,
    entry_count: u64,
    options: &ReadOptions,
    findings: &mut Findings,
) -> Envelope {
    let layout = stated.layout();
    if !stated.has_entries {
        findings.push(Diagnostic::error(
            "no_entries",
            "B §2.1",
            Place::pointer(""),
            "the file has no `entries` field",
            "write the entries as an array under `entries`",
        ));
    } else if entry_count == 0 && !findings.has_errors() {
        findings.push(Diagnostic::error(
            "no_entries",
            "B §2.1",
            Place::default(),
            "the corpus has no entries",
            "add entries, or check that the right file was given",
        ));
    }
    check_entry_count(&mut stated.rest, entry_count, findings);
    let (fields, pointer) = match (layout, stated.dataset.take()) {
        (Layout::Dataset, Some(Value::Object(fields))) => (fields, "/dataset"),
        (Layout::Dataset, other) => {
            findings.push(Diagnostic::error(
                "wrong_type",
                "B §2.1",
                Place::pointer("/dataset"),
                format!(
                    "dataset must be an object, found {}",
                    describe(&other.unwrap_or(Value::Null))
                ),
                "see the corpus format in the documentation",
            ));
            (Map::new(), "/dataset")
        }
        (Layout::TopLevel, _) => (top_level_fields(&mut stated.rest), ""),
        (Layout::NoDataset | Layout::EntryList, _) => (Map::new(), ""),
    };
    let default_segment = default_segment(&fields, pointer, &mut stated.rest, findings);
    let mut stated_fields = Stated {
        fields,
        pointer,
        findings,
    };
    let (dataset, values_from) = fill(
        &mut stated_fields,
        layout,
        (&stated.rest, &stated.header),
        options,
    );
    Envelope {
        dataset,
        extra: stated.rest,
        default_segment,
        layout,
        values_from,
    }
}

/// Maps the layout with `corpus_id` onto the fields of the `dataset` block.
fn top_level_fields(rest: &mut Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    for (theirs, ours) in [
        ("corpus_id", "id"),
        ("version", "version"),
        ("created", "created"),
        ("license", "license"),
    ] {
        if let Some(value) = rest.shift_remove(theirs) {
            fields.insert(ours.to_owned(), value);
        }
    }
    match rest.shift_remove("language_pair") {
        Some(Value::Object(pair)) => {
            for (key, value) in pair {
                let key = match key.as_str() {
                    "source" => "source_language".to_owned(),
                    "target" => "target_language".to_owned(),
                    _ => key,
                };
                fields.insert(key, value);
            }
        }
        Some(other) => {
            fields.insert("language_pair".to_owned(), other);
        }
        None => {}
    }
    for name in ["source_language", "target_language"] {
        if let Some(value) = rest.shift_remove(name) {
            fields.insert(name.to_owned(), value);
        }
    }
    fields
}

fn fill(
    stated: &mut Stated<'_>,
    layout: Layout,
    (rest, header): (&Map<String, Value>, &BTreeMap<&'static str, String>),
    options: &ReadOptions,
) -> (Dataset, BTreeMap<String, String>) {
    let third_party = layout != Layout::Dataset;
    let named = match &options.file_name {
        Some(name) if third_party => file_name::read(name),
        _ => file_name::NamedValues::default(),
    };
    let defaults = &options.defaults;
    let block_license = rest
        .get("provenance")
        .and_then(|block| block.get("license"))
        .and_then(Value::as_str)
        .map(str::to_owned);
    let mut filler = Filler {
        stated,
        third_party,
        header,
        values_from: BTreeMap::new(),
    };
    let id = filler.field("id", defaults.id.as_ref(), named.id.map(|id| (id, "file name")));
    let version = filler.field(
        "version",
        defaults.version.as_ref(),
        third_party.then(|| (UNSTATED_VERSION.to_owned(), DEFAULT)),
    );
    let source_language = filler.field(
        "source_language",
        defaults.source_language.as_ref(),
        named.source_language.map(|tag| (tag, "file name")),
    );
    let target_language = filler.field(
        "target_language",
        defaults.target_language.as_ref(),
        named.target_language.map(|tag| (tag, "file name")),
    );
    let label = format!(
        "{}→{}",
        source_language.to_uppercase(),
        target_language.to_uppercase()
    );
    let language_pair = filler.field(
        "language_pair",
        defaults.language_pair.as_ref(),
        third_party.then_some((label, "language tags")),
    );
    let created = filler.field(
        "created",
        defaults.created.as_ref(),
        third_party.then(|| (String::new(), DEFAULT)),
    );
    let license = filler.field(
        "license",
        defaults.license.as_ref(),
        match block_license {
            Some(license) if third_party => Some((license, "provenance block")),
            _ => third_party.then(|| (UNSTATED_LICENSE.to_owned(), DEFAULT)),
        },
    );
    let values_from = filler.values_from;
    let provenance = stated.take_tags();
    let dataset = Dataset {
        id,
        version,
        language_pair,
        source_language,
        target_language,
        created,
        license,
        provenance,
        extra: std::mem::take(&mut stated.fields),
    };
    (dataset, values_from)
}

struct Filler<'fill, 'findings> {
    stated: &'fill mut Stated<'findings>,
    third_party: bool,
    header: &'fill BTreeMap<&'static str, String>,
    values_from: BTreeMap<String, String>,
}

impl Filler<'_, '_> {
    /// Returns the stated value, else the flag's, else `otherwise`; an empty string is reported as missing.
    fn field(&mut self, name: &str, flag: Option<&String>, otherwise: Option<(String, &str)>) -> String {
        if let Some(value) = self.stated.take(name) {
            return value;
        }
        if let Some(value) = flag {
            self.values_from.insert(name.to_owned(), "flag".to_owned());
            return value.clone();
        }
        if let Some(value) = self.header.get(name) {
            self.values_from.insert(name.to_owned(), "file header".to_owned());
            return value.clone();
        }
        if let Some((value, origin)) = otherwise {
            self.values_from.insert(name.to_owned(), origin.to_owned());
            return value;
        }
        let flag = match name {
            "id" | "version" => format!("--dataset-{name}"),
            _ => format!("--{}", name.replace('_', "-")),
        };
        let (place, fix) = if self.third_party {
            (
                Place::default(),
                format!("give {flag}, or add a `dataset` block to the file"),
            )
        } else {
            (
                Place::pointer(format!("{}/{name}", self.stated.pointer)),
                format!("add it to the `dataset` block, or give {flag}"),
            )
        };
        self.stated.findings.push(Diagnostic::error(
            "missing_field",
            "B §2.1",
            place,
            format!("{name} is missing"),
            fix,
        ));
        String::new()
    }
}

/// Reads a segment that the envelope states for all entries; it decides about secrecy and is never guessed.
fn default_segment(
    fields: &Map<String, Value>,
    pointer: &str,
    rest: &mut Map<String, Value>,
    findings: &mut Findings,
) -> Option<Segment> {
    let (value, pointer) = match (fields.get("segment"), rest.shift_remove("segment")) {
        (Some(value), _) => (value.clone(), format!("{pointer}/segment")),
        (None, Some(value)) => (value, "/segment".to_owned()),
        (None, None) => return None,
    };
    let segment = value.as_str().and_then(Segment::from_name);
    if segment.is_none() && !value.is_null() {
        findings.push(Diagnostic::error(
            "unknown_segment",
            "B §2.3",
            Place::pointer(pointer),
            format!("segment is {}", describe(&value)),
            format!("use one of {}", vocabulary::segment_names()),
        ));
    }
    segment
}

/// Compares a stated `entry_count` with the entries; the count is not kept, because it goes stale.
fn check_entry_count(rest: &mut Map<String, Value>, entry_count: u64, findings: &mut Findings) {
    let Some(stated) = rest.shift_remove("entry_count") else {
        return;
    };
    if stated.as_u64() != Some(entry_count) {
        findings.push(Diagnostic::error(
            "entry_count",
            "B §2.1",
            Place::pointer("/entry_count"),
            format!(
                "entry_count is {stated}, but the file holds {}",
                counted(entry_count, "entry", "entries")
            ),
            "check that the file is complete, then correct or remove entry_count",
        ));
    }
}
