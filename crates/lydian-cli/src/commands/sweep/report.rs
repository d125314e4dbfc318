//! `lydian sweep report`: the matrix of a sweep as a page, tables or data.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lydian_report::sweep::{Format as Written, report};
use lydian_report::tame::tame_json;
use lydian_report::terminal::Width;

use crate::error::{CommandResult, Exit};
use crate::files;
use crate::output::Context;
use crate::sweep::folder::SweepFolder;
use crate::sweep::{matrix, progress, write_report};

/// Arguments of `lydian sweep report`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian sweep report sweeps/first                       writes sweeps/first/report.html
  lydian sweep report sweeps/first --format csv > runs.csv
  lydian sweep report sweeps/first --format latex --out tables.tex
  lydian sweep report sweeps/first --across temperature --down model")]
pub(crate) struct Arguments {
    /// Folder of the sweep
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How to write the matrix
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// File to write; without it HTML goes into the folder, everything else to standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Axis of the heat map from left to right
    #[arg(long, value_name = "AXIS", requires = "down")]
    across: Option<String>,
    /// Axis of the heat map from top to bottom
    #[arg(long, value_name = "AXIS", requires = "across")]
    down: Option<String>,
    /// Print the matrix as one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How a matrix is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One page that works offline
    #[default]
    Html,
    /// Tables for a terminal
    Text,
    /// Tables to paste into a document
    Markdown,
    /// Tables for a paper, with booktabs
    Latex,
    /// One row per run
    Csv,
    /// Everything
    Json,
}

/// Writes the matrix.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let (folder, index) = SweepFolder::open(&arguments.folder)?;
    let axes = arguments.across.clone().zip(arguments.down.clone());
    let (matrix, mut exit) = matrix::of(&folder, &index, axes)?.told(context);
    for problem in progress::damaged(&progress::of(&folder, &index)) {
        context.warning(&problem);
        exit = Exit::InvalidDocument;
    }
    let format = if arguments.json {
        Format::Json
    } else {
        arguments.format
    };
    let written = match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(&matrix).map_err(std::io::Error::from)?;
            tame_json(&text).into_owned() + "\n"
        }
        Format::Html if arguments.out.is_none() => {
            let page = write_report(&folder, &matrix)?;
            context.print(&format!("{}\n", page.display()))?;
            return Ok(exit);
        }
        Format::Html => report(&matrix, Written::Html),
        Format::Text => report(&matrix, Written::Terminal(Width(140))),
        Format::Markdown => report(&matrix, Written::Markdown),
        Format::Latex => report(&matrix, Written::Latex),
        Format::Csv => report(&matrix, Written::Csv),
    };
    match &arguments.out {
        Some(out) => {
            files::write_atomically(out, written.as_bytes())?;
            context.print(&format!("{}\n", out.display()))?;
        }
        None if format == Format::Text => context.print(&written)?,
        None => context.print_data(&written)?,
    }
    Ok(exit)
}
