//! `lydian explain`: what the codes and names in cards, reports and messages mean.

use std::sync::LazyLock;

use clap::Args;

use lydian_report::table::hanging;
use lydian_report::terminal::Width;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

#[cfg(test)]
mod tests;

/// Columns that explanations take.
const WIDTH: Width = Width(110);

/// A name may be meant where one slip of the pen or less comes on so many letters.
const LETTERS_PER_SLIP: usize = 4;

/// Arguments of `lydian explain`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian explain 5
  lydian explain source_copy
  lydian explain tier            everything about tiers
  lydian explain                 lists everything

Exit codes, outcomes, metrics, tiers, caveats, notes, classes, findings of detectors, checks of corpora and cards: whatever
name a card, a report or a message prints.")]
pub(crate) struct Arguments {
    /// Name or code; without one, all are listed
    name: Option<String>,
}

/// A name with its meaning. A name may stand in several groups: `truncated` is an outcome and a planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Topic {
    group: &'static str,
    name: &'static str,
    text: &'static str,
}

static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let mut group = "";
    let mut topics = Vec::new();
    for line in include_str!("explain/topics.txt").lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            group = heading;
        } else if let Some((name, text)) = line.split_once(": ") {
            topics.push(Topic { group, name, text });
        }
    }
    topics
});

/// Says whether a name has an explanation.
pub(crate) fn explains(name: &str) -> bool {
    TOPICS.iter().any(|topic| topic.name == name)
}

/// Prints the explanation.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let text = match &arguments.name {
        None => listed(&TOPICS.iter().copied().collect::<Vec<_>>()),
        Some(name) => explained(name)?,
    };
    context.print(&text)?;
    Ok(Exit::Done)
}

fn explained(name: &str) -> CommandResult<String> {
    for wanted in forms(name) {
        let named = TOPICS.iter().filter(|topic| folded(topic.name) == wanted);
        let group: Vec<Topic> = TOPICS
            .iter()
            .filter(|topic| is_group(topic.group, &wanted))
            .copied()
            .collect();
        // What a listed group explains is not said twice.
        let mut text: String = named
            .filter(|topic| !group.contains(topic))
            .map(|topic| {
                hanging(
                    &format!("{} ({}): ", topic.name, topic.group),
                    topic.text,
                    4,
                    WIDTH,
                )
            })
            .collect();
        if !group.is_empty() {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&listed(&group));
        }
        if !text.is_empty() {
            return Ok(text);
        }
    }
    Err(unknown(name))
}

/// The forms under which a name is looked for: as it stands, without what stands in brackets behind it, and, since cards
/// print `exact match` for short, as a rate.
fn forms(name: &str) -> [String; 3] {
    let plain = name.split(" (").next().unwrap_or(name);
    [folded(name), folded(plain), format!("{}_rate", folded(plain))]
}

/// Names are found whatever their case and whether spaces, hyphens or underscores join their words.
fn folded(name: &str) -> String {
    match name.trim().to_lowercase().replace([' ', '-'], "_").as_str() {
        "chrf++" => "chrf_plus_plus".to_owned(),
        "source_as_output" | "copy" => "floor".to_owned(),
        other => other.to_owned(),
    }
}

/// A group is found by its heading or its first word, in the plural too.
fn is_group(group: &str, wanted: &str) -> bool {
    let heading = folded(group);
    let singular = wanted.strip_suffix('s').unwrap_or(wanted);
    heading == wanted || heading == singular || heading.split('_').next() == Some(singular)
}

fn listed(topics: &[Topic]) -> String {
    let mut text = String::new();
    let mut group = "";
    for topic in topics {
        if topic.group != group {
            let gap = if group.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{}\n", topic.group));
            group = topic.group;
        }
        let head = format!("  {:<24}  ", topic.name);
        text.push_str(&hanging(&head, topic.text, head.chars().count(), WIDTH));
    }
    text
}

fn unknown(name: &str) -> CommandError {
    let wanted = folded(name);
    let nearest = TOPICS
        .iter()
        .map(|topic| {
            (
                strsim::damerau_levenshtein(&wanted, &folded(topic.name)),
                topic.name,
            )
        })
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| distance * LETTERS_PER_SLIP <= wanted.chars().count());
    let error = CommandError::new(Exit::Usage, format!("nothing is called {name:?}"));
    match nearest {
        Some((_, name)) => error.with_hint(format!("did you mean {name}? `lydian explain` lists everything")),
        None => error.with_hint("`lydian explain` lists everything"),
    }
}
