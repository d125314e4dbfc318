//! `lydian runs diff`: in what two runs differ.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lydian_harness::journal::{Contents, Journal};
use lydian_metrics::chrf::Chrf;
use lydian_metrics::{Corpus, Metric, Numeric};
use lydian_model::{EntryId, Prediction, Score};
use lydian_report::number::{self, counted};
use lydian_report::tame::tame;
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::execute::journal_error;
use crate::natural_order::natural_order;
use crate::output::Context;
use crate::plan::difference::differences;

/// Arguments of `lydian runs diff`.
#[derive(Args)]
#[command(after_help = "\
Says which parts of the setup differ and how many entries were answered otherwise, and shows the answers that differ
most. Whether one run is better than the other is the question of `lydian compare`.

Examples:
  lydian runs diff runs/one runs/other
  lydian runs diff runs/one runs/other --all        every entry, in the order of the ids")]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "LEFT")]
    left: PathBuf,
    /// Run folder
    #[arg(value_name = "RIGHT")]
    right: PathBuf,
    /// How many of the answers that differ most are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    largest: usize,
    /// Show every answer that differs, in the order of the ids
    #[arg(long, conflicts_with = "largest")]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Diff {
    schema: &'static str,
    setup: Vec<SetupField>,
    same_outputs: usize,
    different: Vec<Otherwise>,
    only_left: Vec<EntryId>,
    only_right: Vec<EntryId>,
}

#[derive(Serialize)]
struct SetupField {
    field: String,
    left: String,
    right: String,
}

#[derive(Serialize)]
struct Otherwise {
    entry_id: EntryId,
    /// chrF++ of the right output with the left one as reference: 100 are equal texts.
    likeness: Option<Score>,
    left: Answer,
    right: Answer,
}

#[derive(PartialEq, Eq, Serialize)]
struct Answer {
    outcome: &'static str,
    output: String,
}

/// Compares the journals.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let left = Journal::read(&arguments.left).map_err(journal_error)?;
    let right = Journal::read(&arguments.right).map_err(journal_error)?;
    let diff = diff(&left, &right);
    if arguments.json {
        context.print_json(&diff)?;
    } else {
        let shown = if arguments.all {
            Shown::All
        } else {
            Shown::Largest(arguments.largest)
        };
        context.print(&text(&diff, shown))?;
    }
    Ok(Exit::Done)
}

fn diff(left: &Contents, right: &Contents) -> Diff {
    let setup = differences(&left.setup, &right.setup)
        .into_iter()
        .map(|one| SetupField {
            field: one.field,
            left: one.left,
            right: one.right,
        });
    let (on_left, on_right) = (left.predictions(), right.predictions());
    let mut same_outputs = 0;
    let mut different = Vec::new();
    let mut shared: Vec<&EntryId> = on_left.keys().filter(|id| on_right.contains_key(id)).collect();
    shared.sort_by(|one, other| natural_order(one.as_str(), other.as_str()));
    for id in shared {
        let (prediction, other) = (&on_left[id], &on_right[id]);
        let (left, right) = (answer(prediction), answer(other));
        if left == right {
            same_outputs += 1;
        } else {
            different.push(Otherwise {
                entry_id: id.clone(),
                likeness: likeness(&left.output, &right.output),
                left,
                right,
            });
        }
    }
    Diff {
        schema: "lydian.runs-diff/1",
        setup: setup.collect(),
        same_outputs,
        different,
        only_left: missing(&on_left, &on_right),
        only_right: missing(&on_right, &on_left),
    }
}

fn answer(prediction: &Prediction) -> Answer {
    Answer {
        outcome: prediction.outcome.name(),
        output: prediction.output.clone(),
    }
}

/// Returns how alike two outputs are.
fn likeness(left: &str, right: &str) -> Option<Score> {
    if left == right {
        return Score::new(100.0);
    }
    let pair = Corpus::new(&[right], &[[left]]).ok()?;
    Score::new(Chrf::plus_plus().corpus_score(&pair, Numeric::Exact))
}

fn missing(here: &BTreeMap<EntryId, Prediction>, there: &BTreeMap<EntryId, Prediction>) -> Vec<EntryId> {
    let mut missing: Vec<EntryId> = here
        .keys()
        .filter(|id| !there.contains_key(id))
        .cloned()
        .collect();
    missing.sort_by(|one, other| natural_order(one.as_str(), other.as_str()));
    missing
}

/// Which answers are shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// Every one, in the order of the ids.
    All,
    /// The ones that are least alike, at most so many.
    Largest(usize),
}

impl Diff {
    fn shown(&self, shown: Shown) -> Vec<&Otherwise> {
        let mut chosen: Vec<&Otherwise> = self.different.iter().collect();
        if let Shown::Largest(most) = shown {
            let likeness = |entry: &Otherwise| entry.likeness.map_or(0.0, Score::get);
            chosen.sort_by(|one, other| likeness(one).total_cmp(&likeness(other)));
            chosen.truncate(most);
        }
        chosen
    }
}

fn text(diff: &Diff, shown: Shown) -> String {
    let mut text = String::new();
    if diff.setup.is_empty() {
        text.push_str("the setups are the same\n");
    } else {
        let fields = counted(diff.setup.len() as u64, "field", "fields");
        text.push_str(&format!("the setups differ in {fields} (- left, + right)\n"));
    }
    for field in &diff.setup {
        text.push_str(&format!(
            "{}\n  - {}\n  + {}\n",
            field.field, field.left, field.right
        ));
    }
    text.push_str(&format!(
        "\n{} answered alike, {} otherwise, {} only on the left, {} only on the right\n",
        number::entries(diff.same_outputs as u64),
        diff.different.len(),
        diff.only_left.len(),
        diff.only_right.len()
    ));
    text.push_str(&outcome_changes(diff));
    let entries = diff.shown(shown);
    if shown != Shown::All && !entries.is_empty() {
        text.push_str("\nleast alike (chrF++ of one output with the other as reference)\n");
    }
    for entry in &entries {
        text.push_str(&format!(
            "entry {} ({})\n  - {}\n  + {}\n",
            entry.entry_id,
            number::points(entry.likeness),
            entry.left.line(),
            entry.right.line()
        ));
    }
    let rest = diff.different.len() - entries.len();
    if rest > 0 {
        text.push_str(&format!("… and {rest} more; --all shows them\n"));
    }
    text
}

/// Returns how many entries changed from one outcome to another, a line per change.
fn outcome_changes(diff: &Diff) -> String {
    let mut changes: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for entry in &diff.different {
        if entry.left.outcome != entry.right.outcome {
            *changes
                .entry((entry.left.outcome, entry.right.outcome))
                .or_default() += 1;
        }
    }
    changes
        .iter()
        .map(|((left, right), count)| format!("{} changed from {left} to {right}\n", number::entries(*count)))
        .collect()
}

impl Answer {
    fn line(&self) -> String {
        match (self.outcome, self.output.as_str()) {
            ("ok", output) => tame(output),
            (outcome, "") => format!("[{outcome}]"),
            (outcome, output) => format!("[{outcome}] {}", tame(output)),
        }
    }
}
