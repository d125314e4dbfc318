//! The shared queue against a real PostgreSQL: workers that die, are cut off, and still make the cards of one machine.
//!
//! `LYDIAN_TEST_POSTGRES` holds the address of a database in which schemas may be created, such as
//! `postgres://postgres@127.0.0.1/test`. Without it these tests say so and are skipped.
#![cfg(unix)]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_postgres::{Client, NoTls};

use super::stage::{Server, assert_same_cards, cards, printed, shop, write_plan};
use crate::run::workshop::{Workshop, corpus};

/// A schema of its own in the test database, gone when dropped.
struct Schema {
    runtime: tokio::runtime::Runtime,
    client: Client,
    address: String,
    name: String,
}

impl Schema {
    /// Returns a new schema, or `None` where no database is named.
    #[expect(clippy::print_stdout, reason = "a skipped test says so")]
    fn new(test: &str) -> Option<Self> {
        let Some(address) = address() else {
            println!("skipped: LYDIAN_TEST_POSTGRES names no database");
            return None;
        };
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&address, NoTls)
                .await
                .expect("a database");
            tokio::spawn(async move { drop(connection.await) });
            client
        });
        let schema = Self {
            name: format!("lydian_test_{test}_{}", std::process::id()),
            runtime,
            client,
            address,
        };
        schema.execute(&format!("CREATE SCHEMA {}", schema.name));
        Some(schema)
    }

    /// Returns an address whose connections use the schema and go by this name.
    fn url(&self, application: &str) -> String {
        let joint = if self.address.contains('?') { '&' } else { '?' };
        format!(
            "{}{joint}options=-csearch_path%3D{}&application_name={application}",
            self.address, self.name
        )
    }

    fn execute(&self, statement: &str) {
        self.runtime
            .block_on(self.client.batch_execute(statement))
            .expect("a statement");
    }

    fn number(&self, query: &str) -> i64 {
        let row = self.runtime.block_on(self.client.query_one(query, &[]));
        row.expect("one row").get(0)
    }

    fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM {}.{table}", self.name))
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let statement = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.name);
        drop(self.runtime.block_on(self.client.batch_execute(&statement)));
    }
}

#[expect(clippy::disallowed_methods, reason = "the test's own setting")]
fn address() -> Option<String> {
    std::env::var("LYDIAN_TEST_POSTGRES")
        .ok()
        .filter(|text| !text.is_empty())
}

fn submit(shop: &Workshop, queue: &str, more: &[&str]) -> Value {
    let arguments = [
        "sweep",
        "submit",
        "sweep.toml",
        "--queue",
        queue,
        "--chunk",
        "10",
        "--json",
    ];
    printed(&shop.lydian(&[&arguments[..], more].concat()).expect(0).stdout)
}

fn worker(shop: &Workshop, queue: &str) -> Child {
    shop.command(&[
        "sweep",
        "work",
        "sweep.toml",
        "--queue",
        queue,
        "--lease",
        "2",
        "--json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("lydian starts")
}

fn wait_for_answers(schema: &Schema, count: i64) {
    let began = Instant::now();
    while schema.count("lydian_answer") < count {
        assert!(began.elapsed() < Duration::from_secs(120), "too slow");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn ended(worker: Child) -> (Option<i32>, Value) {
    let output = worker.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let printed = serde_json::from_str(&text).unwrap_or(Value::Null);
    assert!(!printed.is_null(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), printed)
}

#[test]
fn three_workers_of_which_one_dies_and_one_is_cut_off_make_the_cards_of_one_machine() {
    let Some(schema) = Schema::new("three") else {
        return;
    };
    let server = Server::start();
    let shop = shop(40);
    let axes = "model = [\"m-rate-40\"]\ntemperature = [0.0, 0.2, 0.4, 0.6]";
    write_plan(&shop, &server.url(), "budget_usd = 0.5", axes);
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    // The provider answers 429 above 40 requests a second; three workers that did not share the rate would pass that.
    shop.write(
        "sweep.toml",
        &plan.replace("concurrency = 4", "concurrency = 4\nrequests_per_minute = 2400"),
    );
    let submitted = submit(&shop, &schema.url("submit"), &[]);
    assert_eq!(submitted["submitted"]["new_runs"], 5);
    assert_eq!(submitted["submitted"]["new_chunks"], 20);
    assert_eq!(
        submit(&shop, &schema.url("submit"), &[])["submitted"]["new_runs"],
        0
    );

    let cut_name = format!("cut_{}", std::process::id());
    let mut killed = worker(&shop, &schema.url("killed"));
    let others = [
        worker(&shop, &schema.url(&cut_name)),
        worker(&shop, &schema.url("third")),
    ];
    wait_for_answers(&schema, 60);
    killed.kill().expect("SIGKILL");
    killed.wait().expect("it ended");
    wait_for_answers(&schema, 100);
    let cut = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '{cut_name}'"
    );
    assert!(schema.number(&cut) >= 1, "the worker was connected");
    let kept: u64 = others
        .into_iter()
        .map(ended)
        .map(|(code, printed)| {
            assert_eq!(code, Some(0), "{printed}");
            printed["answers"].as_u64().expect("a count")
        })
        .sum();
    assert!(kept > 50, "{kept}");

    // Once per entry, no call above the limit, and what the provider charged is covered by what the queue counts.
    assert_eq!(schema.count("lydian_answer"), 200);
    let stats = server.stats();
    assert_eq!(stats.by_status.get(&429), None, "{stats:?}");
    // At most what the killed worker had in flight was asked for again: two chunks of four calls.
    assert!((160..=168).contains(&stats.requests), "{stats:?}");
    let url = schema.url("status");
    let status = shop
        .lydian(&["sweep", "status", "sweep.toml", "--queue", &url, "--json"])
        .expect(0);
    let queue = &printed(&status.stdout)["queue"];
    assert_eq!(
        (&queue["done"], &queue["dead"], &queue["reserved_usd"]),
        (&20.into(), &0.into(), &0.0.into())
    );
    let spent = queue["spent_usd"].as_f64().unwrap();
    let charged = stats.charged_nano_usd as f64 / 1e9;
    assert!(spent >= charged - 1e-12 && spent <= 0.5, "{spent} {charged}");

    let merge = [
        "sweep",
        "merge",
        "merged",
        "--plan",
        "sweep.toml",
        "--queue",
        &url,
    ];
    shop.lydian(&merge).expect(0);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "whole"])
        .expect(0);
    assert_same_cards(&cards(&shop, "merged"), &cards(&shop, "whole"));
    assert_eq!(cards(&shop, "merged").len(), 5);
    // Collecting again gives the same, and nothing is left to do.
    shop.lydian(&merge).expect(0);
    assert_same_cards(&cards(&shop, "merged"), &cards(&shop, "whole"));
    let (code, printed) = ended(worker(&shop, &schema.url("late")));
    assert_eq!((code, &printed["answers"]), (Some(0), &0.into()));
}

#[test]
fn no_cent_above_the_budget_over_all_workers_and_more_money_finishes() {
    let Some(schema) = Schema::new("budget") else {
        return;
    };
    let server = Server::start();
    let shop = shop(20);
    let axes = "model = [\"m-ok\", \"m-slow-20\"]\ntemperature = [0.0, 0.7]";
    write_plan(&shop, &server.url(), "budget_usd = 0.002", axes);
    submit(&shop, &schema.url("submit"), &[]);
    let workers = [1, 2, 3].map(|_| worker(&shop, &schema.url("worker")));
    let codes = workers.map(|worker| ended(worker).0);
    assert!(codes.contains(&Some(6)), "{codes:?}");
    let charged = server.stats().charged_nano_usd;
    assert!((1_500_000..=2_000_000).contains(&charged), "{charged}");
    write_plan(&shop, &server.url(), "budget_usd = 1", axes);
    submit(&shop, &schema.url("submit"), &[]);
    assert_eq!(ended(worker(&shop, &schema.url("worker"))).0, Some(0));
    let stats = server.stats();
    assert_eq!((stats.requests, stats.repeated), (80, 0));
    assert_eq!(schema.count("lydian_answer"), 100);
}

#[test]
fn a_chunk_that_fails_too_often_is_put_aside_and_can_be_tried_again() {
    let Some(schema) = Schema::new("dead") else { return };
    let server = Server::start();
    let shop = shop(2);
    write_plan(&shop, &server.url(), "", "model = [\"m-nochoices\"]");
    submit(&shop, &schema.url("submit"), &[]);
    assert_eq!(ended(worker(&shop, &schema.url("worker"))).0, Some(0));
    let url = schema.url("status");
    let status = shop
        .lydian(&["sweep", "status", "sweep.toml", "--queue", &url, "--json"])
        .expect(0);
    let queue = &printed(&status.stdout)["queue"];
    assert_eq!((&queue["dead"], &queue["failures"]), (&1.into(), &2.into()));
    let error = queue["dead_chunks"][0]["last_error"].as_str().unwrap();
    assert!(error.contains("2 of 2 entries have no answer; entry "), "{error}");
    let shown = shop
        .lydian(&["sweep", "status", "sweep.toml", "--queue", &url])
        .expect(0)
        .says("`lydian sweep submit sweep.toml --queue");
    assert!(
        shown
            .stdout
            .contains("entries 1 to 2, 5 attempts: 2 of 2 entries"),
        "{}",
        shown.stdout
    );
    shop.lydian(&[
        "sweep",
        "merge",
        "merged",
        "--plan",
        "sweep.toml",
        "--queue",
        &url,
    ])
    .expect(5);
    let requeued = submit(&shop, &schema.url("submit"), &["--requeue-dead"]);
    assert_eq!(requeued["submitted"]["requeued"], 1);
    assert_eq!(requeued["queue"]["open"], 1);
}

#[test]
fn a_worker_with_another_corpus_is_refused() {
    let Some(schema) = Schema::new("other") else {
        return;
    };
    let shop = shop(4);
    write_plan(&shop, "http://127.0.0.1:9", "", "model = [\"m-ok\"]");
    let url = schema.url("worker");
    shop.lydian(&["sweep", "work", "sweep.toml", "--queue", &url])
        .expect(2)
        .says("the queue holds no sweep \"s\"");
    submit(&shop, &url, &[]);
    shop.write_corpus(5);
    shop.lydian(&["sweep", "work", "sweep.toml", "--queue", &url])
        .expect(3)
        .says("the sweep in the queue differs in the sha256 of the corpus file");
}

#[test]
fn a_corpus_with_secret_entries_and_a_password_on_the_command_line_are_refused() {
    let shop = shop(4);
    write_plan(
        &shop,
        "http://127.0.0.1:9",
        "segments = [\"development\"]",
        "model = [\"m-ok\"]",
    );
    let entry = |id: u32, segment: &str| serde_json::json!({"id": id, "source": "a", "reference": "b", "segment": segment});
    let secret = corpus(&[entry(1, "development"), entry(2, "gold_standard")]);
    shop.write("corpus.json", &secret.to_string());
    for command in ["submit", "work"] {
        shop.lydian(&[
            "sweep",
            command,
            "sweep.toml",
            "--queue",
            "postgres://nobody@127.0.0.1:9/x",
        ])
        .expect(2)
        .says("the corpus holds 1 secret entries");
        let ended = shop
            .lydian(&[
                "sweep",
                command,
                "sweep.toml",
                "--queue",
                "postgres://u:sk-canary@h/x",
            ])
            .expect(2)
            .says("the address of the queue holds a password");
        assert!(!ended.stderr.contains("sk-canary"));
    }
}
