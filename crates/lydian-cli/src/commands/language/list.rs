//! `lydian language list`: the languages that have a card.

use std::fmt::Write;

use clap::Args;
use lydian_language::Profile;
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::language_cards::{CardsArguments, Found};
use crate::output::Context;

/// Arguments of `lydian language list`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cards: CardsArguments,
}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    languages: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    language: String,
    name: String,
    scripts: Vec<String>,
    profile: Profile,
    analyser: Option<String>,
    analyser_missing: Option<String>,
    card: Option<String>,
}

/// Prints one line for each language.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let languages: Vec<Row> = arguments.cards.open_all()?.iter().map(row).collect();
    if arguments.json {
        context.print_json(&List {
            schema: "lydian.language-list/1",
            languages,
        })?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for row in languages {
        let analyser = if row.analyser.is_some() { "analyser" } else { "" };
        let profile = if row.profile == Profile::A { "A" } else { "B" };
        // Writing to a string cannot fail.
        let _written = writeln!(
            text,
            "{:<6}{:<18}{:<18}{profile}  {analyser}",
            row.language,
            row.name,
            row.scripts.join(", ")
        );
    }
    context.print(&text)?;
    Ok(Exit::Done)
}

fn row(found: &Found) -> Row {
    let card = &found.language.card;
    let analyser = found.language.analyser();
    Row {
        language: card.language.clone(),
        name: card.name().to_owned(),
        scripts: card.scripts.clone(),
        profile: card.profile(),
        analyser: analyser.as_ref().ok().map(|found| found.version()),
        analyser_missing: analyser.err().map(str::to_owned),
        card: found.file.as_ref().map(|file| file.display().to_string()),
    }
}
