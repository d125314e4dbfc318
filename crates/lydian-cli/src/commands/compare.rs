//! `lydian compare`: runs on the same corpus, with paired significance.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lydian_model::RunCard;
use lydian_scoring::compare::{Comparison, Incomplete, Refusal, compare};

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

mod markdown;
mod text;

/// Arguments of `lydian compare`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian compare runs/baseline runs/coached
  lydian compare runs/baseline runs/a runs/b --format markdown
  lydian compare runs/published runs/mine --reproduction     exit code 10 if they differ by more than 2 %

The first run is the baseline. All runs have to be about the same corpus file and scored alike; otherwise the
comparison is refused with exit code 3.")]
pub(crate) struct Arguments {
    /// Run folders or run cards; the first one is the baseline
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Leave out entries without an answer instead of refusing incomplete runs
    #[arg(long)]
    allow_incomplete: bool,
    /// Exit with code 10 unless every run reproduces the first: composite and chrF++ within 2 %
    #[arg(long)]
    reproduction: bool,
    /// How to print the comparison
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How a comparison is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for a terminal
    #[default]
    Text,
    /// Tables to paste into a document
    Markdown,
}

/// Compares the runs.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let cards = arguments
        .runs
        .iter()
        .map(|path| documents::read_card(path))
        .collect::<CommandResult<Vec<RunCard>>>()?;
    let incomplete = if arguments.allow_incomplete {
        Incomplete::LeaveOut
    } else {
        Incomplete::Refuse
    };
    let cards: Vec<&RunCard> = cards.iter().collect();
    let comparison = compare(&cards, incomplete).map_err(refused)?;
    for warning in &comparison.warnings {
        context.warning(warning);
    }
    if arguments.json {
        context.print_json(&comparison)?;
    } else {
        context.print(&match arguments.format {
            Format::Text => text::render(&comparison),
            Format::Markdown => markdown::render(&comparison),
        })?;
    }
    let reproduced = comparison.systems.iter().all(|system| system.reproduction.agrees);
    Ok(if arguments.reproduction && !reproduced {
        Exit::GateNotMet
    } else {
        Exit::Done
    })
}

fn refused(refusal: Refusal) -> CommandError {
    let hint = match refusal {
        Refusal::Incomplete { .. } => {
            Some("`lydian resume` asks for the missing answers; --allow-incomplete leaves those entries out")
        }
        Refusal::OtherCorpus { .. } => Some("run both methods over the same corpus file"),
        Refusal::OtherSignature { .. } => {
            Some("`lydian runs rescore` scores an older run as this program does")
        }
        Refusal::OtherText { .. } => Some("`lydian card verify … --corpus FILE` says which card was changed"),
        Refusal::TooFewRuns | Refusal::NothingShared | Refusal::Unscorable(_) => None,
    };
    let exit = match refusal {
        Refusal::TooFewRuns => Exit::Usage,
        _ => Exit::InvalidDocument,
    };
    let error = CommandError::from_error(exit, refusal);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Returns the names by which runs are told apart: A for the baseline, then B, C and so on.
fn letter(index: usize) -> String {
    u8::try_from(index).ok().filter(|&index| index < 26).map_or_else(
        || format!("run {}", index + 1),
        |index| char::from(b'A' + index).to_string(),
    )
}

/// Returns a line per run: its letter, method, model, label and hash.
fn runs(comparison: &Comparison) -> Vec<[String; 3]> {
    std::iter::once(&comparison.baseline)
        .chain(comparison.systems.iter().map(|system| &system.run))
        .enumerate()
        .map(|(index, run)| {
            let hash: String = run.run_card_hash.chars().take(12).collect();
            let label = format!("{} · {} · {}", run.method, run.model_slug, run.condition);
            [letter(index), label, hash]
        })
        .collect()
}

/// Returns a number with two decimals for 0–100 scores and four for shares.
fn digits(metric: &str) -> usize {
    if ["chrf_plus_plus", "bleu", "ter"].contains(&metric) {
        2
    } else {
        4
    }
}

/// Returns the sentence that says what was compared and how.
fn heading(comparison: &Comparison) -> String {
    format!(
        "{} entries of {} {} · {}, {} trials · {} · p corrected: {}",
        comparison.entries,
        comparison.dataset.id,
        comparison.dataset.version,
        comparison.test.name,
        comparison.test.trials,
        comparison.test.interval,
        comparison.test.correction,
    )
}
