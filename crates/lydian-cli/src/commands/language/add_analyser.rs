//! `lydian language add-analyser`: check an analyser, and pin it in the card of a language.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_language::{Analyser, BuiltinCard, Card, SelfTestVerdict, hex_sha256};

use super::check::verdict;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::language_cards::{self, CardsArguments};
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
    let folder = match &found.file {
        Some(file) => file.parent().unwrap_or(Path::new(".")).to_owned(),
        None => arguments.cards.folder_to_write().join(&card.language),
    };
    let cannot =
        |error| CommandError::from_error(Exit::Internal, error).context(folder.display().to_string());
    fs::create_dir_all(&folder).map_err(cannot)?;
    if found.file.is_none() {
        copy_builtin_files(&arguments.tag, &folder)?;
    }
    files::write_atomically(&folder.join(&name), &bytes)?;
    let file = folder.join("card.toml");
    files::write_atomically(&file, card_text(&card, found.file.as_deref())?.as_bytes())?;
    context.print(&format!(
        "{}: analyser {} added, sha256 {}\n",
        file.display(),
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

/// Files beside a card of the program come along.
fn copy_builtin_files(tag: &str, folder: &Path) -> CommandResult<()> {
    let tag = language_cards::parse_tag(tag)?;
    let Some(builtin) = BuiltinCard::find(&tag) else {
        return Ok(());
    };
    for (_, name) in builtin
        .card()
        .map_err(|e| CommandError::new(Exit::Internal, e.to_string()))?
        .files()
    {
        if let Some(bytes) = builtin.file(name) {
            files::write_atomically(&folder.join(name), bytes)?;
        }
    }
    Ok(())
}

/// The card with the analyser's entry replaced. Comments are kept where only lines change.
fn card_text(card: &Card, existing: Option<&Path>) -> CommandResult<String> {
    let builtin = || BuiltinCard::find(&card.tag()).and_then(|builtin| builtin.file("card.toml"));
    let bytes = existing.map_or_else(|| Ok(builtin().unwrap_or_default().to_vec()), files::read)?;
    let text = String::from_utf8_lossy(&bytes);
    match with_pinned_analyser(&text, card) {
        Some(changed) => Ok(changed),
        None => card
            .to_toml()
            .map_err(|error| CommandError::new(Exit::Internal, error.to_string())),
    }
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
