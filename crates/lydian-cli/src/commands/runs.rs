//! `lydian runs`: the run folders of this machine.

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

mod diff;
mod ls;
mod rescore;
mod schema;
mod show;

/// Arguments of `lydian runs`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: RunsCommand,
}

#[derive(Subcommand)]
enum RunsCommand {
    /// List run folders with their headline scores
    Ls(ls::Arguments),
    /// Say how far a run has come and what is left
    Show(show::Arguments),
    /// Say in what two runs differ: setup, outcomes, outputs
    Diff(diff::Arguments),
    /// Score a run's answers again with this version
    Rescore(rescore::Arguments),
    /// Print the JSON Schema of a journal or a predictions file
    Schema(schema::Arguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        RunsCommand::Ls(arguments) => ls::run(arguments, context),
        RunsCommand::Show(arguments) => show::run(arguments, context),
        RunsCommand::Diff(arguments) => diff::run(arguments, context),
        RunsCommand::Rescore(arguments) => rescore::run(arguments, context),
        RunsCommand::Schema(arguments) => schema::run(arguments, context),
    }
}
