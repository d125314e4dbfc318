//! What can go wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

/// A journal that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The run folder exists already: it is never overwritten.
    #[error("{} exists already and is not empty", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds no journal.
    #[error("{} is not a run folder: it has no journal.jsonl", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The run folder cannot be made; nothing of it was left behind.
    #[error("cannot make the run folder {}: {cause}", path.display())]
    NotMade {
        /// The folder.
        path: PathBuf,
        /// Whether a file stands where a folder is needed.
        on_a_file: bool,
        /// Why.
        cause: io::Error,
    },
    /// Another process is writing to the same run.
    #[error("{} is in use by another process{}", path.display(), holder.as_ref().map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    Locked {
        /// The run folder.
        path: PathBuf,
        /// Its process id, as far as known.
        holder: Option<u32>,
    },
    /// A line before the last is damaged.
    #[error("{}: line {line} is damaged, and records follow it", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// One-based line.
        line: u64,
    },
    /// A line is whole but means nothing to this version.
    #[error("{}: line {line} cannot be read: {cause}", path.display())]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// One-based line.
        line: u64,
        /// Why.
        cause: String,
    },
    /// The journal's first record is missing: the run never began.
    #[error("{} holds no run: its first record is missing", path.display())]
    NoSetup {
        /// The journal.
        path: PathBuf,
    },
    /// The journal is of an unknown version.
    #[error("{} has schema {found:?}, which this version cannot read", path.display())]
    Schema {
        /// The journal.
        path: PathBuf,
        /// Its schema.
        found: String,
    },
    /// Reading or writing failed.
    #[error("cannot {what} {}: {cause}", path.display())]
    Io {
        /// What was tried, such as `write`.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// An earlier write or sync failed, so nothing more is accepted.
    #[error("{} cannot be written any more: {cause}", path.display())]
    Failed {
        /// The journal.
        path: PathBuf,
        /// The first failure.
        cause: String,
    },
}

impl JournalError {
    /// Returns a closure that wraps an input or output error.
    pub(super) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |cause| Self::Io { what, path, cause }
    }

    /// Returns the error of a run folder that could not be made; the file of its making is of no use to the reader.
    pub(super) fn making(folder: &Path) -> impl FnOnce(Self) -> Self {
        let path = folder.to_path_buf();
        move |error| match error {
            Self::Io { cause, .. } => Self::NotMade {
                on_a_file: path.ancestors().skip(1).any(Path::is_file),
                path,
                cause,
            },
            other => other,
        }
    }
}
