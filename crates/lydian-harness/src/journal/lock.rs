//! One writer per run folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

use super::error::JournalError;

/// Name of the lock file. It stays behind: deleting it would let two writers hold two different locks.
pub const LOCK_FILE: &str = "journal.lock";

/// Held as long as a process writes to a run folder; the system releases it however the process ends.
#[derive(Debug)]
pub(super) struct RunLock {
    file: File,
}

impl Drop for RunLock {
    /// Closing the file is not enough: a program that another thread is just starting holds a copy of it until it runs.
    fn drop(&mut self) {
        drop(self.file.unlock());
    }
}

impl RunLock {
    pub(super) fn acquire(folder: &Path) -> Result<Self, JournalError> {
        let path = folder.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(JournalError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {
                let process = std::process::id().to_string();
                file.set_len(0)
                    .and_then(|()| file.write_all(process.as_bytes()))
                    .map_err(JournalError::io("write", &path))?;
                Ok(Self { file })
            }
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let holder = file.read_to_string(&mut text).ok();
                Err(JournalError::Locked {
                    path: folder.into(),
                    holder: holder.and_then(|_| text.trim().parse().ok()),
                })
            }
            Err(TryLockError::Error(cause)) => Err(JournalError::Io {
                what: "lock",
                path,
                cause,
            }),
        }
    }
}
