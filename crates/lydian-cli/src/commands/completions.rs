//! `lydian completions`: completion scripts for shells.

use clap::{Args, CommandFactory};

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian completions`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  lydian completions bash > ~/.local/share/bash-completion/completions/lydian"
)]
pub(crate) struct Arguments {
    /// Shell to write for
    shell: clap_complete::Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut crate::Arguments::command(),
        "lydian",
        &mut script,
    );
    context.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
