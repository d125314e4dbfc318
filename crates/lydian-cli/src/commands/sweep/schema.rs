//! `lydian sweep schema`: JSON Schemas of the documents in a sweep's folder.

use clap::{Args, ValueEnum};
use lydian_model::sweep::SweepIndex;
use lydian_scoring::sweep::SweepMatrix;

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian sweep schema`.
#[derive(Args)]
#[command(after_help = "Examples:\n  lydian sweep schema list\n  lydian sweep schema matrix")]
pub(crate) struct Arguments {
    /// Which document
    #[arg(value_enum)]
    document: Document,
}

/// The documents in a sweep's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Document {
    /// The list of runs, sweep.json
    List,
    /// What the sweep found, matrix.json
    Matrix,
}

/// Prints the schema.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match arguments.document {
        Document::List => context.print_json(&schemars::schema_for!(SweepIndex))?,
        Document::Matrix => context.print_json(&schemars::schema_for!(SweepMatrix))?,
    }
    Ok(Exit::Done)
}
