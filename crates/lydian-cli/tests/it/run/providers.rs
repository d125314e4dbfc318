//! `lydian run` with methods behind providers and plugins, against the fake provider's own count.

use std::process::Stdio;
use std::time::{Duration, Instant};

use lydian_harness::fake_provider::{FakeProvider, Script, Stats};
use serde_json::Value;

use super::workshop::{Workshop, comparable, examples};

/// A fake provider with a runtime of its own.
pub(super) struct Server {
    runtime: tokio::runtime::Runtime,
    provider: FakeProvider,
}

impl Server {
    pub(super) fn start(script: &str) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let script = Script::parse(script).expect("a script");
        let provider = runtime
            .block_on(FakeProvider::start(([127, 0, 0, 1], 0).into(), script))
            .expect("a port");
        Self { runtime, provider }
    }

    pub(super) fn url(&self) -> String {
        self.provider.base_url()
    }

    pub(super) fn stats(&self) -> Stats {
        // The runtime's threads serve while this one looks.
        self.runtime.block_on(async { self.provider.stats() })
    }
}

const PRICES: &str = "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m-ok\"\n\
                      input = \"1.00\"\noutput = \"2.00\"\n";

/// A shop with a corpus and a method folder for `model`.
fn shop(entries: usize, model: &str) -> Workshop {
    let shop = Workshop::new();
    shop.write_corpus(entries);
    shop.write("prices.toml", PRICES);
    shop.lydian(&["method", "init", "raw-llm", "m", "--model", model])
        .expect(0);
    shop
}

#[test]
fn a_run_costs_what_the_provider_counts() {
    let server = Server::start("");
    let shop = shop(20, "m-ok");
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &server.url(),
        "--concurrency",
        "8",
    ];
    shop.lydian(&[&run[..], &["--prices", "prices.toml", "--out", "r"]].concat())
        .expect(0);
    let card = shop.card("r");
    let charged = server.stats().charged_nano_usd as f64 / 1e9;
    assert_eq!(card["totals"]["total_cost_usd"].as_f64(), Some(charged));
    assert_eq!(card["totals"]["cost_source"], "user");
    assert_eq!(card["results"][2]["predicted"], "3drow fo txet");
    assert_eq!(card["endpoint"], server.url().as_str());
    assert_eq!(card["model_id"], "m-ok");
    let stats = server.stats();
    assert_eq!((stats.requests, stats.repeated), (20, 0));
    // Without a price the cost is unknown, not zero.
    shop.lydian(&[&run[..], &["--out", "r2"]].concat()).expect(0);
    assert!(shop.card("r2")["totals"]["total_cost_usd"].is_null());
    // And a budget cannot be kept: the run stops before its first request and says what helps.
    let before = server.stats().requests;
    let refused = [&run[..], &["--budget", "1", "--out", "r3"]].concat();
    let stderr = shop.lydian(&refused).expect(2).stderr;
    assert!(
        stderr.contains("--prices FILE, or with --allow-unpriced"),
        "{stderr}"
    );
    assert_eq!(server.stats().requests, before);
}

/// Case 43: a run that a router spread over several systems says so.
#[test]
fn several_upstream_providers_are_warned_of() {
    let server = Server::start("");
    let shop = shop(4, "m-upstreams");
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &server.url(),
        "--out",
        "r",
    ];
    let done = shop.lydian(&run).expect(0);
    assert!(
        done.stderr.contains("2 upstream providers (Azure 2, OpenAI 2)"),
        "{}",
        done.stderr
    );
}

#[test]
fn dry_run_and_show_prompt_need_neither_key_nor_network() {
    let shop = shop(3, "gpt-4.1-mini");
    let planned = shop
        .lydian(&["run", "corpus.json", "--method", "m", "--dry-run", "--json"])
        .expect(0);
    let planned: Value = serde_json::from_str(&planned.stdout).unwrap();
    let estimate = &planned["estimate"]["estimate"];
    assert_eq!(estimate["requests"]["low"], 3);
    assert!(estimate["cost_usd"]["low"].as_f64().unwrap() > 0.0);
    assert_eq!(planned["estimate"]["price_source"], "table");
    let shown = shop
        .lydian(&["run", "corpus.json", "--method", "m", "--show-prompt", "2"])
        .expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let requests = shown["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0]["body"]["messages"][1]["content"], "word1 of text");
    shop.lydian(&["run", "corpus.json", "--method", "m"])
        .expect(4)
        .says("LYDIAN_API_KEY");
    assert!(!shop.path("runs").exists());
}

/// Cases 11 to 14 of the exit codes: what went wrong is told by the number.
#[test]
fn exit_codes_say_what_to_do() {
    let server = Server::start("");
    for (model, code, requests) in [
        ("m-401", 4, 1),
        ("m-404", 2, 1),
        ("m-daily", 7, 1),
        ("m-402", 7, 1),
        ("m-policy", 0, 6),
        ("m-empty", 0, 6),
    ] {
        let shop = shop(6, model);
        let before = server.stats().requests;
        shop.lydian(&[
            "run",
            "corpus.json",
            "--method",
            "m",
            "--base-url",
            &server.url(),
            "--out",
            "r",
        ])
        .expect(code);
        assert_eq!(server.stats().requests - before, requests, "{model}");
    }
}

#[test]
fn a_budget_stops_the_run_and_more_money_finishes_it() {
    let server = Server::start("");
    let shop = shop(30, "m-ok");
    let url = server.url();
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &url,
        "--prices",
        "prices.toml",
        "--out",
        "r",
    ];
    shop.lydian(&[&run[..], &["--budget", "0.0025", "--concurrency", "16"]].concat())
        .expect(6);
    let charged = server.stats().charged_nano_usd;
    assert!(
        charged <= 2_500_000 && server.stats().requests < 30,
        "{:?}",
        server.stats()
    );
    shop.lydian(&["resume", "r"]).expect(6);
    shop.lydian(&["resume", "r", "--budget", "1"]).expect(0);
    let stats = server.stats();
    assert_eq!((stats.requests, stats.repeated), (30, 0));
    let total = shop.card("r")["totals"]["total_cost_usd"].as_f64();
    assert_eq!(total, Some(stats.charged_nano_usd as f64 / 1e9));
    let unpriced = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &url,
        "--budget",
        "1",
        "--out",
        "u",
    ];
    shop.lydian(&unpriced)
        .expect(2)
        .says("price of the model is unknown");
}

/// Decision 29b by the provider's own count: after `kill -9` at most the calls in flight are made again.
#[test]
fn a_killed_run_repeats_at_most_the_calls_in_flight() {
    const CONCURRENCY: u64 = 4;
    let server = Server::start("");
    let shop = shop(60, "m-slow-20");
    let url = server.url();
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &url,
        "--concurrency",
        "4",
        "--out",
    ];
    shop.lydian(&[&run[..], &["whole"]].concat()).expect(0);
    let before = server.stats().requests;
    let mut child = shop
        .command(&[&run[..], &["r"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let kills = [15, 35];
    for (index, kill) in kills.into_iter().enumerate() {
        let deadline = Instant::now() + Duration::from_secs(60);
        while server.stats().requests - before < kill && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let next = ["resume", "r"];
        if index + 1 < kills.len() {
            child = shop
                .command(&next)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
        } else {
            shop.lydian(&next).expect(0);
        }
    }
    let requests = server.stats().requests - before;
    assert!(
        (60..=60 + CONCURRENCY * kills.len() as u64).contains(&requests),
        "{requests}"
    );
    // The provider numbers its requests; that is its own business.
    let strip = |mut card: Value| {
        for result in card["results"].as_array_mut().unwrap() {
            result["served"].as_object_mut().unwrap().remove("request_id");
        }
        comparable(card)
    };
    assert!(
        strip(shop.card("r")) == strip(shop.card("whole")),
        "the cards differ"
    );
}

/// Case 40: a key is in no file, whatever happens to the run.
#[test]
fn the_key_is_in_no_file() {
    let script = "key = \"sk-canary-3141\"\n[[rule]]\ncontains = \"word2 \"\nstatus = 400\n\
                  body = '{\"error\":{\"message\":\"bad key sk-canary-3141\",\"code\":400}}'\n";
    let server = Server::start(script);
    let shop = shop(5, "m-ok");
    shop.write("key.txt", "sk-canary-3141\n");
    let url = server.url();
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &url,
        "--cache",
        "cache",
        "--concurrency",
        "1",
    ];
    let ended = shop
        .command(&[&run[..], &["--out", "r", "--key", "file:key.txt"]].concat())
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(5));
    std::fs::remove_file(shop.path("key.txt")).unwrap();
    let mut folders = vec![shop.folder.clone()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains("canary"), "{}", path.display());
            }
        }
    }
    assert!(files > 8, "{files}");
    let printed = [ended.stdout, ended.stderr].concat();
    assert!(!String::from_utf8_lossy(&printed).contains("canary"));
}

#[test]
fn a_second_run_takes_clean_answers_from_the_cache() {
    let server = Server::start("");
    let shop = shop(10, "m-ok");
    let url = server.url();
    let run = [
        "run",
        "corpus.json",
        "--method",
        "m",
        "--base-url",
        &url,
        "--cache",
        "cache",
        "--prices",
        "prices.toml",
    ];
    shop.lydian(&[&run[..], &["--out", "a"]].concat()).expect(0);
    shop.lydian(&[&run[..], &["--out", "b"]].concat()).expect(0);
    assert_eq!(server.stats().requests, 10);
    let (first, second) = (shop.card("a"), shop.card("b"));
    assert_eq!(
        first["totals"]["total_cost_usd"],
        second["totals"]["total_cost_usd"]
    );
    assert_eq!(second["totals"]["spent_usd"], 0.0);
    assert_eq!(second["totals"]["cached_answers"], 10);
    let listed = shop
        .lydian(&["cache", "ls", "--folder", "cache", "--json"])
        .expect(0);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(
        (&listed["entries"], &listed["groups"][0]["model"]),
        (&Value::from(10), &Value::from("m-ok"))
    );
    shop.lydian(&["cache", "verify", "--folder", "cache"]).expect(0);
    shop.lydian(&["cache", "prune", "--folder", "cache", "--older-than", "1"])
        .expect(0);
    shop.lydian(&["cache", "prune", "--folder", "cache"]).expect(2);
    let pruned = shop
        .lydian(&["cache", "prune", "--folder", "cache", "--all"])
        .expect(0);
    assert!(
        pruned.stdout.starts_with("10 entries removed"),
        "{}",
        pruned.stdout
    );
}

#[test]
fn examples_taken_from_the_corpus_are_left_out_and_others_are_a_leak() {
    let server = Server::start("");
    let shop = Workshop::new();
    shop.write_corpus(12);
    shop.lydian(&["method", "init", "coached-llm", "m", "--model", "m-ok"])
        .expect(0);
    let example =
        |declared: &str| format!("[[example]]\nsource = \"word3 of text\"\ntarget = \"R 3\"\n{declared}\n");
    let url = server.url();
    let run = ["run", "corpus.json", "--method", "m", "--base-url", &url, "--out"];
    shop.write("m/coaching/default.toml", &example("entry_id = 3"));
    shop.lydian(&[&run[..], &["declared"]].concat()).expect(0);
    let card = shop.card("declared");
    assert_eq!(
        (
            card["results"].as_array().unwrap().len(),
            &card["selection"]["excluded"][0]
        ),
        (11, &Value::from(3))
    );
    assert!(
        card["scores"]["caveats"]
            .as_array()
            .unwrap()
            .iter()
            .all(|caveat| caveat["name"] != "test_leak")
    );
    shop.write("m/coaching/default.toml", &example(""));
    shop.lydian(&[&run[..], &["leaked"]].concat()).expect(0);
    let card = shop.card("leaked");
    assert!(
        card["scores"]["caveats"]
            .as_array()
            .unwrap()
            .iter()
            .any(|caveat| caveat["name"] == "test_leak")
    );
    assert_ne!(card["fingerprint"], shop.card("declared")["fingerprint"]);
}

#[test]
fn a_plugin_is_checked_and_run() {
    let shop = Workshop::new();
    shop.write_corpus(8);
    let folder = examples().join("plugins/python");
    let folder = folder.to_str().unwrap();
    shop.lydian(&["plugin", "check", folder]).expect(0);
    shop.lydian(&["run", "corpus.json", "--method", folder, "--out", "r"])
        .expect(0);
    let card = shop.card("r");
    assert_eq!(
        (&card["model_slug"], &card["batch_size"]),
        (&Value::from("plugin/example-word-for-word"), &Value::from(16))
    );
    assert_eq!(card["totals"]["total_cost_usd"], 0.0);
    assert_eq!(card["results"][0]["predicted"], "word1 of text");
    shop.lydian(&["method", "init", "custom-plugin", "broken"])
        .expect(0);
    shop.write("broken/method.py", "print('hello')\n");
    shop.lydian(&["plugin", "check", "broken"]).expect(10);
    shop.lydian(&["run", "corpus.json", "--method", "broken", "--out", "x"])
        .expect(2)
        .says("no message");
}

#[test]
fn a_plugin_in_a_folder_named_from_here_is_checked_and_one_not_built_says_so() {
    let shop = Workshop::new();
    shop.lydian(&["method", "init", "custom-plugin", "inner/mine"])
        .expect(0);
    let manifest = std::fs::read_to_string(shop.path("inner/mine/method.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    let started = manifest["entry_point"]["command"].as_array().unwrap().clone();
    let words: Vec<&str> = started.iter().filter_map(Value::as_str).collect();
    let script = shop.path("inner/mine/start.sh");
    std::fs::write(&script, format!("#!/bin/sh\nexec {}\n", words.join(" "))).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    manifest["entry_point"]["command"] = serde_json::json!(["./start.sh"]);
    shop.write("inner/mine/method.json", &manifest.to_string());
    shop.lydian(&["plugin", "check", "inner/mine"]).expect(0);

    let rust = examples().join("plugins/rust");
    for file in ["method.json", "Cargo.toml"] {
        let text = std::fs::read_to_string(rust.join(file)).unwrap();
        std::fs::create_dir_all(shop.path("unbuilt")).unwrap();
        shop.write(&format!("unbuilt/{file}"), &text);
    }
    let output = shop.lydian(&["plugin", "check", "unbuilt"]).expect(10).stdout;
    assert!(
        output.contains("there is no such file in unbuilt; build it with `cargo build --release` there"),
        "{output}"
    );
}
