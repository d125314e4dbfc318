//! `lydian dialect` on the shipped example, on broken files, and on what lies beside the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    root()
        .join("examples/udhr-gsw-dialect")
        .join(name)
        .display()
        .to_string()
}

fn lydian(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .arg("dialect")
        .args(arguments)
        .output()
        .expect("lydian starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = lydian(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object on standard output")
}

fn write(folder: &tempfile::TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a temporary file");
    path.display().to_string()
}

#[test]
fn the_example_is_valid_under_strict_rules() {
    let found = json(&["validate", &example("items.json"), "--strict", "--json"]);
    assert_eq!(found["schema"], "lydian.dialect-validation/1");
    assert_eq!(
        (&found["valid"], &found["items"], &found["errors"]),
        (&Value::Bool(true), &30.into(), &0.into())
    );
}

#[test]
fn the_examples_texts_stand_verbatim_in_the_published_files() {
    let items: Value = serde_json::from_slice(&fs::read(example("items.json")).unwrap()).unwrap();
    let plain = |name: &str| {
        fs::read_to_string(example(&format!("texts/{name}")))
            .unwrap()
            .replace("&amp;", "&")
    };
    let (alsatian, german) = (plain("gsw1.html"), plain("deu_1996.html"));
    let mut checked = 0;
    for item in items["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["dialect"] == "alsatian")
    {
        assert!(
            alsatian.contains(item["source"].as_str().unwrap()),
            "{}",
            item["id"]
        );
        if item["item_type"] == "T1" {
            assert!(
                german.contains(item["reference"].as_str().unwrap()),
                "{}",
                item["id"]
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 28);
}

#[test]
fn every_verdict_says_what_decided() {
    let report = json(&[
        "score",
        &example("items.json"),
        &example("answers-second.jsonl"),
        "--json",
    ]);
    assert_eq!(report["schema"], "lydian.dialect-report/1");
    assert_eq!(
        (&report["refusals"]["count"], &report["refusals"]["of"]),
        (&4.into(), &30.into())
    );
    let verdict = |id: usize| {
        let item = &report["items"][id - 1];
        let cell = |key: &str| item[key].as_str().unwrap_or("-").to_owned();
        (
            cell("label"),
            item["score"].as_u64().unwrap(),
            cell("decided_by"),
            cell("letter"),
        )
    };
    let expected = |label: &str, score, decided: &str, letter: &str| {
        (label.into(), score, decided.into(), letter.into())
    };
    assert_eq!(verdict(1), expected("answered_in_dialect", 0, "source_echo", "-"));
    assert_eq!(verdict(2), expected("refusal", 0, "refusal_pattern", "-"));
    assert_eq!(verdict(3), expected("correct", 2, "coverage", "-"));
    assert_eq!(verdict(5), expected("partial", 1, "coverage", "-"));
    assert_eq!(
        verdict(9),
        expected("answered_in_dialect", 0, "language_gate", "-")
    );
    assert_eq!(verdict(12), expected("empty", 0, "no_text", "-"));
    assert_eq!(verdict(22), expected("ambiguous", 0, "marker", "-"));
    assert_eq!(verdict(24), expected("correct", 1, "label_line", "D"));
    assert_eq!(verdict(30), expected("missing", 0, "no_answer", "-"));
}

#[test]
fn refusals_are_the_first_line_of_every_format() {
    let (items, answers) = (example("items.json"), example("answers-second.jsonl"));
    let first = |format: &str, skip: usize| {
        let output = lydian(&["score", &items, &answers, "--format", format]);
        text(&output.stdout)
            .lines()
            .nth(skip)
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        first("text", 0),
        "Refusals: 4/30 = 13.3 % [5.3, 29.7] of all items"
    );
    assert_eq!(
        first("markdown", 2),
        "**Refusals: 4/30 = 13.3 % \\[5.3, 29.7\\] of all items**"
    );
    assert_eq!(
        first("latex", 2),
        "\\noindent Refusals: 4/30 = 13.3 \\% [5.3, 29.7] of all items."
    );
    assert_eq!(
        first("csv", 1),
        "all items,refusals,0.133333,0.053097,0.296813,4,30,"
    );
    let page = text(&lydian(&["score", &items, &answers, "--format", "html"]).stdout);
    let (heading, lead) = (page.find("<h1>").unwrap(), page.find("Refusals: 4/30").unwrap());
    assert!(
        heading < lead && page[heading..lead].matches('<').count() <= 3,
        "the lead follows the heading"
    );
}

#[test]
fn a_saved_report_is_written_like_the_scored_one() {
    let folder = tempfile::tempdir().unwrap();
    let (items, answers) = (example("items.json"), example("answers-first.jsonl"));
    let saved = write(
        &folder,
        "report.json",
        &text(&lydian(&["score", &items, &answers, "--json"]).stdout),
    );
    for format in ["text", "markdown", "latex", "csv", "html"] {
        let scored = lydian(&["score", &items, &answers, "--format", format]);
        let reported = lydian(&["report", &saved, "--format", format]);
        assert!(
            scored.stdout == reported.stdout && reported.status.success(),
            "{format}"
        );
    }
    let again = lydian(&["report", &saved, "--json"]);
    assert_eq!(text(&again.stdout), fs::read_to_string(&saved).unwrap());
    let refused = lydian(&["report", &items]);
    assert_eq!(refused.status.code(), Some(3), "{}", text(&refused.stderr));
}

#[test]
fn csv_and_json_lines_answers_give_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    let answers = fs::read_to_string(example("answers-first.jsonl")).unwrap();
    let mut csv = "id,output\n".to_owned();
    for line in answers.lines().rev() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let output = answer["output"].as_str().unwrap().replace('"', "\"\"");
        csv.push_str(&format!("{},\"{output}\"\n", answer["id"]));
    }
    let csv = write(&folder, "answers.csv", &csv);
    let from_csv = json(&["score", &example("items.json"), &csv, "--json"]);
    let from_lines = json(&[
        "score",
        &example("items.json"),
        &example("answers-first.jsonl"),
        "--json",
    ]);
    assert_eq!(from_csv["items"], from_lines["items"]);
    assert_eq!(from_csv["rows"], from_lines["rows"]);
}

#[test]
fn broken_answers_are_refused_and_foreign_ones_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let items = example("items.json");
    let code = |content: &str| {
        let answers = write(&folder, "answers.jsonl", content);
        let output = lydian(&["score", &items, &answers, "--json"]);
        (output.status.code(), text(&output.stderr), output.stdout)
    };
    let (exit, errors, _) = code("{\"id\":1,\"output\":\"a\"}\n{\"id\":\"1\",\"output\":\"b\"}\n");
    assert_eq!(exit, Some(3));
    assert!(
        errors.contains("duplicate_id") && errors.contains("line 2"),
        "{errors}"
    );
    assert_eq!(code("{\"id\":1}\n").0, Some(3));
    assert_eq!(code("not json\n").0, Some(3));
    assert_eq!(code("{\"id\":77,\"output\":\"a\"}\n").0, Some(3));
    let (exit, warnings, stdout) = code("{\"id\":77,\"output\":\"a\"}\n{\"id\":28,\"output\":\"D\"}\n");
    assert_eq!(exit, Some(0));
    assert!(
        warnings.contains("77") && warnings.contains("29 items have no answer"),
        "{warnings}"
    );
    let report: Value = serde_json::from_slice(&stdout).unwrap();
    assert_eq!(
        (
            &report["answers"]["missing"],
            &report["answers"]["unknown_ids"][0]
        ),
        (&29.into(), &77.into())
    );
}

#[test]
fn broken_items_are_refused_with_every_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut items: Value = serde_json::from_slice(&fs::read(example("items.json")).unwrap()).unwrap();
    items["entries"][0]["keywords"] = Value::Array(Vec::new());
    items["entries"][1]["keywords"][0]["weight"] = 2.into();
    items["entries"][2]["keywords"][1]["word"] = "Mondschein".into();
    items["entries"][20]["correct_answer"] = "E".into();
    items["entries"][21]["options"]["D"] = Value::Null;
    let broken = write(&folder, "items.json", &items.to_string());
    let output = lydian(&["validate", &broken, "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut errors: Vec<&str> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["severity"] == "error")
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    errors.sort_unstable();
    assert_eq!(
        errors,
        [
            "missing_field",
            "no_keywords",
            "unknown_answer_key",
            "wrong_weight"
        ]
    );
    let scored = lydian(&["score", &broken, &example("answers-first.jsonl")]);
    assert_eq!((scored.status.code(), scored.stdout.len()), (Some(3), 0));
}

#[test]
fn a_reference_that_misses_its_own_keywords_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut items: Value = serde_json::from_slice(&fs::read(example("items.json")).unwrap()).unwrap();
    let keyword = &mut items["entries"][2]["keywords"][1];
    (keyword["word"], keyword["lemma"], keyword["synonyms"]) =
        ("Mondschein".into(), "Mondschein".into(), Value::Array(Vec::new()));
    let broken = write(&folder, "items.json", &items.to_string());
    let output = lydian(&["validate", &broken]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stdout).contains("error[self_coverage] /entries/2/keywords (entry 3)"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn two_methods_are_compared_within_dialects() {
    let compared = json(&[
        "compare",
        &example("items.json"),
        &example("answers-first.jsonl"),
        &example("answers-second.jsonl"),
        "--json",
    ]);
    let tests = compared["tests"].as_array().unwrap();
    let t1 = tests
        .iter()
        .find(|test| test["dialect"] == "alsatian" && test["measure"] == "t1")
        .unwrap();
    // Eight items differ, all in one direction: 2 / 2⁸.
    assert_eq!(
        (&t1["first_higher"], &t1["second_higher"], &t1["p_value"]),
        (&8.into(), &0.into(), &0.007_812.into())
    );
}

#[test]
fn drafted_keywords_are_marked_as_drafts() {
    let drafts = json(&["suggest-keywords", "Das Opfer sah den Angreifer nicht."]);
    assert!(drafts["note"].as_str().unwrap().starts_with("drafts"));
    assert_eq!(drafts["drafts"][0]["keywords"][1]["word"], "sah");
    let from_items = json(&["suggest-keywords", "--corpus", &example("items.json")]);
    assert_eq!(from_items["drafts"].as_array().unwrap().len(), 20);
}

#[test]
fn the_item_schema_accepts_the_example_and_refuses_what_validation_refuses() {
    let schema: Value = serde_json::from_slice(&lydian(&["schema"]).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let items: Value = serde_json::from_slice(&fs::read(example("items.json")).unwrap()).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(&items)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(problems, Vec::<String>::new());
    let broken: [fn(&mut Value); 6] = [
        |items| items["dataset"]["kind"] = "corpus".into(),
        |items| items["entries"][0]["keywords"] = Value::Array(Vec::new()),
        |items| items["entries"][0]["keywords"][0]["weight"] = 0.5.into(),
        |items| items["entries"][20]["correct_answer"] = "E".into(),
        |items| items["entries"][28]["dialect"] = "uncertain".into(),
        |items| drop(items["entries"][26].as_object_mut().unwrap().remove("fact_id")),
    ];
    for (number, change) in broken.into_iter().enumerate() {
        let mut changed = items.clone();
        change(&mut changed);
        assert!(!validator.is_valid(&changed), "change {number}");
    }
}

#[test]
fn a_gate_is_trained_from_digested_texts_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let texts = example("texts");
    let text_of = |class: &str, file: &str| {
        let digest = lydian_model::Sha256Hex::of(&fs::read(Path::new(&texts).join(file)).unwrap());
        serde_json::json!({
            "class": class, "file": file, "format": "html_body", "sha256": digest, "license": "MIT", "attribution": "UN"
        })
    };
    let list = serde_json::json!({
        "schema": "lydian.dialect-gate-texts/1", "table_license": "MIT", "texts": [
            text_of("gsw", "gsw1.html"), text_of("de", "deu_1996.html"), text_of("en", "eng.html"),
            text_of("fr", "fra.html"), text_of("it", "ita.html")
        ]
    });
    let list = write(&folder, "list.json", &list.to_string());
    let table = folder.path().join("gate.tsv").display().to_string();
    let trained = json(&[
        "train-gate",
        &list,
        "--texts",
        &texts,
        "--out",
        &table,
        "--measure",
        &list,
        "--json",
    ]);
    assert_eq!(trained["same_as_shipped"], false);
    let taken: Vec<u64> = trained["measured"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["taken_for_dialect"].as_u64().unwrap())
        .collect();
    assert!(
        taken[0] > 50 && taken[1..].iter().all(|taken| *taken == 0),
        "{taken:?}"
    );
    let used = json(&[
        "score",
        &example("items.json"),
        &example("answers-first.jsonl"),
        "--gate",
        &table,
        "--json",
    ]);
    assert_eq!(used["refusals"]["of"], 30);
    let changed = fs::read_to_string(&list)
        .unwrap()
        .replace("MIT\",\"sha256\":\"", "MIT\",\"sha256\":\"0");
    let broken = write(
        &folder,
        "broken.json",
        &changed.replacen("\"sha256\":\"", "\"sha256\":\"0", 1),
    );
    assert_eq!(
        lydian(&["train-gate", &broken, "--texts", &texts]).status.code(),
        Some(3)
    );
}

#[test]
#[expect(clippy::print_stdout, reason = "says why the test is skipped")]
fn the_sample_items_are_drafts_that_strict_validation_refuses() {
    let sample = root().join("../shared/data/dialect/sample_items.json");
    if !sample.is_file() {
        println!("skipped: {} is not there", sample.display());
        return;
    }
    let sample = sample.display().to_string();
    assert_eq!(lydian(&["validate", &sample]).status.code(), Some(0));
    let strict = lydian(&["validate", &sample, "--strict"]);
    assert_eq!(strict.status.code(), Some(3));
    assert_eq!(text(&strict.stdout).matches("error[unknown_fact]").count(), 2);
}
