//! `lydian language`: language cards, and the analysers they name.

mod add_analyser;
mod availability;
mod calibrate_semantic;
mod check;
mod list;
mod lookup;
mod pinned;
mod show;

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

/// Arguments of `lydian language`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the languages that have a card
    List(list::Arguments),
    /// Show what a language has, what is missing, and why
    Show(show::Arguments),
    /// Check cards with every file they name
    Check(check::Arguments),
    /// Look up the words on standard input in an analyser
    Lookup(lookup::Arguments),
    /// Check an analyser, and pin it in the card of a language
    AddAnalyser(add_analyser::Arguments),
    /// Measure whether a semantic scorer can be believed for a language
    CalibrateSemantic(calibrate_semantic::Arguments),
}

/// Runs the action.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, context),
        Action::Show(arguments) => show::run(arguments, context),
        Action::Check(arguments) => check::run(arguments, context),
        Action::Lookup(arguments) => lookup::run(arguments, context),
        Action::AddAnalyser(arguments) => add_analyser::run(arguments, context),
        Action::CalibrateSemantic(arguments) => calibrate_semantic::run(arguments, context),
    }
}
