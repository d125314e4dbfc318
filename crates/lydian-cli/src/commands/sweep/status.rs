//! `lydian sweep status`: how far the runs of a sweep are.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::sweep::queue::{Database, QueueStatus};
use lydian_model::NanoUsd;
use lydian_report::{number, table, terminal};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::files;
use crate::output::Context;
use crate::sweep::bind::SweepFile;
use crate::sweep::folder::SweepFolder;
use crate::sweep::progress::{self, Money, RunProgress, Stage};
use crate::sweep::{matrix, queue};

/// Arguments of `lydian sweep status`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian sweep status sweeps/first

  lydian sweep status sweep.toml --queue env:LYDIAN_QUEUE

It only reads, so it may be asked while the sweep is running.")]
pub(crate) struct Arguments {
    /// Folder of the sweep; with --queue its plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Ask the shared queue: env:NAME, file: and a path, or an address without a password
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
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
    perhaps_paid_usd: NanoUsd,
    budget_usd: Option<NanoUsd>,
    possibly_paid: u64,
    verdict: String,
    damaged: Vec<String>,
    progress: Vec<RunProgress>,
}

/// What `--json` prints of a queue.
#[derive(Serialize)]
struct QueueReport {
    schema: &'static str,
    name: String,
    queue: QueueStatus,
}

/// Shows the state of every run.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    if let Some(address) = &arguments.queue {
        return of_queue(arguments, address, context);
    }
    let (folder, index) = SweepFolder::open(&arguments.folder)?;
    let progress = progress::of(&folder, &index);
    let count = |stage: Stage| progress.iter().filter(|run| run.stage == stage).count();
    let money = progress::money(&folder)?;
    let found = matrix::of(&folder, &index, None)?;
    let mut damaged = progress::damaged(&progress);
    damaged.extend(found.damaged.into_iter().map(|(_, problem)| problem));
    let status = Status {
        schema: "lydian.sweep-status/1",
        runs: progress.len(),
        complete: count(Stage::Complete),
        open: count(Stage::Open),
        not_begun: count(Stage::NotBegun),
        elsewhere: count(Stage::Elsewhere),
        stray: folder.stray(&index)?,
        spent_usd: money.spent,
        perhaps_paid_usd: money.perhaps_paid,
        budget_usd: index.budget_usd,
        possibly_paid: progress.iter().map(|run| run.possibly_paid).sum(),
        verdict: found.matrix.verdict.sentence,
        damaged,
        name: index.name,
        progress,
    };
    if arguments.json {
        context.print_json(&status)?;
    } else {
        context.print(&text(&status, money))?;
    }
    for problem in &status.damaged {
        context.warning(problem);
    }
    Ok(if status.damaged.is_empty() {
        Exit::Done
    } else {
        Exit::InvalidDocument
    })
}

fn of_queue(arguments: &Arguments, address: &str, context: &Context) -> CommandResult {
    let address = queue::address(address)?;
    let name = SweepFile::read(&arguments.folder)?.plan.name;
    let runtime = tokio::runtime::Runtime::new()?;
    let status = runtime
        .block_on(async { Database::open(&address).await?.status(&name).await })
        .map_err(queue::queue_error)?;
    if arguments.json {
        context.print_json(&QueueReport {
            schema: "lydian.sweep-queue/1",
            name,
            queue: status,
        })?;
        return Ok(Exit::Done);
    }
    let budget = status
        .budget_usd
        .map_or_else(String::new, |budget| format!(" of {} USD", budget.dollars()));
    let dead: String = status
        .dead_chunks
        .iter()
        .map(|chunk| {
            format!(
                "dead     run {} entries {} to {}, {} attempts: {}\n",
                chunk.run.chars().take(16).collect::<String>(),
                chunk.first_entry + 1,
                chunk.first_entry + chunk.entries,
                chunk.attempts,
                chunk.last_error.as_deref().unwrap_or("no reason is known")
            )
        })
        .collect();
    context.print(&format!(
        "runs     {}\nchunks   {} done, {} leased, {} open, {} dead\nanswers  {}, {} entries failed\nworkers  {} alive\n\
         spent    {:.6} USD{budget}, {:.6} of it perhaps, {:.6} reserved\n{dead}",
        status.runs,
        status.done,
        status.leased,
        status.open,
        status.dead,
        status.answers,
        status.failures,
        status.workers,
        status.spent_usd.dollars(),
        status.perhaps_paid_usd.dollars(),
        status.reserved_usd.dollars()
    ))?;
    if !status.dead_chunks.is_empty() {
        context.hint(&format!(
            "`lydian sweep submit {} --queue {} --requeue-dead` lets workers try them again",
            files::quoted(&arguments.folder),
            files::quoted(Path::new(&arguments.queue.clone().unwrap_or_default()))
        ));
    }
    Ok(Exit::Done)
}

fn text(status: &Status, money: Money) -> String {
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
            if one.unknown_costs > 0 && one.spent_usd == NanoUsd::ZERO {
                "unknown".to_owned()
            } else {
                format!("{:.6}", one.spent_usd.dollars())
            },
            one.problem
                .clone()
                .filter(|_| one.stage != Stage::Damaged)
                .unwrap_or_default(),
        ]);
    }
    let budget = status
        .budget_usd
        .map_or_else(String::new, |budget| format!(" of {} USD", budget.dollars()));
    let some = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!(", {count} {what}"),
    };
    let elsewhere = some(status.elsewhere, "in other parts");
    let damaged = some(
        status
            .progress
            .iter()
            .filter(|one| one.stage == Stage::Damaged)
            .count(),
        "damaged",
    );
    format!(
        "{runs}\n\nruns     {} complete, {} open, {} not begun{elsewhere}{damaged}\nspent    {:.6} USD{budget}{}\nverdict  {}\n",
        status.complete,
        status.open,
        status.not_begun,
        money.spent.dollars(),
        money.doubt(),
        status.verdict
    )
}
