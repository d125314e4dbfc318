//! `lydian resume`: goes on with an interrupted or incomplete run.

use std::path::PathBuf;

use clap::Args;
use lydian_harness::journal::{Contents, EndReason, Journal};
use lydian_harness::run::RunEnd;
use lydian_model::NanoUsd;
use lydian_report::number::{self, counted};

use super::run::{execution, outcome};
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::{execute, journal_error, resumable};
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::difference::differences;
use crate::plan::{Inputs, Moment, Order, Plan, Purpose, Wanted, timestamp};

/// Arguments of `lydian resume`.
#[derive(Args)]
#[command(after_help = "\
Only entries without an answer are asked for. The corpus and the method must be those the run began with; when they
were moved, say where they are now.

Examples:
  lydian resume runs/20261130T154100Z-1f0c3a7e
  lydian resume runs/20261130T154100Z-1f0c3a7e --corpus moved/corpus.json")]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where the corpus is now
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Where the method is now
    #[arg(short, long, value_name = "METHOD")]
    method: Option<String>,
    /// Where the recorded outputs are now
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Calls at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    concurrency: Option<u16>,
    /// Reference to the key, env:NAME or file: and a path; never the key itself
    #[arg(long, value_name = "REFERENCE")]
    key: Option<String>,
    /// Most US dollars to spend on the whole run, what is spent already included
    #[arg(long, value_name = "USD")]
    budget: Option<f64>,
    #[command(flatten)]
    gate: GateArguments,
    /// Print one JSON object instead of the card
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let contents = Journal::read(&arguments.folder).map_err(journal_error)?;
    let plan = plan(arguments, &contents, context)?;
    let (journal, contents) =
        Journal::resume(&arguments.folder, execution(&timestamp())).map_err(journal_error)?;
    note_state(&contents, context);
    let end = if contents.open_entries().is_empty() {
        journal.close(EndReason::Finished).map_err(journal_error)?;
        RunEnd {
            reason: EndReason::Finished,
            stop: None,
            asked: 0,
            failed: 0,
        }
    } else {
        plan.prepared.translator.keep_files_in(&arguments.folder);
        execute(&plan, journal, contents.answers.into_keys().collect(), context)
            .map_err(resumable(&arguments.folder))?
    };
    let finished = outcome::Finished {
        folder: arguments.folder.clone(),
        plan: &plan,
        end,
        gate: &arguments.gate,
    };
    finished.report(arguments.json, context)
}

/// Plans the same run again and refuses if it would not be the same.
fn plan(arguments: &Arguments, contents: &Contents, context: &Context) -> CommandResult<Plan> {
    let inputs = inputs(arguments, contents)?;
    let setup = &contents.setup;
    let moment = Moment {
        run_id: setup.run_id.clone(),
        timestamp: setup.timestamp.clone(),
    };
    let corpus = crate::documents::read_corpus_file(&inputs.corpus)?;
    if corpus.sha256 != setup.dataset.sha256 {
        let same_entries = setup.dataset.file_entry_count == corpus.corpus.entries.len() as u64
            && corpus
                .corpus
                .entries
                .iter()
                .filter(|entry| setup.selection.entry_ids.contains(&entry.id))
                .count()
                == setup.selection.entry_ids.len();
        let how = if same_entries {
            "it holds the same ids, perhaps in another order or with other texts"
        } else {
            "it holds other entries"
        };
        let message = format!(
            "{} is not the corpus the run began with: {how} (sha256 {} instead of {})",
            inputs.corpus.display(),
            corpus.sha256,
            setup.dataset.sha256
        );
        return Err(CommandError::new(Exit::InvalidDocument, message)
            .with_hint("restore the file, say where it is with --corpus, or start a new run"));
    }
    let order = Order {
        inputs,
        wanted: Wanted::Selected(&setup.selection),
        moment,
        purpose: Purpose::Run,
        spent: contents.budgeted(),
        shared: None,
    };
    let plan = Plan::new(order, context)?;
    let changed = differences(setup, &plan.setup);
    if changed.is_empty() {
        return Ok(plan);
    }
    let lines: Vec<String> = changed
        .iter()
        .map(|one| format!("{} was {} and is now {}", one.field, one.left, one.right))
        .collect();
    let message = format!(
        "the run cannot go on, because its setup has changed: {}",
        lines.join("; ")
    );
    Err(CommandError::new(Exit::InvalidDocument, message)
        .with_hint("one card must come from one setup: restore it, or start a new run"))
}

fn inputs(arguments: &Arguments, contents: &Contents) -> CommandResult<Inputs> {
    let recorded = Inputs::recorded(contents)?;
    let corpus = arguments.corpus.clone().unwrap_or(recorded.corpus);
    if !corpus.is_file() {
        return Err(CommandError::new(
            Exit::Usage,
            format!("the corpus {} is not there any more", corpus.display()),
        )
        .with_hint("say where it is with --corpus FILE"));
    }
    let mut options = recorded.options;
    options.predictions = arguments.predictions.clone().or(options.predictions);
    options.concurrency = arguments.concurrency.map(usize::from).or(options.concurrency);
    options.service = options
        .service
        .overridden(arguments.key.clone(), arguments.budget);
    let method = arguments.method.clone().unwrap_or(recorded.method);
    let inputs = Inputs::new(&corpus, &method, options)?;
    match recorded.dialect {
        Some(dialect) => inputs.of_items(dialect),
        None => Ok(inputs),
    }
}

fn note_state(contents: &Contents, context: &Context) {
    let total = contents.setup.selection.entry_ids.len();
    let answered = total - contents.open_entries().len();
    context.note(&format!(
        "{answered} of {} answered",
        number::entries(total as u64)
    ));
    if contents.torn_bytes > 0 {
        context.note(&format!(
            "an unfinished record of {} was cut off the end of the journal",
            counted(contents.torn_bytes, "byte", "bytes")
        ));
    }
    let paid = contents.possibly_paid();
    if !paid.is_empty() {
        let shown: Vec<&str> = paid.iter().take(5).map(lydian_model::EntryId::as_str).collect();
        let more = if paid.len() > 5 { ", …" } else { "" };
        let counted_usd = match contents.perhaps_paid() {
            NanoUsd::ZERO => String::new(),
            most => format!("; a budget counts {:.6} USD for them", most.dollars()),
        };
        context.warning(&format!(
            "{} in flight when the run was killed and may have been paid: {}{more}{counted_usd}",
            counted(contents.in_flight.len() as u64, "call was", "calls were"),
            shown.join(", ")
        ));
    }
}
