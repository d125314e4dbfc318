//! `lydian sweep run`: the cards of single runs, only what is missing, and what a killed sweep leaves behind.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::stage::{Server, assert_same_cards, cards, printed, shop, without_request_ids, write_plan};
use crate::run::workshop::{Workshop, comparable, examples};

#[test]
fn a_run_of_a_sweep_has_the_card_of_a_single_run() {
    let server = Server::start();
    let shop = shop(12);
    write_plan(
        &shop,
        &server.url(),
        "",
        "model = [\"m-ok\"]\ntemperature = [0.3]",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "m",
        "--set",
        "temperature=0.3",
        "--set",
        "max_output_tokens=50",
        "--base-url",
        &server.url(),
        "--prices",
        "prices.toml",
        "--out",
        "single",
    ])
    .expect(0);
    let single = without_request_ids(comparable(shop.card("single")));
    assert_eq!(single["temperature"], 0.3);
    let of_sweep = cards(&shop, "s");
    assert_eq!(of_sweep.len(), 2);
    let name = &single["setup_fingerprint"].as_str().unwrap()[..16];
    let only = |card: &Value| BTreeMap::from([(name.to_owned(), card.clone())]);
    assert_same_cards(&only(&of_sweep[name]), &only(&single));
    // Any run of a sweep can be continued and checked alone.
    let run = format!("s/runs/{name}");
    shop.lydian(&["resume", &run]).expect(0);
    shop.lydian(&["card", "verify", &format!("{run}/run-card.json")])
        .expect(0);
}

#[test]
fn only_what_is_missing_is_run() {
    let server = Server::start();
    let shop = shop(10);
    let plan = |axes: &str| write_plan(&shop, &server.url(), "", axes);
    let run = || {
        let ended = shop
            .lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--json"])
            .expect(0);
        let ended = printed(&ended.stdout);
        (ended["complete_before"].as_u64(), ended["executed"].as_u64())
    };
    plan("model = [\"m-ok\"]\ntemperature = [0.0]");
    assert_eq!(run(), (Some(0), Some(2)));
    assert_eq!(server.stats().requests, 10);
    assert_eq!(run(), (Some(2), Some(0)));
    assert_eq!(server.stats().requests, 10);
    plan("model = [\"m-ok\", \"m-jitter-30\"]\ntemperature = [0.0, 0.7]");
    assert_eq!(run(), (Some(2), Some(3)));
    assert_eq!((server.stats().requests, server.stats().repeated), (40, 0));
    // A value taken away leaves its runs in place, and they come back for nothing.
    plan("model = [\"m-ok\"]\ntemperature = [0.7]");
    let status = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(0).stdout);
    assert_eq!(status["runs"], 5);
    assert_eq!(run(), (Some(2), Some(0)));
    let status = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(0).stdout);
    assert_eq!((&status["runs"], &status["stray"]), (&2.into(), &3.into()));
    assert_eq!(server.stats().requests, 40);
}

#[test]
fn repeats_are_asked_for_anew_although_answers_are_stored() {
    let server = Server::start();
    let shop = shop(5);
    write_plan(&shop, &server.url(), "repeats = 3", "model = [\"m-ok\"]");
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write(
        "sweep.toml",
        &plan.replace("concurrency = 4", "concurrency = 4\ncache = \"stored\""),
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    assert_eq!(server.stats().requests, 15);
    // The same sweep in another folder is answered from what is stored.
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "again"])
        .expect(0);
    assert_eq!(server.stats().requests, 15);
    let matrix = printed(&shop.lydian(&["sweep", "report", "s", "--json"]).expect(0).stdout);
    assert_eq!(matrix["configurations"][0]["complete"], 3);
    assert_eq!(matrix["configurations"][0]["repeat_agreement"], 1.0);
    assert!(matrix["configurations"][1]["repeat_agreement"].is_null());
}

fn answers(folder: &Path) -> usize {
    let Ok(runs) = std::fs::read_dir(folder.join("runs")) else {
        return 0;
    };
    runs.map(|run| run.expect("a folder").path().join("journal.jsonl"))
        .map(|journal| std::fs::read_to_string(journal).unwrap_or_default())
        .map(|text| text.matches("\"type\":\"answer\"").count())
        .sum()
}

#[test]
fn a_sweep_killed_three_times_ends_in_the_cards_of_an_uninterrupted_one() {
    let server = Server::start();
    let shop = shop(30);
    let axes = "model = [\"m-slow-20\", \"m-jitter-30\"]\ntemperature = [0.0, 0.5]";
    write_plan(&shop, &server.url(), "", axes);
    for count in [20, 61, 120] {
        let mut child = shop
            .command(&["sweep", "run", "sweep.toml", "--out", "killed"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("lydian starts");
        let began = Instant::now();
        while answers(&shop.path("killed")) < count {
            assert!(began.elapsed() < Duration::from_secs(120), "too slow");
            std::thread::sleep(Duration::from_millis(3));
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("it ended");
    }
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "killed"])
        .expect(0);
    // At most the four calls in flight were made again after each kill (decision 29b).
    let stats = server.stats();
    assert!(stats.requests <= 120 + 3 * 4, "{} requests", stats.requests);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "whole"])
        .expect(0);
    assert_same_cards(&cards(&shop, "killed"), &cards(&shop, "whole"));
    assert_eq!(cards(&shop, "whole").len(), 5);
}

#[test]
fn one_rate_limit_holds_for_all_runs() {
    let server = Server::start();
    let shop = shop(10);
    // Every model alone would allow 20 requests a second and answer 429 above that.
    write_plan(
        &shop,
        &server.url(),
        "",
        "model = [\"m-rate-20\"]\ntemperature = [0.0, 0.2, 0.4, 0.6]",
    );
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write(
        "sweep.toml",
        &plan.replace("concurrency = 4", "concurrency = 16\nrequests_per_minute = 1200"),
    );
    let began = Instant::now();
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    let stats = server.stats();
    assert_eq!((stats.requests, stats.by_status.get(&429)), (40, None));
    assert!(
        began.elapsed() >= Duration::from_millis(39 * 50),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_wrong_key_stops_the_sweep_and_no_file_holds_it() {
    let server = Server::start();
    let shop = shop(6);
    write_plan(&shop, &server.url(), "", "model = [\"m-401\", \"m-ok\"]");
    shop.write("key.txt", "sk-canary-1234\n");
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    let key = format!(
        "concurrency = 4\nkey = \"file:{}\"",
        shop.path("key.txt").display()
    );
    shop.write("sweep.toml", &plan.replace("concurrency = 4", &key));
    let arguments = ["sweep", "run", "sweep.toml", "--out", "s", "--parallel", "1"];
    let ended = shop.lydian(&arguments).expect(4);
    assert!(!format!("{}{}", ended.stdout, ended.stderr).contains("sk-canary"));
    // The floor is made first, then one request shows that the key is wrong.
    assert_eq!(server.stats().requests, 1);
    let found = std::process::Command::new("grep")
        .args(["-rl", "sk-canary", "s"])
        .current_dir(&shop.folder)
        .output()
        .expect("grep");
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    shop.write("sweep.toml", &plan.replace("\"m-401\", ", ""));
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
}

#[test]
fn a_model_that_does_not_exist_leaves_the_others_alone() {
    let server = Server::start();
    let shop = shop(6);
    write_plan(&shop, &server.url(), "", "model = [\"m-404\", \"m-ok\"]");
    let ended = shop
        .lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--json"])
        .expect(2);
    assert_eq!(printed(&ended.stdout)["complete"], 2);
    assert_eq!(server.stats().requests, 7);
}

#[test]
fn the_example_runs_offline_and_gives_a_verdict() {
    let shop = Workshop::new();
    let example = examples().join("por-glg-sweep");
    let run = ["sweep", "run", example.to_str().unwrap(), "--out", "s", "--json"];
    let ended = printed(&shop.lydian(&run).expect(0).stdout);
    assert_eq!(ended["complete"], 7);
    let matrix = printed(&shop.lydian(&["sweep", "report", "s", "--json"]).expect(0).stdout);
    let verdict = &matrix["verdict"];
    assert_eq!(verdict["methods"].as_array().unwrap().len(), 5);
    let best = verdict["best_baseline"].as_str().unwrap();
    let baseline = matrix["configurations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == best)
        .unwrap();
    assert_eq!(baseline["method"], "apertium");
    assert_eq!(matrix["entries"].as_array().unwrap().len(), 58);
    assert_eq!(matrix["heat_map"]["down"], "words");
    for (format, holds) in [
        ("csv", "run,method,role,spelling,words,seed,state"),
        ("markdown", "| configuration | role |"),
        ("latex", "\\begin{tabular}"),
        ("text", "Configurations, repeats taken together"),
        ("json", "lydian.sweep-matrix/1"),
    ] {
        let text = shop
            .lydian(&["sweep", "report", "s", "--format", format])
            .expect(0)
            .stdout;
        assert!(text.contains(holds), "{format}: {text}");
    }
    let page = std::fs::read_to_string(shop.path("s/report.html")).unwrap();
    for holds in [
        "default-src 'none'",
        "<polyline",
        "class=\"plot heat\"",
        "best baseline",
    ] {
        assert!(page.contains(holds), "{holds}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"));
    // One spelling of the metric, labelled axes and points, and no configuration that disappears without a word.
    assert!(!page.contains("chrf_plus_plus"));
    for holds in [
        "rotate(-90",
        ">chrF++</text>",
        "<li>apertium: chrF++ 60.1, 0.00 USD, on the front</li>",
        "left out, because their latency is not known: copy; apertium",
        "<td>baseline</td>",
        "<td class=\"n\">60.1</td>",
    ] {
        assert!(page.contains(holds), "{holds}");
    }
    let latex = shop
        .lydian(&["sweep", "report", "s", "--format", "latex"])
        .expect(0)
        .stdout;
    assert!(!latex.contains(".."), "{latex}");
    shop.lydian(&["report", "s"]).expect(0);
    shop.lydian(&[
        "sweep", "report", "s", "--across", "spelling", "--down", "nonsense",
    ])
    .expect(2)
    .says("no run of this sweep has an axis \"nonsense\"");
}
