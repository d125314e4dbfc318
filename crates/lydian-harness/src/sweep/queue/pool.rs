//! One rate and one budget over all workers, as rows of the database.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lydian_model::NanoUsd;

use super::QueueError;
use super::database::Database;
use crate::endpoint::Unpriced;
use crate::pool::{Pool, Turn};
use crate::translator::{BoxFuture, Stop};

/// Wait for others to settle when the budget has room only after them.
const AGAIN: Duration = Duration::from_millis(100);

/// Seconds to the next slot from which on the database's clock is looked at.
const LONG: f64 = 20.0;

/// The database as what all workers share.
pub(super) struct SharedPool {
    pub(super) database: Arc<Database>,
    pub(super) sweep: String,
    pub(super) worker: String,
    pub(super) budget: Option<Unpriced>,
    pub(super) reservations: AtomicU64,
    pub(super) runtime: tokio::runtime::Handle,
}

impl fmt::Debug for SharedPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SharedPool")
            .field("sweep", &self.sweep)
            .finish_non_exhaustive()
    }
}

struct SharedTurn {
    database: Arc<Database>,
    reservation: Option<(String, i64)>,
    runtime: tokio::runtime::Handle,
}

impl Pool for SharedPool {
    fn budget(&self) -> Option<Unpriced> {
        self.budget
    }

    fn enter(&self, most: Option<NanoUsd>) -> BoxFuture<'_, Result<Box<dyn Turn>, Stop>> {
        Box::pin(async move {
            let reservation = match most.filter(|_| self.budget.is_some()) {
                Some(most) => Some(self.reserve(most).await?),
                None => None,
            };
            // From here on a dropped turn counts as paid in full, as it does when the process is killed.
            let turn = SharedTurn {
                database: Arc::clone(&self.database),
                reservation,
                runtime: self.runtime.clone(),
            };
            self.wait().await.map_err(|error| stop(&error))?;
            Ok(Box::new(turn) as Box<dyn Turn>)
        })
    }

    fn hold(&self, wait: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let (sweep, seconds) = (self.sweep.as_str(), wait.as_secs_f64());
            let statement = "
                UPDATE lydian_sweep
                SET blocked_until = greatest(blocked_until, clock_timestamp() + make_interval(secs => $2))
                WHERE name = $1";
            let held = self
                .database
                .run(|client| async move { client.execute(statement, &[&sweep, &seconds]).await })
                .await;
            // Without the database nobody gets a turn anyway.
            drop(held);
        })
    }
}

impl SharedPool {
    /// Sets an amount aside, waiting for others to settle if it fits only then.
    async fn reserve(&self, most: NanoUsd) -> Result<(String, i64), Stop> {
        let number = self.reservations.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}/{number}", self.worker);
        let nanos = i64::try_from(most.nanos()).unwrap_or(i64::MAX);
        loop {
            if self.try_reserve(&id, nanos).await.map_err(|error| stop(&error))? {
                return Ok((id, nanos));
            }
            let left = self.left().await.map_err(|error| stop(&error))?;
            if nanos > left {
                return Err(Stop::Budget {
                    needed: most.dollars(),
                    left: NanoUsd::new(u64::try_from(left).unwrap_or(0)).dollars(),
                });
            }
            self.database
                .reap(&self.sweep)
                .await
                .map_err(|error| stop(&error))?;
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Reserves if there is room. A reservation that is there already, because an answer was lost, is not made twice.
    async fn try_reserve(&self, id: &str, nanos: i64) -> Result<bool, QueueError> {
        let (sweep, worker) = (self.sweep.as_str(), self.worker.as_str());
        let statement = "
            WITH known AS (SELECT 1 FROM lydian_reservation WHERE id = $3), room AS (
                UPDATE lydian_sweep SET reserved_nanos = reserved_nanos + $4
                WHERE name = $1 AND NOT EXISTS (SELECT 1 FROM known)
                    AND (budget_nanos IS NULL OR spent_nanos + reserved_nanos + $4 <= budget_nanos)
                RETURNING 1
            ), made AS (
                INSERT INTO lydian_reservation (id, sweep, worker, nanos) SELECT $3, $1, $2, $4 FROM room RETURNING 1
            )
            SELECT EXISTS (SELECT 1 FROM known) OR EXISTS (SELECT 1 FROM made)";
        let row = self
            .database
            .run(|client| async move { client.query_one(statement, &[&sweep, &worker, &id, &nanos]).await })
            .await?;
        Ok(row.get(0))
    }

    /// Returns what the budget has left when everything reserved turns out to cost nothing.
    async fn left(&self) -> Result<i64, QueueError> {
        let sweep = self.sweep.as_str();
        let statement = "
            SELECT coalesce(budget_nanos - spent_nanos, 9223372036854775807) FROM lydian_sweep WHERE name = $1";
        let row = self
            .database
            .run(|client| async move { client.query_one(statement, &[&sweep]).await })
            .await?;
        Ok(row.get(0))
    }

    /// Waits until the next request may be sent. All times are the database's, so that clocks need not agree.
    async fn wait(&self) -> Result<(), QueueError> {
        loop {
            let seconds = self.slot().await?;
            if seconds <= 0.0 {
                return Ok(());
            }
            if seconds > LONG && self.database.follow_clock(&self.sweep).await? {
                continue;
            }
            tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
            if !self.blocked().await? {
                return Ok(());
            }
        }
    }

    /// Takes the next slot and returns how many seconds away it is.
    async fn slot(&self) -> Result<f64, QueueError> {
        let sweep = self.sweep.as_str();
        let statement = "
            UPDATE lydian_sweep
            SET next_slot = greatest(next_slot, blocked_until, clock_timestamp())
                + coalesce(interval_us, 0) * interval '1 microsecond',
                last_seen = greatest(last_seen, clock_timestamp())
            WHERE name = $1
            RETURNING extract(epoch FROM
                next_slot - coalesce(interval_us, 0) * interval '1 microsecond' - clock_timestamp())::double precision";
        let row = self
            .database
            .run(|client| async move { client.query_one(statement, &[&sweep]).await })
            .await?;
        Ok(row.get(0))
    }

    async fn blocked(&self) -> Result<bool, QueueError> {
        let sweep = self.sweep.as_str();
        let statement = "SELECT blocked_until > clock_timestamp() FROM lydian_sweep WHERE name = $1";
        let row = self
            .database
            .run(|client| async move { client.query_one(statement, &[&sweep]).await })
            .await?;
        Ok(row.get(0))
    }
}

impl Turn for SharedTurn {
    fn leave(mut self: Box<Self>, cost: Option<NanoUsd>) -> BoxFuture<'static, ()> {
        let database = Arc::clone(&self.database);
        let reservation = self.reservation.take();
        Box::pin(async move {
            if let Some((id, nanos)) = reservation {
                let cost = cost.map_or(nanos, |cost| i64::try_from(cost.nanos()).unwrap_or(i64::MAX));
                // If this fails for good, the reservation stays until the worker is gone, and then counts in full.
                drop(settle(&database, &id, cost).await);
            }
        })
    }
}

impl Drop for SharedTurn {
    fn drop(&mut self) {
        if let Some((id, nanos)) = self.reservation.take() {
            let database = Arc::clone(&self.database);
            self.runtime
                .spawn(async move { drop(settle(&database, &id, nanos).await) });
        }
    }
}

/// Replaces a reservation by what the request cost. One that is gone was counted in full before.
async fn settle(database: &Database, id: &str, cost: i64) -> Result<(), QueueError> {
    let statement = "
        WITH gone AS (DELETE FROM lydian_reservation WHERE id = $1 RETURNING sweep, nanos)
        UPDATE lydian_sweep
        SET reserved_nanos = reserved_nanos - gone.nanos, spent_nanos = spent_nanos + $2
        FROM gone WHERE name = gone.sweep";
    database
        .run(|client| async move { client.execute(statement, &[&id, &cost]).await })
        .await?;
    Ok(())
}

/// A queue that cannot be reached is a log that cannot be written: nothing may be sent.
pub(super) fn stop(error: &QueueError) -> Stop {
    Stop::Log(crate::translator::LogError(error.to_string()))
}
