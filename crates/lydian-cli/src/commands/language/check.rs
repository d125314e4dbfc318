//! `lydian language check`: cards with every file they name.

use std::path::PathBuf;

use clap::Args;
use lydian_language::{Language, SelfTestVerdict};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::language_cards::{self, CardsArguments};
use crate::output::Context;

/// Arguments of `lydian language check`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian language check crk
  lydian language check languages/*/card.toml

Exits 0 when every card is valid and every file it names works, 3 when one is not.")]
pub(crate) struct Arguments {
    /// Tags of languages, or files of cards; without one, every card is checked
    #[arg(value_name = "TAG|FILE")]
    what: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cards: CardsArguments,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    valid: bool,
    cards: Vec<CardReport>,
}

#[derive(Serialize)]
struct CardReport {
    name: String,
    problems: Vec<String>,
    notes: Vec<String>,
}

/// Checks the cards and prints what is wrong.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let mut cards = Vec::new();
    if arguments.what.is_empty() {
        for found in arguments.cards.open_all()? {
            cards.push(report(found.language.card.language.clone(), &found.language));
        }
    }
    for what in &arguments.what {
        let is_file = what.contains(['/', '\\', '.']);
        let opened = if is_file {
            language_cards::open_file(&PathBuf::from(what))
        } else {
            arguments.cards.open(what).map(|found| found.language)
        };
        cards.push(match opened {
            Ok(language) => report(what.clone(), &language),
            Err(error) if error.exit() == Exit::InvalidDocument => CardReport {
                name: what.clone(),
                problems: vec![error.to_string()],
                notes: Vec::new(),
            },
            Err(error) => return Err(error),
        });
    }
    let valid = cards.iter().all(|card| card.problems.is_empty());
    let exit = if valid { Exit::Done } else { Exit::InvalidDocument };
    if arguments.json {
        context.print_json(&Report {
            schema: "lydian.language-check/1",
            valid,
            cards,
        })?;
        return Ok(exit);
    }
    for card in &cards {
        for note in &card.notes {
            context.note(&format!("{}: {note}", card.name));
        }
        let lines: Vec<String> = match card.problems.len() {
            0 => vec![format!("{}: valid", card.name)],
            _ => card
                .problems
                .iter()
                .map(|problem| format!("{}: {problem}", card.name))
                .collect(),
        };
        context.print(&(lines.join("\n") + "\n"))?;
    }
    Ok(exit)
}

fn report(name: String, language: &Language) -> CardReport {
    let mut problems: Vec<String> = language.problems().to_vec();
    let mut notes = Vec::new();
    if !language.has_card {
        problems.push("there is no card for this language".to_owned());
    }
    match (&language.card.analyser, language.analyser()) {
        (Some(_), Ok(analyser)) => problems.extend(verdict(&analyser.self_test())),
        (Some(card), Err(why)) if card.file.is_some() => problems.push(why.to_owned()),
        (Some(_), Err(why)) => notes.push(why.to_owned()),
        (None, _) => {}
    }
    if let (Some(_), Err(why)) = (&language.card.glossary, language.glossary()) {
        problems.push(why.to_owned());
    }
    CardReport {
        name,
        problems,
        notes,
    }
}

/// Returns what the self test found wrong, in words.
pub(super) fn verdict(found: &SelfTestVerdict) -> Option<String> {
    match found {
        SelfTestVerdict::Works => None,
        SelfTestVerdict::Generator => Some(
            "the analyser is a generator: it reads analyses and rejects words; take the file for analysis"
                .to_owned(),
        ),
        SelfTestVerdict::Dead => Some(
            "the analyser accepts none of the words of its self test: is it for this language and script?"
                .to_owned(),
        ),
        SelfTestVerdict::Differs { rejected, accepted } => {
            let mut parts = Vec::new();
            if !rejected.is_empty() {
                parts.push(format!("rejects {}", rejected.join(", ")));
            }
            if !accepted.is_empty() {
                parts.push(format!("accepts {}", accepted.join(", ")));
            }
            Some(format!(
                "the analyser differs from its self test: it {}",
                parts.join(" and ")
            ))
        }
    }
}
