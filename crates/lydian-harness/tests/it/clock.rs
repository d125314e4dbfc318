//! The clock of the machine is set forwards and backwards all the time: no wait, gate or duration follows it.

use crate::log::{TestLog, call, request, settings};
use lydian_harness::cache::Cache;
use lydian_harness::endpoint::{Clock, Endpoint, EndpointSettings, RetryPolicy};
use lydian_harness::pool::{LocalPool, Pool};
use lydian_harness::provider::{Failure, ProviderKind, RawResponse, WireRequest};
use lydian_harness::transport::Transport;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Refuses every third request with `Retry-After: 7`, answers every fifth with 503, and takes 300 ms.
#[derive(Default)]
struct Moody(AtomicU64);

impl Transport for Moody {
    async fn send(&self, _: &WireRequest) -> Result<RawResponse, Failure> {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        let status = match number {
            _ if number % 3 == 1 => 429,
            _ if number % 5 == 2 => 503,
            _ => 200,
        };
        let body = match status {
            200 => br#"{"choices":[{"finish_reason":"stop","message":{"content":"a"}}]}"#.to_vec(),
            _ => b"{}".to_vec(),
        };
        let headers = match status {
            429 => vec![("retry-after".into(), "7".into())],
            _ => Vec::new(),
        };
        Ok(RawResponse {
            status,
            headers,
            body,
        })
    }
}

/// Returns for each of twelve calls its attempts, its latency and when it was answered, and how often the clock was read.
async fn played(clock: fn(u64) -> String) -> (Vec<(u32, Option<Duration>, Duration)>, u64) {
    let read = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&read);
    let clock: Clock = Arc::new(move || clock(counted.fetch_add(1, Ordering::SeqCst)));
    let folder = tempfile::tempdir().unwrap();
    let pool: Arc<dyn Pool> = Arc::new(LocalPool::new(4, Some(60.0)));
    let endpoint = Endpoint::new(
        Moody::default(),
        EndpointSettings {
            retry: RetryPolicy::default(),
            pool: Some(pool),
            cache: Some(Cache::new(folder.path().to_owned())),
            clock,
            ..settings(ProviderKind::OpenAi, "http://h", 4)
        },
    );
    let (log, start, mut found) = (TestLog::default(), Instant::now(), Vec::new());
    for number in 0..12 {
        let result = call(&endpoint, &log, &request("m", &format!("dog {number}")))
            .await
            .unwrap();
        assert!(result.answer.is_ok(), "{number}");
        found.push((result.attempts, result.latency, start.elapsed()));
    }
    (found, read.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn waits_gates_and_durations_are_those_of_a_steady_clock() {
    let (steady, read) = played(|_| "2026-01-01T00:00:00Z".to_owned()).await;
    assert!(read > 0, "the clock is read");
    assert!(steady.iter().any(|(attempts, _, _)| *attempts > 1));
    let (jumping, _) = played(|time| {
        let year = if time % 2 == 0 { 1970 + time } else { 2100 - time };
        format!("{year}-06-01T00:00:00Z")
    })
    .await;
    assert_eq!(steady, jumping);
}
