//! The entries of one chunk: asked for, several at a time, and kept as they are answered.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lydian_model::{Outcome, Prediction, SourceEntry};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::super::QueueError;
use super::super::lease::{ChunkEnd, Lease};
use super::super::log::QueueLog;
use super::super::pool::stop;
use super::{MakeReady, Ready, Worker};
use crate::run::Interruption;
use crate::translator::Stop;

/// What the calls of a chunk share.
struct Calls {
    worker: Arc<Worker>,
    ready: Arc<Ready>,
    log: QueueLog,
    batches: Vec<Vec<SourceEntry>>,
    answered: BTreeSet<String>,
    next: AtomicUsize,
    ended: AtomicBool,
    /// The last entry without an answer, and why.
    failure: Mutex<Option<String>>,
    interruption: watch::Receiver<Interruption>,
}

impl Worker {
    /// Asks for every entry of the chunk that has no answer yet; says how the chunk ended, and whether going on makes
    /// sense.
    pub(super) async fn answer_chunk(
        self: &Arc<Self>,
        lease: &Lease,
        make: &MakeReady,
        interruption: &watch::Receiver<Interruption>,
    ) -> Result<(ChunkEnd, Option<Stop>), QueueError> {
        let ready = match self.ready(&lease.run, make) {
            Ok(ready) => ready,
            Err(error) => {
                let message = error.to_string();
                return Ok((ChunkEnd::GivenBack(message.clone()), Some(Stop::Method(message))));
            }
        };
        let sweep = &self.settings.sweep.name;
        let log = QueueLog::open(Arc::clone(&self.database), sweep, &self.settings.id, lease).await?;
        log.begin().await?;
        let answered: BTreeSet<String> = log.answered().await?.into_iter().collect();
        let calls = Arc::new(Calls {
            worker: Arc::clone(self),
            batches: batches(&ready, lease, &answered),
            ready,
            log,
            answered,
            next: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            failure: Mutex::new(None),
            interruption: interruption.clone(),
        });
        let mut active = JoinSet::new();
        for _ in 0..self.settings.concurrency.clamp(1, calls.batches.len().max(1)) {
            active.spawn(Arc::clone(&calls).call());
        }
        let mut first_stop = None;
        while let Some(joined) = active.join_next().await {
            let ended =
                joined.unwrap_or_else(|error| Err(Stop::Method(format!("a call ended early: {error}"))));
            if let Err(stop) = ended {
                first_stop.get_or_insert(stop);
            }
        }
        calls.end(lease, first_stop).await
    }
}

/// Cuts the chunk into requests. Requests are the same on every machine, so that an answer found in the log is for the same
/// words; one whose entries are all answered is left out.
fn batches(ready: &Ready, lease: &Lease, answered: &BTreeSet<String>) -> Vec<Vec<SourceEntry>> {
    let entries = ready.entries.iter().skip(lease.first_entry).take(lease.entries);
    let entries: Vec<SourceEntry> = entries.cloned().collect();
    entries
        .chunks(ready.translator.batch_size().max(1))
        .filter(|batch| batch.iter().any(|entry| !answered.contains(entry.id.as_str())))
        .map(<[SourceEntry]>::to_vec)
        .collect()
}

impl Calls {
    async fn call(self: Arc<Self>) -> Result<(), Stop> {
        loop {
            let interrupted = *self.interruption.borrow() != Interruption::None;
            if interrupted || self.ended.load(Ordering::Relaxed) {
                return Ok(());
            }
            let taken = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = self.batches.get(taken) else {
                return Ok(());
            };
            if let Err(stop) = self.ask(batch).await {
                self.ended.store(true, Ordering::Relaxed);
                return Err(stop);
            }
            tokio::task::coop::consume_budget().await;
        }
    }

    async fn ask(&self, batch: &[SourceEntry]) -> Result<(), Stop> {
        let mut predictions = self.ready.translator.translate(batch, &self.log).await?;
        for entry in batch
            .iter()
            .filter(|entry| !self.answered.contains(entry.id.as_str()))
        {
            let found = predictions.iter().position(|one| one.entry_id == entry.id);
            let prediction = found.map_or_else(
                || Prediction::failed(entry.id.clone(), "the method returned nothing for this entry"),
                |place| predictions.swap_remove(place),
            );
            if let Some(error) = prediction
                .error
                .as_ref()
                .filter(|_| prediction.outcome == Outcome::Failed)
            {
                let told = format!("entry {}: {error}", prediction.entry_id);
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
            }
            if self.log.keep(&prediction).await.map_err(|error| stop(&error))? {
                self.worker.answers.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Says how the chunk ended, by what the database holds of it.
    async fn end(
        &self,
        lease: &Lease,
        stopped: Option<Stop>,
    ) -> Result<(ChunkEnd, Option<Stop>), QueueError> {
        if let Some(stop @ Stop::Log(_)) = stopped {
            return Ok((ChunkEnd::GivenBack(stop.to_string()), Some(stop)));
        }
        let answered: BTreeSet<String> = self.log.answered().await?.into_iter().collect();
        let entries = self
            .ready
            .entries
            .iter()
            .skip(lease.first_entry)
            .take(lease.entries);
        let open = entries
            .filter(|entry| !answered.contains(entry.id.as_str()))
            .count();
        let end = match &stopped {
            _ if open == 0 => ChunkEnd::Done,
            Some(stop) => ChunkEnd::GivenBack(stop.to_string()),
            None if *self.interruption.borrow() != Interruption::None => {
                ChunkEnd::GivenBack("the worker was interrupted".into())
            }
            None => {
                let failure = self
                    .failure
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                let cause = failure.map_or_else(String::new, |failure| format!("; {failure}"));
                ChunkEnd::Failed(format!(
                    "{open} of {} entries have no answer{cause}",
                    lease.entries
                ))
            }
        };
        Ok((end, stopped))
    }
}
