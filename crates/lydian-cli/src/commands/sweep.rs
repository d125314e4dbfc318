//! `lydian sweep`: many configurations of methods over one corpus, and what they found.

mod merge;
pub(super) mod plan;
mod report;
mod run;
mod schema;
mod status;
mod submit;
mod work;

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

/// Arguments of `lydian sweep`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to do with a sweep.
#[derive(Subcommand)]
enum Command {
    /// Show the runs of a plan, with requests, cost and time; send and write nothing
    Plan(plan::Arguments),
    /// Make the runs of a plan that are missing
    Run(run::Arguments),
    /// Put the runs of a plan into a queue that many machines share
    Submit(submit::Arguments),
    /// Work off a queued sweep, together with other workers
    Work(work::Arguments),
    /// Show how far each run is
    Status(status::Arguments),
    /// Write what the sweep found: a page, tables or data
    Report(report::Arguments),
    /// Put parts together that were made on several machines
    Merge(merge::Arguments),
    /// Print the JSON Schema of a sweep's list of runs or of its matrix
    Schema(schema::Arguments),
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        Command::Plan(arguments) => plan::run(arguments, context),
        Command::Run(arguments) => run::run(arguments, context),
        Command::Submit(arguments) => submit::run(arguments, context),
        Command::Work(arguments) => work::run(arguments, context),
        Command::Status(arguments) => status::run(arguments, context),
        Command::Report(arguments) => report::run(arguments, context),
        Command::Merge(arguments) => merge::run(arguments, context),
        Command::Schema(arguments) => schema::run(arguments, context),
    }
}
