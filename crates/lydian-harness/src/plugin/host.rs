//! A plugin as a method: entries in, predictions out, whatever the program does.

use super::PluginSettings;
use super::message::{Hello, PluginEntry, ResultMessage, ToPlugin, position};
use super::prediction::{Fate, RETRY, finished, prediction, restored, wait_before_retry};
use super::session::{Event, Session};
use crate::provider::RawResponse;
use crate::translator::{BoxFuture, CallLog, ReceivedCall, SentCall, Stop, Translator};
use lydian_model::{EntryId, Prediction, Sha256Hex, SourceEntry};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit};
use tokio::time::Instant;

/// So many starts in a row without a single result mean that the plugin is broken.
const FRUITLESS_STARTS: u32 = 10;
/// How often an entry whose error is retryable is asked for.
const RETRIES: u32 = 3;

/// A method behind the plugin protocol.
#[derive(Debug)]
pub struct PluginMethod {
    settings: PluginSettings,
    state: AsyncMutex<Lives>,
    notes: Mutex<Vec<String>>,
    stderr_file: Mutex<Option<PathBuf>>,
}

#[derive(Debug, Default)]
struct Lives {
    session: Option<Arc<Session>>,
    fruitless: u32,
}

/// Name of the file in a run's folder that holds what the plugin wrote to standard error.
const STDERR_FILE: &str = "plugin.stderr";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One message and what became of its entries.
struct Round<'a> {
    entries: &'a [SourceEntry],
    numbers: Vec<u64>,
    fates: Vec<Option<Fate>>,
    start: Instant,
}

impl PluginMethod {
    /// Prepares a plugin; it is started with the first entries.
    pub fn new(settings: PluginSettings) -> Self {
        Self {
            settings,
            state: AsyncMutex::default(),
            notes: Mutex::default(),
            stderr_file: Mutex::default(),
        }
    }

    /// Starts the plugin if it is not running and returns what it says about itself.
    pub async fn hello(&self) -> Result<Hello, Stop> {
        Ok(self.session().await?.hello().clone())
    }

    /// Returns the settings with the file for standard error, once the run has a folder.
    fn settings(&self) -> PluginSettings {
        let file = lock(&self.stderr_file)
            .clone()
            .or_else(|| self.settings.stderr_file.clone());
        PluginSettings {
            stderr_file: file,
            ..self.settings.clone()
        }
    }

    fn note(&self, note: String) {
        let mut notes = lock(&self.notes);
        if notes.len() < 1_000 {
            notes.push(note);
        }
    }

    fn keep_notes(&self, session: &Session) {
        session.take_notes().into_iter().for_each(|note| self.note(note));
    }

    /// Returns the running session, or starts a new one.
    async fn session(&self) -> Result<Arc<Session>, Stop> {
        let mut lives = self.state.lock().await;
        if let Some(session) = &lives.session {
            if !session.has_ended() {
                return Ok(Arc::clone(session));
            }
            self.keep_notes(session);
        }
        if lives.fruitless >= FRUITLESS_STARTS {
            let last = lives
                .session
                .as_ref()
                .map(|session| session.reason())
                .unwrap_or_default();
            return Err(Stop::Method(format!(
                "the plugin ended {FRUITLESS_STARTS} times without a result: {last}"
            )));
        }
        let session = Arc::new(Session::start(&self.settings()).await.map_err(Stop::Method)?);
        lives.fruitless += 1;
        lives.session = Some(Arc::clone(&session));
        Ok(session)
    }

    async fn fruitful(&self) {
        self.state.lock().await.fruitless = 0;
    }

    async fn run(&self, entries: &[SourceEntry], log: &dyn CallLog) -> Result<Vec<Prediction>, Stop> {
        let mut predictions = Vec::with_capacity(entries.len());
        let mut open: Vec<SourceEntry> = Vec::new();
        for entry in entries {
            match log
                .earlier_answer(&entry.id, &self.digest(entry))
                .and_then(|earlier| restored(&earlier))
            {
                Some((result, latency, number)) => {
                    predictions.push(prediction(entry, &result, Some(latency), number, 1));
                }
                None => open.push(entry.clone()),
            }
        }
        if open.is_empty() {
            return Ok(predictions);
        }
        let session = self.session().await?;
        let size = session.hello().capabilities.max_batch.max(1) as usize;
        let mut lost = Vec::new();
        for chunk in open.chunks(size) {
            for (entry, fate, number) in self.round(chunk, log, 1).await? {
                match fate {
                    Fate::Lost(_) => lost.push(entry),
                    fate => predictions.push(finished(&entry, fate, number, chunk.len())),
                }
            }
        }
        for entry in lost {
            predictions.push(self.alone(&entry, log).await?);
        }
        Ok(predictions)
    }

    /// Asks for one entry while nothing else is open, so that a plugin that ends again does so because of it.
    async fn alone(&self, entry: &SourceEntry, log: &dyn CallLog) -> Result<Prediction, Stop> {
        let mut outcome = self.round(std::slice::from_ref(entry), log, 2).await?;
        let (entry, fate, number) = outcome.remove(0);
        Ok(finished(&entry, fate, number, 1))
    }

    /// Sends entries in one message and waits for their fates. From the second attempt on, nothing else is open then.
    async fn round(
        &self,
        entries: &[SourceEntry],
        log: &dyn CallLog,
        attempt: u32,
    ) -> Result<Vec<(SourceEntry, Fate, u64)>, Stop> {
        let (session, _permit) = self.turn(attempt > 1).await?;
        let mut numbers = Vec::with_capacity(entries.len());
        for entry in entries {
            let sent = SentCall {
                entry_ids: vec![entry.id.clone()],
                request_sha256: self.digest(entry),
                attempt,
                budgeted: None,
            };
            numbers.push(log.sent(&sent).await?);
        }
        let mut round = Round {
            entries,
            numbers,
            fates: entries.iter().map(|_| None).collect(),
            start: Instant::now(),
        };
        let ending = self.exchange(&session, &mut round, log).await?;
        self.keep_notes(&session);
        if round
            .fates
            .iter()
            .any(|fate| matches!(fate, Some(Fate::Answered(..))))
        {
            self.fruitful().await;
        }
        let lost = |ending: &Option<String>| match ending {
            Some(reason) => Fate::Lost(reason.clone()),
            None => Fate::Failed("the plugin gave no result for this entry".into()),
        };
        let fates = round
            .fates
            .into_iter()
            .map(|fate| fate.unwrap_or_else(|| lost(&ending)));
        let together = entries.iter().cloned().zip(fates).zip(round.numbers);
        Ok(together
            .map(|((entry, fate), number)| (entry, fate, number))
            .collect())
    }

    /// Waits until the running session takes a message. A session that ends while others wait for it loses them
    /// nothing: they wait for the next one.
    async fn turn(&self, alone: bool) -> Result<(Arc<Session>, OwnedSemaphorePermit), Stop> {
        loop {
            let session = self.session().await?;
            let wanted = if alone { session.permits() } else { 1 };
            let permit = Arc::clone(&session.in_flight).acquire_many_owned(wanted).await;
            if let (Ok(permit), false) = (permit, session.has_ended()) {
                return Ok((session, permit));
            }
        }
    }

    /// Collects the results of one message. Returns why the session ended, if it did.
    async fn exchange(
        &self,
        session: &Session,
        round: &mut Round<'_>,
        log: &dyn CallLog,
    ) -> Result<Option<String>, Stop> {
        let (req, mut events) = match session.open() {
            Ok(open) => open,
            Err(reason) => return Ok(Some(reason)),
        };
        let message = ToPlugin::Translate {
            req,
            entries: round.entries.iter().map(PluginEntry::from).collect(),
        };
        if let Err(reason) = session.send(&message).await {
            return Ok(Some(reason));
        }
        loop {
            let event = match tokio::time::timeout(self.settings.entry_timeout, events.recv()).await {
                Ok(Some(event)) => event,
                // Results that came before the end are still in the channel and were read above.
                Ok(None) => return Ok(Some(session.reason())),
                Err(_) => {
                    let seconds = self.settings.entry_timeout.as_secs_f64();
                    let reason = format!("the plugin was silent for {seconds} s and was ended");
                    session.kill(reason.clone()).await;
                    return Ok(Some(reason));
                }
            };
            match event {
                // A method has no references to score against; what it says of its own output is not asked for.
                Event::Progress | Event::Score(_) => {}
                Event::Done => return Ok(None),
                Event::Result(result) => self.take(round, result, log).await?,
            }
        }
    }

    /// Takes a result, after it was written down.
    async fn take(
        &self,
        round: &mut Round<'_>,
        result: Box<ResultMessage>,
        log: &dyn CallLog,
    ) -> Result<(), Stop> {
        let Some(index) = position(round.entries, &result.id) else {
            self.note(format!(
                "a result for entry {:?}, which was not asked for",
                result.id
            ));
            return Ok(());
        };
        let latency = round.start.elapsed();
        round.fates[index] = Some(match (&round.fates[index], result.fault()) {
            (Some(_), _) => Fate::Failed("the plugin answered twice for this entry".into()),
            (None, Some(fault)) => Fate::Failed(fault.into()),
            (None, None) => {
                let entry = &round.entries[index];
                let body = serde_json::to_vec(&result).map_err(|error| Stop::Method(error.to_string()))?;
                let received = ReceivedCall {
                    number: round.numbers[index],
                    entry_ids: vec![entry.id.clone()],
                    request_sha256: self.digest(entry),
                    result: Ok(RawResponse {
                        status: 200,
                        headers: Vec::new(),
                        body,
                    }),
                    latency,
                    budgeted: None,
                };
                log.received(&received).await?;
                Fate::Answered(result, latency)
            }
        });
        Ok(())
    }

    /// Returns what identifies the question for an entry to this plugin.
    fn digest(&self, entry: &SourceEntry) -> String {
        let question = json!({
            "plugin": self.settings.command,
            "run": self.settings.run,
            "entry": PluginEntry::from(entry),
        });
        Sha256Hex::of_canonical(&question).as_str().to_owned()
    }
}

impl Translator for PluginMethod {
    fn batch_size(&self) -> usize {
        self.settings.batch_size.max(1) as usize
    }

    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        Box::pin(async move {
            let mut predictions = self.run(entries, log).await?;
            for retry in 1..RETRIES {
                let Some(wait) = predictions.iter().filter_map(wait_before_retry).max() else {
                    break;
                };
                tokio::time::sleep(wait).await;
                let again = |one: &Prediction| wait_before_retry(one).is_some();
                let ids: Vec<EntryId> = predictions
                    .iter()
                    .filter(|one| again(one))
                    .map(|one| one.entry_id.clone())
                    .collect();
                let open: Vec<SourceEntry> = entries
                    .iter()
                    .filter(|entry| ids.contains(&entry.id))
                    .cloned()
                    .collect();
                predictions.retain(|one| !again(one));
                let more = self.run(&open, log).await?;
                predictions.extend(more.into_iter().map(|one| Prediction {
                    attempts: one.attempts + retry,
                    ..one
                }));
            }
            // Whatever still waits for a retry has failed for good.
            for one in &mut predictions {
                one.steps.retain(|step| step.name != RETRY);
            }
            Ok(predictions)
        })
    }

    fn keep_files_in(&self, folder: &Path) {
        *lock(&self.stderr_file) = Some(folder.join(STDERR_FILE));
    }

    fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.notes))
    }

    fn shut_down(&self) -> BoxFuture<'_, Vec<Prediction>> {
        Box::pin(async {
            let session = self.state.lock().await.session.take();
            if let Some(session) = session {
                session.shut_down().await;
                self.keep_notes(&session);
            }
            Vec::new()
        })
    }
}
