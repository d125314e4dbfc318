//! `lydian runs diff`: in what two runs differ.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lydian_harness::journal::{Contents, Journal};
use lydian_model::{EntryId, Prediction};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::execute::journal_error;
use crate::output::Context;
use crate::plan::difference::differences;

/// How many entries are listed for people.
const LISTED: usize = 10;

/// Arguments of `lydian runs diff`.
#[derive(Args)]
#[command(after_help = "\
Says which parts of the setup differ and which entries were answered otherwise. Whether one run is better than the
other is the question of `lydian compare`.

Example:
  lydian runs diff runs/one runs/other")]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "LEFT")]
    left: PathBuf,
    /// Run folder
    #[arg(value_name = "RIGHT")]
    right: PathBuf,
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
        context.print(&text(&diff))?;
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
    for (id, prediction) in &on_left {
        let Some(other) = on_right.get(id) else { continue };
        let (left, right) = (answer(prediction), answer(other));
        if left == right {
            same_outputs += 1;
        } else {
            different.push(Otherwise {
                entry_id: id.clone(),
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

fn missing(here: &BTreeMap<EntryId, Prediction>, there: &BTreeMap<EntryId, Prediction>) -> Vec<EntryId> {
    here.keys()
        .filter(|id| !there.contains_key(id))
        .cloned()
        .collect()
}

fn text(diff: &Diff) -> String {
    let mut text = String::new();
    if diff.setup.is_empty() {
        text.push_str("the setups are the same\n");
    }
    for field in &diff.setup {
        text.push_str(&format!(
            "{}\n  - {}\n  + {}\n",
            field.field, field.left, field.right
        ));
    }
    text.push_str(&format!(
        "\n{} entries answered alike, {} otherwise, {} only on the left, {} only on the right\n",
        diff.same_outputs,
        diff.different.len(),
        diff.only_left.len(),
        diff.only_right.len()
    ));
    for entry in diff.different.iter().take(LISTED) {
        text.push_str(&format!(
            "entry {}\n  - {} {}\n  + {} {}\n",
            entry.entry_id,
            entry.left.outcome,
            one_line(&entry.left.output),
            entry.right.outcome,
            one_line(&entry.right.output)
        ));
    }
    if diff.different.len() > LISTED {
        text.push_str(&format!(
            "… and {} more; --json lists them\n",
            diff.different.len() - LISTED
        ));
    }
    text
}

/// Control characters could move the cursor or hide text on a terminal.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}
