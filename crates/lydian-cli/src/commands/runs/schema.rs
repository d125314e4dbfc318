//! `lydian runs schema`: JSON Schemas of the documents of a run beside its card.

use clap::{Args, ValueEnum};
use lydian_harness::journal::JournalLine;
use lydian_model::predictions::PredictionLine;
use lydian_model::semantic::{ScorerManifest, SemanticRecord};

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian runs schema`.
#[derive(Args)]
#[command(
    after_help = "Of JSON Lines the schema describes one line.\n\nExamples:\n  lydian runs schema journal\n  lydian runs schema predictions\n  lydian runs schema semantic-scorer"
)]
pub(crate) struct Arguments {
    /// Which document
    #[arg(value_enum, default_value_t)]
    document: Document,
}

/// The documents of a run beside its card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Document {
    /// Lines of journal.jsonl
    #[default]
    Journal,
    /// Lines of a file for --predictions
    Predictions,
    /// scorer.json of a semantic scorer
    SemanticScorer,
    /// Lines of semantic.jsonl
    SemanticRecord,
}

/// Prints the schema.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match arguments.document {
        Document::Journal => context.print_json(&schemars::schema_for!(JournalLine))?,
        Document::Predictions => context.print_json(&schemars::schema_for!(PredictionLine))?,
        Document::SemanticScorer => context.print_json(&schemars::schema_for!(ScorerManifest))?,
        Document::SemanticRecord => context.print_json(&schemars::schema_for!(SemanticRecord))?,
    }
    Ok(Exit::Done)
}
