//! The cases of real harnesses losing answers, each against the fake provider's own count.

use crate::log::{TestLog, ask, call, connect, hasty, request, serve, settings};
use lydian_harness::budget::Budget;
use lydian_harness::cache::Cache;
use lydian_harness::endpoint::{Endpoint, EndpointSettings, Origin, RetryPolicy, Unpriced};
use lydian_harness::fake_provider::FakeProvider;
use lydian_harness::price::PriceTable;
use lydian_harness::provider::{FailureKind, Parameters, Prompt, ProviderKind, Truncation};
use lydian_harness::translator::{EarlierAnswer, Stop};
use lydian_harness::transport::HttpTransport;
use lydian_model::prediction::CostSource;
use lydian_model::{NanoUsd, Outcome};
use std::sync::Arc;
use std::time::Duration;

const PRICES: &str = "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m-ok\"\n\
                      input = \"1.00\"\noutput = \"2.00\"\n";

async fn plain(concurrency: usize) -> (FakeProvider, Endpoint<HttpTransport>, TestLog) {
    let server = serve("").await;
    let endpoint = connect(settings(ProviderKind::OpenAi, &server.base_url(), concurrency));
    (server, endpoint, TestLog::default())
}

#[tokio::test]
async fn every_wire_form_works_over_a_connection() {
    let script = "key = \"sk-canary\"\n[answers]\n\"dog\" = [\"atim ê ᐊᑎᒼ\"]\n";
    for kind in ProviderKind::ALL {
        let server = serve(script).await;
        let endpoint = connect(settings(kind, &server.base_url(), 4));
        let mut asked = request("m-ok", "dog");
        if !kind.takes_prompt() {
            asked.prompt = Prompt::Text("dog".into());
            asked.model = String::new();
        }
        let result = call(&endpoint, &TestLog::default(), &asked).await.unwrap();
        let answer = result.answer.unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("atim ê ᐊᑎᒼ")),
            "{kind}"
        );
        assert!(answer.is_clean() && answer.served.request_id.is_some(), "{kind}");
    }
}

/// Cases 6, 7, 15 to 19: what is no translation never passes for one.
#[tokio::test]
async fn outcomes_are_told_apart() {
    let (_server, endpoint, log) = plain(4).await;
    for (model, outcome) in [
        ("m-ok", Outcome::Ok),
        ("m-len", Outcome::Truncated),
        ("m-reasonout", Outcome::Truncated),
        ("m-filter", Outcome::Filtered),
        ("m-policy", Outcome::Filtered),
        ("m-refusal", Outcome::Refused),
        ("m-empty", Outcome::Empty),
    ] {
        let answer = ask(&endpoint, &log, model, "the dog")
            .await
            .unwrap()
            .answer
            .unwrap();
        assert_eq!(answer.outcome, outcome, "{model}");
        if model == "m-reasonout" {
            assert_eq!(
                (answer.truncation, answer.text),
                (Some(Truncation::ReasoningOnly), None)
            );
        }
    }
}

/// Cases 15 to 17 and 21: hidden errors, broken and cut answers are tried again and do not pass for answers.
#[tokio::test]
async fn passing_failures_are_ridden_out() {
    for model in [
        "m-err200-1",
        "m-choicesnull-2",
        "m-nochoices-2",
        "m-finisherr-2",
        "m-html-2",
        "m-500-2",
        "m-503-1",
        "m-529-1",
        "m-reset-2",
        "m-cut-2",
        "m-hang-1",
    ] {
        let (server, endpoint, log) = plain(4).await;
        let result = ask(&endpoint, &log, model, "the dog").await.unwrap();
        assert_eq!(result.answer.unwrap().text.as_deref(), Some("eht god"), "{model}");
        assert_eq!(u64::from(result.attempts), server.stats().requests, "{model}");
        assert_eq!(log.sent(), server.stats().requests, "{model}");
    }
}

/// Case 8: attempts used up make a failure, never an empty answer.
#[tokio::test]
async fn an_entry_that_always_fails_fails_alone() {
    let server = serve("[[rule]]\ncontains = \"poison\"\nbehaviour = \"500\"\n").await;
    let endpoint = Arc::new(connect(settings(ProviderKind::OpenAi, &server.base_url(), 4)));
    let log = Arc::new(TestLog::default());
    let healthy = {
        let (endpoint, log) = (Arc::clone(&endpoint), Arc::clone(&log));
        tokio::spawn(async move {
            for number in 0..400 {
                ask(&endpoint, &log, "m-ok", &format!("dog {number}"))
                    .await
                    .unwrap()
                    .answer
                    .unwrap();
            }
        })
    };
    let failure = ask(&endpoint, &log, "m-ok", "poison")
        .await
        .unwrap()
        .answer
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (FailureKind::Unavailable, Some(500))
    );
    healthy.await.unwrap();
}

/// Case 14: one request is enough to learn that the key is wrong, also with many callers.
#[tokio::test]
async fn a_fatal_answer_stops_the_endpoint_after_one_request() {
    for (model, status) in [
        ("m-401", 401),
        ("m-403", 403),
        ("m-404", 404),
        ("m-402", 402),
        ("m-quota", 429),
    ] {
        let (server, endpoint, log) = plain(16).await;
        let endpoint = Arc::new(endpoint);
        let log = Arc::new(log);
        let calls: Vec<_> = (0..32)
            .map(|number| {
                let (endpoint, log) = (Arc::clone(&endpoint), Arc::clone(&log));
                tokio::spawn(async move { ask(&endpoint, &log, model, &format!("dog {number}")).await })
            })
            .collect();
        for call in calls {
            let stop = call.await.unwrap().unwrap_err();
            let failure = match stop {
                Stop::Authentication(failure) | Stop::Unusable(failure) | Stop::Quota(failure) => failure,
                other => panic!("{model}: {other}"),
            };
            assert_eq!(failure.status, Some(status));
        }
        assert_eq!(server.stats().requests, 1, "{model}");
    }
}

/// Case 13: a wait of a day is not waited for.
#[tokio::test]
async fn a_retry_after_of_a_day_stops_at_once() {
    let (server, endpoint, log) = plain(4).await;
    let stop = ask(&endpoint, &log, "m-daily", "dog").await.unwrap_err();
    assert!(matches!(stop, Stop::Quota(_)), "{stop}");
    assert_eq!(server.stats().requests, 1);
}

#[tokio::test]
async fn an_outage_stops_the_endpoint_and_blames_no_entry() {
    let (_server, _, log) = plain(4).await;
    let retry = RetryPolicy {
        patience: Duration::from_millis(150),
        ..hasty()
    };
    let unreachable = EndpointSettings {
        retry,
        ..settings(ProviderKind::OpenAi, "http://127.0.0.1:9", 4)
    };
    let stop = ask(&connect(unreachable), &log, "m-ok", "dog").await.unwrap_err();
    let Stop::Unavailable { failure, .. } = stop else {
        panic!("{stop}")
    };
    assert_eq!(failure.kind, FailureKind::Unreachable);
}

#[tokio::test]
async fn a_refused_request_is_fatal_first_or_three_times_in_a_row() {
    let (server, endpoint, log) = plain(1).await;
    let stop = ask(&endpoint, &log, "m-400", "dog").await.unwrap_err();
    assert!(matches!(stop, Stop::Unusable(_)) && server.stats().requests == 1);

    let (server, endpoint, log) = plain(1).await;
    ask(&endpoint, &log, "m-ok", "dog").await.unwrap().answer.unwrap();
    for text in ["a", "b"] {
        let failure = ask(&endpoint, &log, "m-400", text)
            .await
            .unwrap()
            .answer
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadRequest);
    }
    ask(&endpoint, &log, "m-ok", "cat").await.unwrap().answer.unwrap();
    for text in ["c", "d"] {
        ask(&endpoint, &log, "m-400", text)
            .await
            .unwrap()
            .answer
            .unwrap_err();
    }
    assert!(ask(&endpoint, &log, "m-400", "e").await.is_err());
    assert_eq!(server.stats().requests, 7);
}

/// Cases 1 to 5 and 30: only clean answers are kept, and a second run asks for nothing.
#[tokio::test]
async fn only_clean_answers_are_cached() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve("").await;
    for (model, second_run_asks) in [
        ("m-ok", false),
        ("m-cached", false),
        ("m-len", true),
        ("m-filter-1", true),
        ("m-refusal-1", true),
        ("m-empty-1", true),
        ("m-policy-1", true),
    ] {
        for second in [false, true] {
            let before = server.stats().requests;
            let cache = Some(Cache::new(folder.path().to_owned()));
            let endpoint = connect(EndpointSettings {
                cache,
                ..settings(ProviderKind::OpenAi, &server.base_url(), 1)
            });
            let result = ask(&endpoint, &TestLog::default(), model, "the dog")
                .await
                .unwrap();
            let asked = server.stats().requests > before;
            assert_eq!(asked, !second || second_run_asks, "{model}, second run: {second}");
            assert_eq!(result.origin == Origin::Cache, !asked);
            if second && model != "m-len" {
                assert_eq!(result.answer.unwrap().text.as_deref(), Some("eht god"), "{model}");
            }
        }
    }
}

/// Case 40: the key is in no file and in no message, even if the provider repeats it.
#[tokio::test]
async fn the_key_is_written_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"{\"error\":{\"message\":\"wrong key sk-canary\",\"code\":400}}"#;
    let script = format!("[[rule]]\nmodel = \"m-echo\"\nstatus = 400\nbody = \"{body}\"\n");
    let server = serve(&script).await;
    for kind in ProviderKind::ALL {
        let cache = Some(Cache::new(folder.path().to_owned()));
        let endpoint = connect(EndpointSettings {
            cache,
            ..settings(kind, &server.base_url(), 1)
        });
        let log = TestLog::default();
        let mut asked = request("m-ok", "dog");
        if !kind.takes_prompt() {
            asked.prompt = Prompt::Text("dog".into());
            asked.model = String::new();
        }
        call(&endpoint, &log, &asked).await.unwrap();
        let written = format!("{:?} {endpoint:?}", log.received.lock().unwrap());
        assert!(!written.contains("canary"), "{kind}: {written}");
    }
    let endpoint = connect(settings(ProviderKind::OpenAi, &server.base_url(), 1));
    let stop = ask(&endpoint, &TestLog::default(), "m-echo", "dog")
        .await
        .unwrap_err()
        .to_string();
    assert!(stop.contains("wrong key [redacted]"), "{stop}");
    let files = Cache::new(folder.path().to_owned());
    assert_eq!(files.list().unwrap().len(), ProviderKind::ALL.len());
    for shard in std::fs::read_dir(folder.path()).unwrap() {
        for file in std::fs::read_dir(shard.unwrap().path()).unwrap() {
            assert!(
                !std::fs::read_to_string(file.unwrap().path())
                    .unwrap()
                    .contains("canary")
            );
        }
    }
}

/// Cases 35 and 38, by the server's own account.
#[tokio::test]
async fn a_budget_is_kept_to_the_cent() {
    let server = serve("").await;
    let limit = NanoUsd::new(400_000);
    let budget = Arc::new(Budget::new(limit, NanoUsd::ZERO));
    let price = PriceTable::user(PRICES).unwrap().price("x://", "m-ok").cloned();
    let endpoint = Arc::new(connect(EndpointSettings {
        budget: Some((Arc::clone(&budget), Unpriced::Refused)),
        price,
        ..settings(ProviderKind::OpenAi, &server.base_url(), 16)
    }));
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let endpoint = Arc::clone(&endpoint);
            tokio::spawn(async move {
                let mut asked = request("m-ok", &format!("the dog number {number}"));
                asked.parameters = Parameters {
                    max_output_tokens: Some(20),
                    ..Parameters::default()
                };
                call(&endpoint, &TestLog::default(), &asked).await
            })
        })
        .collect();
    let mut stopped = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(result) => assert_eq!(result.cost.source, CostSource::User),
            Err(stop) => {
                assert!(matches!(stop, Stop::Budget { .. }), "{stop}");
                stopped += 1;
            }
        }
    }
    let charged = server.stats().charged_nano_usd;
    assert_eq!(budget.spent().nanos(), charged);
    assert!(charged <= limit.nanos() && charged > 200_000, "{charged}");
    assert!(stopped > 0);
}

#[tokio::test]
async fn a_budget_refuses_what_has_no_price_or_no_bound() {
    let server = serve("").await;
    let budget = Arc::new(Budget::new(NanoUsd::new(1_000_000), NanoUsd::ZERO));
    let price = PriceTable::user(PRICES).unwrap().price("x://", "m-ok").cloned();
    for (price, unpriced, refused) in [
        (None, Unpriced::Refused, true),
        (price, Unpriced::Refused, true),
        (None, Unpriced::Allowed, false),
    ] {
        let budget = Some((Arc::clone(&budget), unpriced));
        let endpoint = connect(EndpointSettings {
            budget,
            price,
            ..settings(ProviderKind::OpenAi, &server.base_url(), 1)
        });
        let result = ask(&endpoint, &TestLog::default(), "m-ok", "dog").await;
        assert_eq!(matches!(result, Err(Stop::Unpriced(_))), refused, "{result:?}");
    }
    assert_eq!(server.stats().requests, 1);
}

#[tokio::test]
async fn an_answer_in_the_journal_is_not_asked_for_again() {
    let (server, endpoint, log) = plain(1).await;
    ask(&endpoint, &log, "m-refusal", "dog").await.unwrap();
    let received = log.received.lock().unwrap()[0].clone();
    let resumed = TestLog::default();
    let answer = EarlierAnswer {
        response: received.result.unwrap(),
        number: 17,
        latency: Duration::from_millis(3),
    };
    resumed
        .earlier
        .lock()
        .unwrap()
        .push((received.request_sha256, answer));
    let result = ask(&endpoint, &resumed, "m-refusal", "dog").await.unwrap();
    assert_eq!((result.origin, result.number), (Origin::Journal, Some(17)));
    assert_eq!(result.answer.unwrap().outcome, Outcome::Refused);
    assert_eq!((server.stats().requests, resumed.sent()), (1, 0));
}

/// Case 43: a router's upstream is part of every answer.
#[tokio::test]
async fn the_upstream_provider_is_recorded() {
    let (_server, endpoint, log) = plain(1).await;
    let mut upstreams = Vec::new();
    for text in ["a", "b"] {
        let answer = ask(&endpoint, &log, "m-upstreams", text)
            .await
            .unwrap()
            .answer
            .unwrap();
        upstreams.extend(answer.served.provider);
    }
    assert_eq!(upstreams, ["OpenAI", "Azure"]);
}

/// Case 28: no more connections than the concurrency.
#[tokio::test]
async fn connections_stay_within_the_concurrency() {
    let (server, endpoint, _) = plain(8).await;
    let endpoint = Arc::new(endpoint);
    let calls: Vec<_> = (0..300)
        .map(|number| {
            let endpoint = Arc::clone(&endpoint);
            tokio::spawn(async move {
                let model = "m-jitter-5";
                ask(&endpoint, &TestLog::default(), model, &format!("dog {number}"))
                    .await
                    .unwrap()
                    .answer
                    .unwrap()
            })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        // Case 24: answers come in any order, each belongs to its own request.
        let expected: String = format!("{number}").chars().rev().collect();
        assert_eq!(call.await.unwrap().text.unwrap(), format!("god {expected}"));
    }
    let stats = server.stats();
    assert!(
        stats.peak_connections <= 8 && stats.peak_in_flight <= 8,
        "{stats:?}"
    );
    assert_eq!((stats.requests, stats.repeated), (300, 0));
}
