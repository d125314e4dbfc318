//! `lydian dialect schema`: JSON Schemas of dialect documents.

use clap::{Args, ValueEnum};
use lydian_model::dialect::{GateTexts, ITEMS_JSON_SCHEMA};
use lydian_scoring::dialect::{DialectComparison, DialectReport};

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian dialect schema`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lydian dialect schema > items.schema.json\n  lydian dialect schema report"
)]
pub(super) struct Arguments {
    /// Which document
    #[arg(value_enum, default_value_t)]
    document: Document,
}

/// The documents that have a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Document {
    /// Item files
    #[default]
    Items,
    /// Reports
    Report,
    /// Comparisons
    Comparison,
    /// Lists of texts to train or measure a gate
    GateTexts,
}

/// Prints the schema.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match arguments.document {
        Document::Items => context.print(ITEMS_JSON_SCHEMA)?,
        Document::Report => context.print_json(&schemars::schema_for!(DialectReport))?,
        Document::Comparison => context.print_json(&schemars::schema_for!(DialectComparison))?,
        Document::GateTexts => context.print_json(&schemars::schema_for!(GateTexts))?,
    }
    Ok(Exit::Done)
}
