//! The answers of a scorer in the run's folder: one line each, written before the next question.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lydian_model::semantic::{
    RECORD_SCHEMA, SemanticAnswer, SemanticAnswers, SemanticReadError, SemanticRecord,
};

use super::Comparison;

/// Name of the record in a run folder.
pub const RECORD_FILE: &str = "semantic.jsonl";
/// Answers after which the file is synced.
const SYNC_EVERY: usize = 32;

/// Writes answers down.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    known: SemanticAnswers,
    unsynced: usize,
}

/// Answers that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("{}: {cause}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Where and why.
        cause: SemanticReadError,
    },
    /// Another scorer answered before.
    #[error("{} holds the answers of {there}, not of {wanted}", path.display())]
    OtherScorer {
        /// The file.
        path: PathBuf,
        /// The scorer in the file.
        there: String,
        /// The one asked now.
        wanted: String,
    },
}

/// Reads the answers in a run folder, if there are any.
pub fn read(folder: &Path) -> Result<Option<SemanticAnswers>, RecorderError> {
    let path = folder.join(RECORD_FILE);
    match std::fs::read(&path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(RecorderError::Io { path, cause }),
        Ok(bytes) => SemanticAnswers::read(&bytes)
            .map(Some)
            .map_err(|cause| RecorderError::Invalid { path, cause }),
    }
}

impl Recorder {
    /// Opens the record of a run folder for a scorer, or begins one. Half a line at its end is cut off.
    pub fn open(folder: &Path, scorer: &str) -> Result<Self, RecorderError> {
        let path = folder.join(RECORD_FILE);
        let io = |cause| RecorderError::Io {
            path: path.clone(),
            cause,
        };
        let found = std::fs::read(&path);
        let whole = match &found {
            Ok(bytes) => bytes
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => 0,
            Err(cause) => return Err(io(io::Error::new(cause.kind(), cause.to_string()))),
        };
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        let known = if whole == 0 {
            let first = SemanticRecord::Scorer {
                schema: RECORD_SCHEMA.to_owned(),
                scorer: scorer.to_owned(),
            };
            write_line(&mut file, &first).map_err(io)?;
            SemanticAnswers {
                scorer: scorer.to_owned(),
                by_entry: std::collections::BTreeMap::new(),
            }
        } else {
            let bytes = found.unwrap_or_default();
            SemanticAnswers::read(&bytes[..whole]).map_err(|cause| RecorderError::Invalid {
                path: path.clone(),
                cause,
            })?
        };
        if known.scorer != scorer {
            return Err(RecorderError::OtherScorer {
                path,
                there: known.scorer,
                wanted: scorer.to_owned(),
            });
        }
        Ok(Self {
            path,
            file,
            known,
            unsynced: 0,
        })
    }

    /// Returns whether the record holds a score for these very texts.
    pub fn answers(&self, comparison: &Comparison) -> bool {
        self.known
            .by_entry
            .get(&comparison.entry_id)
            .is_some_and(|answer| answer.score.is_some() && answer.texts_sha256 == comparison.digest())
    }

    /// Writes an answer.
    pub fn write(&mut self, answer: SemanticAnswer) -> Result<(), RecorderError> {
        let written = write_line(&mut self.file, &SemanticRecord::Answer(answer.clone()));
        written.map_err(|cause| self.failed(cause))?;
        self.known.by_entry.insert(answer.entry_id.clone(), answer);
        self.unsynced += 1;
        if self.unsynced >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Writes why each of these comparisons has no score, except those that have one.
    pub fn write_failure(&mut self, comparisons: &[Comparison], reason: &str) -> Result<(), RecorderError> {
        for comparison in comparisons {
            if !self.answers(comparison) {
                self.write(comparison.answer(Err(reason.to_owned())))?;
            }
        }
        self.sync()
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), RecorderError> {
        self.unsynced = 0;
        self.file.sync_data().map_err(|cause| self.failed(cause))
    }

    /// Returns the answers.
    pub fn into_answers(self) -> SemanticAnswers {
        self.known
    }

    fn failed(&self, cause: io::Error) -> RecorderError {
        RecorderError::Io {
            path: self.path.clone(),
            cause,
        }
    }
}

fn write_line(file: &mut File, record: &SemanticRecord) -> io::Result<()> {
    let mut line = serde_json::to_vec(record).map_err(io::Error::from)?;
    line.push(b'\n');
    file.write_all(&line)
}
