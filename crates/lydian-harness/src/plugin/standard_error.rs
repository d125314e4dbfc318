//! What a program writes to standard error: read to its end, kept in a file, and one line of it for messages.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::fs::OpenOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

/// How much is kept in the file.
const MOST_IN_FILE: usize = 16 * 1024 * 1024;
/// How much is looked at for the line that is shown.
const MOST_IN_MEMORY: usize = 64 * 1024;
/// Letters of that line.
const SHOWN: usize = 300;
/// The pipe closes when the program ends, unless something it started keeps it open.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// The standard error of one program.
#[derive(Debug)]
pub(super) struct StandardError {
    beginning: Arc<Mutex<Vec<u8>>>,
    reader: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

impl StandardError {
    /// Reads the pipe, so that the program never blocks on it, and keeps the beginning in a file.
    pub(super) fn keep(pipe: ChildStderr, file: Option<PathBuf>) -> Self {
        let beginning = Arc::default();
        let reader = tokio::spawn(read(pipe, file, Arc::clone(&beginning)));
        Self {
            beginning,
            reader: tokio::sync::Mutex::new(Some(reader)),
        }
    }

    /// Returns a reason with the line that tells most about it, if there is any.
    pub(super) async fn beside(&self, reason: String) -> String {
        if let Some(reader) = self.reader.lock().await.take() {
            // Without an end in time, what was read so far has to do.
            drop(tokio::time::timeout(LONGEST_WAIT, reader).await);
        }
        let beginning = self.beginning.lock().unwrap_or_else(PoisonError::into_inner);
        match telling_line(&String::from_utf8_lossy(&beginning)) {
            Some(line) => format!("{reason}; it wrote: {line}"),
            None => reason,
        }
    }
}

/// The first line; of a Python traceback the last one that is not indented, which names the error.
fn telling_line(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next()?;
    let telling = if first.starts_with("Traceback ") {
        lines.rfind(|line| !line.starts_with(' ')).unwrap_or(first)
    } else {
        first
    };
    Some(telling.trim().chars().take(SHOWN).collect())
}

async fn read(mut pipe: ChildStderr, path: Option<PathBuf>, beginning: Arc<Mutex<Vec<u8>>>) {
    let mut file = match path {
        // Without the file the program still runs; only its remarks are lost.
        Some(path) => OpenOptions::new().append(true).create(true).open(path).await.ok(),
        None => None,
    };
    let mut buffer = vec![0; 16 * 1024];
    let mut kept = 0;
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        if kept < MOST_IN_MEMORY {
            let mut beginning = beginning.lock().unwrap_or_else(PoisonError::into_inner);
            beginning.extend_from_slice(&buffer[..count]);
        }
        if let Some(open) = file.as_mut().filter(|_| kept < MOST_IN_FILE)
            && open.write_all(&buffer[..count]).await.is_err()
        {
            file = None;
        }
        kept += count;
    }
    if let Some(mut file) = file {
        drop(file.flush().await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_names_the_error_is_shown() {
        let traceback = "\nTraceback (most recent call last):\n  File \"s.py\", line 1, in <module>\n    import comet\n\
                         ModuleNotFoundError: No module named 'comet'\n";
        assert_eq!(
            telling_line(traceback).as_deref(),
            Some("ModuleNotFoundError: No module named 'comet'")
        );
        assert_eq!(telling_line("no model\nbye\n").as_deref(), Some("no model"));
        assert_eq!(telling_line("\n \n"), None);
    }
}
