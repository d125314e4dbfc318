//! `lydian detectors`: how far the detectors of misbehaviour can be trusted.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lydian_language::{Audit, Pair, audit};
use lydian_model::corpus::read::{ReadOptions, read_corpus};
use serde::Serialize;

use crate::documents;
use crate::error::{CommandResult, Exit};
use crate::files;
use crate::language_cards::CardsArguments;
use crate::output::Context;

/// Arguments of `lydian detectors`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Measure false alarms on human translations, and recall on planted faults
    Audit(AuditArguments),
}

/// Arguments of `lydian detectors audit`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian detectors audit corpus.json
  lydian detectors audit --json corpora/*.json

The references are fed to the detectors as if they were outputs: every alarm is a false one. Then one
fault at a time is planted into each of them. Detectors never see the reference as such.")]
pub(crate) struct AuditArguments {
    /// Corpora with human translations
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Show every false alarm with its entry
    #[arg(long)]
    alarms: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cards: CardsArguments,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    total: Audit,
    corpora: Vec<CorpusReport>,
}

#[derive(Serialize)]
struct CorpusReport {
    file: String,
    source_language: String,
    target_language: String,
    audit: Audit,
}

/// Runs the action.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.action {
        Action::Audit(arguments) => run_audit(arguments, context),
    }
}

fn run_audit(arguments: &AuditArguments, context: &Context) -> CommandResult {
    let mut report = Report {
        schema: "lydian.detectors-audit/1",
        total: Audit::default(),
        corpora: Vec::new(),
    };
    for file in &arguments.corpora {
        let found = of_corpus(file, &arguments.cards)?;
        report.total.add(&found.audit);
        report.corpora.push(found);
    }
    if arguments.json {
        context.print_json(&report)?;
    } else {
        context.print(&text(&report, arguments.alarms))?;
    }
    Ok(Exit::Done)
}

fn of_corpus(file: &Path, cards: &CardsArguments) -> CommandResult<CorpusReport> {
    let options = ReadOptions {
        file_name: file.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    };
    let read = read_corpus(files::open(file)?, &options)
        .map_err(|error| documents::invalid(file.display(), error))?;
    let dataset = &read.corpus.dataset;
    let source = cards.open(&dataset.source_language)?.language;
    let target = cards.open(&dataset.target_language)?.language;
    let pairs: Vec<Pair<'_>> = read
        .corpus
        .entries
        .iter()
        .map(|entry| Pair {
            source: &entry.source,
            output: &entry.reference,
        })
        .collect();
    Ok(CorpusReport {
        file: file.display().to_string(),
        source_language: dataset.source_language.clone(),
        target_language: dataset.target_language.clone(),
        audit: audit(&source, &target, &pairs),
    })
}

fn text(report: &Report, with_alarms: bool) -> String {
    let mut text = String::from("entries  alarms  corpus\n");
    for corpus in &report.corpora {
        // Writing to a string cannot fail.
        let _written = writeln!(
            text,
            "{:>7}  {:>6}  {}",
            corpus.audit.entries, corpus.audit.false_alarms, corpus.file
        );
        for alarm in corpus.audit.alarms.iter().filter(|_| with_alarms) {
            let _written = writeln!(
                text,
                "{:17}entry {} {}: {}",
                "",
                alarm.entry + 1,
                alarm.detector,
                alarm.evidence
            );
        }
    }
    let total = &report.total;
    let _written = writeln!(
        text,
        "{:>7}  {:>6}  all ({:.2} % of human translations)\n\nfault planted           found",
        total.entries,
        total.false_alarms,
        percent(total.false_alarms, total.entries)
    );
    for (kind, recall) in &total.recall {
        let _written = writeln!(
            text,
            "{kind:<24}{} of {} ({:.1} %)",
            recall.found,
            recall.planted,
            percent(recall.found, recall.planted)
        );
    }
    text
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}
