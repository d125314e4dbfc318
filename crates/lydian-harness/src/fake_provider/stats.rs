//! The server's own count of requests, charges and simultaneous calls.

use super::asked::Asked;
use super::behaviour::hash;
use super::connection::HttpRequest;
use super::reply::FakeAnswer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::Instant;

/// What the server counted since it started or was reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Requests to any wire form.
    pub requests: u64,
    /// Requests that got an answer, good or bad, that was charged.
    pub answered: u64,
    /// Requests whose body had come before.
    pub repeated: u64,
    /// Requests per status; 0 stands for a connection broken or left hanging.
    pub by_status: BTreeMap<u16, u64>,
    /// Requests per model.
    pub by_model: BTreeMap<String, u64>,
    /// Most requests at the same time.
    pub peak_in_flight: u64,
    /// Most connections at the same time.
    pub peak_connections: u64,
    /// Input tokens of charged answers.
    pub input_tokens: u64,
    /// Output tokens of charged answers.
    pub output_tokens: u64,
    /// Charges in billionths of a US dollar.
    pub charged_nano_usd: u64,
}

#[derive(Debug)]
pub(super) struct Counters {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    stats: Stats,
    in_flight: u64,
    connections: u64,
    /// How often each body came, by its hash.
    bodies: BTreeMap<u64, u32>,
    buckets: BTreeMap<String, Arc<Bucket>>,
}

/// What is known about a request when it arrives.
#[derive(Debug)]
pub(super) struct Seen {
    /// Number of the request, from 1.
    pub(super) number: u64,
    /// How often the same request came before.
    pub(super) same_before: u32,
}

/// Counts down when dropped.
#[derive(Debug)]
pub(super) struct Guard<'a> {
    counters: &'a Counters,
    count: fn(&mut Inner) -> &mut u64,
}

/// A token bucket that holds one second's worth.
#[derive(Debug)]
pub(super) struct Bucket {
    level: Mutex<(f64, Option<Instant>)>,
}

impl Counters {
    pub(super) fn new() -> Self {
        Self {
            inner: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(super) fn stats(&self) -> Stats {
        self.lock().stats.clone()
    }

    pub(super) fn reset(&self) {
        let mut inner = self.lock();
        inner.stats = Stats::default();
        inner.bodies.clear();
        inner.buckets.clear();
    }

    pub(super) fn open_connection(&self) -> Guard<'_> {
        let mut inner = self.lock();
        inner.connections += 1;
        inner.stats.peak_connections = inner.stats.peak_connections.max(inner.connections);
        Guard {
            counters: self,
            count: |inner| &mut inner.connections,
        }
    }

    pub(super) fn begin_request(&self) -> Guard<'_> {
        let mut inner = self.lock();
        inner.in_flight += 1;
        inner.stats.peak_in_flight = inner.stats.peak_in_flight.max(inner.in_flight);
        Guard {
            counters: self,
            count: |inner| &mut inner.in_flight,
        }
    }

    pub(super) fn seen(&self, request: &HttpRequest) -> Seen {
        let key = hash(&request.body) ^ hash(request.path.as_bytes()).rotate_left(1);
        let mut inner = self.lock();
        inner.stats.requests += 1;
        let number = inner.stats.requests;
        let count = inner.bodies.entry(key).or_insert(0);
        let same_before = *count;
        *count += 1;
        if same_before > 0 {
            inner.stats.repeated += 1;
        }
        Seen { number, same_before }
    }

    /// Counts how a request ended; `answer` is what was charged.
    pub(super) fn record(&self, asked: &Asked, status: u16, answer: Option<&FakeAnswer>) {
        let mut inner = self.lock();
        *inner.stats.by_status.entry(status).or_insert(0) += 1;
        *inner.stats.by_model.entry(asked.model.clone()).or_insert(0) += 1;
        if let Some(answer) = answer {
            inner.stats.answered += 1;
            inner.stats.input_tokens += answer.tokens().input;
            inner.stats.output_tokens += answer.tokens().output;
            inner.stats.charged_nano_usd += answer.cost_nano_usd();
        }
    }

    pub(super) fn bucket(&self, model: &str) -> Arc<Bucket> {
        let mut inner = self.lock();
        let bucket = inner.buckets.entry(model.to_owned()).or_insert_with(|| {
            Arc::new(Bucket {
                level: Mutex::default(),
            })
        });
        Arc::clone(bucket)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let mut inner = self.counters.lock();
        *(self.count)(&mut inner) -= 1;
    }
}

impl Bucket {
    /// Takes one request out of a bucket that is filled `rate` times per second.
    pub(super) fn take(&self, rate: f64) -> bool {
        let mut state = self
            .level
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        let level = state.1.map_or(rate, |last| {
            (state.0 + now.duration_since(last).as_secs_f64() * rate).min(rate)
        });
        let granted = level >= 1.0;
        *state = (if granted { level - 1.0 } else { level }, Some(now));
        granted
    }
}
