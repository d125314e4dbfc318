//! `lydian runs` and `lydian method check`.

use serde_json::Value;

use super::workshop::{Workshop, examples};

fn printed(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}

fn two_runs() -> Workshop {
    let shop = Workshop::new();
    shop.write_corpus(4);
    shop.write(
        "out.jsonl",
        "{\"id\": 1, \"output\": \"R 1\"}\n{\"id\": 2, \"output\": \"word2 of text\"}\n",
    );
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "runs/a"])
        .expect(0);
    shop.lydian(&[
        "run",
        "corpus.json",
        "--predictions",
        "out.jsonl",
        "--out",
        "runs/b",
    ])
    .expect(5);
    shop
}

#[test]
fn ls_lists_runs_and_says_which_have_no_card() {
    let shop = two_runs();
    std::fs::remove_file(shop.path("runs/b/run-card.json")).unwrap();
    std::fs::create_dir(shop.path("runs/unrelated")).unwrap();
    let listed = printed(&shop.lydian(&["runs", "ls", "--json"]).expect(0).stdout);
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["method_id"], "copy");
    assert!(runs[1]["problem"].as_str().unwrap().contains("no card yet"));
    assert!(shop.lydian(&["runs", "ls"]).expect(0).stdout.contains("copy"));
    shop.lydian(&["runs", "ls", "nowhere"]).expect(2);
}

#[test]
fn show_counts_outcomes_and_open_entries() {
    let shop = two_runs();
    let shown = printed(
        &shop
            .lydian(&["runs", "show", "runs/b", "--json"])
            .expect(0)
            .stdout,
    );
    assert_eq!(shown["outcomes"], serde_json::json!({"failed": 2, "ok": 2}));
    assert_eq!((&shown["open"], &shown["ended"]), (&2.into(), &"finished".into()));
    shop.lydian(&["runs", "show", "runs/b"])
        .expect(0)
        .says("lydian resume runs/b");
}

#[test]
fn diff_names_setup_fields_and_entries() {
    let shop = two_runs();
    let diff = printed(
        &shop
            .lydian(&["runs", "diff", "runs/a", "runs/b", "--json"])
            .expect(0)
            .stdout,
    );
    let fields: Vec<&str> = diff["setup"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    assert!(
        fields.contains(&"method/method_id") && fields.contains(&"parameters/predictions_sha256"),
        "{fields:?}"
    );
    assert_eq!(diff["same_outputs"], 1);
    assert_eq!(diff["different"].as_array().unwrap().len(), 3);
    let same = printed(
        &shop
            .lydian(&["runs", "diff", "runs/a", "runs/a", "--json"])
            .expect(0)
            .stdout,
    );
    assert_eq!(
        (same["setup"].as_array().unwrap().len(), &same["same_outputs"]),
        (0, &4.into())
    );
}

#[test]
fn rescore_writes_a_new_card_that_names_the_old_one() {
    let shop = two_runs();
    let old = shop.card("runs/a");
    let rescored = printed(
        &shop
            .lydian(&["runs", "rescore", "runs/a", "--json"])
            .expect(0)
            .stdout,
    );
    assert_eq!(rescored["same_scores"], true);
    assert_eq!(rescored["derived_from"], old["run_card_hash"]);
    assert_eq!(shop.card("runs/a"), old);
    shop.lydian(&["card", "verify", "runs/a/run-card-rescored.json"])
        .expect(0);
    shop.lydian(&["runs", "rescore", "runs/a"])
        .expect(2)
        .says("exists already");
    shop.write_corpus(5);
    shop.lydian(&["runs", "rescore", "runs/a", "--out", "x.json"])
        .expect(3)
        .says("not the corpus of this run");
}

#[test]
fn method_check_derives_the_class_and_refuses_another() {
    let shop = Workshop::new();
    let example = examples().join("por-glg");
    let checked = shop
        .lydian(&["method", "check", example.to_str().unwrap(), "--json"])
        .expect(0);
    let checked = printed(&checked.stdout);
    assert_eq!(
        (&checked["declared"], &checked["derived"]),
        (&"O".into(), &"O".into())
    );
    let manifest = std::fs::read_to_string(example.join("method.json")).unwrap();
    shop.write(
        "method.json",
        &manifest.replace("\"dependency_class\": \"O\"", "\"dependency_class\": \"S\""),
    );
    shop.lydian(&["method", "check", "."])
        .expect(3)
        .says("dependency_class is S but its dependencies make it O");
    shop.write(
        "method.json",
        &manifest.replace("\"pin\": \"0.9.3-1\"", "\"pin\": \"\""),
    );
    shop.lydian(&["method", "check", "method.json"])
        .expect(3)
        .says("is mirrored but has no pin");
    shop.lydian(&["method", "check", "copy"]).expect(0);
}
