//! A sweep worked off by many machines through a PostgreSQL database.
//!
//! Calls are made at least once, results are kept exactly once: an answer is keyed by run and entry, and the first one
//! stays. A chunk of a run is leased; the lease is kept alive by a heartbeat and fenced by a token, so that a worker that
//! was cut off and comes back cannot end what another one holds by now. Rate and budget are rows of the database and hold
//! over all workers. No corpus text is in the database: workers have the corpus, the database has ids and answers.

mod collect;
mod database;
mod lease;
mod log;
mod pool;
mod schema;
mod status;
mod submit;
#[cfg(test)]
mod tests;
mod worker;

use std::time::Duration;

use lydian_model::{NanoUsd, RunSetup, Sha256Hex};

pub use collect::CollectedRun;
pub use database::Database;
pub use status::{DeadChunk, QueueStatus};
pub use submit::Submitted;
pub use worker::{MakeReady, Ready, Worker, WorkerEnd, WorkerSettings};

/// Version of the tables.
pub const QUEUE_VERSION: i32 = 1;

/// Attempts after which a chunk is put aside.
pub const MOST_ATTEMPTS: i32 = 5;

/// What a sweep is in the queue.
#[derive(Clone, Debug)]
pub struct QueuedSweep {
    /// Its name.
    pub name: String,
    /// Version of the evaluation protocol; workers of another one are refused.
    pub harness_version: String,
    /// Digest of the corpus file; workers with another one are refused.
    pub dataset_sha256: Sha256Hex,
    /// Most money over all workers.
    pub budget: Option<NanoUsd>,
    /// Whether requests of unknown price may be sent although there is a budget.
    pub allow_unpriced: bool,
    /// Time between two requests, over all workers.
    pub interval: Option<Duration>,
}

/// A run to be queued.
#[derive(Clone, Debug)]
pub struct QueuedRun {
    /// Its identity.
    pub setup_fingerprint: Sha256Hex,
    /// What is run.
    pub setup: RunSetup,
    /// Entries that one request holds; chunks are whole requests.
    pub batch_size: usize,
}

/// Why the queue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The address of the database is not one.
    #[error("the address of the queue cannot be used: {0}")]
    Address(String),
    /// The database does not answer.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The database refused a statement.
    #[error("the database refused a statement: {0}")]
    Refused(String),
    /// The queue does not hold the sweep.
    #[error("the queue holds no sweep {0:?}")]
    NoSweep(String),
    /// The sweep in the queue is not that of the plan.
    #[error("the sweep in the queue differs in {what}: it has {queued}, this program {here}")]
    Differs {
        /// What differs.
        what: &'static str,
        /// In the queue.
        queued: String,
        /// Here.
        here: String,
    },
    /// A row holds something unexpected.
    #[error("table {table}, {row}: {problem}")]
    Row {
        /// The table.
        table: &'static str,
        /// Which row.
        row: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The corpus holds secret entries.
    #[error("the corpus holds {0} secret entries, and a shared queue may hold nothing of them")]
    Secret(usize),
    /// The run's method cannot be made ready.
    #[error("{0}")]
    Method(String),
}
