//! How far a queued sweep is.

use lydian_model::NanoUsd;
use serde::Serialize;

use super::QueueError;
use super::database::Database;

/// The state of a queued sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueStatus {
    /// Runs.
    pub runs: i64,
    /// Chunks nobody works on.
    pub open: i64,
    /// Chunks somebody works on.
    pub leased: i64,
    /// Chunks that are finished.
    pub done: i64,
    /// Chunks that were put aside.
    pub dead: i64,
    /// Entries with an answer.
    pub answers: i64,
    /// Entries whose last attempt failed.
    pub failures: i64,
    /// Workers that are alive.
    pub workers: i64,
    /// What was paid.
    pub spent_usd: NanoUsd,
    /// The part of it that was reserved by workers that disappeared.
    pub perhaps_paid_usd: NanoUsd,
    /// What is set aside for requests in flight.
    pub reserved_usd: NanoUsd,
    /// Most that may be paid.
    pub budget_usd: Option<NanoUsd>,
    /// The chunks that were put aside.
    pub dead_chunks: Vec<DeadChunk>,
}

/// A chunk that was put aside after too many attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeadChunk {
    /// Its run.
    pub run: String,
    /// Place of its first entry.
    pub first_entry: i32,
    /// Its entries.
    pub entries: i32,
    /// Attempts.
    pub attempts: i32,
    /// How the last one ended.
    pub last_error: Option<String>,
}

/// What all workers have to keep to.
pub(super) struct Limits {
    pub(super) budget_nanos: Option<i64>,
    pub(super) allow_unpriced: bool,
}

impl Database {
    /// Returns the state of a sweep.
    pub async fn status(&self, sweep: &str) -> Result<QueueStatus, QueueError> {
        let statement = "
            SELECT
                (SELECT count(*) FROM lydian_run WHERE sweep = $1),
                (SELECT count(*) FROM lydian_chunk WHERE sweep = $1 AND state = 'open'),
                (SELECT count(*) FROM lydian_chunk WHERE sweep = $1 AND state = 'leased'),
                (SELECT count(*) FROM lydian_chunk WHERE sweep = $1 AND state = 'done'),
                (SELECT count(*) FROM lydian_chunk WHERE sweep = $1 AND state = 'dead'),
                (SELECT count(*) FROM lydian_answer WHERE sweep = $1 AND NOT failed),
                (SELECT count(*) FROM lydian_answer WHERE sweep = $1 AND failed),
                (SELECT count(*) FROM lydian_worker WHERE sweep = $1 AND alive_until >= clock_timestamp()),
                spent_nanos, perhaps_paid_nanos, reserved_nanos, budget_nanos
            FROM lydian_sweep WHERE name = $1";
        let row = self
            .run(|client| async move { client.query_opt(statement, &[&sweep]).await })
            .await?
            .ok_or_else(|| QueueError::NoSweep(sweep.to_owned()))?;
        let money = |nanos: i64| NanoUsd::new(u64::try_from(nanos).unwrap_or(0));
        Ok(QueueStatus {
            runs: row.get(0),
            open: row.get(1),
            leased: row.get(2),
            done: row.get(3),
            dead: row.get(4),
            answers: row.get(5),
            failures: row.get(6),
            workers: row.get(7),
            spent_usd: money(row.get(8)),
            perhaps_paid_usd: money(row.get(9)),
            reserved_usd: money(row.get(10)),
            budget_usd: row.get::<_, Option<i64>>(11).map(money),
            dead_chunks: self.dead_chunks(sweep).await?,
        })
    }

    async fn dead_chunks(&self, sweep: &str) -> Result<Vec<DeadChunk>, QueueError> {
        let statement = "
            SELECT run, first_entry, entries, attempts, last_error FROM lydian_chunk
            WHERE sweep = $1 AND state = 'dead' ORDER BY id";
        let rows = self
            .run(|client| async move { client.query(statement, &[&sweep]).await })
            .await?;
        Ok(rows
            .iter()
            .map(|row| DeadChunk {
                run: row.get(0),
                first_entry: row.get(1),
                entries: row.get(2),
                attempts: row.get(3),
                last_error: row.get(4),
            })
            .collect())
    }

    /// Returns what all workers have to keep to.
    pub(super) async fn limits(&self, sweep: &str) -> Result<Limits, QueueError> {
        let statement = "SELECT budget_nanos, allow_unpriced FROM lydian_sweep WHERE name = $1";
        let row = self
            .run(|client| async move { client.query_one(statement, &[&sweep]).await })
            .await?;
        Ok(Limits {
            budget_nanos: row.get(0),
            allow_unpriced: row.get(1),
        })
    }
}
