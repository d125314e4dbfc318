//! Checks of a corpus beyond the types of its fields, entry by entry and then as a whole.

use std::io::{self, Read};

use crate::corpus::Entry;
use crate::corpus::read::{EntryPlace, Outline, ReadOptions, Target, stream_corpus};
use crate::diagnostic::{Diagnostic, Findings, Place, Severity};
use crate::vocabulary::{CONTEXTS, REGISTERS};

mod coverage;
mod envelope;
mod formats;
mod identity;
mod provenance;
mod tally;
mod text;

use identity::{SeenPairs, SeenTexts};
pub use tally::Tally;

/// What the corpus is checked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Running methods over it.
    #[default]
    Use,
    /// Being the benchmark of a new language (B §11).
    Onboarding,
}

/// What validation of one file found.
#[derive(Debug)]
pub struct Validated {
    /// Everything that was found.
    pub findings: Findings,
    /// Counts over the entries; `None` when the file could not be read to its end.
    pub tally: Option<Tally>,
    /// What the file held beside its entries.
    pub outline: Option<Outline>,
}

/// Validates a corpus in JSON of any length in one pass.
///
/// ```
/// use lydian_model::corpus::{read::ReadOptions, validate::{Purpose, validate_json}};
/// let validated = validate_json("[]".as_bytes(), &ReadOptions::default(), Purpose::Use).unwrap();
/// assert!(validated.findings.has_errors());
/// ```
pub fn validate_json<R: Read>(source: R, options: &ReadOptions, purpose: Purpose) -> io::Result<Validated> {
    validate_with(purpose, |target| stream_corpus(source, options, target))
}

/// Runs a reader of any format and checks what it reads, without keeping it.
pub fn validate_with<F>(purpose: Purpose, reader: F) -> io::Result<Validated>
where
    F: FnOnce(&mut Target<'_>) -> io::Result<Option<Outline>>,
{
    let mut findings = Findings::default();
    let mut validator = Validator::new(purpose);
    let outline = reader(&mut Target {
        sink: &mut |entry, place, findings| validator.check(&entry, place, findings),
        findings: &mut findings,
    })?;
    let tally = outline
        .as_ref()
        .map(|outline| validator.finish(outline, &mut findings));
    Ok(Validated {
        findings,
        tally,
        outline,
    })
}

/// Checks entries as they stream by; remembers digests and counts, not texts.
#[derive(Debug, Default)]
pub struct Validator {
    purpose: Purpose,
    ids: SeenTexts,
    pairs: SeenPairs,
    tally: Tally,
}

impl Validator {
    /// Returns a validator for a purpose.
    pub fn new(purpose: Purpose) -> Self {
        Self {
            purpose,
            ..Self::default()
        }
    }

    /// Checks one entry against the rules and against the entries before it.
    pub fn check(&mut self, entry: &Entry, place: &EntryPlace, findings: &mut Findings) {
        let mut report = EntryReport {
            entry,
            place,
            findings,
        };
        self.check_id(&mut report);
        check_text("source", &entry.source, &mut report);
        check_text("reference", &entry.reference, &mut report);
        for variant in &entry.variants {
            check_characters("variants", variant, &mut report);
        }
        if !entry.source.trim().is_empty() && text::same(&entry.source, &entry.reference) {
            report.warn(
                "source_equals_reference",
                "B §2.2",
                "reference",
                (
                    "the reference repeats the source".to_owned(),
                    "check that it was translated",
                ),
            );
        }
        self.check_repetition(&mut report);
        check_labels(&mut report);
        self.tally.add(entry);
    }

    /// Checks the corpus as a whole and returns the counts.
    pub fn finish(mut self, outline: &Outline, findings: &mut Findings) -> Tally {
        self.tally.assign_default_segment(outline.default_segment);
        envelope::check(outline, &self.tally, findings);
        coverage::check(&self.tally, self.purpose, findings);
        if self.purpose == Purpose::Onboarding {
            coverage::check_onboarding(&self.tally, &outline.corpus.dataset, findings);
        }
        self.tally
    }

    fn check_id(&mut self, report: &mut EntryReport<'_>) {
        let id = &report.entry.id;
        if let Some(first) = self.ids.insert(id.as_str(), report.place) {
            let message = format!("the id {id} already stands at {first}");
            report.push(
                Severity::Error,
                ("duplicate_id", "decision 2"),
                "id",
                (
                    message,
                    "give each entry an id of its own; 1 and \"1\" are the same id",
                ),
            );
        }
    }

    fn check_repetition(&mut self, report: &mut EntryReport<'_>) {
        let entry = report.entry;
        let Some((first, same_reference)) = self.pairs.insert(&entry.source, &entry.reference, report.place)
        else {
            return;
        };
        let (check, message, fix) = if same_reference {
            (
                "duplicate_entry",
                format!("source and reference already stand at {first}"),
                "remove one: the sentence counts twice",
            )
        } else {
            (
                "source_repeats",
                format!("the source already stands at {first} with another reference"),
                "make one entry of both and put the further reference into `variants`",
            )
        };
        report.warn(check, "B §2.2", "source", (message, fix));
    }
}

/// Where findings about one entry go.
struct EntryReport<'run> {
    entry: &'run Entry,
    place: &'run EntryPlace,
    findings: &'run mut Findings,
}

impl EntryReport<'_> {
    fn push(
        &mut self,
        severity: Severity,
        (check, rule): (&'static str, &'static str),
        field: &str,
        (message, fix): (String, &str),
    ) {
        let place = Place {
            entry_id: Some(self.entry.id.clone()),
            ..self.place.field(field)
        };
        self.findings.push(Diagnostic {
            severity,
            ..Diagnostic::error(check, rule, place, message, fix)
        });
    }

    fn warn(&mut self, check: &'static str, rule: &'static str, field: &str, words: (String, &str)) {
        self.push(Severity::Warning, (check, rule), field, words);
    }
}

fn check_text(field: &str, text: &str, report: &mut EntryReport<'_>) {
    if text.trim().is_empty() {
        report.push(
            Severity::Error,
            ("empty_text", "decision 5"),
            field,
            (format!("{field} is empty"), "fill it, or remove the entry"),
        );
        return;
    }
    check_characters(field, text, report);
}

fn check_characters(field: &str, text: &str, report: &mut EntryReport<'_>) {
    for problem in text::problems(text) {
        let message = format!("{field} {}", problem.message);
        report.warn(problem.check, "decision 3", field, (message, problem.fix));
    }
}

fn check_labels(report: &mut EntryReport<'_>) {
    let entry = report.entry;
    for (field, value, known) in [
        ("register", &entry.register, &REGISTERS[..]),
        ("context", &entry.context, &CONTEXTS[..]),
    ] {
        let Some(value) = value.as_deref().filter(|value| !known.contains(value)) else {
            continue;
        };
        let fix = match crate::corpus::read::nearest(value, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the usual ones are {}", known.join(", ")),
        };
        let message = format!("{field} {} is not in the list", crate::json::value::quoted(value));
        let check = if field == "register" {
            "unknown_register"
        } else {
            "unknown_context"
        };
        report.warn(check, "B §2.6", field, (message, &fix));
    }
    if let Some(word) = entry.provenance.as_ref().and_then(provenance::machine_made) {
        report.push(
            Severity::Error,
            ("machine_made_reference", "B §1.4"),
            "provenance",
            (
                format!("the provenance says {word:?}: a machine wrote the reference"),
                "remove the entry; references are written by people",
            ),
        );
    }
}
