//! A storm of "too many requests", in virtual time: nobody's answer is lost and the wait is close to the ideal.

use crate::log::{TestLog, call, request, settings};
use lydian_harness::endpoint::{Endpoint, EndpointSettings, RetryPolicy};
use lydian_harness::limit::LimitSettings;
use lydian_harness::provider::{Failure, ProviderKind, RawResponse, WireRequest};
use lydian_harness::translator::Stop;
use lydian_harness::transport::Transport;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// A provider with a token bucket: `rate` per second, one second's burst, 0.3 s per answer.
struct Bucket {
    rate: f64,
    level: Mutex<(f64, Instant)>,
    limited: AtomicU64,
}

impl Transport for Shared {
    async fn send(&self, _: &WireRequest) -> Result<RawResponse, Failure> {
        let granted = {
            let mut state = self.0.level.lock().unwrap();
            let now = Instant::now();
            let level = (state.0 + (now - state.1).as_secs_f64() * self.0.rate).min(self.0.rate);
            let granted = level >= 1.0;
            *state = (if granted { level - 1.0 } else { level }, now);
            granted
        };
        if !granted {
            self.0.limited.fetch_add(1, Ordering::SeqCst);
            let headers = vec![("retry-after".into(), "1".into())];
            return Ok(RawResponse {
                status: 429,
                headers,
                body: b"{}".to_vec(),
            });
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        let body = br#"{"choices":[{"finish_reason":"stop","message":{"content":"a"}}]}"#.to_vec();
        Ok(RawResponse {
            status: 200,
            headers: vec![],
            body,
        })
    }
}

async fn storm(workers: usize, settings: EndpointSettings) -> (u64, u64, f64) {
    let bucket = Arc::new(Bucket {
        rate: 20.0,
        level: Mutex::new((20.0, Instant::now())),
        limited: AtomicU64::new(0),
    });
    let settings = EndpointSettings {
        limit: LimitSettings {
            concurrency: workers,
            requests_per_minute: None,
        },
        ..settings
    };
    let endpoint = Arc::new(Endpoint::new(Shared(Arc::clone(&bucket)), settings));
    let next = Arc::new(AtomicU64::new(0));
    let answered = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let tasks: Vec<_> = (0..workers)
        .map(|_| {
            let (endpoint, next, answered) =
                (Arc::clone(&endpoint), Arc::clone(&next), Arc::clone(&answered));
            tokio::spawn(async move {
                let log = TestLog::default();
                while next.fetch_add(1, Ordering::SeqCst) < 600 {
                    if call(&endpoint, &log, &request("m", "dog"))
                        .await
                        .is_ok_and(|result| result.answer.is_ok())
                    {
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    (
        answered.load(Ordering::SeqCst),
        bucket.limited.load(Ordering::SeqCst),
        start.elapsed().as_secs_f64(),
    )
}

fn patient() -> EndpointSettings {
    EndpointSettings {
        retry: RetryPolicy::default(),
        ..settings(ProviderKind::OpenAi, "http://h", 1)
    }
}

/// Cases 9 and 10. The ideal is 29 s: 600 answers at 20 per second after a burst of 20.
#[tokio::test(start_paused = true)]
async fn a_storm_of_limits_loses_nothing() {
    for workers in [16, 64, 256] {
        let (answered, limited, seconds) = storm(workers, patient()).await;
        assert_eq!(answered, 600, "{workers} workers");
        assert!(limited < 450, "{workers} workers: {limited}");
        assert!(seconds < 40.0, "{workers} workers: {seconds}");
    }
}

/// The bucket, shared with the test.
struct Shared(Arc<Bucket>);

/// A provider that is down for minutes, then well.
struct Outage {
    until: Instant,
}

impl Transport for Outage {
    async fn send(&self, _: &WireRequest) -> Result<RawResponse, Failure> {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if Instant::now() < self.until {
            return Ok(RawResponse {
                status: 503,
                headers: vec![],
                body: b"{}".to_vec(),
            });
        }
        let body = br#"{"choices":[{"finish_reason":"stop","message":{"content":"a"}}]}"#.to_vec();
        Ok(RawResponse {
            status: 200,
            headers: vec![],
            body,
        })
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_minutes_is_ridden_out() {
    let transport = Outage {
        until: Instant::now() + Duration::from_secs(300),
    };
    let limit = LimitSettings {
        concurrency: 8,
        requests_per_minute: None,
    };
    let endpoint = Arc::new(Endpoint::new(transport, EndpointSettings { limit, ..patient() }));
    let start = Instant::now();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let endpoint = Arc::clone(&endpoint);
            tokio::spawn(async move { call(&endpoint, &TestLog::default(), &request("m", "dog")).await })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().unwrap().answer.is_ok());
    }
    assert!(
        (300.0..380.0).contains(&start.elapsed().as_secs_f64()),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn an_outage_without_end_stops_everyone() {
    let transport = Outage {
        until: Instant::now() + Duration::from_secs(1_000_000),
    };
    let endpoint = Endpoint::new(transport, patient());
    let stop = call(&endpoint, &TestLog::default(), &request("m", "dog"))
        .await
        .unwrap_err();
    let Stop::Unavailable { waited, .. } = stop else {
        panic!("{stop}")
    };
    assert!((900.0..1_000.0).contains(&waited.as_secs_f64()), "{waited:?}");
}
