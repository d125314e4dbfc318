//! One budget for a whole sweep, by the provider's own count.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::stage::{Server, cards, printed, shop, write_plan};
use crate::run::workshop::{Workshop, corpus};

#[test]
fn no_cent_above_the_budget_and_more_money_finishes() {
    let server = Server::start();
    let shop = shop(20);
    let axes = "model = [\"m-ok\", \"m-slow-20\"]\ntemperature = [0.0, 0.7]";
    write_plan(&shop, &server.url(), "budget_usd = 0.002", axes);
    let ended = shop
        .lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--json"])
        .expect(6)
        .says("the same command with a higher --budget USD goes on")
        .never_says("price for every model");
    let first = printed(&ended.stdout);
    let charged = server.stats().charged_nano_usd;
    assert!(charged <= 2_000_000, "{charged}");
    assert!(charged > 1_500_000, "{charged}: the budget is used");
    let spent = first["spent_usd"].as_f64().unwrap();
    assert!((spent - charged as f64 / 1e9).abs() < 1e-12, "{spent} {charged}");
    // What is spent counts when the sweep goes on.
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(6);
    assert!(server.stats().charged_nano_usd <= 2_000_000);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--budget", "1"])
        .expect(0);
    let stats = server.stats();
    assert_eq!((stats.requests, stats.repeated), (80, 0));
    assert_eq!(cards(&shop, "s").len(), 5);
}

#[test]
fn a_budget_with_an_unknown_price_sends_nothing() {
    let server = Server::start();
    let shop = shop(4);
    write_plan(&shop, &server.url(), "budget_usd = 1", "model = [\"m-unpriced\"]");
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(2)
        .says("the price of the model is unknown")
        .says("a budget needs a price for every model: give `prices` in the plan");
    assert_eq!(server.stats().requests, 0);
    let status = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(0).stdout);
    let problem = status["progress"][0]["problem"].as_str().unwrap();
    assert!(
        problem.contains("the budget cannot be kept: the price of the model is unknown"),
        "{problem}"
    );
    write_plan(
        &shop,
        &server.url(),
        "budget_usd = 1\nallow_unpriced = true",
        "model = [\"m-unpriced\"]",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    assert_eq!(server.stats().requests, 4);
    let told = shop.lydian(&["sweep", "status", "s"]).expect(0).stdout;
    for words in ["  unknown  ", "4 answers of unknown cost"] {
        assert!(told.contains(words), "{told}");
    }
}

const ENTRIES: usize = 400;
const KILLS: u64 = 4;

/// A folder with a method whose calls cost almost the most they can: long sources, and one token of output.
fn dear_shop() -> Workshop {
    let shop = shop(1);
    let source = "long text ".repeat(70);
    let entries: Vec<serde_json::Value> = (0..ENTRIES)
        .map(|id| serde_json::json!({"id": id, "source": format!("{source}{id}"), "reference": "b", "segment": "development"}))
        .collect();
    shop.write("corpus.json", &corpus(&entries).to_string());
    shop.write(
        "prices.toml",
        "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m-slow-80\"\ninput = \"1.00\"\noutput = \"2.00\"\n",
    );
    shop
}

/// Kills a command several times while all its calls are in flight, lets it end, and fails if the provider charged more than
/// the budget. What was in flight is more than what the last reservation leaves over, so that forgetting it shows.
fn kill_and_go_on(shop: &Workshop, server: &Server, first: &[&str], next: &[&str], budget: u64) {
    let before = server.stats();
    for kill in 0..KILLS {
        let asked = server.stats().requests;
        let arguments = if kill == 0 { first } else { next };
        let mut child = shop
            .command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("lydian starts");
        let began = Instant::now();
        while server.stats().requests < asked + 20 {
            assert!(began.elapsed() < Duration::from_secs(60), "too slow");
            assert!(
                child.try_wait().expect("a state").is_none(),
                "it ended before kill {kill}"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("it ended");
    }
    shop.lydian(next).expect(6).says("may have been paid");
    let charged = || server.stats().charged_nano_usd - before.charged_nano_usd;
    assert!(charged() <= budget, "{} of {budget}", charged());
    assert!(charged() > budget / 3, "{} of {budget} is used", charged());
    shop.lydian(next).expect(6);
    assert!(charged() <= budget, "{} of {budget}", charged());
}

#[test]
#[cfg(unix)]
fn kill_and_resume_again_and_again_never_spends_more_than_the_budget() {
    let server = Server::start();
    let shop = dear_shop();
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
        "--concurrency",
        "8",
        "--set",
        "model=m-slow-80",
        "--set",
        "max_output_tokens=1",
        "--budget",
        "0.08",
        "--out",
        "r",
    ];
    kill_and_go_on(&shop, &server, &run, &["resume", "r"], 80_000_000);
    shop.lydian(&["resume", "r"])
        .expect(6)
        .says("`lydian resume r --budget USD` goes on with a higher budget");
}

#[test]
#[cfg(unix)]
fn a_sweep_killed_again_and_again_never_spends_more_than_the_budget() {
    let server = Server::start();
    let shop = dear_shop();
    write_plan(
        &shop,
        &server.url(),
        "budget_usd = 0.08",
        "model = [\"m-slow-80\"]",
    );
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write(
        "sweep.toml",
        &plan
            .replace("concurrency = 4", "concurrency = 8")
            .replace("max_output_tokens = 50", "max_output_tokens = 1"),
    );
    let run = ["sweep", "run", "sweep.toml", "--out", "s"];
    kill_and_go_on(&shop, &server, &run, &run, 80_000_000);
    let status = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(0).stdout);
    assert!(status["perhaps_paid_usd"].as_f64().unwrap() > 0.0, "{status}");
}
