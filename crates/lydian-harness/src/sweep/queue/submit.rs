//! Putting a sweep into the queue; what is there already stays.

use std::sync::Arc;

use super::database::Database;
use super::{QUEUE_VERSION, QueueError, QueuedRun, QueuedSweep};

/// What was put into the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Submitted {
    /// Runs that were not there.
    pub new_runs: u64,
    /// Chunks that were not there.
    pub new_chunks: u64,
    /// Chunks that were put aside and are tried again.
    pub requeued: u64,
}

impl Database {
    /// Queues the runs of a sweep in chunks of about `chunk` entries. Budget and rate are those of the last submission; runs
    /// that are queued already are left as they are.
    pub async fn submit(
        &self,
        sweep: &QueuedSweep,
        runs: &[QueuedRun],
        chunk: usize,
    ) -> Result<Submitted, QueueError> {
        self.put_sweep(sweep).await?;
        self.check(sweep).await?;
        let mut submitted = Submitted::default();
        for run in runs {
            submitted.new_runs += self.put_run(&sweep.name, run).await?;
            submitted.new_chunks += self.put_chunks(&sweep.name, run, chunk).await?;
        }
        Ok(submitted)
    }

    /// Lets chunks that were put aside be tried again, with all their attempts.
    pub async fn requeue_dead(&self, sweep: &str) -> Result<u64, QueueError> {
        let statement =
            "UPDATE lydian_chunk SET state = 'open', attempts = 0 WHERE sweep = $1 AND state = 'dead'";
        self.run(|client| async move { client.execute(statement, &[&sweep]).await })
            .await
    }

    /// Refuses a sweep that is not the one in the queue.
    pub(super) async fn check(&self, sweep: &QueuedSweep) -> Result<(), QueueError> {
        let name = &sweep.name;
        let statement =
            "SELECT queue_version, harness_version, dataset_sha256 FROM lydian_sweep WHERE name = $1";
        let row = self
            .run(|client| async move { client.query_opt(statement, &[name]).await })
            .await?
            .ok_or_else(|| QueueError::NoSweep(name.clone()))?;
        let version: i32 = row.get(0);
        for (what, queued, here) in [
            (
                "the version of the queue",
                version.to_string(),
                QUEUE_VERSION.to_string(),
            ),
            (
                "the version of the evaluation protocol",
                row.get(1),
                sweep.harness_version.clone(),
            ),
            (
                "the sha256 of the corpus file",
                row.get(2),
                sweep.dataset_sha256.to_string(),
            ),
        ] {
            if queued != here {
                return Err(QueueError::Differs { what, queued, here });
            }
        }
        Ok(())
    }

    async fn put_sweep(&self, sweep: &QueuedSweep) -> Result<(), QueueError> {
        let budget = sweep
            .budget
            .map(|budget| i64::try_from(budget.nanos()).unwrap_or(i64::MAX));
        let interval = sweep
            .interval
            .map(|interval| i64::try_from(interval.as_micros()).unwrap_or(i64::MAX));
        let dataset = sweep.dataset_sha256.as_str();
        let statement = "
            INSERT INTO lydian_sweep
                (name, queue_version, harness_version, dataset_sha256, budget_nanos, allow_unpriced, interval_us)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (name) DO UPDATE
            SET budget_nanos = excluded.budget_nanos,
                allow_unpriced = excluded.allow_unpriced,
                interval_us = excluded.interval_us
            WHERE lydian_sweep.dataset_sha256 = excluded.dataset_sha256";
        self.run(|client| async move {
            client
                .execute(
                    statement,
                    &[
                        &sweep.name,
                        &QUEUE_VERSION,
                        &sweep.harness_version,
                        &dataset,
                        &budget,
                        &sweep.allow_unpriced,
                        &interval,
                    ],
                )
                .await
        })
        .await?;
        Ok(())
    }

    async fn put_run(&self, sweep: &str, run: &QueuedRun) -> Result<u64, QueueError> {
        let setup = Arc::new(serde_json::to_string(&run.setup).expect("a setup is a JSON document"));
        let fingerprint = run.setup_fingerprint.as_str();
        let statement = "
            INSERT INTO lydian_run (sweep, setup_fingerprint, setup) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING";
        self.run(|client| {
            let setup = Arc::clone(&setup);
            async move { client.execute(statement, &[&sweep, &fingerprint, &*setup]).await }
        })
        .await
    }

    async fn put_chunks(&self, sweep: &str, run: &QueuedRun, chunk: usize) -> Result<u64, QueueError> {
        let batch = run.batch_size.max(1);
        let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let size = whole(chunk.max(1).div_ceil(batch).saturating_mul(batch));
        let entries = whole(run.setup.selection.entry_ids.len());
        let fingerprint = run.setup_fingerprint.as_str();
        // A run that is queued already keeps its chunks, whatever their size was then.
        let statement = "
            INSERT INTO lydian_chunk (sweep, run, first_entry, entries)
            SELECT $1, $2, first::integer, least($3::bigint, $4::bigint - first)::integer
            FROM generate_series(0::bigint, $4::bigint - 1, $3::bigint) AS first
            WHERE NOT EXISTS (SELECT 1 FROM lydian_chunk WHERE sweep = $1 AND run = $2)
            ON CONFLICT DO NOTHING";
        self.run(|client| async move {
            client
                .execute(statement, &[&sweep, &fingerprint, &size, &entries])
                .await
        })
        .await
    }
}
