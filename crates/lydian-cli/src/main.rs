//! The `lydian` command: evaluation of machine-translation methods.
#![forbid(unsafe_code)]

mod commands;
mod dialect_items;
mod dialect_run;
mod documents;
mod environment;
mod error;
mod evaluate;
mod execute;
mod files;
mod gate;
mod language_cards;
mod languages;
mod leaks;
mod natural_order;
mod output;
mod plan;
mod progress;
mod relative_paths;
mod report_page;
mod semantic;
mod sweep;

use std::process::ExitCode;

use clap::Parser;

use crate::commands::Command;
use crate::output::Context;

/// Tells how good a machine-translation method really is, for any language.
#[derive(Parser)]
#[command(name = "lydian", version, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(flatten)]
    global: output::GlobalArguments,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  lydian run examples/por-glg            score a recorded engine on a shipped corpus, offline
  lydian score ref.txt -i hyp.txt        chrF, BLEU and TER of a file, as sacreBLEU computes them
  lydian corpus validate corpus.json     every problem of a corpus at once
  lydian card runs/…/run-card.json       what a run found, for people

Exit codes: 0 done, 1 internal, 2 usage, 3 invalid document, 4 authentication, 5 incomplete,
6 budget, 7 provider unavailable, 10 gate not met, 130 interrupted. `lydian explain 5` says more.";

fn main() -> ExitCode {
    // sacreBLEU's options such as -tok are no short options to the parser.
    let arguments = Arguments::parse_from(commands::score::with_long_forms(std::env::args_os()));
    let context = Context::new(&arguments.global);
    match arguments.command.run(&context) {
        Ok(exit) => exit.into(),
        Err(error) => error.report(&context).into(),
    }
}
