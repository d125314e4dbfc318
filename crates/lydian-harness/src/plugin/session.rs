//! One life of a plugin process: its pipes, its hello, and the routing of what it writes.

use super::message::{FromPlugin, Hello, HostHello, Limits, ResultMessage, ScoreMessage, ToPlugin};
use super::standard_error::StandardError;
use super::{PROTOCOL, PluginSettings};
use crate::line_process::{ProcessGroup, program_path};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, Semaphore};

/// Longest line that is read.
const MAX_LINE: u64 = 16 * 1024 * 1024;
/// How much of a line that is not JSON is shown.
const SHOWN: usize = 200;
/// How long a plugin may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_secs(5);

/// What happens to an open request.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A result.
    Result(Box<ResultMessage>),
    /// A score.
    Score(Box<ScoreMessage>),
    /// A sign of life.
    Progress,
    /// The plugin says that all results have come.
    Done,
}

/// A running plugin.
#[derive(Debug)]
pub(super) struct Session {
    hello: Hello,
    stdin: tokio::sync::Mutex<Option<ChildStdin>>,
    /// One permit per message without `done`.
    pub(super) in_flight: Arc<Semaphore>,
    shared: Arc<Shared>,
    standard_error: StandardError,
}

/// What the session shares with its reading task.
#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    ended: Notify,
    group: tokio::sync::Mutex<ProcessGroup>,
}

#[derive(Debug, Default)]
struct State {
    requests: BTreeMap<u64, UnboundedSender<Event>>,
    pongs: Vec<u64>,
    next_request: u64,
    end: Option<String>,
    notes: Vec<String>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the session for everyone who waits for it.
    fn end(&self, reason: String) {
        let mut state = self.lock();
        state.end.get_or_insert(reason);
        state.requests.clear();
        drop(state);
        self.ended.notify_waiters();
    }
}

/// Says why a program does not run; one that is not there may have to be built first.
fn not_started(program: &str, folder: &Path, error: &std::io::Error) -> String {
    if !program.contains('/') || program_path(program, folder).exists() {
        return format!("{program} cannot be started: {error}");
    }
    let next = if folder.join("Cargo.toml").is_file() {
        "build it with `cargo build --release` there"
    } else {
        "build it, or correct `command` in the manifest"
    };
    format!(
        "{program} cannot be started: there is no such file in {}; {next}",
        folder.display()
    )
}

impl Session {
    /// Starts the program and exchanges hellos.
    pub(super) async fn start(settings: &PluginSettings) -> Result<Self, String> {
        let program = settings.command.first().ok_or("no program is named")?;
        let mut command = Command::new(program_path(program, &settings.folder));
        command
            .args(&settings.command[1..])
            .current_dir(&settings.folder)
            .env_clear()
            .envs(&settings.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut command)
            .map_err(|error| not_started(program, &settings.folder, &error))?;
        let pipes = (
            group.child().stdin.take(),
            group.child().stdout.take(),
            group.child().stderr.take(),
        );
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(format!("{program} has no pipes"));
        };
        let standard_error = StandardError::keep(stderr, settings.stderr_file.clone());
        let mut stdout = BufReader::new(stdout);
        let greeting = ToPlugin::Hello(HostHello {
            protocol: vec![PROTOCOL],
            host: concat!("lydian ", env!("CARGO_PKG_VERSION")).into(),
            run: settings.run.clone(),
            limits: Limits {
                entry_timeout_s: settings.entry_timeout.as_secs_f64(),
            },
        });
        let exchange = async {
            // A program that ends at once does not read; what it wrote or how it ended says more than the broken pipe.
            drop(write(&mut stdin, &greeting).await);
            read(&mut stdout).await
        };
        let line = tokio::time::timeout(settings.start_timeout, exchange)
            .await
            .map_err(|_| {
                format!(
                    "{program} did not say hello within {} s",
                    settings.start_timeout.as_secs()
                )
            })?
            .map_err(|error| format!("{program}: {error}"))?;
        let Some(line) = line else {
            let status = ending(&mut group).await;
            let reason = format!("{program} ended before it said hello ({status})");
            return Err(standard_error.beside(reason).await);
        };
        let FromPlugin::Hello(hello) = parse(&line)? else {
            return Err(format!("{program} did not begin with a hello: {}", shown(&line)));
        };
        if hello.protocol != PROTOCOL {
            return Err(format!(
                "{program} speaks protocol {}, not {PROTOCOL}",
                hello.protocol
            ));
        }
        if hello.health != "ok" {
            return Err(format!("{program} says it cannot work: {}", hello.health));
        }
        let permits = hello.capabilities.max_in_flight.clamp(1, 10_000) as usize;
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            ended: Notify::new(),
            group: tokio::sync::Mutex::new(group),
        });
        tokio::spawn(route(stdout, Arc::clone(&shared)));
        Ok(Self {
            hello,
            stdin: tokio::sync::Mutex::new(Some(stdin)),
            in_flight: Arc::new(Semaphore::new(permits)),
            shared,
            standard_error,
        })
    }

    /// Returns what the plugin said about itself.
    pub(super) fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns how many permits there are in all.
    pub(super) fn permits(&self) -> u32 {
        self.hello.capabilities.max_in_flight.clamp(1, 10_000)
    }

    /// Opens a request: returns its number and where its events arrive, or why the session has ended.
    pub(super) fn open(&self) -> Result<(u64, UnboundedReceiver<Event>), String> {
        let mut state = self.shared.lock();
        if let Some(end) = &state.end {
            return Err(end.clone());
        }
        state.next_request += 1;
        let number = state.next_request;
        let (sender, receiver) = unbounded_channel();
        state.requests.insert(number, sender);
        Ok((number, receiver))
    }

    /// Forgets a request; what still comes for it is noted as a violation.
    pub(super) fn close(&self, request: u64) {
        self.shared.lock().requests.remove(&request);
    }

    /// Sends a message.
    pub(super) async fn send(&self, message: &ToPlugin) -> Result<(), String> {
        let mut stdin = self.stdin.lock().await;
        let Some(pipe) = stdin.as_mut() else {
            return Err(self.reason());
        };
        if let Err(error) = write(pipe, message).await {
            drop(stdin);
            // The pipe breaks when the process ends; its end says more than the pipe does.
            drop(tokio::time::timeout(Duration::from_secs(1), self.ended()).await);
            self.shared.end(format!("the plugin does not read: {error}"));
            return Err(self.reason());
        }
        Ok(())
    }

    /// Returns why the session ended, once it has.
    pub(super) fn reason(&self) -> String {
        self.shared
            .lock()
            .end
            .clone()
            .unwrap_or_else(|| "the plugin ended".into())
    }

    /// Returns a reason why the program is of no use, with what it said about it itself.
    pub(super) async fn with_remark(&self, reason: String) -> String {
        self.standard_error.beside(reason).await
    }

    /// Returns whether the session has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().end.is_some()
    }

    /// Waits for the end of the session.
    pub(super) async fn ended(&self) {
        loop {
            let notified = self.shared.ended.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if self.has_ended() {
                return;
            }
            notified.await;
        }
    }

    /// Asks for a sign of life.
    pub(super) async fn ping(&self, request: u64, wait: Duration) -> Result<(), String> {
        self.send(&ToPlugin::Ping { req: request }).await?;
        let answered = async {
            while !self.shared.lock().pongs.contains(&request) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            () = self.ended() => Err(self.reason()),
            result = tokio::time::timeout(wait, answered) => result.map_err(|_| "no pong".to_owned()),
        }
    }

    /// Ends the process and everything it started.
    pub(super) async fn kill(&self, reason: String) {
        self.shared.end(reason);
        self.shared.group.lock().await.end();
    }

    /// Asks the plugin to end, waits a moment, and ends it. Returns its exit status, if it ended by itself.
    pub(super) async fn shut_down(&self) -> Option<i32> {
        let open: Vec<u64> = self.shared.lock().requests.keys().copied().collect();
        for req in open {
            drop(self.send(&ToPlugin::Cancel { req }).await);
        }
        drop(self.send(&ToPlugin::Shutdown {}).await);
        self.stdin.lock().await.take();
        let mut group = self.shared.group.lock().await;
        let status = tokio::time::timeout(FAREWELL, group.child().wait()).await;
        group.end();
        self.shared.end("the plugin was shut down".into());
        status.ok()?.ok()?.code()
    }

    /// Takes what the plugin or the host had to remark since the last time.
    pub(super) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().notes)
    }
}

async fn write(stdin: &mut ChildStdin, message: &ToPlugin) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(std::io::Error::from)?;
    line.push(b'\n');
    stdin.write_all(&line).await?;
    stdin.flush().await
}

async fn read(stdout: &mut BufReader<ChildStdout>) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    stdout.take(MAX_LINE).read_until(b'\n', &mut line).await?;
    match line.strip_suffix(b"\n") {
        Some(whole) => Ok(Some(whole.to_vec())),
        None if line.is_empty() => Ok(None),
        None => Err(std::io::Error::other(format!(
            "a line without an end: {}",
            shown(&line)
        ))),
    }
}

fn parse(line: &[u8]) -> Result<FromPlugin, String> {
    serde_json::from_slice(line).map_err(|error| {
        format!(
            "standard output holds a line that is no message ({error}): {}",
            shown(line)
        )
    })
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(SHOWN).collect()
}

/// Routes the plugin's lines until it ends or writes something that is no message.
async fn route(mut stdout: BufReader<ChildStdout>, shared: Arc<Shared>) {
    let reason = loop {
        let line = match read(&mut stdout).await {
            Ok(Some(line)) => line,
            Ok(None) => {
                let status = ending(&mut *shared.group.lock().await).await;
                break format!("the plugin ended ({status})");
            }
            Err(error) => break error.to_string(),
        };
        let message = match parse(&line) {
            Ok(message) => message,
            Err(error) => break error,
        };
        let mut state = shared.lock();
        match message {
            FromPlugin::Result(result) => {
                if let Some(sender) = state.requests.get(&result.req) {
                    drop(sender.send(Event::Result(Box::new(result))));
                } else {
                    state.note(&format!("a result for request {}, which is not open", result.req));
                }
            }
            FromPlugin::Score(score) => {
                if let Some(sender) = state.requests.get(&score.req) {
                    drop(sender.send(Event::Score(Box::new(score))));
                } else {
                    state.note(&format!("a score for request {}, which is not open", score.req));
                }
            }
            FromPlugin::Progress { req, .. } => {
                if let Some(sender) = state.requests.get(&req) {
                    drop(sender.send(Event::Progress));
                }
            }
            FromPlugin::Done { req } => match state.requests.remove(&req) {
                Some(sender) => drop(sender.send(Event::Done)),
                None => state.note(&format!("done for request {req}, which is not open")),
            },
            FromPlugin::Pong { req } => state.pongs.push(req),
            FromPlugin::Log { level, message } => {
                state.note(&format!("{}: {message}", level.as_deref().unwrap_or("info")));
            }
            FromPlugin::Hello(_) => state.note("a second hello"),
        }
    };
    shared.end(reason);
    shared.group.lock().await.end();
}

impl State {
    /// Keeps a remark; a plugin that remarks without end is not listened to any more.
    fn note(&mut self, note: &str) {
        if self.notes.len() < 1_000 {
            self.notes.push(note.chars().take(2_000).collect());
        }
    }
}

async fn ending(group: &mut ProcessGroup) -> String {
    match tokio::time::timeout(FAREWELL, group.child().wait()).await {
        Ok(Ok(status)) => status.to_string(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it closed its output but did not end".into(),
    }
}
