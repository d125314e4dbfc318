//! A limit in money that simultaneous requests cannot overshoot: reserve before the call, settle after it.

use crate::translator::Stop;
use lydian_model::NanoUsd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A budget shared by everyone who spends from it.
#[derive(Debug)]
pub struct Budget {
    limit: NanoUsd,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    spent: u64,
    reserved: u64,
}

/// An amount set aside for one request. Dropped without being settled, it counts as spent in full: a request that
/// was sent may have been paid, whatever became of its answer.
#[derive(Debug)]
pub struct Reservation<'a> {
    budget: &'a Budget,
    amount: u64,
    open: bool,
}

impl Budget {
    /// Starts a budget of which `spent` is gone already, from an interrupted run.
    pub fn new(limit: NanoUsd, spent: NanoUsd) -> Self {
        let state = State {
            spent: spent.nanos(),
            reserved: 0,
        };
        Self {
            limit,
            state: Mutex::new(state),
            settled: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets an amount aside. If it fits only after other requests have turned out cheaper than reserved, waits for
    /// them; if it cannot fit any more, the budget is used up.
    pub async fn reserve(&self, amount: NanoUsd) -> Result<Reservation<'_>, Stop> {
        let amount = amount.nanos();
        loop {
            let notified = self.settled.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            {
                let mut state = self.lock();
                let left = self.limit.nanos().saturating_sub(state.spent);
                if amount > left {
                    let needed = NanoUsd::new(amount).dollars();
                    return Err(Stop::Budget {
                        needed,
                        left: NanoUsd::new(left).dollars(),
                    });
                }
                if amount <= left.saturating_sub(state.reserved) {
                    state.reserved += amount;
                    return Ok(Reservation {
                        budget: self,
                        amount,
                        open: true,
                    });
                }
            }
            notified.await;
        }
    }

    /// Lets a request go whose cost nobody knows before, unless what is known to be spent has reached the limit. A cost the
    /// provider reports afterwards counts.
    pub fn reserve_unknown(&self) -> Result<Reservation<'_>, Stop> {
        let spent = self.lock().spent;
        if spent >= self.limit.nanos() {
            return Err(Stop::Budget {
                needed: 0.0,
                left: 0.0,
            });
        }
        Ok(Reservation {
            budget: self,
            amount: 0,
            open: true,
        })
    }

    /// Returns what was spent, open reservations not counted.
    pub fn spent(&self) -> NanoUsd {
        NanoUsd::new(self.lock().spent)
    }

    fn close(&self, reserved: u64, spent: u64) {
        let mut state = self.lock();
        state.reserved -= reserved;
        state.spent = state.spent.saturating_add(spent);
        drop(state);
        self.settled.notify_waiters();
    }
}

impl Reservation<'_> {
    /// Replaces the reservation by what the request cost; `None` keeps the whole amount as spent.
    pub fn settle(mut self, cost: Option<NanoUsd>) {
        self.open = false;
        self.budget
            .close(self.amount, cost.map_or(self.amount, NanoUsd::nanos));
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if self.open {
            self.budget.close(self.amount, self.amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    fn nanos(amount: u64) -> NanoUsd {
        NanoUsd::new(amount)
    }

    /// Case 38: sixteen callers, each reserving more than a call costs.
    #[tokio::test(start_paused = true)]
    async fn simultaneous_calls_never_overshoot() {
        let budget = Arc::new(Budget::new(nanos(1_000), NanoUsd::ZERO));
        let workers: Vec<_> = (0..16u64)
            .map(|worker| {
                let budget = Arc::clone(&budget);
                tokio::spawn(async move {
                    let mut paid = 0;
                    while let Ok(reservation) = budget.reserve(nanos(70)).await {
                        tokio::time::sleep(Duration::from_millis(100 + worker * 7)).await;
                        reservation.settle(Some(nanos(50 + worker % 3)));
                        paid += 50 + worker % 3;
                    }
                    paid
                })
            })
            .collect();
        let mut paid = 0;
        for worker in workers {
            paid += worker.await.unwrap();
        }
        assert_eq!(budget.spent().nanos(), paid);
        // Nothing above the limit, and no more left over than one reservation.
        assert!((931..=1_000).contains(&paid), "{paid}");
    }

    #[test]
    fn what_is_reported_for_an_unpriced_request_counts() {
        let budget = Budget::new(nanos(100), NanoUsd::ZERO);
        budget.reserve_unknown().unwrap().settle(None);
        budget.reserve_unknown().unwrap().settle(Some(nanos(99)));
        budget.reserve_unknown().unwrap().settle(Some(nanos(7)));
        assert_eq!(budget.spent(), nanos(106));
        assert!(matches!(budget.reserve_unknown(), Err(Stop::Budget { .. })));
    }

    #[tokio::test(start_paused = true)]
    async fn an_unknown_cost_counts_in_full() {
        let budget = Budget::new(nanos(100), nanos(10));
        budget.reserve(nanos(40)).await.unwrap().settle(None);
        drop(budget.reserve(nanos(40)).await.unwrap());
        assert_eq!(budget.spent(), nanos(90));
        let stop = budget.reserve(nanos(11)).await.unwrap_err();
        assert!(matches!(stop, Stop::Budget { .. }));
        budget
            .reserve(nanos(10))
            .await
            .unwrap()
            .settle(Some(NanoUsd::ZERO));
    }
}
