//! What people read: hints, empty states, gates, names.

use serde_json::Value;

use super::workshop::{Workshop, examples};

fn shop() -> Workshop {
    let shop = Workshop::new();
    shop.write_corpus(12);
    shop
}

#[test]
fn a_corpus_that_is_not_there_is_named_with_what_is_there() {
    let shop = shop();
    std::fs::create_dir_all(shop.path("examples/por-glg")).unwrap();
    shop.write("examples/por-glg/example.toml", "corpus = \"c.json\"");
    shop.lydian(&["run", "examples/por-gla"])
        .expect(2)
        .says("there is no corpus and no example folder at examples/por-gla")
        .says("did you mean examples/por-glg?");
    shop.lydian(&["run", "examples/zzz"])
        .expect(2)
        .says("there are examples/por-glg");
    shop.lydian(&["run", "nowhere/zzz"])
        .expect(2)
        .says("there are examples/por-glg");
    // The corpus is looked for before the method.
    shop.lydian(&["run", "corpus.jsn", "--method", "nope"])
        .expect(2)
        .says("did you mean corpus.json?");
}

#[test]
fn a_folder_of_another_kind_is_told_where_it_belongs() {
    let shop = Workshop::new();
    let dialect = examples().join("udhr-gsw-dialect");
    let folder = dialect.to_str().unwrap();
    shop.lydian(&["run", folder])
        .expect(2)
        .says("lydian dialect validate");
    let items = dialect.join("items.json");
    let ended = shop.lydian(&["corpus", "validate", items.to_str().unwrap()]);
    assert!(
        ended
            .stderr
            .contains("holds dialect items: `lydian dialect validate"),
        "{}",
        ended.stderr
    );
    let example = examples().join("por-glg");
    shop.lydian(&["corpus", "validate", example.to_str().unwrap()])
        .expect(2)
        .says("por-glg/corpus.json?");
}

#[test]
fn a_gate_that_is_not_met_ends_with_code_10_and_its_score() {
    let shop = shop();
    let run = |out: &str, gate: &str| {
        shop.lydian(&[
            "run",
            "corpus.json",
            "--method",
            "copy",
            "--out",
            out,
            "--fail-under",
            gate,
        ])
    };
    run("a", "chrf_plus_plus=0").expect(0);
    run("b", "chrf_plus_plus=99")
        .expect(10)
        .says("the gate is not met: chrF++ is ")
        .says(", 99 is wanted");
    assert!(
        shop.path("b/run-card.json").is_file(),
        "the card is written all the same"
    );
    run("c", "ter=0").expect(10).says("at most 0 is allowed");
    run("d", "semantic_score=50%")
        .expect(10)
        .says("has no value (no semantic scorer");
    run("e", "chrf_plus_plu=1")
        .expect(2)
        .says("did you mean chrf_plus_plus?");
    assert!(!shop.path("e").exists(), "nothing was run");
    shop.lydian(&["card", "a", "--fail-under", "chrF++=99"])
        .expect(10);
    shop.lydian(&["card", "a", "--fail-under", "coverage=1"])
        .expect(2);
    shop.lydian(&["runs", "rescore", "a", "--fail-under", "composite=1"])
        .expect(10);
    shop.lydian(&["resume", "a", "--fail-under", "bleu=100"])
        .expect(10);
}

#[test]
fn score_has_gates_too() {
    let shop = Workshop::new();
    shop.write("ref.txt", "the cat sat\na dog ran home\n");
    shop.write("hyp.txt", "the cat sat\na dog ran off\n");
    let score = |gate: &str| {
        shop.lydian(&[
            "score",
            "ref.txt",
            "-i",
            "hyp.txt",
            "-m",
            "chrf",
            "--fail-under",
            gate,
        ])
    };
    score("chrf=20").expect(0);
    let failed = score("chrf=99").expect(10).says("chrF2 of hyp.txt is ");
    assert!(
        failed.stdout.contains("\"name\": \"chrF2\""),
        "the score is printed: {}",
        failed.stdout
    );
    score("bleu=1").expect(2).says("computed are chrF2");
}

#[test]
fn runs_ls_before_the_first_run_says_what_makes_one() {
    let shop = Workshop::new();
    let listed = shop
        .lydian(&["runs", "ls"])
        .expect(0)
        .says("lydian run examples/por-glg");
    assert_eq!(listed.stdout, "no runs in runs yet\n");
    let json: Value = serde_json::from_str(&shop.lydian(&["runs", "ls", "--json"]).expect(0).stdout).unwrap();
    assert_eq!(json["runs"], serde_json::json!([]));
}

#[test]
fn every_column_of_runs_ls_has_a_name() {
    let shop = shop();
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "runs/a"])
        .expect(0);
    let plain = shop.lydian(&["runs", "ls"]).expect(0).stdout;
    assert!(!plain.contains("remark"), "{plain}");
    std::fs::remove_file(shop.path("runs/a/run-card.json")).unwrap();
    let remarked = shop.lydian(&["runs", "ls"]).expect(0).stdout;
    assert!(
        remarked.contains("remark") && remarked.contains("no card yet"),
        "{remarked}"
    );
}

#[test]
fn diff_shows_the_answers_least_alike_first_and_all_in_the_order_of_counting() {
    let shop = shop();
    let outputs: String = (1..=12)
        .map(|n| {
            let output = if n == 7 {
                "quite different".to_owned()
            } else {
                format!("word{n} of texts")
            };
            format!("{{\"id\": {n}, \"output\": \"{output}\"}}\n")
        })
        .collect();
    shop.write("out.jsonl", &outputs);
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "a"])
        .expect(0);
    shop.lydian(&["run", "corpus.json", "--predictions", "out.jsonl", "--out", "b"])
        .expect(0);
    let ids = |arguments: &[&str]| {
        let text = shop
            .lydian(&[&["runs", "diff", "a", "b"], arguments].concat())
            .expect(0)
            .stdout;
        let ids: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("entry ")?.split(' ').next().map(str::to_owned))
            .collect();
        (ids, text)
    };
    let (five, text) = ids(&[]);
    assert_eq!((five.len(), five[0].as_str()), (5, "7"), "{text}");
    assert!(
        text.contains("0 entries answered alike, 12 otherwise") && text.contains("and 7 more; --all"),
        "{text}"
    );
    assert_eq!(ids(&["--largest", "1"]).0, ["7"]);
    let (all, _) = ids(&["--all"]);
    assert_eq!(all, (1..=12).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_run_folder_is_named_after_time_and_fingerprint() {
    let shop = shop();
    shop.lydian(&["run", "corpus.json", "--method", "copy"]).expect(0);
    let folder = std::fs::read_dir(shop.path("runs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let name = folder.file_name().into_string().unwrap();
    let card = shop.card(&format!("runs/{name}"));
    let (time, fingerprint) = name.split_once('-').unwrap();
    assert!(
        card["fingerprint"].as_str().unwrap().starts_with(fingerprint),
        "{name}"
    );
    let stated: String = card["timestamp"]
        .as_str()
        .unwrap()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    assert_eq!(time, stated);
}

#[test]
fn paths_are_shown_as_they_were_typed() {
    let shop = shop();
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "a"])
        .expect(0);
    std::fs::remove_file(shop.path("corpus.json")).unwrap();
    let ended = shop
        .lydian(&["resume", "a"])
        .expect(2)
        .says("the corpus corpus.json is not there any more");
    assert!(
        !ended.stderr.contains(shop.folder.to_str().unwrap()),
        "{}",
        ended.stderr
    );
}

#[test]
fn apertium_without_a_mode_names_the_installed_ones_or_how_to_get_one() {
    let shop = shop();
    for method in ["apertium", "apertium:"] {
        shop.lydian(&["run", "corpus.json", "--method", method])
            .expect(2)
            .says("apertium needs a mode")
            .says("--method apertium:");
    }
}

#[test]
fn a_language_without_a_card_is_told_what_works_and_what_is_missing() {
    let shop = Workshop::new();
    let shown = shop.lydian(&["language", "show", "tlh"]).expect(0).stdout;
    assert!(shown.contains("there is no card for this language"), "{shown}");
    assert!(
        shown.contains("Missing without a card:\n  fst_acceptance_rate"),
        "{shown}"
    );
    assert!(shown.contains("languages/tlh/card.toml"), "{shown}");
    shop.lydian(&["language", "show", "galician"])
        .expect(2)
        .says("did you mean glg (Galician)?");
}

#[test]
fn the_default_prompt_calls_languages_by_their_names() {
    let shop = shop();
    shop.lydian(&["method", "init", "raw-llm", "m", "--model", "some-model"])
        .expect(0);
    let shown = shop
        .lydian(&["run", "corpus.json", "--method", "m", "--show-prompt", "1"])
        .expect(0)
        .stdout;
    assert!(
        shown.contains("Portuguese") && shown.contains("Galician"),
        "{shown}"
    );
}

#[test]
fn a_single_thing_is_in_the_singular() {
    let shop = Workshop::new();
    shop.write_corpus(1);
    let printed = shop
        .lydian(&["run", "corpus.json", "--method", "copy", "--out", "a"])
        .expect(0);
    let validated = shop.lydian(&["corpus", "validate", "corpus.json"]).expect(0);
    let planned = shop
        .lydian(&["run", "corpus.json", "--method", "copy", "--dry-run"])
        .expect(0);
    for text in [
        &printed.stdout,
        &printed.stderr,
        &validated.stdout,
        &planned.stdout,
    ] {
        for slip in [
            "1 entries",
            "1 sentences",
            "1 remarks",
            "1 warnings",
            "1 characters",
        ] {
            let found = text
                .match_indices(slip)
                .any(|(at, _)| !text[..at].ends_with(|before: char| before.is_ascii_digit()));
            assert!(!found, "{slip}: {text}");
        }
    }
    assert!(
        printed.stdout.starts_with("On 1 sentence this method"),
        "{}",
        printed.stdout
    );
}
