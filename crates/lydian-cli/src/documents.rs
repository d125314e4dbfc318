//! Documents of a run as the command line finds them.

use std::path::{Path, PathBuf};

use lydian_model::RunCard;
use lydian_model::corpus::read::{CorpusFile, ReadError, ReadOptions, read_corpus};
use lydian_model::run_card::read::read_run_card;

use crate::commands::explain::explains;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;

/// Name of the card in a run folder.
pub(crate) const CARD_FILE: &str = "run-card.json";

/// Reads a run card; `path` is the card or the run folder that holds it.
pub(crate) fn read_card(path: &Path) -> CommandResult<RunCard> {
    let file = card_path(path);
    read_run_card(&files::read(&file)?).map_err(|error| invalid(&file, &error))
}

/// Reads a corpus in JSON; a missing envelope is read from the file's name.
pub(crate) fn read_corpus_file(path: &Path) -> CommandResult<CorpusFile> {
    let options = ReadOptions {
        file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    };
    read_corpus(files::open(path)?, &options).map_err(|error| invalid(path, &error))
}

/// Returns the card's file for a path that is a card or a run folder.
pub(crate) fn card_path(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join(CARD_FILE)
    } else {
        path.to_owned()
    }
}

/// Returns the error of a document that cannot be read, with every finding on a line of its own.
pub(crate) fn invalid(path: &Path, error: &ReadError) -> CommandError {
    match error {
        ReadError::Io(_) => CommandError::new(Exit::Internal, format!("{}: {error}", path.display())),
        ReadError::Invalid(_) => {
            let findings: Vec<String> = error
                .diagnostics()
                .iter()
                .map(|finding| {
                    debug_assert!(explains(finding.check), "no explanation of {}", finding.check);
                    format!("{}: {finding}", path.display())
                })
                .collect();
            CommandError::new(Exit::InvalidDocument, findings.join("\n"))
        }
    }
}
