//! `lydian runs ls`: run folders with their headline scores.

use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{Cell, CellAlignment, Table};
use lydian_harness::journal::JOURNAL_FILE;
use lydian_model::{RunCard, Score};
use lydian_report::number;
use lydian_report::table::{self, Width};
use serde::Serialize;

use crate::dialect_run::DIALECT_REPORT_FILE;
use crate::documents::{CARD_FILE, read_card};
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Where `lydian run` makes run folders.
const USUAL_FOLDER: &str = "runs";

/// Columns of the table.
const WIDTH: Width = Width(120);

/// Arguments of `lydian runs ls`.
#[derive(Args)]
#[command(after_help = "Example:\n  lydian runs ls runs")]
pub(crate) struct Arguments {
    /// Folder that holds run folders
    #[arg(value_name = "DIR", default_value = USUAL_FOLDER)]
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
    let runs: Vec<Run> = folders(&arguments.folder)?.into_iter().map(listed).collect();
    if arguments.json {
        context.print_json(&Listed {
            schema: "lydian.runs/1",
            runs,
        })?;
    } else if runs.is_empty() {
        context.print(&format!("no runs in {} yet\n", arguments.folder.display()))?;
        context.hint("`lydian run examples/por-glg` makes one");
    } else {
        context.print(&format!("{}\n", table(&runs)))?;
    }
    Ok(Exit::Done)
}

/// Returns the run folders in a folder. The usual one does not exist before the first run; another one that does not
/// exist was misspelt.
fn folders(folder: &Path) -> CommandResult<Vec<PathBuf>> {
    if folder == Path::new(USUAL_FOLDER) && !folder.exists() {
        return Ok(Vec::new());
    }
    let items = std::fs::read_dir(folder).map_err(|error| {
        CommandError::from_error(Exit::Usage, error)
            .context(format!("cannot read {}", folder.display()))
            .with_hint("`lydian run` makes run folders in runs/")
    })?;
    let mut folders: Vec<PathBuf> = items
        .filter_map(Result::ok)
        .map(|item| item.path())
        .filter(|path| path.join(JOURNAL_FILE).is_file() || path.join(CARD_FILE).is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

fn listed(folder: PathBuf) -> Run {
    if folder.join(DIALECT_REPORT_FILE).is_file() {
        let problem = format!(
            "dialect items; see `lydian dialect report {}`",
            crate::files::quoted(&folder)
        );
        return described(folder, None, Some(problem));
    }
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

/// Columns that every run leaves empty are left out.
fn table(runs: &[Run]) -> Table {
    let mut table = table::new(WIDTH);
    let remarks = runs.iter().any(|run| run.problem.is_some());
    let mut header = vec![
        "run", "method", "model", "corpus", "entries", "chrF++", "coverage",
    ];
    header.extend(remarks.then_some("remark"));
    table.set_header(header);
    let text = |value: &Option<String>| Cell::new(value.as_deref().unwrap_or(number::MISSING));
    let right = |value: String| Cell::new(value).set_alignment(CellAlignment::Right);
    for run in runs {
        let name = run.folder.file_name().unwrap_or(run.folder.as_os_str());
        let mut row = vec![
            Cell::new(Path::new(name).display()),
            text(&run.method_id),
            text(&run.model_slug),
            text(&run.dataset),
            right(
                run.entries
                    .map_or_else(|| number::MISSING.to_owned(), number::count),
            ),
            right(number::points(run.chrf_plus_plus)),
            right(number::percent(run.coverage)),
        ];
        row.extend(remarks.then(|| Cell::new(run.problem.as_deref().unwrap_or_default())));
        table.add_row(row);
    }
    table
}
