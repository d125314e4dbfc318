//! Leases: who works on which chunk, for how long, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use super::database::Database;
use super::schema::{FOLLOW_CLOCK, REAP};
use super::{MOST_ATTEMPTS, QueueError};

/// A chunk of a run that this worker may work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    /// The chunk.
    pub(super) chunk: i64,
    /// Its run.
    pub(super) run: String,
    /// Place of its first entry in the run's selection.
    pub(super) first_entry: usize,
    /// Entries in it.
    pub(super) entries: usize,
    /// Number of the lease; a later one has a higher number.
    pub(super) token: i64,
}

/// What a worker finds when it asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A chunk.
    Chunk(Lease),
    /// Nothing now, but others are still at work and may fail.
    Later,
    /// Nothing is left.
    Nothing,
}

/// How a chunk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChunkEnd {
    /// Every entry has an answer.
    Done,
    /// Some have none; the chunk is tried again, or put aside after too many attempts.
    Failed(String),
    /// The worker stops for a reason that is not the chunk's fault.
    GivenBack(String),
}

impl Database {
    /// Announces a worker.
    pub(super) async fn announce(
        &self,
        sweep: &str,
        worker: &str,
        program: &str,
        lease: Duration,
    ) -> Result<(), QueueError> {
        let seconds = lease.as_secs_f64();
        let statement = "
            INSERT INTO lydian_worker (id, sweep, program, alive_until)
            VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
            ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until";
        self.run(|client| async move {
            client
                .execute(statement, &[&worker, &sweep, &program, &seconds])
                .await
        })
        .await?;
        Ok(())
    }

    /// Says that a worker is alive and works on these chunks: their leases and its reservations hold on. Returns those it
    /// still holds, with their tokens.
    pub(super) async fn heartbeat(
        &self,
        worker: &str,
        chunks: Vec<i64>,
        lease: Duration,
    ) -> Result<Vec<(i64, i64)>, QueueError> {
        let chunks = Arc::new(chunks);
        let seconds = lease.as_secs_f64();
        let statement = "
            WITH alive AS (
                UPDATE lydian_worker SET alive_until = clock_timestamp() + make_interval(secs => $3)
                WHERE id = $1 RETURNING alive_until
            )
            UPDATE lydian_chunk SET lease_until = alive.alive_until FROM alive
            WHERE id = ANY($2) AND worker = $1 AND state = 'leased'
            RETURNING id, token";
        let rows = self
            .run(|client| {
                let chunks = Arc::clone(&chunks);
                async move { client.query(statement, &[&worker, &*chunks, &seconds]).await }
            })
            .await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Ends what is left of a worker in an orderly way.
    pub(super) async fn farewell(&self, worker: &str) -> Result<(), QueueError> {
        let statement = "UPDATE lydian_worker SET alive_until = '-infinity' WHERE id = $1";
        self.run(|client| async move { client.execute(statement, &[&worker]).await })
            .await?;
        Ok(())
    }

    /// Follows the database's clock where it was set back. Returns whether it was.
    pub(super) async fn follow_clock(&self, sweep: &str) -> Result<bool, QueueError> {
        let row = self
            .run(|client| async move { client.query_one(FOLLOW_CLOCK, &[&sweep]).await })
            .await?;
        Ok(row.get(0))
    }

    /// Moves the reservations of workers that are gone to what is spent.
    pub(super) async fn reap(&self, sweep: &str) -> Result<(), QueueError> {
        self.run(|client| async move { client.execute(REAP, &[&sweep]).await })
            .await?;
        Ok(())
    }

    /// Leases the next chunk of one of these runs.
    pub(super) async fn claim(
        &self,
        sweep: &str,
        worker: &str,
        runs: &Arc<Vec<String>>,
        lease: Duration,
    ) -> Result<Found, QueueError> {
        self.follow_clock(sweep).await?;
        self.reap(sweep).await?;
        self.put_aside(sweep).await?;
        let seconds = lease.as_secs_f64();
        // A statement whose answer was lost is done again: the worker then holds a chunk that it does not know of, and gets
        // it again when that lease runs out.
        let statement = "
            UPDATE lydian_chunk
            SET state = 'leased', token = token + 1, attempts = attempts + 1, worker = $2,
                lease_until = clock_timestamp() + make_interval(secs => $4)
            WHERE id = (
                SELECT id FROM lydian_chunk
                WHERE sweep = $1 AND run = ANY($3) AND attempts < $5
                    AND (state = 'open' OR (state = 'leased' AND lease_until < clock_timestamp()))
                ORDER BY attempts, id
                FOR UPDATE SKIP LOCKED
                LIMIT 1
            )
            RETURNING id, run, first_entry, entries, token";
        let row = self
            .run(|client| {
                let runs = Arc::clone(runs);
                async move {
                    client
                        .query_opt(statement, &[&sweep, &worker, &*runs, &seconds, &MOST_ATTEMPTS])
                        .await
                }
            })
            .await?;
        let Some(row) = row else {
            return self.anything_left(sweep, runs).await;
        };
        let whole = |place: usize| usize::try_from(row.get::<_, i32>(place)).unwrap_or(0);
        Ok(Found::Chunk(Lease {
            chunk: row.get(0),
            run: row.get(1),
            first_entry: whole(2),
            entries: whole(3),
            token: row.get(4),
        }))
    }

    async fn anything_left(&self, sweep: &str, runs: &Arc<Vec<String>>) -> Result<Found, QueueError> {
        let statement = "
            SELECT EXISTS (
                SELECT 1 FROM lydian_chunk WHERE sweep = $1 AND run = ANY($2) AND state IN ('open', 'leased')
            )";
        let row = self
            .run(|client| {
                let runs = Arc::clone(runs);
                async move { client.query_one(statement, &[&sweep, &*runs]).await }
            })
            .await?;
        Ok(if row.get(0) { Found::Later } else { Found::Nothing })
    }

    /// Puts chunks aside whose last worker disappeared once too often.
    async fn put_aside(&self, sweep: &str) -> Result<(), QueueError> {
        let statement = "
            UPDATE lydian_chunk
            SET state = 'dead', last_error = coalesce(last_error, 'every worker that had it disappeared')
            WHERE sweep = $1 AND state = 'leased' AND lease_until < clock_timestamp() AND attempts >= $2";
        self.run(|client| async move { client.execute(statement, &[&sweep, &MOST_ATTEMPTS]).await })
            .await?;
        Ok(())
    }

    /// Ends a lease. Returns whether it was still this worker's: the token of a later lease fences the earlier one.
    pub(super) async fn end(&self, lease: &Lease, end: &ChunkEnd) -> Result<bool, QueueError> {
        let (chunk, token) = (lease.chunk, lease.token);
        let (state, given_back, error) = match end {
            ChunkEnd::Done => ("done", false, None),
            ChunkEnd::Failed(why) => ("open", false, Some(why.as_str())),
            ChunkEnd::GivenBack(why) => ("open", true, Some(why.as_str())),
        };
        let statement = "
            UPDATE lydian_chunk
            SET state = CASE WHEN $3 = 'open' AND NOT $4 AND attempts >= $6 THEN 'dead' ELSE $3 END,
                attempts = CASE WHEN $4 THEN greatest(attempts - 1, 0) ELSE attempts END,
                worker = NULL, lease_until = NULL, last_error = coalesce($5, last_error)
            WHERE id = $1 AND token = $2 AND state = 'leased'";
        let changed = self
            .run(|client| async move {
                client
                    .execute(
                        statement,
                        &[&chunk, &token, &state, &given_back, &error, &MOST_ATTEMPTS],
                    )
                    .await
            })
            .await?;
        Ok(changed == 1)
    }
}
