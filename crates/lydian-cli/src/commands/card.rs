//! `lydian card`: a run card for people, checked, cited, described.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lydian_report::terminal;

use crate::error::{CommandError, CommandResult, Exit};
use crate::gate::GateArguments;
use crate::output::Context;
use crate::{documents, report_page};

mod cite;
mod schema;
mod verify;

/// Columns a card takes on a terminal.
const WIDTH: terminal::Width = terminal::Width(100);

/// Arguments of `lydian card`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lydian card runs/por-glg                     what the run found, for people
  lydian card runs/por-glg --fail-under chrf_plus_plus=55    exit code 10 if it scores less
  lydian card verify runs/por-glg              are the numbers those of the texts?
  lydian card verify run-card.json --corpus examples/por-glg/corpus.json --journal runs/por-glg
  lydian card cite runs/por-glg                a sentence and signatures to paste into a paper
  lydian card schema > run-card.schema.json"
)]
pub(crate) struct Arguments {
    /// Run card, or the run folder that holds it
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    #[command(flatten)]
    gate: GateArguments,
    /// Print the card as one JSON object
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<CardCommand>,
}

#[derive(Subcommand)]
enum CardCommand {
    /// Compute every number again and say what could not be checked
    Verify(verify::Arguments),
    /// Print a sentence and the signatures to paste into a paper
    Cite(cite::Arguments),
    /// Print the JSON Schema of run cards
    Schema,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match (&arguments.command, &arguments.run) {
        (Some(CardCommand::Verify(arguments)), _) => verify::run(arguments, context),
        (Some(CardCommand::Cite(arguments)), _) => cite::run(arguments, context),
        (Some(CardCommand::Schema), _) => schema::run(context),
        (None, Some(path)) => {
            let card = documents::read_card(path)?;
            if arguments.json {
                context.print_json(&card)?;
            } else {
                let floor = report_page::floor(&card);
                context.print(&terminal::card(&card, floor.as_ref(), WIDTH))?;
            }
            Ok(arguments.gate.check(&card.scores, context))
        }
        (None, None) => Err(CommandError::new(Exit::Usage, "no run card is named")
            .with_hint("give a run folder or a card: `lydian card runs/…/run-card.json`")),
    }
}
