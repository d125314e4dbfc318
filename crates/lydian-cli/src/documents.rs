//! Documents of a run as the command line finds them.

use std::fmt;
use std::path::{Path, PathBuf};

use lydian_harness::journal::JOURNAL_FILE;
use lydian_model::RunCard;
use lydian_model::corpus::import::Format;
use lydian_model::corpus::read::{CorpusFile, ReadError, ReadOptions, read_corpus};
use lydian_model::run_card::read::read_run_card;

use crate::dialect_run::DIALECT_REPORT_FILE;
use crate::error::{CommandError, CommandResult, Exit};
use crate::{files, findings};

/// Name of the card in a run folder.
pub(crate) const CARD_FILE: &str = "run-card.json";

/// Reads a run card; `path` is the card or the run folder that holds it.
pub(crate) fn read_card(path: &Path) -> CommandResult<RunCard> {
    read_card_file(path).map(|(card, _)| card)
}

/// Reads a run card and returns the bytes of its file too.
pub(crate) fn read_card_file(path: &Path) -> CommandResult<(RunCard, Vec<u8>)> {
    let file = card_path(path);
    let bytes = files::read(&file).map_err(|error| without_card(path, error))?;
    let card = read_run_card(&bytes).map_err(|error| invalid(file.display(), error))?;
    Ok((card, bytes))
}

/// Reads a corpus in JSON; a missing envelope is read from the file's name.
pub(crate) fn read_corpus_file(path: &Path) -> CommandResult<CorpusFile> {
    let options = ReadOptions {
        file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    };
    read_corpus(files::open(path)?, &options)
        .map_err(|error| invalid(path.display(), error).with_some_hint(import_hint(path)))
}

/// Says what becomes a corpus first, by the ending of its name.
fn import_hint(path: &Path) -> Option<String> {
    match Format::of_file(&path.to_string_lossy()) {
        Format::Json | Format::Lines => None,
        Format::JsonLines | Format::Tsv | Format::Csv | Format::Xlsx | Format::Tmx => Some(format!(
            "`lydian corpus import {} -o {}` makes a corpus of it",
            files::quoted(path),
            files::quoted(&path.with_extension("json"))
        )),
    }
}

/// Says of a folder without a card what it is instead.
fn without_card(path: &Path, error: CommandError) -> CommandError {
    if !path.is_dir() || card_path(path).exists() || !path.join(JOURNAL_FILE).is_file() {
        return error;
    }
    let folder = files::quoted(path);
    if path.join(DIALECT_REPORT_FILE).is_file() {
        return CommandError::new(
            Exit::Usage,
            format!(
                "{} is a run over dialect items, which has no card",
                path.display()
            ),
        )
        .with_hint(format!(
            "`lydian dialect compare` compares such runs, `lydian runs show {folder}` shows one"
        ));
    }
    CommandError::new(
        Exit::Usage,
        format!(
            "{} is a run without a card: it did not come to its end",
            path.display()
        ),
    )
    .with_hint(format!(
        "`lydian resume {folder}` goes on with it and writes the card"
    ))
}

/// Returns the card's file for a path that is a card or a run folder.
pub(crate) fn card_path(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join(CARD_FILE)
    } else {
        path.to_owned()
    }
}

/// Returns the error of a document that cannot be read, with everything that was found in it.
pub(crate) fn invalid(name: impl fmt::Display, error: ReadError) -> CommandError {
    match error {
        ReadError::Io(error) => CommandError::from(error).context(format!("cannot read {name}")),
        ReadError::Invalid(found) => {
            let message = format!("{name}: {}", findings::summary(&found));
            CommandError::new(Exit::InvalidDocument, message).with_findings(*found)
        }
    }
}
