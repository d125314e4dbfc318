//! `lydian report`: one or several run cards as one HTML page.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::sweep::folder::{INDEX_FILE, SweepFolder};
use crate::{documents, files, report_page, sweep};

/// Arguments of `lydian report`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian report runs/20261130T101500Z-1f0c3a     writes report.html into that folder
  lydian report a/run-card.json b/run-card.json --out both.html
  lydian report sweeps/first                     the matrix of a sweep

The page is one file, asks nothing of the network, and is readable without scripts.")]
pub(crate) struct Arguments {
    /// Run folders or run cards, several are shown side by side; or the folder of a sweep
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// File to write; for one run `report.html` beside its card
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object that names the file
    #[arg(long)]
    json: bool,
}

/// Writes the page of a whole sweep.
fn of_sweep(arguments: &Arguments, path: &Path, context: &Context) -> CommandResult {
    let (folder, index) = SweepFolder::open(path)?;
    let (matrix, exit) = sweep::matrix::of(&folder, &index, None)?.told(context);
    let report = match &arguments.out {
        None => sweep::write_report(&folder, &matrix)?,
        Some(out) => {
            let page = lydian_report::sweep::report(&matrix, lydian_report::sweep::Format::Html);
            files::write_atomically(out, page.as_bytes())?;
            out.clone()
        }
    };
    if arguments.json {
        context.print_json(&Written {
            schema: "lydian.report/1",
            report: &report,
            runs: index.runs.len(),
        })?;
    } else {
        context.print(&format!("{}\n", report.display()))?;
    }
    Ok(exit)
}

/// What `--json` prints.
#[derive(serde::Serialize)]
struct Written<'paths> {
    schema: &'static str,
    report: &'paths std::path::Path,
    runs: usize,
}

/// Writes the page.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    if let [only] = arguments.runs.as_slice()
        && only.join(INDEX_FILE).is_file()
    {
        return of_sweep(arguments, only, context);
    }
    let cards = arguments
        .runs
        .iter()
        .map(|path| documents::read_card(path))
        .collect::<CommandResult<Vec<_>>>()?;
    let out = match (&arguments.out, arguments.runs.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [only]) => documents::card_path(only).with_file_name("report.html"),
        (None, _) => {
            return Err(CommandError::new(Exit::Usage, "several runs need --out FILE")
                .with_hint("for example `lydian report a b --out both.html`"));
        }
    };
    let pairs: std::collections::BTreeSet<&str> =
        cards.iter().map(|card| card.dataset.sha256.as_str()).collect();
    if pairs.len() > 1 {
        context.warning("the runs are about different corpora: their scores cannot be compared");
    }
    // A run of `copy` is the floor already.
    let shows_floor = cards.iter().any(|card| card.method_id == "copy");
    let floor = cards
        .first()
        .filter(|_| !shows_floor)
        .and_then(report_page::floor);
    files::write_atomically(&out, report_page::page(&cards, floor.as_ref()).as_bytes())?;
    if arguments.json {
        let written = Written {
            schema: "lydian.report/1",
            report: &out,
            runs: cards.len(),
        };
        context.print_json(&written)?;
    } else {
        context.print(&format!("{}\n", out.display()))?;
    }
    Ok(Exit::Done)
}
