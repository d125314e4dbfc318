//! What several runs share, on one machine or on many: turns at the providers, and money.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lydian_model::NanoUsd;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::endpoint::Unpriced;
use crate::translator::{BoxFuture, Stop};

/// Hands out turns to everyone who shares it.
pub trait Pool: fmt::Debug + Send + Sync {
    /// Returns what the pool's budget does with unknown prices; `None` if it keeps no budget. A pool with a budget must
    /// be told what a request can cost.
    fn budget(&self) -> Option<Unpriced>;

    /// Waits for the right to send one request that costs at most `most`; `None` if that is not known.
    fn enter(&self, most: Option<NanoUsd>) -> BoxFuture<'_, Result<Box<dyn Turn>, Stop>>;

    /// Lets nobody send before `wait` is over, because a provider asked for it.
    fn hold(&self, wait: Duration) -> BoxFuture<'_, ()>;
}

/// The right to have one request in flight. Dropped without being left, it counts as if the request had cost the most
/// it could: it may have been paid.
pub trait Turn: Send + Sync {
    /// Gives the turn back; `None` means that the cost is not known.
    fn leave(self: Box<Self>, cost: Option<NanoUsd>) -> BoxFuture<'static, ()>;
}

/// The turns of one process: so many at a time, so many a minute.
#[derive(Debug)]
pub struct LocalPool {
    places: Arc<Semaphore>,
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

struct LocalTurn {
    _place: OwnedSemaphorePermit,
}

impl LocalPool {
    /// Returns a pool with these limits over everyone who shares it.
    pub fn new(concurrency: usize, requests_per_minute: Option<f64>) -> Self {
        Self {
            places: Arc::new(Semaphore::new(concurrency.clamp(1, Semaphore::MAX_PERMITS))),
            interval: requests_per_minute.map(|rate| Duration::from_secs_f64(60.0 / rate.max(1e-3))),
            next: Mutex::new(None),
        }
    }

    fn next(&self) -> MutexGuard<'_, Option<Instant>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next moment at which a request may be sent.
    fn slot(&self) -> Instant {
        let mut next = self.next();
        let now = Instant::now();
        let slot = next.map_or(now, |next| next.max(now));
        if let Some(interval) = self.interval {
            *next = Some(slot + interval);
        }
        slot
    }
}

impl Pool for LocalPool {
    fn budget(&self) -> Option<Unpriced> {
        None
    }

    fn enter(&self, _most: Option<NanoUsd>) -> BoxFuture<'_, Result<Box<dyn Turn>, Stop>> {
        Box::pin(async move {
            let place = Arc::clone(&self.places).acquire_owned().await;
            let place = place.map_err(|error| Stop::Method(error.to_string()))?;
            tokio::time::sleep_until(self.slot()).await;
            Ok(Box::new(LocalTurn { _place: place }) as Box<dyn Turn>)
        })
    }

    fn hold(&self, _wait: Duration) -> BoxFuture<'_, ()> {
        // One process has one endpoint per model, and its limiter keeps the gate.
        Box::pin(std::future::ready(()))
    }
}

impl Turn for LocalTurn {
    fn leave(self: Box<Self>, _cost: Option<NanoUsd>) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn everyone_together_keeps_the_rate() {
        let pool = Arc::new(LocalPool::new(100, Some(600.0)));
        let start = Instant::now();
        let callers: Vec<_> = (0..4)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move {
                    for _ in 0..5 {
                        pool.enter(None).await.unwrap().leave(None).await;
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.await.unwrap();
        }
        // Twenty requests at ten a second: the first is free, nineteen wait a tenth of a second each.
        assert_eq!(start.elapsed(), Duration::from_millis(1_900));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_pool_waits_for_a_turn_that_is_given_back() {
        let pool = LocalPool::new(1, None);
        let first = pool.enter(None).await.unwrap();
        let second = tokio::time::timeout(Duration::from_secs(9), pool.enter(None)).await;
        assert!(second.is_err());
        drop(first);
        assert!(pool.enter(None).await.is_ok());
    }
}
