//! `lydian corpus`: check, convert and count corpora.

pub(crate) mod envelope;
mod findings;
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
}

/// Runs the action.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.action {
        Action::Validate(arguments) => validate::run(arguments, context),
    }
}
