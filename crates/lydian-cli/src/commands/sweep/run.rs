//! `lydian sweep run`: makes the runs of a plan that are missing.

use std::path::PathBuf;

use clap::Args;
use lydian_model::NanoUsd;
use lydian_model::sweep::{Shard, SweepIndex};
use lydian_report::number::counted;
use lydian_report::sweep::{Format, report};
use lydian_report::terminal::Width;
use lydian_scoring::sweep::SweepMatrix;
use serde::Serialize;

use crate::documents::CARD_FILE;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::sweep::bind::{Sweep, SweepFile};
use crate::sweep::execute::{Ended, Execution};
use crate::sweep::folder::SweepFolder;
use crate::sweep::matrix::{self, Found};
use crate::sweep::progress::{self, Money, RunProgress, Stage};
use crate::sweep::write_report;
use crate::{evaluate, files, interrupts};

/// Columns a matrix takes on a terminal.
const WIDTH: Width = Width(140);

/// Arguments of `lydian sweep run`.
#[derive(Args)]
#[command(after_help = "\
Runs that are complete are left alone, so the same command goes on after an interruption, and makes only what is
missing after an axis got another value. One rate limit and one budget hold for all runs.

Examples:
  lydian sweep run examples/por-glg-sweep
  lydian sweep run sweep.toml --out sweeps/first --budget 5
  lydian sweep run sweep.toml --shard 2/3 --out part-2      on the second of three machines")]
pub(crate) struct Arguments {
    /// Plan, or a folder with sweep.toml
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Folder of the sweep [default: sweeps/NAME]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Make only the i-th of n parts; every part has its share of budget and rate
    #[arg(long, value_name = "i/n", value_parser = shard)]
    shard: Option<Shard>,
    /// Runs behind providers that go on at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    parallel: u16,
    /// Most US dollars for the whole sweep, in place of the plan's
    #[arg(long, value_name = "USD")]
    budget: Option<f64>,
    /// Reference to the key, env:NAME or file: and a path; never the key itself
    #[arg(long, value_name = "REFERENCE")]
    key: Option<String>,
    /// Print one JSON object instead of the tables
    #[arg(long)]
    json: bool,
}

fn shard(text: &str) -> Result<Shard, String> {
    text.parse().map_err(|error: &str| error.to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reported {
    schema: &'static str,
    folder: PathBuf,
    report: Option<PathBuf>,
    runs: usize,
    complete: usize,
    complete_before: usize,
    executed: usize,
    spent_usd: NanoUsd,
    perhaps_paid_usd: NanoUsd,
    verdict: Option<String>,
    progress: Vec<RunProgress>,
}

/// Makes what is missing and shows the matrix.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let mut file = SweepFile::read(&arguments.plan)?;
    if let Some(dollars) = arguments.budget {
        let budget = NanoUsd::from_dollars(dollars).filter(|budget| *budget > NanoUsd::ZERO);
        let message = "--budget must be above 0 and below 9 million";
        file.plan.budget = Some(budget.ok_or_else(|| CommandError::new(Exit::Usage, message))?);
    }
    let sweep = Sweep::open(file, arguments.key.clone())?;
    let index = sweep.index(arguments.shard, context)?;
    let path = arguments
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("sweeps").join(&index.name));
    let folder = SweepFolder::take(&path, &index, &sweep.file.text)?;
    let money = progress::money(&folder)?;
    note_state(&folder, &index, money, context)?;
    let shared = sweep.shared(arguments.shard, money.budgeted());
    let ended = Execution {
        sweep: &sweep,
        index: &index,
        folder: &folder,
        shared,
        at_a_time: usize::from(arguments.parallel),
        context,
    }
    .run()?;
    if ended.unscored {
        return Err(interrupted("interrupted while a run was scored"));
    }
    let Found { matrix, damaged } = cards(&sweep, &index, &folder, context)?;
    let page = write_report(&folder, &matrix)?;
    let states = progress::of(&folder, &index);
    let damaged = damaged.len() + progress::damaged(&states).len();
    if arguments.json {
        context.print_json(&reported(&folder, &ended, states, &matrix, page)?)?;
    } else {
        context.print(&report(&matrix, Format::Terminal(WIDTH)))?;
        context.note(&format!("report  {}", page.display()));
    }
    if ended.exit != Exit::Done {
        let next = match ended.exit {
            Exit::Budget if ended.budget_used_up => {
                "the budget is used up: the same command with a higher --budget USD goes on"
            }
            _ if ended.unpriced => {
                "a budget needs a price for every model: give `prices` in the plan, or `allow_unpriced`; then the same command goes on"
            }
            _ => "the same command goes on once what stopped it is mended",
        };
        context.hint(&format!(
            "{next}; `lydian sweep status {}` shows how far each run is",
            files::quoted(&path)
        ));
    }
    Ok(match ended.exit {
        Exit::Done | Exit::Incomplete if damaged > 0 => Exit::InvalidDocument,
        exit => exit,
    })
}

fn interrupted(message: &'static str) -> CommandError {
    CommandError::new(Exit::Interrupted, message)
        .with_hint("every answer is kept: the same command goes on from here")
}

/// Returns the matrix. A card that cannot be read is made again, and the file is kept beside it.
fn cards(sweep: &Sweep, index: &SweepIndex, folder: &SweepFolder, context: &Context) -> CommandResult<Found> {
    let asks = interrupts::count() + 1;
    let (reader, list) = (folder.reader(), index.clone());
    let compared = interrupts::until_signal(asks, Some((context, "comparing the runs")), move |_| {
        matrix::of(&reader, &list, None)
    })?;
    let interrupts::Ended::Finished(found) = compared else {
        return Err(interrupted("interrupted while the runs were compared"));
    };
    let mut made = 0;
    for (place, problem) in &found.damaged {
        let run = &index.runs[*place];
        let path = folder.run(&run.id);
        let contents = progress::contents(folder, run).ok().flatten();
        let Some(contents) = contents.filter(|contents| !contents.answers.is_empty()) else {
            context.warning(problem);
            continue;
        };
        let (file, kept) = (path.join(CARD_FILE), path.join("run-card.json.damaged"));
        std::fs::rename(&file, &kept)?;
        evaluate::write(&path, &evaluate::card(&sweep.corpus.corpus, &contents, &path)?)?;
        context.warning(&format!(
            "{} could not be read as the card of this run: it was made again, and what was there is {}",
            file.display(),
            kept.display()
        ));
        made += 1;
    }
    if made == 0 {
        return Ok(found);
    }
    matrix::of(folder, index, None)
}

fn note_state(
    folder: &SweepFolder,
    index: &SweepIndex,
    money: Money,
    context: &Context,
) -> CommandResult<()> {
    let states = progress::of(folder, index);
    for problem in progress::damaged(&states) {
        context.warning(&format!("left alone: {problem}"));
    }
    let complete = states
        .iter()
        .filter(|state| state.stage == Stage::Complete)
        .count();
    context.note(&format!("{complete} of {} runs are complete", states.len()));
    let paid: u64 = states.iter().map(|state| state.possibly_paid).sum();
    if paid > 0 {
        context.warning(&format!(
            "{} in flight when an execution was killed and may have been paid; a budget counts {:.6} USD for what is not known",
            counted(paid, "call was", "calls were"),
            money.perhaps_paid.dollars()
        ));
    }
    match folder.stray(index)? {
        0 => {}
        stray => context.note(&format!(
            "{stray} runs in {} belong to no combination of the plan any more and are left alone",
            folder.path.display()
        )),
    }
    Ok(())
}

fn reported(
    folder: &SweepFolder,
    ended: &Ended,
    states: Vec<RunProgress>,
    matrix: &SweepMatrix,
    page: PathBuf,
) -> CommandResult<Reported> {
    let money = progress::money(folder)?;
    Ok(Reported {
        schema: "lydian.sweep-run/1",
        folder: folder.path.clone(),
        report: Some(page),
        runs: states.len(),
        complete: states
            .iter()
            .filter(|state| state.stage == Stage::Complete)
            .count(),
        complete_before: ended.complete_before,
        executed: ended.executed,
        spent_usd: money.spent,
        perhaps_paid_usd: money.perhaps_paid,
        verdict: Some(matrix.verdict.sentence.clone()),
        progress: states,
    })
}
