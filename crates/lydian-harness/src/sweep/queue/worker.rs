//! A worker: leases chunks, asks for their entries, keeps the answers, and stays alive or lets go.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lydian_model::SourceEntry;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use super::database::Database;
use super::lease::{ChunkEnd, Found, Lease};
use super::pool::SharedPool;
use super::{QueueError, QueuedSweep};
use crate::endpoint::Unpriced;
use crate::pool::Pool;
use crate::run::Interruption;
use crate::translator::{Stop, Translator};

mod chunk;

/// Wait before asking again when others hold everything that is left.
const LATER: Duration = Duration::from_millis(500);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// The sweep.
    pub sweep: QueuedSweep,
    /// Name of the worker, unique over all workers and times.
    pub id: String,
    /// Program and version.
    pub program: String,
    /// How long a lease holds without a heartbeat.
    pub lease: Duration,
    /// Calls at the same time per chunk.
    pub concurrency: usize,
    /// Chunks at the same time.
    pub chunks: usize,
}

/// A run's method and entries on this machine.
pub struct Ready {
    /// The method.
    pub translator: Arc<dyn Translator>,
    /// All selected entries, in the order of the selection.
    pub entries: Vec<SourceEntry>,
}

/// Makes a run ready by its setup fingerprint.
pub type MakeReady = Box<dyn Fn(&str) -> Result<Ready, String> + Send + Sync>;

/// What a worker did.
#[derive(Debug, Default)]
pub struct WorkerEnd {
    /// Chunks it finished.
    pub chunks: u64,
    /// Answers of it that were kept.
    pub answers: u64,
    /// Leases it lost to others.
    pub lost: u64,
    /// What made going on pointless, for a run or for all.
    pub stop: Option<Stop>,
    /// Whether somebody interrupted it.
    pub interrupted: bool,
}

/// One worker of a sweep.
pub struct Worker {
    database: Arc<Database>,
    settings: WorkerSettings,
    pool: Arc<SharedPool>,
    state: Mutex<State>,
    stopped: Notify,
    answers: AtomicU64,
}

#[derive(Default)]
struct State {
    ready: BTreeMap<String, Arc<Ready>>,
    /// Runs that this worker cannot help with.
    skipped: BTreeSet<String>,
    active: BTreeMap<i64, (i64, Arc<Notify>)>,
    end: WorkerEnd,
    over: bool,
}

impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Worker")
            .field("id", &self.settings.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Ready")
            .field("entries", &self.entries.len())
            .finish_non_exhaustive()
    }
}

impl Worker {
    /// Joins the workers of a sweep that is queued; refuses a queue of another corpus or version.
    pub async fn join(database: Arc<Database>, settings: WorkerSettings) -> Result<Arc<Self>, QueueError> {
        database.check(&settings.sweep).await?;
        database
            .announce(
                &settings.sweep.name,
                &settings.id,
                &settings.program,
                settings.lease,
            )
            .await?;
        let limits = database.limits(&settings.sweep.name).await?;
        let budget = limits.budget_nanos.map(|_| {
            if limits.allow_unpriced {
                Unpriced::Allowed
            } else {
                Unpriced::Refused
            }
        });
        let pool = Arc::new(SharedPool {
            database: Arc::clone(&database),
            sweep: settings.sweep.name.clone(),
            worker: settings.id.clone(),
            budget,
            reservations: AtomicU64::new(0),
            runtime: tokio::runtime::Handle::current(),
        });
        Ok(Arc::new(Self {
            database,
            settings,
            pool,
            state: Mutex::default(),
            stopped: Notify::new(),
            answers: AtomicU64::new(0),
        }))
    }

    /// Returns rate and budget as all workers share them.
    pub fn pool(&self) -> Arc<dyn Pool> {
        Arc::clone(&self.pool) as Arc<dyn Pool>
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until nothing is left for it, or until it is interrupted or stopped. `runs` are those it knows.
    pub async fn work(
        self: &Arc<Self>,
        runs: Vec<String>,
        make: MakeReady,
        interruption: watch::Receiver<Interruption>,
    ) -> Result<WorkerEnd, QueueError> {
        let make = Arc::new(make);
        let runs = Arc::new(runs);
        let heart = tokio::spawn(Arc::clone(self).beat());
        let mut loops = JoinSet::new();
        for _ in 0..self.settings.chunks.max(1) {
            loops.spawn(Arc::clone(self).take_chunks(
                Arc::clone(&runs),
                Arc::clone(&make),
                interruption.clone(),
            ));
        }
        let mut first_error = None;
        while let Some(joined) = loops.join_next().await {
            match joined {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    self.state().over = true;
                    first_error.get_or_insert(error);
                }
                Err(error) => {
                    self.state().over = true;
                    first_error.get_or_insert(QueueError::Method(format!("a worker ended early: {error}")));
                }
            }
        }
        let withdrawn = self.shut_down().await;
        heart.abort();
        if let Some(error) = first_error {
            return Err(error);
        }
        withdrawn?;
        self.database.farewell(&self.settings.id).await?;
        let mut end = std::mem::take(&mut self.state().end);
        end.answers = self.answers.load(Ordering::Relaxed);
        end.interrupted = *interruption.borrow() != Interruption::None;
        Ok(end)
    }

    /// Says again and again that the worker is alive, and tells chunks that are not its own any more.
    async fn beat(self: Arc<Self>) {
        let mut clock = tokio::time::interval(self.settings.lease / 3);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            clock.tick().await;
            let before: BTreeMap<i64, (i64, Arc<Notify>)> = self.state().active.clone();
            let WorkerSettings { id, lease, .. } = &self.settings;
            let chunks = before.keys().copied().collect();
            // A database that cannot be reached lets the leases run out; whoever writes next notices.
            let Ok(held) = self.database.heartbeat(id, chunks, *lease).await else {
                continue;
            };
            let held: BTreeSet<(i64, i64)> = held.into_iter().collect();
            for (chunk, (token, lost)) in before {
                if !held.contains(&(chunk, token)) {
                    lost.notify_one();
                }
            }
        }
    }

    async fn take_chunks(
        self: Arc<Self>,
        runs: Arc<Vec<String>>,
        make: Arc<MakeReady>,
        mut interruption: watch::Receiver<Interruption>,
    ) -> Result<(), QueueError> {
        let WorkerSettings { sweep, id, lease, .. } = &self.settings;
        loop {
            if self.state().over || *interruption.borrow() != Interruption::None {
                return Ok(());
            }
            let known = self.runs_to_ask_for(&runs);
            match self.database.claim(&sweep.name, id, &known, *lease).await? {
                Found::Nothing => return Ok(()),
                Found::Later => {
                    tokio::select! {
                        () = tokio::time::sleep(LATER) => {}
                        _ = interruption.changed() => {}
                        () = self.stopped.notified() => {}
                    }
                }
                Found::Chunk(lease) => self.chunk(&lease, &make, &interruption).await?,
            }
        }
    }

    fn runs_to_ask_for(&self, runs: &Arc<Vec<String>>) -> Arc<Vec<String>> {
        let state = self.state();
        if state.skipped.is_empty() {
            return Arc::clone(runs);
        }
        Arc::new(
            runs.iter()
                .filter(|run| !state.skipped.contains(*run))
                .cloned()
                .collect(),
        )
    }

    /// Works on one chunk and ends its lease.
    async fn chunk(
        self: &Arc<Self>,
        lease: &Lease,
        make: &MakeReady,
        interruption: &watch::Receiver<Interruption>,
    ) -> Result<(), QueueError> {
        let lost = Arc::new(Notify::new());
        self.state()
            .active
            .insert(lease.chunk, (lease.token, Arc::clone(&lost)));
        let worked = tokio::select! {
            worked = self.answer_chunk(lease, make, interruption) => Some(worked),
            () = lost.notified() => None,
        };
        self.state().active.remove(&lease.chunk);
        let Some(worked) = worked else {
            self.state().end.lost += 1;
            return Ok(());
        };
        let (end, stop) = worked?;
        let still_ours = self.database.end(lease, &end).await?;
        let mut state = self.state();
        if !still_ours {
            state.end.lost += 1;
        } else if end == ChunkEnd::Done {
            state.end.chunks += 1;
        }
        if let Some(stop) = stop {
            // What stops one run of this kind stops them all; anything else concerns this run alone.
            if matches!(
                stop,
                Stop::Budget { .. } | Stop::Authentication(_) | Stop::Log(_) | Stop::Unpriced(_)
            ) {
                state.over = true;
                self.stopped.notify_waiters();
            }
            state.skipped.insert(lease.run.clone());
            state.end.stop.get_or_insert(stop);
        }
        Ok(())
    }

    fn ready(&self, run: &str, make: &MakeReady) -> Result<Arc<Ready>, QueueError> {
        if let Some(ready) = self.state().ready.get(run) {
            return Ok(Arc::clone(ready));
        }
        let ready = Arc::new(make(run).map_err(QueueError::Method)?);
        self.state().ready.insert(run.to_owned(), Arc::clone(&ready));
        Ok(ready)
    }

    /// Ends the methods. Answers that turned out not to be trusted are void, and their runs are asked for again.
    async fn shut_down(&self) -> Result<(), QueueError> {
        let ready = std::mem::take(&mut self.state().ready);
        for (run, ready) in ready {
            let void = ready.translator.shut_down().await;
            if !void.is_empty() {
                self.database
                    .withdraw(&self.settings.sweep.name, &run, &void)
                    .await?;
            }
        }
        Ok(())
    }
}
