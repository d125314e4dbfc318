//! The forms of `lydian run` and what its methods give.

use serde_json::Value;

use super::workshop::{Workshop, examples};

#[test]
fn an_example_folder_runs_offline_and_its_card_is_intact() {
    let shop = Workshop::new();
    let example = examples().join("por-glg");
    let example = example.to_str().unwrap();
    let ended = shop.lydian(&["run", example, "--out", "a run"]).expect(0);
    assert!(
        ended
            .stdout
            .starts_with("On 58 sentences this method scores 60.1 chrF++"),
        "{}",
        ended.stdout
    );
    for file in ["run-card.json", "journal.jsonl", "report.html"] {
        assert!(shop.path("a run").join(file).is_file(), "{file}");
    }
    let corpus = format!("{example}/corpus.json");
    shop.lydian(&[
        "card",
        "verify",
        "a run",
        "--corpus",
        &corpus,
        "--journal",
        "a run",
    ])
    .expect(0);
    let card = shop.card("a run");
    assert_eq!(card["model_slug"], "apertium/pt-gl");
    assert_eq!(card["totals"]["cost_source"], "local");
}

#[test]
fn without_out_the_folder_is_named_after_time_and_setup() {
    let shop = Workshop::new();
    shop.write_corpus(3);
    for _ in 0..2 {
        shop.lydian(&["run", "corpus.json", "--method", "copy"]).expect(0);
    }
    let names: Vec<String> = std::fs::read_dir(shop.path("runs"))
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        names
            .iter()
            .all(|name| name.starts_with("20") && name.contains("Z-")),
        "{names:?}"
    );
}

#[test]
fn copy_gives_the_source_back() {
    let shop = Workshop::new();
    shop.write_corpus(3);
    let ended = shop
        .lydian(&["run", "corpus.json", "--method", "copy", "--out", "r", "--json"])
        .expect(0);
    let printed: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (&printed["schema"], &printed["ended"]),
        (&"lydian.run/1".into(), &"finished".into())
    );
    assert_eq!(shop.card("r")["results"][1]["predicted"], "word2 of text");
}

#[test]
fn a_missing_prediction_is_no_answer_and_an_empty_one_is_empty() {
    let shop = Workshop::new();
    shop.write_corpus(3);
    shop.write(
        "out.jsonl",
        "{\"id\": 3, \"output\": \"R 3\"}\n{\"id\": \"1\", \"output\": \"\"}\n",
    );
    shop.lydian(&["run", "corpus.json", "--predictions", "out.jsonl", "--out", "r"])
        .expect(5)
        .says("1 of 3 entries without an answer");
    let card = shop.card("r");
    let outcomes: Vec<&str> = (0..3)
        .map(|n| card["results"][n]["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["empty", "failed", "ok"]);
    assert_eq!(card["scores"]["coverage"], 0.666_667);
    assert_eq!(card["scores"]["quality_tier"], "withheld");
    assert_eq!(
        card["totals"]["total_cost_usd"],
        Value::Null,
        "nobody recorded what the outputs cost"
    );
}

#[test]
fn selections_change_the_fingerprint_and_stand_in_the_card() {
    let shop = Workshop::new();
    shop.write_corpus(9);
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "all"])
        .expect(0);
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "copy",
        "--out",
        "two",
        "--ids",
        "7,2",
    ])
    .expect(0);
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "copy",
        "--out",
        "five",
        "--limit",
        "5",
        "--domain",
        "edu",
    ])
    .expect(0);
    let (all, two, five) = (shop.card("all"), shop.card("two"), shop.card("five"));
    assert_eq!(two["selection"]["entry_ids"], serde_json::json!([2, 7]));
    assert_eq!(five["dataset"]["entry_count"], 5);
    assert_eq!(all["selection"]["complete"], true);
    assert_eq!(all["dataset"]["sha256"], two["dataset"]["sha256"]);
    assert_ne!(all["fingerprint"], two["fingerprint"]);
    assert_ne!(five["fingerprint"], two["fingerprint"]);
}

#[cfg(unix)]
#[test]
fn a_command_translates_line_by_line() {
    let shop = Workshop::new();
    shop.write_corpus(20);
    let program = "command:sed -u \"s/word/R /; s/ of text//\"";
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        program,
        "--out",
        "r",
        "--concurrency",
        "3",
    ])
    .expect(0);
    let card = shop.card("r");
    assert_eq!(card["scores"]["exact_matches"], 20);
    assert_eq!(
        card["dependency_class"], "X",
        "nobody declared the rights to the program"
    );
}

#[cfg(unix)]
#[test]
fn a_program_that_prints_a_greeting_gets_no_score() {
    let shop = Workshop::new();
    shop.write_corpus(5);
    shop.write(
        "greet.sh",
        "echo ready\nwhile IFS= read -r line; do echo \"$line\"; done\n",
    );
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "command:sh greet.sh",
        "--out",
        "r",
    ])
    .expect(2)
    .says("more lines than it was given");
    assert!(
        !shop.path("r/run-card.json").exists(),
        "no card is made of withdrawn answers"
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let shop = Workshop::new();
    shop.write_corpus(4);
    let ended = shop
        .lydian(&[
            "run",
            "corpus.json",
            "--method",
            "copy",
            "--dry-run",
            "--limit",
            "3",
        ])
        .expect(0);
    assert!(ended.stdout.contains("3 of 4 entries"), "{}", ended.stdout);
    assert_eq!(std::fs::read_dir(&shop.folder).unwrap().count(), 1);
}

#[test]
fn the_path_of_a_run_folder_can_be_pasted() {
    let shop = Workshop::new();
    shop.write_corpus(2);
    shop.write("out.jsonl", "{\"id\": 1, \"output\": \"x\"}\n");
    shop.lydian(&[
        "run",
        "corpus.json",
        "--predictions",
        "out.jsonl",
        "--out",
        "mi run",
    ])
    .expect(5)
    .says("`lydian resume 'mi run'`");
}
