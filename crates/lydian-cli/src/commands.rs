//! The table of commands: one file each.

mod cache;
mod card;
mod compare;
mod completions;
mod config;
mod corpus;
mod cost;
mod detectors;
mod dialect;
mod doctor;
pub(crate) mod explain;
mod fake_provider;
mod init;
mod install;
mod language;
mod method;
mod plugin;
mod report;
mod resume;
pub(crate) mod run;
mod runs;
pub(crate) mod score;
mod sweep;

use clap::Subcommand;

use crate::error::CommandResult;
use crate::output::Context;

/// A command of `lydian`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a folder with a corpus and a method to start from
    Init(init::Arguments),
    /// Run a method over a corpus and score it
    Run(run::Arguments),
    /// Go on with an interrupted or incomplete run
    Resume(resume::Arguments),
    /// List, show, compare and rescore run folders
    Runs(runs::Arguments),
    /// Write a method folder to start from, check one
    Method(method::Arguments),
    /// Print a run card for people; verify, cite
    Card(card::Arguments),
    /// Check, convert, split and count corpora
    Corpus(corpus::Arguments),
    /// Compare runs on the same corpus, with paired significance
    Compare(compare::Arguments),
    /// Check whether a program speaks the plugin protocol
    Plugin(plugin::Arguments),
    /// Make a run card's method a folder that runs
    Install(install::Arguments),
    /// Show language cards, check them, look words up in an analyser
    Language(language::Arguments),
    /// Measure the detectors of code-switching and hallucination on human translations
    Detectors(detectors::Arguments),
    /// Run many configurations of methods over one corpus, and see what they found
    Sweep(sweep::Arguments),
    /// Say what sweeps, a language and a programme cost
    Cost(cost::Arguments),
    /// Write one or several run cards as one offline HTML page
    Report(report::Arguments),
    /// Validate, score and compare items in a dialect
    Dialect(dialect::Arguments),
    /// Show what this machine has of what methods and checks can use
    Doctor(doctor::Arguments),
    /// Say which settings are in force and where each comes from
    Config(config::Arguments),
    /// Say what an exit code or the name of a check, caveat or outcome means
    Explain(explain::Arguments),
    /// List, remove and verify stored answers of providers
    Cache(cache::Arguments),
    /// Serve a local provider that misbehaves on request, for tests and demonstrations
    FakeProvider(fake_provider::Arguments),
    /// Score outputs against references: chrF, BLEU, TER, with intervals and tests, as sacreBLEU does
    Score(Box<score::Arguments>),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self, context: &Context) -> CommandResult {
        match self {
            Self::Init(arguments) => init::run(&arguments, context),
            Self::Run(arguments) => run::run(&arguments, context),
            Self::Resume(arguments) => resume::run(&arguments, context),
            Self::Runs(arguments) => runs::run(&arguments, context),
            Self::Method(arguments) => method::run(&arguments, context),
            Self::Card(arguments) => card::run(&arguments, context),
            Self::Corpus(arguments) => corpus::run(&arguments, context),
            Self::Compare(arguments) => compare::run(&arguments, context),
            Self::Language(arguments) => language::run(&arguments, context),
            Self::Detectors(arguments) => detectors::run(&arguments, context),
            Self::Sweep(arguments) => sweep::run(&arguments, context),
            Self::Cost(arguments) => cost::run(&arguments, context),
            Self::Report(arguments) => report::run(&arguments, context),
            Self::Dialect(arguments) => dialect::run(&arguments, context),
            Self::Doctor(arguments) => doctor::run(&arguments, context),
            Self::Config(arguments) => config::run(&arguments, context),
            Self::Explain(arguments) => explain::run(&arguments, context),
            Self::Plugin(arguments) => plugin::run(&arguments, context),
            Self::Install(arguments) => install::run(&arguments, context),
            Self::Cache(arguments) => cache::run(&arguments, context),
            Self::FakeProvider(arguments) => fake_provider::run(&arguments, context),
            Self::Score(arguments) => score::run(&arguments, context),
            Self::Completions(arguments) => completions::run(&arguments, context),
        }
    }
}
