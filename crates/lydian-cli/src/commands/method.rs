//! `lydian method`: method folders.

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

mod check;
mod init;
mod schema;

pub(crate) use init::method_id;

/// Arguments of `lydian method`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: MethodCommand,
}

#[derive(Subcommand)]
enum MethodCommand {
    /// Derive a method's dependency class, compare it with the declared one, and say why
    Check(check::Arguments),
    /// Write a method folder to start from
    Init(init::Arguments),
    /// Print the JSON Schema of method manifests
    Schema,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        MethodCommand::Check(arguments) => check::run(arguments, context),
        MethodCommand::Init(arguments) => init::run(arguments, context),
        MethodCommand::Schema => schema::run(context),
    }
}
