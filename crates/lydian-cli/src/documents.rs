//! Documents of a run as the command line finds them.

use std::fmt;
use std::path::{Path, PathBuf};

use lydian_model::RunCard;
use lydian_model::corpus::read::{CorpusFile, ReadError, ReadOptions, read_corpus};
use lydian_model::run_card::read::read_run_card;

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
    let bytes = files::read(&file)?;
    let card = read_run_card(&bytes).map_err(|error| invalid(file.display(), error))?;
    Ok((card, bytes))
}

/// Reads a corpus in JSON; a missing envelope is read from the file's name.
pub(crate) fn read_corpus_file(path: &Path) -> CommandResult<CorpusFile> {
    let options = ReadOptions {
        file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    };
    read_corpus(files::open(path)?, &options).map_err(|error| invalid(path.display(), error))
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
