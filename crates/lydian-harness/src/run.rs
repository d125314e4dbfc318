//! The run loop: entries to a method, its answers to the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use lydian_model::{EntryId, Outcome, Prediction, SourceEntry};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

mod log;
#[cfg(test)]
mod tests;

use crate::journal::{EndReason, Journal, JournalError};
use crate::translator::{LogError, Stop, Translator};

/// What is to be done, and by which method.
pub struct Work {
    /// The method.
    pub translator: Arc<dyn Translator>,
    /// All selected entries in corpus order.
    pub entries: Vec<SourceEntry>,
    /// Those that have an accepted answer already.
    pub answered: BTreeSet<EntryId>,
}

/// How a run is executed. None of it can change an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Calls of the method at a time.
    pub concurrency: usize,
    /// How long calls in flight may take to finish after an interruption.
    pub grace: Duration,
}

/// What the user asked a running execution to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interruption {
    /// Go on.
    #[default]
    None,
    /// Start nothing more, wait for what is in flight.
    Drain,
    /// End now.
    Abort,
}

/// The user's side of a running execution.
pub struct Control {
    /// What the user asked for; may change at any time.
    pub interruption: watch::Receiver<Interruption>,
    /// Is told how many entries have been asked for so far.
    pub on_progress: Box<dyn Fn(u64) + Send + Sync>,
}

/// How an execution ended.
#[derive(Debug)]
pub struct RunEnd {
    /// Why.
    pub reason: EndReason,
    /// What made going on pointless, when `reason` is [`EndReason::Stopped`].
    pub stop: Option<Stop>,
    /// Entries that this execution asked for.
    pub asked: u64,
    /// Those of them without an answer.
    pub failed: u64,
}

impl fmt::Debug for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Work")
            .field("entries", &self.entries.len())
            .field("answered", &self.answered.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Control")
            .field("interruption", &self.interruption)
            .finish_non_exhaustive()
    }
}

/// Asks the method for every open entry, writes what it says to the journal, and closes the journal.
///
/// Calls finish in any order; an answer belongs to the entry whose id it names. After an interruption, or when nothing
/// more can succeed, the entries that were not asked for stay open.
pub async fn run(
    work: Work,
    journal: Journal,
    options: RunOptions,
    control: Control,
) -> Result<RunEnd, JournalError> {
    let mut interruption = control.interruption.clone();
    let shared = Arc::new(Shared {
        chunks: chunks(work.entries, &work.answered, work.translator.batch_size()),
        answered: work.answered,
        translator: work.translator,
        journal,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        asked: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        control,
    });
    let mut workers = JoinSet::new();
    for _ in 0..options.concurrency.clamp(1, shared.chunks.len().max(1)) {
        workers.spawn(Arc::clone(&shared).work());
    }
    let stop = supervise(&mut workers, &mut interruption, options.grace).await;
    workers.shutdown().await;
    for prediction in shared.translator.shut_down().await {
        shared.journal.append_withdrawal(prediction)?;
    }
    let finished = shared.done.load(Ordering::Relaxed) == shared.chunks.len();
    let reason = match &stop {
        Some(_) => EndReason::Stopped,
        None if finished => EndReason::Finished,
        None => EndReason::Interrupted,
    };
    let shared = Arc::into_inner(shared).expect("every worker has ended");
    match &stop {
        Some(stop) => shared.journal.close_stopped(stop.to_string())?,
        None => shared.journal.close(reason)?,
    }
    Ok(RunEnd {
        reason,
        stop,
        asked: shared.asked.into_inner(),
        failed: shared.failed.into_inner(),
    })
}

/// Waits until every worker has ended, or no longer when an interruption says so.
async fn supervise(
    workers: &mut JoinSet<Result<(), Stop>>,
    interruption: &mut watch::Receiver<Interruption>,
    grace: Duration,
) -> Option<Stop> {
    let mut first_stop = None;
    let mut deadline = None;
    let mut listening = true;
    loop {
        let until = deadline.unwrap_or_else(Instant::now);
        tokio::select! {
            joined = workers.join_next() => match joined {
                None => return first_stop,
                Some(joined) => if let Err(stop) = flattened(joined) {
                    first_stop.get_or_insert(stop);
                },
            },
            changed = interruption.changed(), if listening => {
                listening = changed.is_ok();
                match *interruption.borrow_and_update() {
                    Interruption::None => {}
                    Interruption::Drain => deadline = Some(Instant::now() + grace),
                    Interruption::Abort => return first_stop,
                }
            }
            () = tokio::time::sleep_until(until), if deadline.is_some() => return first_stop,
        }
    }
}

fn flattened(joined: Result<Result<(), Stop>, JoinError>) -> Result<(), Stop> {
    match joined {
        Ok(ended) => ended,
        Err(error) => Err(Stop::Method(format!("a worker ended early: {error}"))),
    }
}

/// Entries that are asked for with one call.
struct Chunk {
    entries: Vec<SourceEntry>,
}

/// Cuts the entries into calls. Batches are the same in every execution, so that a batch whose response is in the
/// journal is asked for in the same words; one whose entries are all answered is left out.
fn chunks(entries: Vec<SourceEntry>, answered: &BTreeSet<EntryId>, size: usize) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut entries = entries.into_iter();
    loop {
        let chunk: Vec<SourceEntry> = entries.by_ref().take(size.max(1)).collect();
        if chunk.is_empty() {
            return chunks;
        }
        if chunk.iter().any(|entry| !answered.contains(&entry.id)) {
            chunks.push(Chunk { entries: chunk });
        }
    }
}

/// What the workers share.
struct Shared {
    chunks: Vec<Chunk>,
    answered: BTreeSet<EntryId>,
    translator: Arc<dyn Translator>,
    journal: Journal,
    next: AtomicUsize,
    done: AtomicUsize,
    asked: AtomicU64,
    failed: AtomicU64,
    stopped: AtomicBool,
    control: Control,
}

impl Shared {
    /// Takes one chunk after the other until none is left or the execution is to end.
    async fn work(self: Arc<Self>) -> Result<(), Stop> {
        loop {
            let interrupted = *self.control.interruption.borrow() != Interruption::None;
            if interrupted || self.stopped.load(Ordering::Relaxed) {
                return Ok(());
            }
            let taken = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = self.chunks.get(taken) else {
                return Ok(());
            };
            if let Err(stop) = self.ask(chunk).await {
                self.stopped.store(true, Ordering::Relaxed);
                return Err(stop);
            }
            // A method that is always ready must not keep the interruption from being seen.
            tokio::task::coop::consume_budget().await;
        }
    }

    async fn ask(&self, chunk: &Chunk) -> Result<(), Stop> {
        let predictions = self.translator.translate(&chunk.entries, &self.journal).await?;
        self.accept(chunk, predictions)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn accept(&self, chunk: &Chunk, predictions: Vec<Prediction>) -> Result<(), Stop> {
        let mut by_id: BTreeMap<EntryId, Prediction> = BTreeMap::new();
        for prediction in predictions {
            by_id.entry(prediction.entry_id.clone()).or_insert(prediction);
        }
        let mut asked = 0;
        for entry in &chunk.entries {
            let prediction = by_id.remove(&entry.id);
            if self.answered.contains(&entry.id) {
                continue;
            }
            let prediction = prediction.unwrap_or_else(|| {
                Prediction::failed(entry.id.clone(), "the method returned nothing for this entry")
            });
            asked += 1;
            if prediction.outcome == Outcome::Failed {
                self.failed.fetch_add(1, Ordering::Relaxed);
            }
            self.journal
                .append_answer(prediction)
                .map_err(|error| LogError(error.to_string()))?;
        }
        if let Some(id) = by_id.keys().next() {
            return Err(Stop::Method(format!(
                "it answered for entry {id}, which it was not asked for"
            )));
        }
        let asked = self.asked.fetch_add(asked, Ordering::Relaxed) + asked;
        (self.control.on_progress)(asked);
        Ok(())
    }
}
