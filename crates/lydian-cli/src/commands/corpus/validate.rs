//! `lydian corpus validate`: every problem of a corpus at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_model::corpus::read::Layout;
use lydian_model::corpus::validate::{Purpose, Validated, validate_with};
use lydian_model::{Diagnostic, Severity};
use lydian_report::number;
use lydian_report::tame::tame;
use serde::Serialize;

use super::input::{Input, InputArguments};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::findings::{self, Shown};
use crate::output::Context;

/// Arguments of `lydian corpus validate`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian corpus validate corpus.json
  lydian corpus validate --onboarding --strict gold.json
  lydian corpus validate --json corpora/*.json | jq .valid

Exits 0 when every file is valid, 3 when one is not. Warnings count only with --strict.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// Corpus files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Check what the benchmark of a new language must have
    #[arg(long)]
    onboarding: bool,
    /// Print every finding, not the first ones of each kind
    #[arg(long)]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    valid: bool,
    strict: bool,
    onboarding: bool,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    valid: bool,
    layout: Option<&'static str>,
    sha256: Option<String>,
    entries: Option<u64>,
    values_from: BTreeMap<String, String>,
    counts: Vec<Count>,
    findings: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the field is named as the JSON document names it"
)]
struct Count {
    severity: Severity,
    check: &'static str,
    count: u64,
}

/// Validates the files and prints what was found.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let purpose = if arguments.onboarding {
        Purpose::Onboarding
    } else {
        Purpose::Use
    };
    let mut reports = Vec::new();
    for path in &arguments.files {
        let open = Input::new(&arguments.input, std::slice::from_ref(path))?.open()?;
        let validated = validate_with(purpose, |target| open.stream(target))
            .map_err(|error| CommandError::from(error).context(path.display().to_string()))?;
        let valid = is_valid(&validated, arguments.strict);
        if !arguments.json {
            context.print_styled(&text(path, &validated, arguments))?;
        }
        if holds_dialect_items(&validated) {
            context.hint(&format!(
                "{} holds dialect items: `lydian dialect validate {}` checks what is particular to them",
                path.display(),
                files::quoted(path)
            ));
        }
        reports.push(file_report(path, validated, valid));
    }
    let valid = reports.iter().all(|file| file.valid);
    if arguments.json {
        context.print_json(&Report {
            schema: "lydian.corpus-validation/1",
            valid,
            strict: arguments.strict,
            onboarding: arguments.onboarding,
            files: reports,
        })?;
    }
    Ok(if valid { Exit::Done } else { Exit::InvalidDocument })
}

/// Dialect items are a corpus too, so that nothing else would tell a user of the command that knows their rules.
fn holds_dialect_items(validated: &Validated) -> bool {
    validated.outline.as_ref().is_some_and(|outline| {
        let kind = outline.corpus.dataset.extra.get("kind");
        kind.and_then(serde_json::Value::as_str) == Some("dialect_items")
    })
}

fn is_valid(validated: &Validated, strict: bool) -> bool {
    let warnings = validated.findings.count(Severity::Warning);
    !validated.findings.has_errors() && (!strict || warnings == 0)
}

fn text(path: &Path, validated: &Validated, arguments: &Arguments) -> String {
    let shown = if arguments.all { Shown::All } else { Shown::Some };
    let verdict = if is_valid(validated, arguments.strict) {
        "valid"
    } else {
        "not valid"
    };
    let entries = match &validated.outline {
        Some(outline) => format!(", {}", number::entries(outline.entry_count)),
        None => String::new(),
    };
    let summary = match findings::summary(&validated.findings) {
        summary if summary.is_empty() => String::new(),
        summary => format!(", {summary}"),
    };
    let findings = findings::text(&validated.findings, shown);
    let path = path.display().to_string();
    format!("{}: {verdict}{entries}{summary}\n{findings}", tame(&path))
}

fn file_report(path: &Path, validated: Validated, valid: bool) -> FileReport {
    let outline = validated.outline;
    FileReport {
        file: path.display().to_string(),
        valid,
        layout: outline.as_ref().map(|outline| match outline.layout {
            Layout::Dataset => "dataset",
            Layout::NoDataset => "no_dataset",
            Layout::TopLevel => "top_level",
            Layout::EntryList => "entry_list",
        }),
        sha256: outline.as_ref().map(|outline| outline.sha256.to_string()),
        entries: outline.as_ref().map(|outline| outline.entry_count),
        values_from: outline.map(|outline| outline.values_from).unwrap_or_default(),
        counts: validated
            .findings
            .counts()
            .map(|(severity, check, count)| Count {
                severity,
                check,
                count,
            })
            .collect(),
        findings: validated.findings.into_sorted(),
    }
}
