//! How many requests an endpoint gets at the same time: adaptive, shared by everyone who uses it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How much the limit shrinks when the provider says "too many requests".
const DECREASE: f64 = 0.7;
/// One burst of such answers counts once: further ones within this time do not shrink the limit again. This clock
/// is apart from the gate, so that a long `Retry-After` cannot freeze the limit.
const COOLDOWN: Duration = Duration::from_secs(2);
/// Until the endpoint has answered once, or this long, one request at a time is sent: a wrong key costs one request.
const PROBE: Duration = Duration::from_secs(2);
/// Waiters spread over this share of the wait, so that they do not come back together.
const SPREAD: f64 = 0.1;

/// What an endpoint's limit starts from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitSettings {
    /// Most requests at the same time; the limit starts here.
    pub concurrency: usize,
    /// Most requests per minute, when the user knows such a limit.
    pub requests_per_minute: Option<f64>,
}

/// Hands out permits.
#[derive(Debug)]
pub struct Limiter {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Debug)]
struct State {
    settings: LimitSettings,
    limit: f64,
    in_flight: usize,
    probing_until: Option<Instant>,
    opened: bool,
    gate: Option<Instant>,
    cooldown: Option<Instant>,
    next_slot: Option<Instant>,
    random: u64,
    history: Vec<LimitChange>,
    rate_limited: u64,
}

/// A moment at which the limit went down, for the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitChange {
    /// When.
    pub at: Instant,
    /// Requests at the same time from then on.
    pub limit: usize,
}

/// The right to have one request in flight; given back when dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    limiter: &'a Limiter,
}

enum Turn {
    Now,
    Later(Instant),
    /// Wait for a permit that is given back, or until the probe has taken too long.
    Full(Option<Instant>),
}

impl Limiter {
    /// Starts at the full concurrency. `seed` decides only the jitter.
    pub fn new(settings: LimitSettings, seed: u64) -> Self {
        let concurrency = settings.concurrency.max(1);
        let state = State {
            settings: LimitSettings {
                concurrency,
                ..settings
            },
            limit: concurrency as f64,
            in_flight: 0,
            probing_until: None,
            opened: false,
            gate: None,
            cooldown: None,
            next_slot: None,
            random: seed,
            history: Vec::new(),
            rate_limited: 0,
        };
        Self {
            state: Mutex::new(state),
            wake: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn.
    pub async fn acquire(&self) -> Permit<'_> {
        loop {
            let notified = self.wake.notified();
            tokio::pin!(notified);
            // Registered before looking, so that a permit given back in between is not missed.
            notified.as_mut().enable();
            let turn = self.lock().turn(Instant::now());
            match turn {
                Turn::Now => {
                    let more = self.lock().has_room();
                    if more {
                        self.wake.notify_one();
                    }
                    return Permit { limiter: self };
                }
                Turn::Later(at) => tokio::time::sleep_until(at).await,
                Turn::Full(None) => notified.await,
                Turn::Full(Some(until)) => {
                    // Either way the state is looked at again.
                    drop(tokio::time::timeout_at(until, notified).await);
                }
            }
        }
    }

    /// Notes that the endpoint answered, which lets the limit grow again.
    pub fn answered(&self) {
        let mut state = self.lock();
        let was_open = std::mem::replace(&mut state.opened, true);
        let before = state.allowed();
        let most = state.settings.concurrency as f64;
        state.limit = (state.limit + 1.0 / state.limit).min(most);
        let grown = state.allowed() > before;
        drop(state);
        if !was_open {
            self.wake.notify_waiters();
        } else if grown {
            self.wake.notify_one();
        }
    }

    /// Notes a failure other than a rate limit: the endpoint exists, the limit stays.
    pub fn failed(&self) {
        let opened = std::mem::replace(&mut self.lock().opened, true);
        if !opened {
            self.wake.notify_waiters();
        }
    }

    /// Notes that the provider says "too many requests": nobody sends before the wait it asks for is over, and
    /// fewer do so at a time.
    pub fn rate_limited(&self, retry_after: Option<Duration>) {
        let now = Instant::now();
        let mut state = self.lock();
        state.opened = true;
        state.rate_limited += 1;
        let gate = now + retry_after.unwrap_or(Duration::from_secs(1));
        state.gate = Some(state.gate.map_or(gate, |old| old.max(gate)));
        if state.cooldown.is_none_or(|until| now >= until) {
            state.limit = (state.limit * DECREASE).max(1.0);
            state.cooldown = Some(now + COOLDOWN);
            let change = LimitChange {
                at: now,
                limit: state.allowed(),
            };
            state.history.push(change);
        }
    }

    /// Returns how often the provider said "too many requests", and when the limit went down.
    pub fn history(&self) -> (u64, Vec<LimitChange>) {
        let state = self.lock();
        (state.rate_limited, state.history.clone())
    }

    /// Returns the greatest number of requests at the same time.
    pub fn concurrency(&self) -> usize {
        self.lock().settings.concurrency
    }

    /// Returns a random number in 0..1 from the limiter's own sequence.
    pub fn random(&self) -> f64 {
        self.lock().random()
    }
}

impl State {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and the concurrency"
    )]
    fn allowed(&self) -> usize {
        if self.opened { self.limit as usize } else { 1 }
    }

    fn has_room(&self) -> bool {
        self.in_flight < self.allowed()
    }

    fn turn(&mut self, now: Instant) -> Turn {
        if let Some(gate) = self.gate {
            if now < gate {
                let spread = (gate - now)
                    .mul_f64(SPREAD)
                    .min(Duration::from_secs(10))
                    .max(Duration::from_millis(5));
                let late = spread.mul_f64(self.random());
                return Turn::Later(gate + late);
            }
            self.gate = None;
        }
        if !self.opened && self.probing_until.is_some_and(|until| now >= until) {
            self.opened = true;
        }
        if !self.has_room() {
            return Turn::Full(self.probing_until.filter(|_| !self.opened));
        }
        if let Some(rate) = self.settings.requests_per_minute {
            let slot = self.next_slot.unwrap_or(now);
            if now < slot {
                return Turn::Later(slot);
            }
            self.next_slot = Some(now + Duration::from_secs_f64(60.0 / rate.max(1e-3)));
        }
        if !self.opened {
            self.probing_until = Some(now + PROBE);
        }
        self.in_flight += 1;
        Turn::Now
    }

    /// `SplitMix64`, enough for spreading waits.
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.lock().in_flight -= 1;
        self.limiter.wake.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(concurrency: usize) -> Limiter {
        let limiter = Limiter::new(
            LimitSettings {
                concurrency,
                requests_per_minute: None,
            },
            7,
        );
        limiter.lock().opened = true;
        limiter
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_starts_at_the_full_concurrency() {
        let limiter = limiter(3);
        let permits = [
            limiter.acquire().await,
            limiter.acquire().await,
            limiter.acquire().await,
        ];
        let fourth = tokio::time::timeout(Duration::from_secs(9), limiter.acquire()).await;
        assert!(fourth.is_err());
        drop(permits);
        drop(limiter.acquire().await);
    }

    #[tokio::test(start_paused = true)]
    async fn one_burst_of_limits_counts_once() {
        let limiter = limiter(10);
        for _ in 0..10 {
            limiter.rate_limited(Some(Duration::from_millis(1)));
        }
        assert_eq!(limiter.lock().allowed(), 7);
        tokio::time::advance(COOLDOWN).await;
        limiter.rate_limited(None);
        assert_eq!(limiter.lock().allowed(), 4);
        assert_eq!(limiter.history().0, 11);
    }

    /// Case 11: a provider that repeats a long `Retry-After` closes the gate, but the limit recovers.
    #[tokio::test(start_paused = true)]
    async fn a_long_retry_after_does_not_freeze_the_limit() {
        let limiter = limiter(8);
        for _ in 0..20 {
            limiter.rate_limited(Some(Duration::from_secs(89)));
            tokio::time::advance(Duration::from_secs(2)).await;
        }
        assert_eq!(limiter.lock().allowed(), 1);
        let start = Instant::now();
        drop(limiter.acquire().await);
        assert!((Duration::from_secs(80)..Duration::from_secs(99)).contains(&start.elapsed()));
        for _ in 0..50 {
            limiter.answered();
        }
        assert_eq!(limiter.lock().allowed(), 8);
    }

    /// Case 12: waits are spread above what the provider asked for, never below.
    #[tokio::test(start_paused = true)]
    async fn waiters_do_not_come_back_together_nor_too_early() {
        let limiter = limiter(20);
        limiter.rate_limited(Some(Duration::from_secs(600)));
        let start = Instant::now();
        let waits = (0..20).map(|_| async {
            let _permit = limiter.acquire().await;
            start.elapsed()
        });
        let mut waits: Vec<Duration> = futures_join(waits).await;
        waits.sort_unstable();
        waits.dedup();
        assert!(waits.len() > 10, "{waits:?}");
        assert!(waits[0] >= Duration::from_secs(600));
    }

    #[tokio::test(start_paused = true)]
    async fn one_request_goes_first() {
        let limiter = Limiter::new(
            LimitSettings {
                concurrency: 8,
                requests_per_minute: None,
            },
            7,
        );
        let first = limiter.acquire().await;
        assert!(
            tokio::time::timeout(Duration::from_millis(500), limiter.acquire())
                .await
                .is_err()
        );
        limiter.answered();
        drop(limiter.acquire().await);
        drop(first);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_first_answer_holds_nobody_up_for_long() {
        let limiter = Limiter::new(
            LimitSettings {
                concurrency: 8,
                requests_per_minute: None,
            },
            7,
        );
        let _first = limiter.acquire().await;
        let start = Instant::now();
        drop(limiter.acquire().await);
        assert!(start.elapsed() >= PROBE && start.elapsed() < PROBE * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_known_rate_is_kept() {
        let limiter = limiter(8);
        limiter.lock().settings.requests_per_minute = Some(60.0);
        let start = Instant::now();
        for _ in 0..11 {
            drop(limiter.acquire().await);
        }
        let elapsed = start.elapsed().as_secs_f64();
        assert!((9.99..10.1).contains(&elapsed), "{elapsed}");
    }

    async fn futures_join<F: Future<Output = T>, T>(futures: impl Iterator<Item = F>) -> Vec<T> {
        let mut pinned: Vec<_> = futures.map(Box::pin).collect();
        let mut done: Vec<Option<T>> = pinned.iter().map(|_| None).collect();
        std::future::poll_fn(move |context| {
            for (future, slot) in pinned.iter_mut().zip(&mut done) {
                if slot.is_none()
                    && let std::task::Poll::Ready(value) = future.as_mut().poll(context)
                {
                    *slot = Some(value);
                }
            }
            if done.iter().all(Option::is_some) {
                return std::task::Poll::Ready(done.iter_mut().filter_map(Option::take).collect());
            }
            std::task::Poll::Pending
        })
        .await
    }
}
