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
mod findings;
mod gate;
mod interrupts;
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
mod setting;
mod sweep;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::output::{Context, Failures};

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
    interrupts::survive_file_size_limit();
    // sacreBLEU's options such as -tok are no short options to the parser.
    let given = commands::score::with_long_forms(std::env::args_os());
    let matches = Arguments::command().try_get_matches_from(given);
    let (arguments, failures) =
        match matches.and_then(|found| Ok((Arguments::from_arg_matches(&found)?, failures(&found)))) {
            Ok(parsed) => parsed,
            Err(error) => return output::usage(&error).into(),
        };
    let context = Context::new(&arguments.global, failures);
    match arguments.command.run(&context) {
        Ok(exit) => exit.into(),
        Err(error) => error.report(&context).into(),
    }
}

/// A command that was given `--json` owes its reader a document even when it fails.
fn failures(matches: &ArgMatches) -> Failures {
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    match innermost.try_get_one::<bool>("json") {
        Ok(Some(true)) => Failures::AsJson,
        _ => Failures::AsText,
    }
}
