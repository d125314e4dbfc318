//! `lydian compare`: runs on the same corpus, with paired significance.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lydian_model::RunCard;
use lydian_report::number;
use lydian_scoring::compare::{Comparison, Incomplete, MetricComparison, Refusal, RunSummary, compare};

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::{documents, files};

mod markdown;
mod text;

/// Arguments of `lydian compare`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian compare runs/floor runs/engine
  lydian compare runs/engine runs/coached runs/tuned --format markdown
  lydian compare runs/published runs/mine --reproduction     exit code 10 if they differ by more than 2 %

Every other run is compared with the first one, which stands in the tables as A. All runs have to be about the same corpus file and scored alike; otherwise the
comparison is refused with exit code 3.")]
pub(crate) struct Arguments {
    /// Run folders or run cards; the others are compared with the first one
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
    let comparison = compare(&cards, incomplete).map_err(|refusal| {
        let incomplete = cards
            .iter()
            .zip(&arguments.runs)
            .find(|(card, _)| matches!(&refusal, Refusal::Incomplete { run, .. } if *run == card.run_id))
            .map(|(_, path)| path.as_path());
        refused(refusal, incomplete)
    })?;
    for warning in &comparison.warnings {
        context.warning(warning);
    }
    if arguments.json {
        context.print_json(&comparison)?;
    } else {
        context.print(&match arguments.format {
            Format::Text => text::render(&comparison, &arguments.runs),
            Format::Markdown => markdown::render(&comparison, &arguments.runs),
        })?;
    }
    let reproduced = comparison.systems.iter().all(|system| system.reproduction.agrees);
    Ok(if arguments.reproduction && !reproduced {
        Exit::GateNotMet
    } else {
        Exit::Done
    })
}

/// Returns the error of a comparison that is not made; `incomplete` is the path of the run that is.
fn refused(refusal: Refusal, incomplete: Option<&Path>) -> CommandError {
    let hint = match refusal {
        Refusal::Incomplete { .. } => Some(format!(
            "`lydian resume {}` asks for the missing answers; --allow-incomplete leaves those entries out",
            incomplete.map_or_else(|| "RUN".to_owned(), files::quoted)
        )),
        Refusal::OtherCorpus { .. } => Some("run both methods over the same corpus file".to_owned()),
        Refusal::OtherSignature { .. } => {
            Some("`lydian runs rescore` scores an older run as this program does".to_owned())
        }
        Refusal::OtherText { .. } => {
            Some("`lydian card verify … --corpus FILE` says which card was changed".to_owned())
        }
        Refusal::TooFewRuns | Refusal::NothingShared | Refusal::Unscorable(_) => None,
    };
    let exit = match refusal {
        Refusal::TooFewRuns => Exit::Usage,
        _ => Exit::InvalidDocument,
    };
    CommandError::from_error(exit, refusal).with_some_hint(hint)
}

/// Returns the letter of a run in tables: A for the first, to which the others are compared, then B, C and so on.
fn letter(index: usize) -> String {
    u8::try_from(index).ok().filter(|&index| index < 26).map_or_else(
        || format!("run {}", index + 1),
        |index| char::from(b'A' + index).to_string(),
    )
}

/// A run as the legend names it.
struct Named {
    letter: String,
    /// The path as the user gave it, and what tells this run from the others.
    label: String,
    /// The beginning of the card's hash.
    hash: String,
}

/// Returns the runs in order. Beside its path a run is called by its method, and by model and condition where the runs
/// differ in them: a word that all share tells nothing.
fn runs(comparison: &Comparison, paths: &[PathBuf]) -> Vec<Named> {
    let summaries: Vec<&RunSummary> = std::iter::once(&comparison.baseline)
        .chain(comparison.systems.iter().map(|system| &system.run))
        .collect();
    let differ = |part: fn(&RunSummary) -> &str| summaries.iter().any(|run| part(run) != part(summaries[0]));
    let models_differ = differ(|run| &run.model_slug);
    let conditions_differ = differ(|run| &run.condition);
    summaries
        .iter()
        .zip(paths)
        .enumerate()
        .map(|(index, (run, path))| {
            let mut label = format!("{} · {}", path.display(), run.method);
            if models_differ {
                label.push_str(&format!(" · {}", run.model_slug));
            }
            if conditions_differ {
                label.push_str(&format!(" · condition {}", run.condition));
            }
            Named {
                letter: letter(index),
                label,
                hash: run.run_card_hash.chars().take(12).collect(),
            }
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
        "{} of {} {} · {}, {} trials · {} · p corrected: {}",
        number::entries(comparison.entries),
        comparison.dataset.id,
        comparison.dataset.version,
        comparison.test.name,
        comparison.test.trials,
        comparison.test.interval,
        comparison.test.correction,
    )
}

/// Returns the interval of a difference, or a dash.
fn interval(metric: &MetricComparison) -> String {
    let places = digits(&metric.metric);
    match (metric.lower, metric.upper) {
        (Some(lower), Some(upper)) => format!("{:+.places$} … {:+.places$}", lower.get(), upper.get()),
        _ => number::MISSING.to_owned(),
    }
}

/// Returns the detectable difference, or a dash; where nothing varies, none can be stated.
fn detectable(metric: &MetricComparison) -> String {
    let places = digits(&metric.metric);
    let stated = metric
        .detectable_difference
        .filter(|difference| difference.get() > 0.0);
    stated.map_or_else(
        || number::MISSING.to_owned(),
        |difference| format!("{:.places$}", difference.get()),
    )
}
