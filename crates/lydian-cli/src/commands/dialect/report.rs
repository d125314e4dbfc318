//! `lydian dialect report`: a saved report in another format.

use std::path::PathBuf;

use clap::Args;
use lydian_scoring::dialect::{DialectReport, REPORT_SCHEMA};

use super::written::Written;
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
    /// Report that `lydian dialect score --json` wrote
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    written: Written,
}

/// Writes the report.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let bytes = files::read(&arguments.report)?;
    let name = arguments.report.display().to_string();
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
