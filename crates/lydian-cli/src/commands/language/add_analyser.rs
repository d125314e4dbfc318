//! `lydian language add-analyser`: check an analyser, and pin it in the card of a language.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_language::{Analyser, Card, SelfTestVerdict, hex_sha256};

use super::check::verdict;
use super::pinned;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::language_cards::CardsArguments;
use crate::output::Context;

/// Arguments of `lydian language add-analyser`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian language add-analyser crk crk-strict-analyzer.hfstol --analyser-version fst-v2021.7.8

The file is checked with the words the card lists, copied beside the card and pinned by its SHA-256.
A card of the program is copied into the folder of cards first. Nothing is fetched.")]
pub(crate) struct Arguments {
    /// BCP 47 tag of the language
    tag: String,
    /// A .hfstol file or .zhfst archive
    file: PathBuf,
    /// The version, as its publisher calls it
    #[arg(long, value_name = "TEXT")]
    analyser_version: Option<String>,
    /// Add it although it differs from its self test in some words
    #[arg(long)]
    accept_differences: bool,
    #[command(flatten)]
    cards: CardsArguments,
}

/// Checks the file and writes the card.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let found = arguments.cards.open(&arguments.tag)?;
    let mut card = found.language.card.clone();
    let Some(named) = &mut card.analyser else {
        return Err(CommandError::new(
            Exit::Usage,
            format!("the card of {} names no analyser", arguments.tag),
        )
        .with_hint("add an [analyser] table with published_at, licence, tags and self_test to the card"));
    };
    let bytes = files::read(&arguments.file)?;
    named.sha256 = None;
    let analyser = Analyser::open(bytes.clone(), named).map_err(|error| {
        CommandError::new(
            Exit::InvalidDocument,
            format!("{}: {error}", arguments.file.display()),
        )
    })?;
    test(&analyser, arguments, context)?;
    let name = file_name(&arguments.file)?;
    named.file = Some(name.clone());
    named.sha256 = Some(hex_sha256(&bytes));
    if let Some(version) = &arguments.analyser_version {
        named.version = Some(version.clone());
    }
    let place = pinned::place(&found, &arguments.tag, &arguments.cards)?;
    files::write_atomically(&place.folder.join(&name), &bytes)?;
    let text = pinned::text(&card, found.file.as_deref(), |text| {
        with_pinned_analyser(text, &card)
    })?;
    files::write_atomically(&place.card, text.as_bytes())?;
    context.print(&format!(
        "{}: analyser {} added, sha256 {}\n",
        place.card.display(),
        name,
        analyser.sha256()
    ))?;
    Ok(Exit::Done)
}

fn test(analyser: &Analyser, arguments: &Arguments, context: &Context) -> CommandResult<()> {
    let found = analyser.self_test();
    let Some(problem) = verdict(&found) else {
        return Ok(());
    };
    if matches!(found, SelfTestVerdict::Differs { .. }) && arguments.accept_differences {
        context.warning(&problem);
        return Ok(());
    }
    let refused = CommandError::new(
        Exit::InvalidDocument,
        format!("{}: {problem}", arguments.file.display()),
    );
    Err(match found {
        SelfTestVerdict::Differs { .. } => refused.with_hint(
            "if the card's words are wrong for this analyser, correct them or give --accept-differences",
        ),
        _ => refused.with_hint("analysers are usually called …analyser… or …analyzer…; nothing was changed"),
    })
}

fn file_name(file: &Path) -> CommandResult<String> {
    file.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .ok_or_else(|| CommandError::new(Exit::Usage, format!("{}: is no file", file.display())))
}

/// Replaces `file`, `sha256` and `version` in the `[analyser]` table; `None` if the result would not be this card.
fn with_pinned_analyser(text: &str, card: &Card) -> Option<String> {
    let analyser = card.analyser.as_ref()?;
    let quoted = |value: &str| format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    let values = [
        ("file", &analyser.file),
        ("sha256", &analyser.sha256),
        ("version", &analyser.version),
    ];
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            inside = trimmed == "[analyser]";
        }
        let key = trimmed.split('=').next().unwrap_or_default().trim();
        if inside && values.iter().any(|(name, _)| *name == key) {
            continue;
        }
        lines.push(line.to_owned());
        if inside && trimmed == "[analyser]" {
            let pinned = values
                .iter()
                .filter_map(|(name, value)| value.as_ref().map(|v| format!("{name} = {}", quoted(v))));
            lines.extend(pinned);
        }
    }
    let changed = lines.join("\n") + "\n";
    Card::parse("card.toml", &changed)
        .ok()
        .filter(|read| read == card)
        .map(|_| changed)
}
