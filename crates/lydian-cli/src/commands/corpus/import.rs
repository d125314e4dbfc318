//! `lydian corpus import`: other formats into the canonical one.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_model::corpus::export;
use lydian_model::corpus::read::CorpusFile;
use lydian_model::{Corpus, Findings, Sha256Hex};
use lydian_report::number;
use serde::Serialize;
use serde_json::{Map, Value};

use super::input::{Input, InputArguments};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::findings::{self, Shown};
use crate::output::Context;

/// Arguments of `lydian corpus import`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian corpus import clinic.xlsx --source-language fr --target-language ca -o clinic.json
  lydian corpus import dev.eng_Latn dev.sme_Latn --domain news --provenance corpus -o eng-sme.json
  lydian corpus import memory.tmx --source-language en --target-language cy -o memory.json
  lydian corpus import sentences.jsonl > corpus.json

Exits 3 and writes nothing when the input has errors; all of them are shown.")]
pub(crate) struct Arguments {
    /// Input file; for line-aligned text the source file, then the reference files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write; without it the corpus goes to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(long)]
    force: bool,
    /// Print a JSON object about the import; needs --out
    #[arg(long, requires = "out")]
    json: bool,
    #[command(flatten)]
    entries: EntryArguments,
    #[command(flatten)]
    input: InputArguments,
}

/// Fields for entries that lack them.
#[derive(Args)]
#[command(next_help_heading = "For entries without the field")]
struct EntryArguments {
    /// Segment, such as development
    #[arg(long)]
    segment: Option<String>,
    /// Difficulty from 1 to 5
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=5))]
    difficulty: Option<u8>,
    /// Where they come from, such as textbook
    #[arg(long)]
    provenance: Option<String>,
    /// Register, such as formal
    #[arg(long)]
    register: Option<String>,
    /// Context, such as question
    #[arg(long)]
    context: Option<String>,
    /// Domain code, such as medical
    #[arg(long)]
    domain: Option<String>,
}

impl EntryArguments {
    fn fields(&self) -> Map<String, Value> {
        let texts = [
            ("segment", &self.segment),
            ("provenance", &self.provenance),
            ("register", &self.register),
            ("context", &self.context),
            ("domain", &self.domain),
        ];
        let mut fields: Map<String, Value> = texts
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?.into())))
            .collect();
        if let Some(level) = self.difficulty {
            fields.insert("difficulty".to_owned(), level.into());
        }
        fields
    }
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    sha256: Sha256Hex,
    entries: usize,
    values_from: std::collections::BTreeMap<String, String>,
    findings: Vec<lydian_model::Diagnostic>,
}

/// Reads the input and writes the corpus.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    if let Some(path) = &arguments.out {
        refuse_existing(path, arguments.force)?;
    }
    let input =
        Input::new(&arguments.input, &arguments.files)?.with_entry_defaults(arguments.entries.fields());
    let mut file = input.read()?;
    print_remarks(&file, context);
    state_creation_date(&mut file, context);
    let bytes = canonical_file(&file.corpus)?;
    let Some(path) = &arguments.out else {
        context.print_data(&String::from_utf8_lossy(&bytes))?;
        return Ok(Exit::Done);
    };
    files::write_atomically(path, &bytes)?;
    let report = Report {
        schema: "lydian.corpus-import/1",
        file: path.display().to_string(),
        sha256: Sha256Hex::of(&bytes),
        entries: file.corpus.entries.len(),
        values_from: file.values_from,
        findings: file.diagnostics,
    };
    if arguments.json {
        context.print_json(&report)?;
    } else {
        context.print(&format!(
            "{}: {}, sha256 {}\n",
            report.file,
            number::entries(report.entries as u64),
            report.sha256
        ))?;
    }
    Ok(Exit::Done)
}

/// Refuses to replace a file unless that was asked for.
pub(super) fn refuse_existing(path: &Path, force: bool) -> CommandResult<()> {
    if path.exists() && !force {
        let message = format!("{} exists", path.display());
        return Err(CommandError::new(Exit::Usage, message)
            .with_hint("replace it with --force, or choose another name"));
    }
    Ok(())
}

/// Returns the bytes of a corpus file in canonical form.
pub(super) fn canonical_file(corpus: &Corpus) -> CommandResult<Vec<u8>> {
    let mut bytes = Vec::new();
    export::write_json(corpus, &mut bytes)?;
    Ok(bytes)
}

/// Prints warnings and hints to standard error.
pub(super) fn print_remarks(file: &CorpusFile, context: &Context) {
    let mut findings = Findings::default();
    for diagnostic in &file.diagnostics {
        findings.push(diagnostic.clone());
    }
    context.print_to_stderr(&findings::text(&findings, Shown::Some));
}

/// A canonical file states when it was made; what nothing states is today.
fn state_creation_date(file: &mut CorpusFile, context: &Context) {
    if file.corpus.dataset.created.is_empty() {
        let today = jiff::Timestamp::now().to_string()[..10].to_owned();
        context.note(&format!(
            "the corpus is dated {today}; --created DATE makes the file the same on another day"
        ));
        file.corpus.dataset.created = today;
    }
}
