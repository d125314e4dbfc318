//! Dialect runs that were interrupted, and what `resume` makes of them.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::dialect::{report, shop};
use super::providers::Server;
use super::workshop::Workshop;

const SLOW: &str = "while IFS= read -r line; do sleep 0.05; echo \"Antwort: B ${line%% *}\"; done\n";
const RUN: [&str; 6] = [
    "dialect",
    "run",
    "items.json",
    "--method",
    "command:sh slow.sh",
    "--out",
];

fn without_identity(mut report: Value) -> Value {
    let run = report["answers"]["run"].as_object_mut().expect("a run");
    for field in ["run_id", "timestamp"] {
        run.remove(field).expect("every run has it");
    }
    report
}

fn killed_in_the_middle(shop: &Workshop) {
    let mut child = shop
        .command(&[&RUN[..], &["cut"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lydian starts");
    let began = Instant::now();
    loop {
        let journal = std::fs::read_to_string(shop.path("cut/journal.jsonl")).unwrap_or_default();
        if journal.matches("\"type\":\"answer\"").count() >= 5 {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no answers came");
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-9", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    child.wait().expect("the process has ended");
}

#[test]
fn a_killed_run_resumes_to_the_report_of_an_uninterrupted_one() {
    let shop = shop();
    shop.write("slow.sh", SLOW);
    shop.lydian(&[&RUN[..], &["whole"]].concat()).expect(0);
    killed_in_the_middle(&shop);
    assert!(!shop.path("cut/dialect-report.json").exists());
    shop.lydian(&["resume", "cut"]).expect(0).says("of 30 entries");
    assert_eq!(
        without_identity(report(&shop, "cut")),
        without_identity(report(&shop, "whole"))
    );
}

#[test]
fn a_run_goes_on_only_with_its_own_prompts_and_items() {
    let server = Server::start("[[rule]]\ncontains = \"Frage:\"\nbehaviour = \"401\"\n");
    let shop = shop();
    shop.lydian(&["method", "init", "raw-llm", "m", "--model", "m-ok"])
        .expect(0);
    let prompts = "[T4]\nuser = \"Frage: {question} {options} {source}\"\n";
    shop.write("prompts.toml", prompts);
    let run = [
        "dialect",
        "run",
        "items.json",
        "--method",
        "m",
        "--prompts",
        "prompts.toml",
    ];
    shop.lydian(
        &[
            &run[..],
            &["--base-url", &server.url(), "--out", "r", "--concurrency", "1"],
        ]
        .concat(),
    )
    .expect(4)
    .says("lydian resume r");
    // The translations that were paid for are there, and the report says what is missing.
    let partial = report(&shop, "r");
    assert_eq!(
        (&partial["answers"]["missing"], &partial["rows"][4]["t1"]["items"]),
        (&10.into(), &20.into())
    );
    shop.write("prompts.toml", "[T4]\nuser = \"{question} {options} {source}\"\n");
    shop.lydian(&["resume", "r"])
        .expect(3)
        .says("parameters/item_prompts/T4");
    shop.write("prompts.toml", prompts);
    let items = std::fs::read_to_string(shop.path("items.json")).unwrap();
    shop.write("items.json", &items.replacen("Menschen", "Leute", 1));
    shop.lydian(&["resume", "r"]).expect(3).says("sha256");
    shop.write("items.json", &items);
    shop.lydian(&["resume", "r"]).expect(4);
}
