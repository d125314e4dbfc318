//! `lydian dialect`: items in a dialect, scored without a judge.

use clap::{Args, Subcommand};

use crate::error::CommandResult;
use crate::output::Context;

mod compare;
mod measure;
mod report;
mod run;
mod schema;
mod score;
mod suggest_keywords;
mod train_gate;
mod validate;
mod written;

/// Arguments of `lydian dialect`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect validate items.json --strict
  lydian dialect run items.json --method my-method --out runs/first
  lydian dialect score items.json answers.jsonl
  lydian dialect score items.json answers.jsonl --json > report.json
  lydian dialect report report.json --format html --out report.html
  lydian dialect compare items.json first.jsonl second.jsonl
  lydian dialect suggest-keywords \"Das Opfer sah den Angreifer nicht.\"")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: DialectCommand,
}

#[derive(Subcommand)]
enum DialectCommand {
    /// Find everything that makes items unusable or doubtful
    Validate(validate::Arguments),
    /// Run a method over items and print the report, refusals first
    Run(Box<run::Arguments>),
    /// Score existing answers or a run again and print the report, refusals first
    Score(score::Arguments),
    /// Write a saved report as text, Markdown, LaTeX, CSV or HTML
    Report(report::Arguments),
    /// Compare two sets of answers per dialect with exact tests
    Compare(compare::Arguments),
    /// Draft the keywords of a reference for a person to edit
    SuggestKeywords(suggest_keywords::Arguments),
    /// Measure how often letter reader, refusal patterns, stemmer and coverage err on known cases
    Measure(measure::Arguments),
    /// Train the language gate's table from texts, or measure a table on texts
    TrainGate(train_gate::Arguments),
    /// Print a JSON Schema: of items, of reports or of comparisons
    Schema(schema::Arguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        DialectCommand::Validate(arguments) => validate::run(arguments, context),
        DialectCommand::Run(arguments) => run::run(arguments, context),
        DialectCommand::Score(arguments) => score::run(arguments, context),
        DialectCommand::Report(arguments) => report::run(arguments, context),
        DialectCommand::Compare(arguments) => compare::run(arguments, context),
        DialectCommand::SuggestKeywords(arguments) => suggest_keywords::run(arguments, context),
        DialectCommand::Measure(arguments) => measure::run(arguments, context),
        DialectCommand::TrainGate(arguments) => train_gate::run(arguments, context),
        DialectCommand::Schema(arguments) => schema::run(arguments, context),
    }
}
