//! `lydian method`: method folders.

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

mod init;

pub(crate) use init::write_folder;

/// Arguments of `lydian method`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: MethodCommand,
}

#[derive(Subcommand)]
enum MethodCommand {
    /// Write a method folder to start from
    Init(init::Arguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        MethodCommand::Init(arguments) => init::run(arguments, context),
    }
}
