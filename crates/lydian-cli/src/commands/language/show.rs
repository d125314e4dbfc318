//! `lydian language show`: what a language has, what is missing, and why.

use std::fmt::Write;

use clap::Args;
use lydian_language::{Card, Profile};
use serde::Serialize;

use super::availability::{self, Availability};
use crate::error::{CommandResult, Exit};
use crate::language_cards::{CardsArguments, similar_languages};
use crate::output::Context;

/// Arguments of `lydian language show`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian language show crk
  lydian language show fin --json | jq '.metrics[] | select(.available | not)'")]
pub(crate) struct Arguments {
    /// BCP 47 tag of the language
    tag: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cards: CardsArguments,
}

#[derive(Serialize)]
struct Shown<'l> {
    schema: &'static str,
    has_card: bool,
    file: Option<String>,
    card: &'l Card,
    metrics: Vec<Availability>,
    problems: &'l [String],
}

/// Prints the language.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let found = arguments.cards.open(&arguments.tag)?;
    let card = &found.language.card;
    let shown = Shown {
        schema: "lydian.language/1",
        has_card: found.language.has_card,
        file: found.file.as_ref().map(|file| file.display().to_string()),
        metrics: availability::of(&found.language),
        problems: found.language.problems(),
        card,
    };
    if arguments.json {
        context.print_json(&shown)?;
        return Ok(Exit::Done);
    }
    context.print(&text(&shown))?;
    Ok(Exit::Done)
}

/// A language without a card is no error: what needs no card works, and the rest can be added.
fn without_card(card: &Card, metrics: &[Availability]) -> String {
    let tag = &card.language;
    let list = |available: bool| {
        let names = metrics.iter().filter(|metric| metric.available == available);
        names.map(|metric| metric.metric).collect::<Vec<_>>().join(", ")
    };
    let similar = similar_languages(tag);
    let similar = if similar.is_empty() {
        String::new()
    } else {
        format!("\nDid you mean {}?\n", similar.join(", "))
    };
    format!(
        "{tag}: there is no card for this language\n{similar}\n\
         Runs into it work all the same. Measured are chrF++, chrF, BLEU, TER, exact match and what needs no card:\n  \
         {}\nMissing without a card:\n  {}\n\n\
         The guide \"Add a language\" says how to write languages/{tag}/card.toml; \
         `lydian language list` shows the languages that have one.\n",
        list(true),
        list(false)
    )
}

fn text(shown: &Shown<'_>) -> String {
    let card = shown.card;
    let mut lines = vec![format!("{} ({})", card.name(), card.language)];
    lines.push(match (&shown.file, shown.has_card) {
        (Some(file), _) => format!("card      {file}"),
        (None, true) => "card      part of the program".to_owned(),
        (None, false) => return without_card(card, &shown.metrics),
    });
    let profile = if card.profile() == Profile::A {
        "A (with analyser)"
    } else {
        "B (without analyser)"
    };
    lines.push(format!("scripts   {}", card.scripts.join(", ")));
    lines.push(format!("profile   {profile}"));
    if let Some(analyser) = &card.analyser {
        lines.push(format!(
            "analyser  {}, licence {}",
            analyser.published_at, analyser.licence
        ));
    }
    let mut text = lines.join("\n") + "\n\n";
    for metric in &shown.metrics {
        let state = if metric.available { "yes" } else { "no" };
        // Writing to a string cannot fail.
        let _written = writeln!(text, "{:<24}{state:<5}{}", metric.metric, metric.with);
    }
    for note in card.notes.iter().chain(shown.problems) {
        let _written = writeln!(text, "\nnote: {note}");
    }
    text
}
