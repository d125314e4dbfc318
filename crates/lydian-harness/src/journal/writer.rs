//! Appending to a journal: written before it is used, synced soon after.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::JournalError;
use super::line::framed;
use super::record::Record;

/// Records after which the file is synced at the latest.
const SYNC_RECORDS: u32 = 32;
/// Time after which a record is synced at the latest.
const SYNC_AFTER: Duration = Duration::from_millis(200);

/// The open file and the thread that syncs it. A record is in the system's hands when [`Writer::append`] returns,
/// so that it survives a killed process; the thread makes it survive a power cut (decision 29b).
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    syncer: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    file: File,
    length: u64,
    unsynced: u32,
    oldest_unsynced: Option<Instant>,
    closing: bool,
    failure: Option<String>,
}

impl Writer {
    /// Takes over a file opened for appending that holds `length` good bytes.
    pub(super) fn new(file: File, length: u64, path: &Path) -> Result<Self, JournalError> {
        let for_sync = file.try_clone().map_err(JournalError::io("open", path))?;
        let shared = Arc::new(Shared {
            path: path.to_path_buf(),
            state: Mutex::new(State {
                file,
                length,
                unsynced: 0,
                oldest_unsynced: None,
                closing: false,
                failure: None,
            }),
            changed: Condvar::new(),
        });
        let for_thread = Arc::clone(&shared);
        let syncer = std::thread::Builder::new()
            .name("journal-sync".into())
            .spawn(move || for_thread.keep_synced(&for_sync))
            .map_err(JournalError::io("start the sync thread of", path))?;
        Ok(Self {
            shared,
            syncer: Some(syncer),
        })
    }

    /// Writes one record. When this returns, the record survives a killed process.
    pub(super) fn append(&self, record: &Record) -> Result<(), JournalError> {
        let payload = serde_json::to_vec(record).expect("records have string keys and finite numbers");
        let line = framed(&payload);
        let mut state = self.shared.lock();
        self.shared.check(&state)?;
        if let Err(error) = state.file.write_all(&line) {
            // Half a record must not stand before a whole one. If even this fails, the torn end is cut at the next start.
            let length = state.length;
            drop(state.file.set_len(length));
            state.failure = Some(error.to_string());
            return Err(JournalError::Io {
                what: "write",
                path: self.shared.path.clone(),
                cause: error,
            });
        }
        state.length += line.len() as u64;
        state.unsynced += 1;
        state.oldest_unsynced.get_or_insert_with(Instant::now);
        if state.unsynced == 1 || state.unsynced == SYNC_RECORDS {
            self.shared.changed.notify_one();
        }
        Ok(())
    }

    /// Waits until everything written so far is on the disk.
    pub(super) fn sync(&self) -> Result<(), JournalError> {
        let state = self.shared.lock();
        self.shared.check(&state)?;
        let synced = state.file.sync_data();
        synced.map_err(JournalError::io("sync", self.shared.path.as_path()))
    }

    /// Syncs what is left and ends.
    pub(super) fn close(mut self) -> Result<(), JournalError> {
        self.stop();
        let state = self.shared.lock();
        self.shared.check(&state)
    }

    fn stop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.changed.notify_one();
        if let Some(syncer) = self.syncer.take()
            && syncer.join().is_err()
        {
            self.shared.lock().failure = Some("the sync thread ended early".into());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    /// A panic while the lock is held leaves a usable state: every change is a single assignment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn check(&self, state: &State) -> Result<(), JournalError> {
        match &state.failure {
            None => Ok(()),
            Some(cause) => Err(JournalError::Failed {
                path: self.path.clone(),
                cause: cause.clone(),
            }),
        }
    }

    fn keep_synced(&self, file: &File) {
        let mut state = self.lock();
        loop {
            let due = state
                .oldest_unsynced
                .map(|oldest| SYNC_AFTER.saturating_sub(oldest.elapsed()));
            match due {
                None if state.closing => return,
                None => state = self.wait(state, None),
                Some(due) if !due.is_zero() && state.unsynced < SYNC_RECORDS && !state.closing => {
                    state = self.wait(state, Some(due));
                }
                Some(_) => {
                    state.unsynced = 0;
                    state.oldest_unsynced = None;
                    drop(state);
                    let synced = file.sync_data();
                    state = self.lock();
                    if let Err(error) = synced {
                        state.failure.get_or_insert(error.to_string());
                        return;
                    }
                }
            }
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, at_most: Option<Duration>) -> MutexGuard<'a, State> {
        let poisoned = std::sync::PoisonError::into_inner;
        match at_most {
            None => self.changed.wait(state).unwrap_or_else(poisoned),
            Some(time) => {
                self.changed
                    .wait_timeout(state, time)
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .0
            }
        }
    }
}
