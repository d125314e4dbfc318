//! Whether an endpoint still makes sense: one fatal answer stops it for everyone.

use crate::provider::Failure;
use crate::translator::Stop;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::Instant;

/// So many identical refusals in a row mean that the request form is wrong, not the text.
const IDENTICAL_REFUSALS: u32 = 3;

/// The endpoint's state as all calls see it.
#[derive(Debug, Default)]
pub(super) struct Health {
    state: Mutex<State>,
    stopped: Notify,
}

#[derive(Debug, Default)]
struct State {
    stop: Option<Stop>,
    answers: u64,
    last_answer: Option<Instant>,
    refusal: Option<(String, u32)>,
    excused: bool,
}

impl Health {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an answer.
    pub(super) fn answered(&self) {
        let mut state = self.lock();
        state.answers += 1;
        state.last_answer = Some(Instant::now());
        state.refusal = None;
        state.excused = false;
    }

    /// Returns how many answers there were.
    pub(super) fn answers(&self) -> u64 {
        self.lock().answers
    }

    /// Returns whether anyone was answered after `moment`.
    pub(super) fn answered_since(&self, moment: Instant) -> bool {
        self.lock().last_answer.is_some_and(|last| last > moment)
    }

    /// Lets one call in a row fail by itself where there is no other call to compare with.
    pub(super) fn excuse(&self) -> bool {
        let mut state = self.lock();
        let excused = state.answers > 0 && !state.excused;
        state.excused = true;
        excused
    }

    /// Notes a refused request; returns whether it stops the endpoint: as the very first answer, or the third
    /// identical one in a row.
    pub(super) fn bad_request(&self, failure: &Failure) -> bool {
        let mut state = self.lock();
        let text = failure.to_string();
        let count = match &state.refusal {
            Some((last, count)) if *last == text => count + 1,
            _ => 1,
        };
        let first = state.answers == 0 && state.refusal.is_none();
        state.refusal = Some((text, count));
        first || count >= IDENTICAL_REFUSALS
    }

    /// Stops the endpoint, unless it is stopped already, and returns the reason that holds.
    pub(super) fn stop_with(&self, stop: Stop) -> Stop {
        let reason = self.lock().stop.get_or_insert(stop).clone();
        self.stopped.notify_waiters();
        reason
    }

    /// Returns why the endpoint is stopped, if it is.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.lock().stop.clone()
    }

    /// Waits until the endpoint is stopped.
    pub(super) async fn stopped(&self) -> Stop {
        loop {
            let notified = self.stopped.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if let Some(stop) = self.stop() {
                return stop;
            }
            notified.await;
        }
    }
}
