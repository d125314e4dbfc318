//! A child process that answers one line with one line, kept alive, ended with everything it started.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// Longest line that is read.
const MAX_LINE: u64 = 16 * 1024 * 1024;
/// How much of the end of standard error is kept for messages.
const STDERR_KEPT: usize = 2_000;

/// A program that is started with the first question and again after it failed.
#[derive(Debug)]
pub struct LineProcess {
    command: Vec<String>,
    folder: PathBuf,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Last, so that the pipes are closed before the process is ended.
    group: ProcessGroup,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LineProcessError {
    /// The command is empty.
    #[error("no program is named")]
    NoProgram,
    /// The program cannot be started.
    #[error("{program} cannot be started: {cause}")]
    Start {
        /// The program.
        program: String,
        /// What happened.
        cause: std::io::Error,
    },
    /// The program ended or closed its output.
    #[error("{program} ended without an answer{stderr}")]
    Ended {
        /// The program.
        program: String,
        /// The end of what it wrote to standard error, with a separator in front.
        stderr: String,
    },
    /// The program took too long and was ended.
    #[error("{program} gave no answer within {seconds} s and was ended", seconds = .timeout.as_secs())]
    Timeout {
        /// The program.
        program: String,
        /// How long was waited.
        timeout: Duration,
    },
}

/// Groups that have been started and not ended.
static LIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Ends every program this process has started and not ended: for a process about to exit without unwinding, whose
/// programs would outlive it.
pub fn end_all() {
    for id in LIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        kill(*id);
    }
}

fn kill(id: i32) {
    if let Some(id) = rustix::process::Pid::from_raw(id) {
        // Fails only if the group is gone already.
        let _gone = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
}

/// A child process that leads a process group of its own; dropping it ends the whole group.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    child: Child,
    id: Option<i32>,
}

impl ProcessGroup {
    /// Starts a program as leader of a new group.
    pub(crate) fn spawn(command: &mut Command) -> std::io::Result<Self> {
        let child = command.process_group(0).kill_on_drop(true).spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).extend(id);
        Ok(Self { child, id })
    }

    /// Returns the process.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends the leader and everything it started that is still in its group.
    pub(crate) fn end(&mut self) {
        // Once the leader has been waited for its number may belong to somebody else; `id` is then `None`.
        if let Some(id) = self.id.filter(|_| self.child.id().is_some()) {
            kill(id);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
        if let Some(id) = self.id {
            LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        }
    }
}

impl LineProcess {
    /// Prepares `command`, to be run in `folder`.
    pub fn new(command: Vec<String>, folder: PathBuf) -> Self {
        Self {
            command,
            folder,
            running: None,
        }
    }

    /// Returns the same program, not yet started.
    #[must_use]
    pub fn unstarted(&self) -> Self {
        Self::new(self.command.clone(), self.folder.clone())
    }

    /// Sends a line and waits for one; bytes that are not UTF-8 are replaced.
    pub async fn ask(&mut self, line: &str, timeout: Duration) -> Result<String, LineProcessError> {
        let answer = self.ask_bytes(line, timeout).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Returns whether the program has written something that no question is open for.
    pub async fn has_unasked_output(&mut self) -> bool {
        let Some(running) = &mut self.running else {
            return false;
        };
        let waiting = tokio::time::timeout(Duration::ZERO, running.stdout.fill_buf()).await;
        matches!(waiting, Ok(Ok(bytes)) if !bytes.is_empty())
    }

    /// Closes the program's input, waits for its end, and returns how many lines it wrote that nobody asked for.
    pub async fn finish(&mut self, timeout: Duration) -> u64 {
        let Some(running) = self.running.take() else {
            return 0;
        };
        let Running {
            stdin,
            mut stdout,
            group,
            ..
        } = running;
        drop(stdin);
        let mut lines = 0;
        let counted = async {
            let mut line = Vec::new();
            while let Ok(1..) = (&mut stdout).take(MAX_LINE).read_until(b'\n', &mut line).await {
                line.clear();
                lines += 1;
            }
        };
        // A program that does not end in time is ended when the group is dropped.
        let _ended_in_time: bool = tokio::time::timeout(timeout, counted).await.is_ok();
        drop(group);
        lines
    }

    /// Sends a line and waits for one. A program that fails is ended and started again with the next question.
    pub async fn ask_bytes(&mut self, line: &str, timeout: Duration) -> Result<Vec<u8>, LineProcessError> {
        let program = self.command.first().cloned().ok_or(LineProcessError::NoProgram)?;
        if self.running.is_none() {
            self.running = Some(self.start(&program)?);
        }
        let Some(running) = &mut self.running else {
            return Err(LineProcessError::NoProgram);
        };
        let answer = tokio::time::timeout(timeout, running.exchange(line)).await;
        let error = match answer {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => {
                // What it said before it ended is worth a moment.
                drop(tokio::time::timeout(Duration::from_secs(1), running.group.child().wait()).await);
                tokio::task::yield_now().await;
                LineProcessError::Ended {
                    program,
                    stderr: running.stderr_tail(),
                }
            }
            Err(_) => LineProcessError::Timeout { program, timeout },
        };
        self.running = None;
        Err(error)
    }

    fn start(&self, program: &str) -> Result<Running, LineProcessError> {
        let fail = |cause| LineProcessError::Start {
            program: program.to_owned(),
            cause,
        };
        let mut command = Command::new(program_path(program, &self.folder));
        command
            .args(&self.command[1..])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut command).map_err(fail)?;
        let missing = || fail(std::io::Error::other("its pipes are missing"));
        let stdin = group.child().stdin.take().ok_or_else(missing)?;
        let stdout = group.child().stdout.take().ok_or_else(missing)?;
        let stderr = Arc::new(Mutex::new(Vec::new()));
        if let Some(pipe) = group.child().stderr.take() {
            tokio::spawn(drain(pipe, Arc::clone(&stderr)));
        }
        Ok(Running {
            stdin,
            stdout: BufReader::new(stdout),
            stderr,
            group,
        })
    }
}

impl Running {
    /// Returns the answering line without its end, or `None` if the program is gone.
    async fn exchange(&mut self, line: &str) -> Option<Vec<u8>> {
        self.stdin.write_all(line.as_bytes()).await.ok()?;
        self.stdin.write_all(b"\n").await.ok()?;
        self.stdin.flush().await.ok()?;
        let mut bytes = Vec::new();
        (&mut self.stdout)
            .take(MAX_LINE)
            .read_until(b'\n', &mut bytes)
            .await
            .ok()?;
        bytes
            .strip_suffix(b"\n")
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec())
    }

    fn stderr_tail(&self) -> String {
        let bytes = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let last = text.trim().lines().last().unwrap_or_default();
        if last.is_empty() {
            String::new()
        } else {
            format!(": {last}")
        }
    }
}

/// Returns the path of a program: a name with a slash is looked for in the method's folder, any other on `PATH`.
pub(crate) fn program_path(program: &str, folder: &std::path::Path) -> PathBuf {
    if program.contains('/') {
        let path = folder.join(program);
        // The program is looked up from its own folder, where a relative path would lead elsewhere.
        std::path::absolute(&path).unwrap_or(path)
    } else {
        PathBuf::from(program)
    }
}

/// Reads standard error to its end, so that the program never blocks on it, and keeps the last part.
async fn drain(mut pipe: ChildStderr, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let excess = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(script: &str) -> LineProcess {
        LineProcess::new(vec!["sh".into(), "-c".into(), script.into()], PathBuf::from("."))
    }

    const SECOND: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn one_line_answers_one_line() {
        let mut process = process("while read -r line; do echo \"<$line>\"; done");
        assert_eq!(process.ask("a b", SECOND).await.unwrap(), "<a b>");
        assert_eq!(process.ask("", SECOND).await.unwrap(), "<>");
    }

    #[tokio::test]
    async fn a_program_that_ends_says_why_and_is_started_again() {
        let mut process = process("read -r line; echo \"$line\"; echo broken >&2; exit 3");
        assert_eq!(process.ask("a", SECOND).await.unwrap(), "a");
        let error = process.ask("b", SECOND).await.unwrap_err().to_string();
        assert_eq!(error, "sh ended without an answer: broken");
        assert_eq!(process.ask("c", SECOND).await.unwrap(), "c");
    }

    #[tokio::test]
    async fn a_hanging_program_is_ended_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("alive");
        let script = format!(
            "(while :; do touch {}; sleep 0.05; done) & sleep 100",
            mark.display()
        );
        let mut process = process(&script);
        let error = process.ask("a", Duration::from_millis(400)).await.unwrap_err();
        assert!(matches!(error, LineProcessError::Timeout { .. }));
        tokio::time::sleep(Duration::from_millis(100)).await;
        std::fs::remove_file(&mark).unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!mark.exists());
    }

    #[tokio::test]
    async fn a_flood_on_standard_error_does_not_block() {
        let mut process = process("head -c 2000000 /dev/zero >&2; read -r line; echo \"$line\"");
        assert_eq!(process.ask("a", SECOND).await.unwrap(), "a");
    }

    #[tokio::test]
    async fn a_missing_program_is_named() {
        let mut process = LineProcess::new(vec!["no-such-program-here".into()], PathBuf::from("."));
        let error = process.ask("a", SECOND).await.unwrap_err();
        assert!(
            matches!(error, LineProcessError::Start { program, .. } if program == "no-such-program-here")
        );
    }
}
