//! `lydian dialect score`: existing answers against items.

use std::path::PathBuf;

use clap::Args;

use super::written::Written;
use crate::dialect_items as items;
use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian dialect score`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect score items.json answers.jsonl
  lydian dialect score items.json answers.csv --format markdown
  lydian dialect score items.json answers.jsonl --json > report.json

Answers are JSON Lines such as {\"id\": 1, \"output\": \"…\"}, or CSV with the columns id and output.
The JSON has the verdict on every item: label, score, letter, coverage, and what decided.")]
pub(super) struct Arguments {
    /// Item file
    #[arg(value_name = "ITEMS")]
    items: PathBuf,
    /// Answers file, or the folder of a run over these items
    #[arg(value_name = "ANSWERS")]
    answers: PathBuf,
    /// Name of the answers in the report; their file's name by default
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Language gate table to use instead of the shipped one
    #[arg(long, value_name = "TABLE")]
    gate: Option<PathBuf>,
    #[command(flatten)]
    written: Written,
}

/// Prints the report.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let dataset = items::read_usable(&arguments.items, context)?;
    let gate = items::read_gate(arguments.gate.as_deref())?;
    let report = items::score(
        &dataset,
        &arguments.answers,
        arguments.name.as_deref(),
        &gate,
        context,
    )?;
    arguments.written.write(context, &report, |format| {
        lydian_report::dialect::report(&report, format)
    })?;
    Ok(Exit::Done)
}
