//! `lydian sweep status`: how far the runs of a sweep are.

use std::path::PathBuf;

use clap::Args;
use lydian_model::NanoUsd;
use lydian_report::{number, table, terminal};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::output::Context;
use crate::sweep::folder::SweepFolder;
use crate::sweep::matrix;
use crate::sweep::progress::{self, RunProgress, Stage};

/// Arguments of `lydian sweep status`.
#[derive(Args)]
#[command(after_help = "\
Example:
  lydian sweep status sweeps/first

It only reads, so it may be asked while the sweep is running.")]
pub(crate) struct Arguments {
    /// Folder of the sweep
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Status {
    schema: &'static str,
    name: String,
    runs: usize,
    complete: usize,
    open: usize,
    not_begun: usize,
    elsewhere: usize,
    stray: usize,
    spent_usd: NanoUsd,
    budget_usd: Option<NanoUsd>,
    possibly_paid: u64,
    verdict: String,
    progress: Vec<RunProgress>,
}

/// Shows the state of every run.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let (folder, index) = SweepFolder::open(&arguments.folder)?;
    let progress = progress::of(&folder, &index)?;
    let count = |stage: Stage| progress.iter().filter(|run| run.stage == stage).count();
    let status = Status {
        schema: "lydian.sweep-status/1",
        runs: progress.len(),
        complete: count(Stage::Complete),
        open: count(Stage::Open),
        not_begun: count(Stage::NotBegun),
        elsewhere: count(Stage::Elsewhere),
        stray: folder.stray(&index)?,
        spent_usd: progress::spent(&folder)?,
        budget_usd: index.budget_usd,
        possibly_paid: progress.iter().map(|run| run.possibly_paid).sum(),
        verdict: matrix::of(&folder, &index, None)?.verdict.sentence,
        name: index.name,
        progress,
    };
    if arguments.json {
        context.print_json(&status)?;
    } else {
        context.print(&text(&status))?;
    }
    Ok(Exit::Done)
}

fn text(status: &Status) -> String {
    let mut runs = table::new(terminal::Width(120));
    runs.set_header([
        "run",
        "method",
        "coordinates",
        "state",
        "answered",
        "USD",
        "last problem",
    ]);
    for one in &status.progress {
        let answered = match (one.answered, one.entries) {
            (Some(answered), Some(entries)) => format!("{answered} of {entries}"),
            _ => number::MISSING.to_owned(),
        };
        runs.add_row([
            one.run.id.clone(),
            one.run.method.clone(),
            one.run.label.clone(),
            one.stage.name().to_owned(),
            answered,
            format!("{:.6}", one.spent_usd.dollars()),
            one.problem.clone().unwrap_or_default(),
        ]);
    }
    let budget = status
        .budget_usd
        .map_or_else(String::new, |budget| format!(" of {} USD", budget.dollars()));
    let elsewhere = match status.elsewhere {
        0 => String::new(),
        count => format!(", {count} in other parts"),
    };
    format!(
        "{runs}\n\nruns     {} complete, {} open, {} not begun{elsewhere}\nspent    {:.6} USD{budget}\nverdict  {}\n",
        status.complete,
        status.open,
        status.not_begun,
        status.spent_usd.dollars(),
        status.verdict
    )
}
