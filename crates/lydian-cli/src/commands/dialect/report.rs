//! `lydian dialect report`: a saved report in another format.

use std::path::PathBuf;

use clap::Args;
use lydian_scoring::dialect::{DialectReport, REPORT_SCHEMA};

use super::written::Written;
use crate::dialect_run::DIALECT_REPORT_FILE;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian dialect report`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect report report.json
  lydian dialect report report.json --format html --out report.html
  lydian dialect report report.json --format latex >> paper.tex")]
pub(super) struct Arguments {
    /// Report that `lydian dialect score --json` wrote, or the run folder of `lydian dialect run`
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    written: Written,
}

/// Writes the report.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let file = if arguments.report.is_dir() {
        arguments.report.join(DIALECT_REPORT_FILE)
    } else {
        arguments.report.clone()
    };
    let bytes = files::read(&file)?;
    let name = file.display().to_string();
    let invalid = |error: serde_json::Error| {
        CommandError::from_error(Exit::InvalidDocument, error)
            .context(name.clone())
            .with_hint("give a report that `lydian dialect score --json` wrote")
    };
    let report: DialectReport = serde_json::from_slice(&bytes).map_err(invalid)?;
    if report.schema != REPORT_SCHEMA {
        let message = format!(
            "{name}: the schema is `{}`, expected `{REPORT_SCHEMA}`",
            report.schema
        );
        return Err(CommandError::new(Exit::InvalidDocument, message));
    }
    arguments.written.write(context, &report, |format| {
        lydian_report::dialect::report(&report, format)
    })?;
    Ok(Exit::Done)
}
