//! `lydian corpus`: check, convert, split and count corpora.

mod convert;
pub(crate) mod envelope;
mod import;
mod input;
mod schema;
mod split;
mod stats;
mod validate;

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

/// Arguments of `lydian corpus`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show every problem of a corpus at once: place, rule, cause and remedy
    Validate(validate::Arguments),
    /// Count segments, difficulties, domains, lengths, scripts and tokens
    Stats(stats::Arguments),
    /// Deal entries out to development, gold and held-out files, reproducibly
    Split(split::Arguments),
    /// Read tables, workbooks, text files or translation memories and write a corpus
    Import(import::Arguments),
    /// Write a corpus in another format
    Convert(convert::Arguments),
    /// Print the JSON Schema of corpora
    Schema,
}

/// Runs the action.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.action {
        Action::Validate(arguments) => validate::run(arguments, context),
        Action::Stats(arguments) => stats::run(arguments, context),
        Action::Split(arguments) => split::run(arguments, context),
        Action::Import(arguments) => import::run(arguments, context),
        Action::Convert(arguments) => convert::run(arguments, context),
        Action::Schema => schema::run(context),
    }
}
