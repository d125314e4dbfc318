//! What a sweep may say about the method under test, and when it must say nothing.

use std::fmt::Write as _;

use serde_json::Value;

use super::stage::{Server, printed, shop, write_plan};
use crate::run::workshop::{Workshop, examples};

fn matrix(shop: &Workshop, folder: &str) -> Value {
    printed(
        &shop
            .lydian(&["sweep", "report", folder, "--json"])
            .expect(0)
            .stdout,
    )
}

#[test]
fn there_is_no_verdict_before_every_baseline_is_complete() {
    const WAITING: &str = "No verdict yet: baseline apertium is not complete.";
    let shop = Workshop::new();
    let plan = examples().join("por-glg-sweep").display().to_string();
    let part = |shard: &str, out: &str| {
        let run = ["sweep", "run", &plan, "--shard", shard, "--out", out, "--json"];
        printed(&shop.lydian(&run).expect(0).stdout)["verdict"].clone()
    };
    assert_eq!(part("1/2", "a"), WAITING);
    let status = printed(&shop.lydian(&["sweep", "status", "a", "--json"]).expect(0).stdout);
    assert_eq!(status["verdict"], WAITING);
    let verdict = matrix(&shop, "a")["verdict"].clone();
    assert_eq!(verdict["sentence"], WAITING);
    assert_eq!(verdict["reason"], "baseline apertium is not complete");
    assert!(verdict["best_baseline"].is_null(), "{verdict}");
    assert_eq!(verdict["methods"], serde_json::json!([]));
    let merge = |parts: &[&str], code: i32| {
        let arguments = [&["sweep", "merge", "whole"], parts, &["--json"]].concat();
        let merged = printed(&shop.lydian(&arguments).expect(code).stdout);
        merged["verdict"].as_str().expect("a sentence").to_owned()
    };
    assert_eq!(merge(&["a"], 5), WAITING);
    part("2/2", "b");
    assert_eq!(
        merge(&["a", "b"], 0),
        "None of 5 configurations under test beats the best baseline, apertium, in chrF++."
    );
}

#[test]
#[cfg(unix)]
fn a_score_with_a_caveat_beats_nothing_and_a_grave_note_is_told() {
    let shop = Workshop::new();
    let corpus = std::fs::read_to_string(examples().join("por-glg/corpus.json")).unwrap();
    let entries: Value = serde_json::from_str(&corpus).unwrap();
    // References said twice resemble them more than the sources do.
    let mut known = String::new();
    for entry in entries["entries"].as_array().unwrap() {
        writeln!(
            known,
            "{}\t{}",
            entry["source"].as_str().unwrap(),
            reference(entry)
        )
        .unwrap();
    }
    shop.write("corpus.json", &corpus);
    shop.write("known.tsv", &known);
    shop.write(
        "twice.sh",
        "while IFS= read -r line; do awk -F '\\t' -v text=\"$line\" '$1 == text { print $2, $2; exit }' known.tsv; done\n",
    );
    shop.write("bad.sh", "while IFS= read -r line; do echo \"qqq\"; done\n");
    shop.write(
        "sweep.toml",
        "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\nmetric = \"chrf_plus_plus\"\n\
         [[method]]\nid = \"floor\"\nmethod = \"copy\"\n\
         [[method]]\nid = \"twice\"\nmethod = \"command:sh twice.sh\"\nrole = \"under_test\"\n\
         [[method]]\nid = \"bad\"\nmethod = \"command:sh bad.sh\"\nrole = \"under_test\"\n",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    let verdict = matrix(&shop, "s")["verdict"].clone();
    assert_eq!(verdict["methods"][0]["runs"][0]["better"], true);
    assert_eq!(verdict["methods"][0]["beats_best_baseline"], false);
    assert_eq!(
        verdict["methods"][0]["caveats"],
        serde_json::json!(["length_inflation"])
    );
    assert_eq!(
        verdict["sentence"],
        "None of 2 configurations under test beats the best baseline, floor, in chrF++. Higher scores that do not count, with \
         caveats: twice (length_inflation). Noted: bad (below_floor)."
    );
    let text = shop
        .lydian(&["sweep", "report", "s", "--format", "markdown"])
        .expect(0)
        .stdout;
    assert!(text.contains("not counted: length\\_inflation"), "{text}");
}

fn reference(entry: &Value) -> &str {
    entry["reference"].as_str().expect("a reference")
}

#[test]
fn equal_temperatures_have_no_steadiest_and_long_lists_are_counted() {
    let server = Server::start();
    let shop = shop(3);
    let axes = "model = [\"m-ok\"]\ntemperature = [0.0, 0.3, 0.7, 1.0]";
    write_plan(&shop, &server.url(), "seeds = [1, 2]", axes);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    assert!(matrix(&shop, "s")["most_consistent_temperature"].is_null());
    let text = shop
        .lydian(&["sweep", "report", "s", "--format", "markdown"])
        .expect(0)
        .stdout;
    assert!(
        text.contains("steadiest temperature: none, repeats agree equally at 0.0, 0.3, 0.7, 1.0"),
        "{text}"
    );
    assert!(text.contains(" configurations: llm"), "{text}");
}
