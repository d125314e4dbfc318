//! `lydian run`: a method over a corpus becomes a run card.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::{Execution, Journal, JournalError, NewRun};
use lydian_model::fingerprint::fingerprint;
use lydian_model::{NanoUsd, RunSetup};
use serde_json::{Map, Value};

use crate::error::{CommandError, CommandResult, Exit};
use crate::evaluate::PROGRAM;
use crate::execute::{execute, journal_error, resumable};
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::{Choice, Inputs, MethodOptions, Moment, Order, Plan, Purpose, Wanted};

mod dry_run;
mod example;
pub(crate) mod outcome;
mod show_prompt;
mod upstreams;

pub(super) use example::example_file;

/// Folder in which run folders are made when `--out` names none.
const RUNS: &str = "runs";

/// Arguments of `lydian run`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Corpus file, or a folder with example.toml
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// copy, replay, apertium:MODE, command:"PROGRAM …", a method folder or a manifest
    #[arg(short, long, value_name = "METHOD", help_heading = "Method")]
    method: Option<String>,
    #[command(flatten)]
    options: MethodOptions,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    gate: GateArguments,
}

/// What of the inputs is run, where to, and whether it is only shown.
#[derive(Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    choice: Choice,
    /// Run folder to make [default: runs/TIME-FINGERPRINT]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show what would be run; send and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the requests of the first N entries; send and write nothing
    #[arg(long, value_name = "N", conflicts_with = "dry_run")]
    show_prompt: Option<usize>,
    /// Print one JSON object instead of the report
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The run folder holds run-card.json, journal.jsonl and report.html. Ctrl-C pauses a run; `lydian resume DIR` goes on.

Examples:
  lydian run examples/por-glg
  lydian run examples/por-glg --method copy --out runs/floor
  lydian run examples/por-glg --method apertium:pt-gl
  lydian run corpus.json --method 'command:python3 translate.py' --segment development --limit 20
  lydian run corpus.json --method replay --predictions human.jsonl
  lydian run corpus.json --method my-method --dry-run
  lydian run corpus.json --method my-method --base-url http://localhost:8000/v1 --concurrency 64 --budget 2.50";

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let inputs = inputs(&arguments.corpus, arguments.method.as_deref(), &arguments.options)?;
    arguments.run.carry_out(inputs, &arguments.gate, context)
}

impl RunArguments {
    /// Says whether nothing is to be sent or written.
    pub(super) fn only_show(&self) -> bool {
        self.dry_run || self.show_prompt.is_some()
    }

    /// Plans the run, and shows the plan or makes the run folder, runs it and reports. `gate` holds scores to reach.
    pub(super) fn carry_out(&self, inputs: Inputs, gate: &GateArguments, context: &Context) -> CommandResult {
        let order = Order {
            inputs,
            wanted: Wanted::Chosen(&self.choice),
            moment: Moment::now(),
            purpose: if self.only_show() {
                Purpose::Show
            } else {
                Purpose::Run
            },
            spent: NanoUsd::ZERO,
            shared: None,
        };
        let plan = Plan::new(order, context)?;
        if self.dry_run {
            return dry_run::show(&plan, self.json, context);
        }
        if let Some(count) = self.show_prompt {
            return show_prompt::show(&plan, count, context);
        }
        let (folder, journal) = self.create(&plan)?;
        plan.prepared.translator.keep_files_in(&folder);
        let end = execute(&plan, journal, BTreeSet::new(), context).map_err(resumable(&folder))?;
        let finished = outcome::Finished {
            folder,
            plan: &plan,
            end,
            gate,
        };
        finished.report(self.json, context)
    }

    /// Makes the run folder.
    fn create(&self, plan: &Plan) -> CommandResult<(PathBuf, Journal)> {
        let recorded = recorded_inputs(&plan.inputs);
        let new_run = NewRun {
            setup: &plan.setup,
            inputs: &recorded,
        };
        match &self.out {
            Some(folder) => {
                let journal = Journal::create(folder, new_run, execution(&plan.setup.timestamp));
                Ok((folder.clone(), journal.map_err(journal_error)?))
            }
            None => create_named(new_run, Path::new(RUNS)),
        }
    }
}

/// Returns corpus, method and options from the arguments or from the example folder they name.
pub(super) fn inputs(corpus: &Path, method: Option<&str>, options: &MethodOptions) -> CommandResult<Inputs> {
    if corpus.is_dir() {
        return example::Example::read(corpus)?.inputs(method, options);
    }
    if !corpus.exists() {
        return Err(example::missing(corpus));
    }
    match method {
        Some(method) => Inputs::new(corpus, method, options.clone()),
        None if options.predictions.is_some() => Inputs::new(corpus, "replay", options.clone()),
        None => Err(CommandError::new(Exit::Usage, "no method is named").with_hint(
            "--method copy gives the floor every method must beat; `lydian run --help` lists the others",
        )),
    }
}

/// Returns the inputs as the journal keeps them.
pub(crate) fn recorded_inputs(inputs: &Inputs) -> Map<String, Value> {
    match serde_json::to_value(inputs) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Returns the execution that begins now.
pub(crate) fn execution(began: &str) -> Execution {
    Execution {
        began: began.to_owned(),
        program: PROGRAM.to_owned(),
    }
}

/// Makes a run folder named after time and fingerprint; runs of one second get a number.
fn create_named(run: NewRun<'_>, parent: &Path) -> CommandResult<(PathBuf, Journal)> {
    let name = folder_name(run.setup);
    let numbered = (2..100).map(|number| format!("{name}-{number}"));
    for name in std::iter::once(name.clone()).chain(numbered) {
        let folder = parent.join(name);
        match Journal::create(&folder, run, execution(&run.setup.timestamp)) {
            Err(JournalError::Exists { .. }) => {}
            created => return created.map(|journal| (folder, journal)).map_err(journal_error),
        }
    }
    Err(CommandError::new(
        Exit::Usage,
        format!("{} and 98 others exist already", parent.join(name).display()),
    )
    .with_hint("name the run folder with --out DIR"))
}

/// `20261130T154100Z-1f0c3a7e`: sorts by time, holds no character that any system forbids.
fn folder_name(setup: &RunSetup) -> String {
    let time: String = setup
        .timestamp
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let fingerprint = fingerprint(setup);
    format!("{time}-{}", &fingerprint.as_str()[..8])
}
