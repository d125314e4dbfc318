//! Writes corpora: canonical JSON, and other formats as far as they can hold an entry.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::corpus::import::Format;
use crate::corpus::{Corpus, Entry};
use crate::{EntryId, Provenance};

/// Separates variants in one cell of a table.
const VARIANT_SEPARATOR: &str = " | ";

/// Why a corpus could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The destination failed.
    #[error("writing failed: {0}")]
    Io(#[from] io::Error),
    /// An entry holds what the format cannot express.
    #[error("entry {id}: {field} {what}, which {format} cannot hold")]
    NotRepresentable {
        /// The entry.
        id: EntryId,
        /// The field.
        field: String,
        /// What it holds, such as `holds a line feed`.
        what: &'static str,
        /// The format's name.
        format: &'static str,
    },
    /// Nothing writes this format.
    #[error("corpora are not written as {0}")]
    NotWritten(&'static str),
}

/// Writes the canonical form: the `dataset` block, then one field per line.
pub fn write_json<W: Write>(corpus: &Corpus, mut out: W) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, corpus)?;
    out.write_all(b"\n")
}

/// Writes `format`, except plain text, which needs two files.
pub fn write<W: Write>(corpus: &Corpus, format: Format, mut out: W) -> Result<(), ExportError> {
    match format {
        Format::Json => Ok(write_json(corpus, out)?),
        Format::JsonLines => Ok(write_json_lines(corpus, out)?),
        Format::Tsv => write_tsv(corpus, out),
        Format::Csv => {
            let mut writer = csv::Writer::from_writer(out);
            let columns = columns(corpus);
            let record = |writer: &mut csv::Writer<W>, cells: Vec<String>| {
                writer
                    .write_record(cells)
                    .map_err(|error| ExportError::Io(io::Error::other(error)))
            };
            record(&mut writer, columns.clone())?;
            for entry in &corpus.entries {
                record(&mut writer, cells(entry, &columns, Format::Csv)?)?;
            }
            Ok(writer.flush()?)
        }
        Format::Tmx => Ok(write_tmx(corpus, &mut out)?),
        Format::Xlsx | Format::Lines => Err(ExportError::NotWritten(format.name())),
    }
}

/// Writes one text per line into two files whose lines belong together.
pub fn write_lines<W: Write>(corpus: &Corpus, mut sources: W, mut references: W) -> Result<(), ExportError> {
    for entry in &corpus.entries {
        for (field, text) in [("source", &entry.source), ("reference", &entry.reference)] {
            check_line(entry, field, text, Format::Lines)?;
        }
        writeln!(sources, "{}", entry.source)?;
        writeln!(references, "{}", entry.reference)?;
    }
    sources.flush()?;
    Ok(references.flush()?)
}

/// Names what `format` leaves out of this corpus.
pub fn left_out(corpus: &Corpus, format: Format) -> Vec<String> {
    let any = |holds: &dyn Fn(&Entry) -> bool| corpus.entries.iter().any(holds);
    let mut names: Vec<String> = Vec::new();
    match format {
        Format::Json | Format::JsonLines => return names,
        Format::Tsv | Format::Csv => names.push("the dataset block".to_owned()),
        Format::Tmx | Format::Lines | Format::Xlsx => {
            names.push("the dataset block except the languages".to_owned());
            for column in columns(corpus) {
                let kept = match format {
                    Format::Tmx => {
                        ["id", "source", "reference", "notes", "variants"].contains(&column.as_str())
                    }
                    _ => ["source", "reference"].contains(&column.as_str()),
                };
                if !kept {
                    names.push(column);
                }
            }
        }
    }
    if any(&|entry| matches!(entry.provenance, Some(Provenance::Source(_)))) && format != Format::Lines {
        names.push("provenance objects, of which the name is kept".to_owned());
    }
    names
}

fn write_json_lines<W: Write>(corpus: &Corpus, mut out: W) -> io::Result<()> {
    let mut header = corpus.extra.clone();
    header.insert("dataset".to_owned(), serde_json::to_value(&corpus.dataset)?);
    serde_json::to_writer(&mut out, &header)?;
    out.write_all(b"\n")?;
    for entry in &corpus.entries {
        serde_json::to_writer(&mut out, entry)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn write_tsv<W: Write>(corpus: &Corpus, mut out: W) -> Result<(), ExportError> {
    let columns = columns(corpus);
    writeln!(out, "{}", columns.join("\t"))?;
    for entry in &corpus.entries {
        let cells = cells(entry, &columns, Format::Tsv)?;
        writeln!(out, "{}", cells.join("\t"))?;
    }
    Ok(out.flush()?)
}

/// Returns the columns that some entry fills, in the order of the specification, then further fields by name.
fn columns(corpus: &Corpus) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut further = BTreeSet::new();
    for entry in &corpus.entries {
        for (name, _) in fields(entry) {
            if crate::corpus::read::FIELDS.contains(&name.as_str()) {
                used.insert(name);
            } else {
                further.insert(name);
            }
        }
    }
    let known = crate::corpus::read::FIELDS.iter().map(|&name| name.to_owned());
    known.filter(|name| used.contains(name)).chain(further).collect()
}

/// Returns an entry's fields as JSON.
fn fields(entry: &Entry) -> Map<String, Value> {
    match serde_json::to_value(entry) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn cells(entry: &Entry, columns: &[String], format: Format) -> Result<Vec<String>, ExportError> {
    let fields = fields(entry);
    columns
        .iter()
        .map(|column| {
            let text = match (column.as_str(), fields.get(column)) {
                (_, None) => String::new(),
                ("variants", Some(_)) => {
                    if entry.variants.iter().any(|variant| variant.contains('|')) {
                        return Err(not_representable(entry, column, "holds a vertical bar", format));
                    }
                    entry.variants.join(VARIANT_SEPARATOR)
                }
                ("provenance", Some(_)) => entry.provenance.as_ref().map_or("", Provenance::label).to_owned(),
                (_, Some(Value::String(text))) => text.clone(),
                (_, Some(other)) => other.to_string(),
            };
            if format == Format::Tsv {
                check_line(entry, column, &text, format)?;
                if text.contains('\t') {
                    return Err(not_representable(entry, column, "holds a tab", format));
                }
            }
            Ok(text)
        })
        .collect()
}

fn check_line(entry: &Entry, field: &str, text: &str, format: Format) -> Result<(), ExportError> {
    if text.contains('\n') || text.ends_with('\r') {
        return Err(not_representable(entry, field, "holds a line feed", format));
    }
    Ok(())
}

fn not_representable(entry: &Entry, field: &str, what: &'static str, format: Format) -> ExportError {
    ExportError::NotRepresentable {
        id: entry.id.clone(),
        field: field.to_owned(),
        what,
        format: format.name(),
    }
}

fn write_tmx<W: Write>(corpus: &Corpus, out: &mut W) -> io::Result<()> {
    let escape = |text: &str| quick_xml::escape::escape(text).into_owned();
    let (source, target) = (&corpus.dataset.source_language, &corpus.dataset.target_language);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<tmx version="1.4">"#)?;
    writeln!(
        out,
        r#"<header creationtool="lydian" creationtoolversion="{}" segtype="sentence" o-tmf="lydian" adminlang="en" srclang="{}" datatype="plaintext"/>"#,
        env!("CARGO_PKG_VERSION"),
        escape(source)
    )?;
    writeln!(out, "<body>")?;
    for entry in &corpus.entries {
        writeln!(out, r#"<tu tuid="{}">"#, escape(entry.id.as_str()))?;
        if let Some(notes) = &entry.notes {
            writeln!(out, "<note>{}</note>", escape(notes))?;
        }
        let references = std::iter::once(&entry.reference).chain(&entry.variants);
        let texts = std::iter::once((source, &entry.source)).chain(references.map(|text| (target, text)));
        for (language, text) in texts {
            writeln!(
                out,
                r#"<tuv xml:lang="{}"><seg>{}</seg></tuv>"#,
                escape(language),
                escape(text)
            )?;
        }
        writeln!(out, "</tu>")?;
    }
    writeln!(out, "</body>\n</tmx>")?;
    out.flush()
}
