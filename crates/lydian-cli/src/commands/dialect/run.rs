//! `lydian dialect run`: a method over dialect items becomes a report.

use std::path::PathBuf;

use clap::Args;
use lydian_model::dialect::ItemType;

use crate::commands::run::RunArguments;
use crate::error::{CommandError, CommandResult, Exit};
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::{DialectInputs, Inputs, MethodOptions};

/// Arguments of `lydian dialect run`.
#[derive(Args)]
#[command(after_help = "\
The run folder holds journal.jsonl, dialect-report.json and report.html. Ctrl-C pauses a run; `lydian resume DIR` goes
on. A method sees the text, and for T2 to T4 the question and its options; never a reference, a keyword or a key.

Examples:
  lydian dialect run items.json --method my-method --out runs/first
  lydian dialect run items.json --method my-method --types T2,T3,T4 --prompts prompts.toml
  lydian dialect run items.json --method 'command:python3 answer.py'
  lydian dialect run items.json --method apertium:deu-ltz --types T1
  lydian dialect run items.json --predictions answers.jsonl
  lydian dialect run items.json --method my-method --dry-run")]
pub(super) struct Arguments {
    /// Item file
    #[arg(value_name = "ITEMS")]
    items: PathBuf,
    /// copy, replay, apertium:MODE, command:"PROGRAM …", a method folder or a manifest
    #[arg(short, long, value_name = "METHOD", help_heading = "Method")]
    method: Option<String>,
    #[command(flatten)]
    options: MethodOptions,
    /// Prompts per item type in the place of the shipped ones (TOML)
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    prompts: Option<PathBuf>,
    /// Item types to use, separated by commas [default: all]
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = item_type, help_heading = "Entries")]
    types: Vec<ItemType>,
    #[command(flatten)]
    run: RunArguments,
    /// Language gate table to use instead of the shipped one
    #[arg(long, value_name = "TABLE")]
    gate: Option<PathBuf>,
}

fn item_type(name: &str) -> Result<ItemType, String> {
    ItemType::from_name(&name.trim().to_uppercase()).ok_or_else(|| "known types are T1, T2, T3, T4".into())
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let method = match (&arguments.method, &arguments.options.predictions) {
        (Some(method), _) => method.as_str(),
        (None, Some(_)) => "replay",
        (None, None) => {
            return Err(CommandError::new(Exit::Usage, "no method is named").with_hint(
                "`lydian method init` writes a method folder; `lydian dialect score` takes answers that exist already",
            ));
        }
    };
    let dialect = DialectInputs {
        types: arguments.types.clone(),
        prompts: arguments.prompts.clone(),
        gate: arguments.gate.clone(),
    };
    let inputs = Inputs::new(&arguments.items, method, arguments.options.clone())?.of_items(dialect)?;
    if !arguments.run.only_show() {
        // A table that cannot be read is found before anything is paid for.
        crate::dialect_items::read_gate(arguments.gate.as_deref())?;
    }
    arguments
        .run
        .carry_out(inputs, &GateArguments::default(), context)
}
