//! `lydian runs show`: how far a run has come.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lydian_harness::journal::{EndReason, Journal};
use lydian_model::fingerprint::setup_fingerprint;
use lydian_model::{EntryId, Finite, Sha256Hex};
use lydian_report::number;
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::execute::journal_error;
use crate::files;
use crate::output::Context;

/// Arguments of `lydian runs show`.
#[derive(Args)]
#[command(after_help = "Example:\n  lydian runs show runs/20261130T154100Z-1f0c3a7e")]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Shown<'a> {
    schema: &'static str,
    run_id: &'a str,
    timestamp: &'a str,
    method_id: &'a str,
    model_slug: &'a str,
    dataset: &'a str,
    entries: usize,
    outcomes: BTreeMap<&'static str, usize>,
    open: usize,
    executions: u32,
    ended: Option<EndReason>,
    active_seconds: Finite,
    possibly_paid: Vec<EntryId>,
    torn_bytes: u64,
    setup_fingerprint: Sha256Hex,
}

/// Shows the run.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let contents = Journal::read(&arguments.folder).map_err(journal_error)?;
    let setup = &contents.setup;
    let mut outcomes = BTreeMap::new();
    for prediction in contents.answers.values().chain(contents.failures.values()) {
        *outcomes.entry(prediction.outcome.name()).or_insert(0) += 1;
    }
    let shown = Shown {
        schema: "lydian.run-state/1",
        run_id: &setup.run_id,
        timestamp: &setup.timestamp,
        method_id: &setup.method.method_id,
        model_slug: &setup.model_slug,
        dataset: &setup.dataset.id,
        entries: setup.selection.entry_ids.len(),
        outcomes,
        open: contents.open_entries().len(),
        executions: contents.executions,
        ended: contents.end,
        active_seconds: contents.active_seconds(),
        possibly_paid: contents.possibly_paid(),
        torn_bytes: contents.torn_bytes,
        setup_fingerprint: setup_fingerprint(setup),
    };
    if arguments.json {
        context.print_json(&shown)?;
    } else {
        context.print(&text(&shown))?;
        if shown.open > 0 {
            let folder = files::quoted(&arguments.folder);
            context.hint(&format!(
                "`lydian resume {folder}` asks for what is open: {}",
                number::entries(shown.open as u64)
            ));
        }
    }
    Ok(Exit::Done)
}

fn text(shown: &Shown<'_>) -> String {
    let outcomes: Vec<String> = shown
        .outcomes
        .iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let ended = match shown.ended {
        Some(EndReason::Finished) => "finished",
        Some(EndReason::Interrupted) => "interrupted",
        Some(EndReason::Stopped) => "stopped, because nothing more could succeed",
        None => "killed, or still running",
    };
    let mut text = format!(
        "run          {}\nstarted      {}\nmethod       {} ({})\ncorpus       {}\n\
         entries      {} ({} open)\noutcomes     {}\nexecutions   {}, the last one {ended}\nactive       {:.1} s\nsetup        {}\n",
        shown.run_id,
        shown.timestamp,
        shown.method_id,
        shown.model_slug,
        shown.dataset,
        shown.entries,
        shown.open,
        outcomes.join(", "),
        shown.executions,
        shown.active_seconds.get(),
        shown.setup_fingerprint,
    );
    if !shown.possibly_paid.is_empty() {
        let ids: Vec<&str> = shown.possibly_paid.iter().map(EntryId::as_str).collect();
        text.push_str(&format!("possibly paid without an answer: {}\n", ids.join(", ")));
    }
    text
}
