//! Reads a corpus file in JSON: one pass, every problem named, nothing kept but what the caller keeps.

use std::collections::BTreeMap;
use std::io::{self, Read};

use serde::de::DeserializeSeed;

use crate::corpus::validate::{Purpose, Validator};
use crate::diagnostic::{Diagnostic, Findings, Place, Severity};
use crate::json::guard::{Guard, Limits};
use crate::json::syntax;
use crate::run_setup::DatasetIdentity;
use crate::{Corpus, Entry, Segment, Sha256Hex};

mod entry;
mod envelope;
mod file_name;
mod top_level;

pub(crate) use entry::{FIELDS, interpret, nearest};
pub(crate) use envelope::StatedEnvelope;

/// Longest text of one field in bytes; more is a missing quotation mark, not an entry.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// What a reader needs to know beside the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Name of the file without its folder; a missing envelope is read from it.
    pub file_name: Option<String>,
    /// Envelope values for fields that the file does not state.
    pub defaults: EnvelopeDefaults,
}

/// Envelope values given by flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvelopeDefaults {
    /// Identifier of the corpus.
    pub id: Option<String>,
    /// Semantic version.
    pub version: Option<String>,
    /// Display label.
    pub language_pair: Option<String>,
    /// BCP 47 tag of the source language.
    pub source_language: Option<String>,
    /// BCP 47 tag of the target language.
    pub target_language: Option<String>,
    /// ISO 8601 date.
    pub created: Option<String>,
    /// SPDX licence expression.
    pub license: Option<String>,
}

/// How the file lays its envelope out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A `dataset` block and `entries` (B §2.1).
    Dataset,
    /// `entries` without a `dataset` block.
    NoDataset,
    /// `corpus_id`, `version` and a `language_pair` object beside `entries`.
    TopLevel,
    /// An array of entries and nothing else.
    EntryList,
}

/// A corpus and what is known about the file it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusFile {
    /// The corpus; a segment that the file states for all entries is set on each.
    pub corpus: Corpus,
    /// Digest of the file's bytes (decision 26).
    pub sha256: Sha256Hex,
    /// How the file was laid out.
    pub layout: Layout,
    /// Envelope fields that the file did not state, and where their value came from: `flag`, `file header`,
    /// `file name`, `language tags`, `provenance block` or `default`.
    pub values_from: BTreeMap<String, String>,
    /// Warnings and hints; a file with errors gives no corpus.
    pub diagnostics: Vec<Diagnostic>,
}

impl CorpusFile {
    /// Returns what a run records about its corpus.
    pub fn identity(&self) -> DatasetIdentity {
        let dataset = &self.corpus.dataset;
        let stated = self.values_from.get("license").map(String::as_str) != Some(envelope::DEFAULT);
        DatasetIdentity {
            id: dataset.id.clone(),
            version: dataset.version.clone(),
            language_pair: dataset.language_pair.clone(),
            source_language: dataset.source_language.clone(),
            target_language: dataset.target_language.clone(),
            license: stated.then(|| dataset.license.clone()),
            sha256: self.sha256.clone(),
            file_entry_count: self.corpus.entries.len() as u64,
            values_from: self.values_from.clone(),
        }
    }
}

/// Why a document could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source failed.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// The document has errors.
    #[error("{}", summary(.0))]
    Invalid(Box<Findings>),
}

impl ReadError {
    /// Returns the findings of an invalid document, errors first.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Io(_) => Vec::new(),
            Self::Invalid(findings) => (**findings).clone().into_sorted(),
        }
    }
}

fn summary(findings: &Findings) -> String {
    let errors = findings.count(Severity::Error);
    let first = findings
        .kept()
        .iter()
        .find(|finding| finding.severity == Severity::Error)
        .map_or_else(String::new, ToString::to_string);
    match errors {
        1 => first,
        _ => format!("{errors} errors, the first: {first}"),
    }
}

/// Where an entry stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPlace {
    /// Zero-based position among the entries.
    pub index: u64,
    /// One-based line on which it starts.
    pub line: u64,
    /// JSON pointer of the entry in JSON files.
    pub pointer: Option<String>,
}

impl EntryPlace {
    /// Returns the place of a field of the entry.
    pub fn field(&self, name: &str) -> Place {
        Place {
            line: Some(self.line),
            column: None,
            pointer: self
                .pointer
                .as_ref()
                .map(|pointer| format!("{pointer}/{}", crate::json::pointer_token(name))),
            entry_id: None,
        }
    }

    /// Returns the place of the entry.
    pub fn whole(&self) -> Place {
        Place {
            line: Some(self.line),
            column: None,
            pointer: self.pointer.clone(),
            entry_id: None,
        }
    }
}

/// Receives entries while a file is read.
pub type EntrySink<'sink> = dyn FnMut(Entry, &EntryPlace, &mut Findings) + 'sink;

/// Where a reader's entries and problems go.
pub struct Target<'run> {
    /// Receives every readable entry.
    pub sink: &'run mut EntrySink<'run>,
    /// Receives every problem.
    pub findings: &'run mut Findings,
}

/// What a file held beside its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The envelope and further fields; its `entries` are empty.
    pub corpus: Corpus,
    /// Segment of entries that name none.
    pub default_segment: Option<Segment>,
    /// Digest of the file's bytes.
    pub sha256: Sha256Hex,
    /// How the file was laid out.
    pub layout: Layout,
    /// See [`CorpusFile::values_from`].
    pub values_from: BTreeMap<String, String>,
    /// Number of entries, unreadable ones included.
    pub entry_count: u64,
}

/// Reads a corpus in JSON whose memory the caller can afford, with all checks of [`Validator`].
///
/// ```
/// use lydian_model::corpus::read::{read_corpus, ReadOptions};
/// let json = r#"{"entries": [{"id": 1, "source": "olá", "reference": "ola"}]}"#;
/// let options = ReadOptions { file_name: Some("por-glg.json".into()), ..ReadOptions::default() };
/// let file = read_corpus(json.as_bytes(), &options).unwrap();
/// assert_eq!(file.corpus.dataset.target_language, "glg");
/// assert_eq!(file.values_from["target_language"], "file name");
/// ```
pub fn read_corpus<R: Read>(source: R, options: &ReadOptions) -> Result<CorpusFile, ReadError> {
    read_with(|target| stream_corpus(source, options, target))
}

/// Runs a reader of any format and returns the corpus it read, with all checks of [`Validator`].
pub fn read_with<F>(reader: F) -> Result<CorpusFile, ReadError>
where
    F: FnOnce(&mut Target<'_>) -> io::Result<Option<Outline>>,
{
    let mut entries = Vec::new();
    let mut findings = Findings::default();
    let mut validator = Validator::new(Purpose::Use);
    let outline = reader(&mut Target {
        sink: &mut |entry, place, findings| {
            validator.check(&entry, place, findings);
            entries.push(entry);
        },
        findings: &mut findings,
    })?;
    let tally = outline
        .as_ref()
        .map(|outline| validator.finish(outline, &mut findings));
    let (Some(mut outline), Some(tally), false) = (outline, tally, findings.has_errors()) else {
        return Err(ReadError::Invalid(Box::new(findings)));
    };
    if outline.layout != Layout::Dataset {
        outline.corpus.dataset.provenance = tally.provenances.into_keys().collect();
    }
    if let Some(segment) = outline.default_segment {
        for entry in &mut entries {
            entry.segment.get_or_insert(segment);
        }
    }
    Ok(CorpusFile {
        corpus: Corpus {
            entries,
            ..outline.corpus
        },
        sha256: outline.sha256,
        layout: outline.layout,
        values_from: outline.values_from,
        diagnostics: findings.into_sorted(),
    })
}

/// Reads a corpus in JSON and hands each readable entry and every problem to `target`.
///
/// Returns `None` when the text is no JSON, so that reading ended early.
pub fn stream_corpus<R: Read>(
    source: R,
    options: &ReadOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let guard = Guard::new(
        source,
        Limits {
            depth: crate::json::MAX_DEPTH,
            string_bytes: MAX_TEXT_BYTES,
        },
    );
    let mut parser = serde_json::Deserializer::from_reader(guard.reader());
    let mut session = top_level::Session {
        guard: &guard,
        findings: &mut *target.findings,
        sink: &mut *target.sink,
        entry_count: 0,
    };
    let parsed = top_level::TopLevel {
        session: &mut session,
    }
    .deserialize(&mut parser)
    .and_then(|stated| parser.end().map(|()| stated));
    let entry_count = session.entry_count;
    let findings = &mut *target.findings;
    if guard.has_byte_order_mark() {
        findings.push(Diagnostic::warning(
            "byte_order_mark",
            syntax::RULE,
            Place::line(1),
            "the file starts with a byte order mark",
            "save it as UTF-8 without one",
        ));
    }
    let stated = match parsed {
        Ok(stated) => stated,
        Err(error) => {
            findings.push(syntax::explain(&guard, &error)?);
            return Ok(None);
        }
    };
    let sha256 = guard.sha256();
    Ok(Some(outline(stated, entry_count, (options, sha256), findings)))
}

/// Resolves the envelope after the last entry and reports what is wrong with it.
pub(crate) fn outline(
    stated: StatedEnvelope,
    entry_count: u64,
    (options, sha256): (&ReadOptions, Sha256Hex),
    findings: &mut Findings,
) -> Outline {
    let envelope = envelope::resolve(stated, entry_count, options, findings);
    Outline {
        corpus: Corpus {
            dataset: envelope.dataset,
            entries: Vec::new(),
            extra: envelope.extra,
        },
        default_segment: envelope.default_segment,
        sha256,
        layout: envelope.layout,
        values_from: envelope.values_from,
        entry_count,
    }
}
