//! `lydian dialect compare`: two sets of answers, per dialect, with exact tests.

use std::path::PathBuf;

use clap::Args;

use super::written::Written;
use crate::dialect_items as items;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian dialect compare`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect compare items.json first.jsonl second.jsonl
  lydian dialect compare items.json first.jsonl second.jsonl --format csv")]
pub(super) struct Arguments {
    /// Item file
    #[arg(value_name = "ITEMS")]
    items: PathBuf,
    /// First answers file or run folder
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// Second answers file or run folder
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// Language gate table to use instead of the shipped one
    #[arg(long, value_name = "TABLE")]
    gate: Option<PathBuf>,
    #[command(flatten)]
    written: Written,
}

/// Prints the comparison.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let dataset = items::read_usable(&arguments.items, context)?;
    let gate = items::read_gate(arguments.gate.as_deref())?;
    let first = items::score(&dataset, &arguments.first, None, &gate, context)?;
    let second = items::score(&dataset, &arguments.second, None, &gate, context)?;
    let compared = lydian_scoring::dialect::compare(&first, &second)
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))?;
    arguments.written.write(context, &compared, |format| {
        lydian_report::dialect::comparison(&compared, format)
    })?;
    Ok(Exit::Done)
}
