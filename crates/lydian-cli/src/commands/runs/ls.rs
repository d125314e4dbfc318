//! `lydian runs ls`: run folders with their headline scores.

use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::Table;
use lydian_harness::journal::JOURNAL_FILE;
use lydian_model::{RunCard, Score};
use lydian_report::number;
use serde::Serialize;

use crate::documents::{CARD_FILE, read_card};
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian runs ls`.
#[derive(Args)]
#[command(after_help = "Example:\n  lydian runs ls runs")]
pub(crate) struct Arguments {
    /// Folder that holds run folders
    #[arg(value_name = "DIR", default_value = "runs")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Listed {
    schema: &'static str,
    runs: Vec<Run>,
}

/// One run folder. Without a card only its name is known; `problem` says why a card cannot be read.
#[derive(Serialize)]
struct Run {
    folder: PathBuf,
    timestamp: Option<String>,
    method_id: Option<String>,
    model_slug: Option<String>,
    dataset: Option<String>,
    entries: Option<u64>,
    chrf_plus_plus: Option<Score>,
    coverage: Option<Score>,
    problem: Option<String>,
}

/// Lists the runs, by name: names made by `lydian run` sort by time.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let items = std::fs::read_dir(&arguments.folder).map_err(|error| {
        CommandError::from_error(Exit::Usage, error)
            .context(format!("cannot read {}", arguments.folder.display()))
            .with_hint("`lydian run` makes run folders in runs/")
    })?;
    let mut folders: Vec<PathBuf> = items
        .filter_map(Result::ok)
        .map(|item| item.path())
        .filter(|path| path.join(JOURNAL_FILE).is_file() || path.join(CARD_FILE).is_file())
        .collect();
    folders.sort();
    let runs: Vec<Run> = folders.into_iter().map(listed).collect();
    if arguments.json {
        context.print_json(&Listed {
            schema: "lydian.runs/1",
            runs,
        })?;
    } else if runs.is_empty() {
        context.note(&format!("{} holds no runs", arguments.folder.display()));
    } else {
        context.print(&format!("{}\n", table(&runs)))?;
    }
    Ok(Exit::Done)
}

fn listed(folder: PathBuf) -> Run {
    if !folder.join(CARD_FILE).is_file() {
        return described(folder, None, Some("no card yet; `lydian resume` goes on".into()));
    }
    match read_card(&folder) {
        Ok(card) => described(folder, Some(&card), None),
        Err(_) => described(folder, None, Some("its card cannot be read".into())),
    }
}

fn described(folder: PathBuf, card: Option<&RunCard>, problem: Option<String>) -> Run {
    Run {
        folder,
        timestamp: card.map(|card| card.timestamp.clone()),
        method_id: card.map(|card| card.method_id.clone()),
        model_slug: card.map(|card| card.model_slug.clone()),
        dataset: card.map(|card| card.dataset.id.clone()),
        entries: card.map(|card| card.dataset.entry_count),
        chrf_plus_plus: card.and_then(|card| card.scores.chrf_plus_plus),
        coverage: card.map(|card| card.scores.coverage),
        problem,
    }
}

fn table(runs: &[Run]) -> Table {
    let mut table = Table::new();
    table.set_header([
        "run", "method", "model", "corpus", "entries", "chrF++", "coverage", "",
    ]);
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    for run in runs {
        let name = run.folder.file_name().unwrap_or(run.folder.as_os_str());
        table.add_row([
            Path::new(name).display().to_string(),
            text(&run.method_id),
            text(&run.model_slug),
            text(&run.dataset),
            run.entries.map(number::count).unwrap_or_default(),
            run.chrf_plus_plus
                .map_or_else(String::new, |score| number::points(Some(score))),
            run.coverage
                .map_or_else(String::new, |share| number::percent(Some(share))),
            text(&run.problem),
        ]);
    }
    table
}
