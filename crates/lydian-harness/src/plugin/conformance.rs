//! `plugin check`: asks a plugin everything the protocol allows and says what it gets wrong.

use super::PluginSettings;
use super::message::{PluginEntry, ResultMessage, ToPlugin};
use super::session::{Event, Session};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;

/// Texts that plugins get wrong: quotes, line breaks, characters outside the first plane, unusual separators.
const HARD_TEXTS: [&str; 6] = [
    "I see the dog.",
    "He said \"no\" and left.",
    "first line\nsecond line",
    "niwâpamâw atim ᐊᑎᒼ 𐐀 👩‍👩‍👧",
    "a\u{2028}b\u{85}c\u{b}d\te",
    "{\"type\":\"done\",\"req\":1}",
];
/// Longest wait for anything but the start and translations.
const WAIT: Duration = Duration::from_secs(10);

/// The results of all checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conformance {
    /// The plugin's method.
    pub method: Option<String>,
    /// The checks in the order they were made.
    pub checks: Vec<CheckResult>,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckResult {
    /// What was checked.
    pub name: &'static str,
    /// What is wrong, if anything.
    pub problem: Option<String>,
}

impl Conformance {
    /// Starts the plugin and checks it. The first check that leaves no plugin to talk to is the last one.
    pub async fn check(settings: &PluginSettings) -> Self {
        let mut report = Self {
            method: None,
            checks: Vec::new(),
        };
        let session = match Session::start(settings).await {
            Ok(session) => session,
            Err(problem) => {
                report.add("says hello", Err(problem));
                return report;
            }
        };
        report.method = Some(session.hello().method.id.clone());
        report.add("says hello", Ok(()));
        report.add("states sensible limits", limits(&session));
        report.add("answers a ping", session.ping(900_001, WAIT).await);
        let wait = settings.entry_timeout;
        report.add(
            "translates one entry",
            translate(&session, &HARD_TEXTS[..1], wait).await,
        );
        for text in &HARD_TEXTS[1..] {
            report.add(
                "keeps unusual characters apart",
                translate(&session, &[*text], wait).await,
            );
        }
        let batch = (session.hello().capabilities.max_batch.max(1) as usize).min(HARD_TEXTS.len());
        report.add(
            "translates a full batch",
            translate(&session, &HARD_TEXTS[..batch], wait).await,
        );
        report.add(
            "ignores the cancelling of a request it does not know",
            cancel(&session).await,
        );
        let notes = session.take_notes();
        let clean = if notes.iter().any(|note| note.contains("not open")) {
            Err(notes.join("; "))
        } else {
            Ok(())
        };
        report.add("writes nothing that was not asked for", clean);
        let farewell = match session.shut_down().await {
            Some(0) => Ok(()),
            Some(status) => Err(format!("it ended with status {status}")),
            None => Err("it did not end within 5 seconds".to_owned()),
        };
        report.add("ends when asked to", farewell);
        report
    }

    /// Returns whether every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.problem.is_none())
    }

    fn add(&mut self, name: &'static str, result: Result<(), String>) {
        // Several texts make one check; the first problem stands for all.
        match self.checks.last_mut().filter(|last| last.name == name) {
            Some(last) => last.problem = last.problem.take().or(result.err()),
            None => self.checks.push(CheckResult {
                name,
                problem: result.err(),
            }),
        }
    }
}

fn limits(session: &Session) -> Result<(), String> {
    let capabilities = session.hello().capabilities;
    if capabilities.max_batch == 0 || capabilities.max_in_flight == 0 {
        return Err("max_batch and max_in_flight must be at least 1".into());
    }
    Ok(())
}

async fn cancel(session: &Session) -> Result<(), String> {
    session.send(&ToPlugin::Cancel { req: 900_002 }).await?;
    session.ping(900_003, WAIT).await
}

/// Sends texts and expects one result for each, then `done`.
async fn translate(session: &Session, texts: &[&str], wait: Duration) -> Result<(), String> {
    let (req, mut events) = session.open()?;
    let entries: Vec<PluginEntry> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| PluginEntry {
            id: format!("check-{index}"),
            source: (*text).to_owned(),
            context: None,
            register: None,
            domain: None,
            question: None,
            options: Vec::new(),
        })
        .collect();
    let mut open: BTreeSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    session.send(&ToPlugin::Translate { req, entries }).await?;
    loop {
        let event = tokio::time::timeout(wait, events.recv()).await.map_err(|_| {
            session.close(req);
            "no result in time".to_owned()
        })?;
        match event {
            None => return Err(session.reason()),
            Some(Event::Progress) => {}
            Some(Event::Score(_)) => return Err("a score, where a translation was asked for".into()),
            Some(Event::Done) if open.is_empty() => return Ok(()),
            Some(Event::Done) => return Err(format!("done without a result for {}", list(&open))),
            Some(Event::Result(result)) => accept(&result, &mut open)?,
        }
    }
}

fn accept(result: &ResultMessage, open: &mut BTreeSet<String>) -> Result<(), String> {
    if let Some(fault) = result.fault() {
        return Err(fault.to_owned());
    }
    if !open.remove(&result.id) {
        return Err(format!(
            "a result for {:?}, which was not asked for or answered already",
            result.id
        ));
    }
    match &result.error {
        // A method may be unable to translate a text, but has to say so in these words.
        Some(error) if error.kind != super::ErrorKind::InvalidInput => Err(error.message.clone()),
        _ => Ok(()),
    }
}

fn list(open: &BTreeSet<String>) -> String {
    open.iter().cloned().collect::<Vec<_>>().join(", ")
}
