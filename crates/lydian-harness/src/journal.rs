//! The journal of a run: append-only JSON Lines, written by one process, from which the run card is computed.
//!
//! An answer is written before it is used, so it survives a killed process, and synced within 32 records or 200 ms
//! (decision 29b). The format is described in `docs/reference/journal.md`.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lydian_model::{EntryId, Finite, NanoUsd, Prediction, RunSetup};
use serde_json::{Map, Value};
use tokio::time::Instant;

mod contents;
mod error;
mod line;
mod lock;
mod record;
mod writer;

pub use contents::{Contents, Received};
pub use error::JournalError;
pub use lock::LOCK_FILE;
pub use record::{EndReason, JournalLine, Record, Response, SCHEMA};

use lock::RunLock;
use writer::Writer;

/// Name of the journal in a run folder.
pub const JOURNAL_FILE: &str = "journal.jsonl";

/// What a run folder is created with.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The experimental setup.
    pub setup: &'a RunSetup,
    /// Where this machine found corpus and method.
    pub inputs: &'a Map<String, Value>,
}

/// The execution that a process begins: when, and by which program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// RFC 3339 UTC time.
    pub began: String,
    /// Program name and version.
    pub program: String,
}

/// A journal open for appending. Only one process can have it open.
#[derive(Debug)]
pub struct Journal {
    writer: Writer,
    began: Instant,
    next_number: AtomicU64,
    received: BTreeMap<(EntryId, String), Arc<Received>>,
    _lock: RunLock,
}

/// A request: about to be sent, or answered.
#[derive(Clone, Copy, Debug)]
pub struct SentRequest<'a> {
    /// Entries it is for.
    pub entry_ids: &'a [EntryId],
    /// Digest of the request and its endpoint.
    pub request_sha256: &'a str,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// What it counts against a budget, if that is known.
    pub budgeted: Option<NanoUsd>,
}

impl Journal {
    /// Creates the run folder with a journal that holds the setup. The folder appears as a whole or not at all; one
    /// that exists and holds anything is left alone.
    pub fn create(folder: &Path, run: NewRun<'_>, execution: Execution) -> Result<Self, JournalError> {
        if is_taken(folder) {
            return Err(JournalError::Exists { path: folder.into() });
        }
        Self::create_whole(folder, run, execution).map_err(JournalError::making(folder))
    }

    fn create_whole(folder: &Path, run: NewRun<'_>, execution: Execution) -> Result<Self, JournalError> {
        let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let parent = parent_of(folder);
        fs::create_dir_all(parent).map_err(JournalError::io("create", parent))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        remove_abandoned(parent, &name);
        let aside = parent.join(format!(".{name}.{}.new", std::process::id()));
        fs::create_dir(&aside).map_err(JournalError::io("create", &aside))?;
        let moved = Self::create_aside(&aside, run, execution).and_then(|journal| {
            fs::rename(&aside, folder).map_err(|error| match error.kind() {
                _ if is_taken(folder) => JournalError::Exists { path: folder.into() },
                _ => JournalError::io("create", folder)(error),
            })?;
            sync_folder(parent)?;
            Ok(journal)
        });
        if moved.is_err() {
            drop(fs::remove_dir_all(&aside));
        }
        moved
    }

    fn create_aside(folder: &Path, run: NewRun<'_>, execution: Execution) -> Result<Self, JournalError> {
        let lock = RunLock::acquire(folder)?;
        let path = folder.join(JOURNAL_FILE);
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(JournalError::io("create", &path))?;
        let journal = Self {
            writer: Writer::new(file, 0, &path)?,
            began: Instant::now(),
            next_number: AtomicU64::new(1),
            received: BTreeMap::new(),
            _lock: lock,
        };
        journal.writer.append(&Record::Setup {
            schema: SCHEMA.to_owned(),
            setup: run.setup.clone(),
            inputs: run.inputs.clone(),
        })?;
        journal.append_execution(execution)?;
        journal.writer.sync()?;
        sync_folder(folder)?;
        Ok(journal)
    }

    /// Writes the journal of a run that was made elsewhere, records with their own times. Like [`Journal::create`] it leaves a
    /// folder that holds anything alone.
    pub fn restore(
        folder: &Path,
        run: NewRun<'_>,
        execution: Execution,
        records: &[Record],
    ) -> Result<(), JournalError> {
        let journal = Self::create(folder, run, execution)?;
        for record in records {
            journal.writer.append(record)?;
        }
        journal.writer.close()
    }

    /// Opens the journal of an existing run for a further execution and returns what it holds. A torn end is cut off.
    pub fn resume(folder: &Path, execution: Execution) -> Result<(Self, Contents), JournalError> {
        let path = journal_path(folder)?;
        let lock = RunLock::acquire(folder)?;
        let contents = Contents::read(&path)?;
        let file = OpenOptions::new()
            .append(true)
            .open(&path)
            .map_err(JournalError::io("open", &path))?;
        if contents.torn_bytes > 0 {
            file.set_len(contents.good_bytes)
                .map_err(JournalError::io("cut the torn end of", &path))?;
        }
        let journal = Self {
            writer: Writer::new(file, contents.good_bytes, &path)?,
            began: Instant::now(),
            next_number: AtomicU64::new(contents.highest_number.saturating_add(1)),
            received: contents.received.clone(),
            _lock: lock,
        };
        journal.append_execution(execution)?;
        Ok((journal, contents))
    }

    /// Reads the journal of a run folder without writing to it.
    pub fn read(folder: &Path) -> Result<Contents, JournalError> {
        Contents::read(&journal_path(folder)?)
    }

    /// Returns what the journal of a run folder counts against a budget as far as it can be read: a damaged line hides what it
    /// says, but a request stands in two lines.
    pub fn legible_budgeted(folder: &Path) -> NanoUsd {
        contents::legible_budgeted(&folder.join(JOURNAL_FILE))
    }

    /// Writes that a request is about to be sent and returns its number in this run.
    pub fn append_sent(&self, request: SentRequest<'_>) -> Result<u64, JournalError> {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        self.writer.append(&Record::Sent {
            at_ms: self.at_ms(),
            number,
            entry_ids: request.entry_ids.to_vec(),
            request_sha256: request.request_sha256.to_owned(),
            attempt: request.attempt,
            budgeted_usd: request.budgeted,
        })?;
        Ok(number)
    }

    /// Writes what came back for the request with this digest; `Err` says why nothing did.
    pub fn append_received(
        &self,
        number: u64,
        request: SentRequest<'_>,
        seconds: Finite,
        result: Result<Response, String>,
    ) -> Result<(), JournalError> {
        let (response, failure) = match result {
            Ok(response) => (Some(response), None),
            Err(failure) => (None, Some(failure)),
        };
        self.writer.append(&Record::Received {
            at_ms: self.at_ms(),
            number,
            entry_ids: request.entry_ids.to_vec(),
            request_sha256: request.request_sha256.to_owned(),
            seconds,
            response,
            failure,
            budgeted_usd: request.budgeted,
        })
    }

    /// Writes the outcome of an entry.
    pub fn append_answer(&self, prediction: Prediction) -> Result<(), JournalError> {
        self.writer.append(&Record::Answer {
            at_ms: self.at_ms(),
            prediction,
        })
    }

    /// Writes that the accepted answer of an entry is void; `prediction` is a failure that says why.
    pub fn append_withdrawal(&self, prediction: Prediction) -> Result<(), JournalError> {
        self.writer.append(&Record::Withdrawn {
            at_ms: self.at_ms(),
            prediction,
        })
    }

    /// Returns the response that an earlier execution got for this request of an entry that is still open.
    pub fn earlier(&self, entry_id: &EntryId, request_sha256: &str) -> Option<&Received> {
        let key = (entry_id.clone(), request_sha256.to_owned());
        self.received.get(&key).map(AsRef::as_ref)
    }

    /// Writes why the execution ends, syncs and closes.
    pub fn close(self, reason: EndReason) -> Result<(), JournalError> {
        self.end(reason, None)
    }

    /// Writes that the execution ends because going on is pointless, and why; syncs and closes.
    pub fn close_stopped(self, why: String) -> Result<(), JournalError> {
        self.end(EndReason::Stopped, Some(why))
    }

    fn end(self, reason: EndReason, stop: Option<String>) -> Result<(), JournalError> {
        self.writer.append(&Record::Ended {
            at_ms: self.at_ms(),
            reason,
            stop,
        })?;
        self.writer.close()
    }

    fn append_execution(&self, execution: Execution) -> Result<(), JournalError> {
        self.writer.append(&Record::Active {
            began: execution.began,
            program: execution.program,
        })
    }

    fn at_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn journal_path(folder: &Path) -> Result<PathBuf, JournalError> {
    let path = folder.join(JOURNAL_FILE);
    if path.is_file() {
        Ok(path)
    } else {
        Err(JournalError::Missing { path: folder.into() })
    }
}

/// Says whether something stands at `path` that a run must not touch; an empty folder may be used.
fn is_taken(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut items) => items.next().is_some(),
        Err(_) => fs::symlink_metadata(path).is_ok(),
    }
}

/// Removes what a process that was killed while it made the same run folder left beside it. A process that is still at
/// it holds the lock.
fn remove_abandoned(parent: &Path, name: &str) {
    let Ok(items) = fs::read_dir(parent) else { return };
    let prefix = format!(".{name}.");
    for item in items.filter_map(Result::ok) {
        let found = item.file_name().to_string_lossy().into_owned();
        let process = found
            .strip_prefix(&prefix)
            .and_then(|rest| rest.strip_suffix(".new"));
        let abandoned = process.is_some_and(|process| process.parse::<u32>().is_ok())
            && item.path().join(LOCK_FILE).is_file()
            && RunLock::acquire(&item.path()).is_ok();
        if abandoned {
            // Litter that cannot be removed hinders nobody.
            drop(fs::remove_dir_all(item.path()));
        }
    }
}

fn parent_of(folder: &Path) -> &Path {
    match folder.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => folder,
    }
}

fn sync_folder(folder: &Path) -> Result<(), JournalError> {
    if cfg!(unix) {
        let handle = File::open(folder).map_err(JournalError::io("open", folder))?;
        handle.sync_all().map_err(JournalError::io("sync", folder))?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
