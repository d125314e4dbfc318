//! Compares with results recorded elsewhere: real corpora are imported, real runs replayed, scores compared.
//!
//! The data is not part of the project. Where it is absent the tests say so and pass over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

#[expect(clippy::print_stderr, reason = "a test that passes over its data says so")]
fn data(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a readable folder")
        .map(|item| item.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    found.sort();
    found
}

fn read_json(file: &Path) -> Value {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn lydian(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of the tests are UTF-8")
}

#[test]
fn every_recorded_corpus_is_imported_whole() {
    let Some(folder) = data("corpora") else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for file in json_files(&folder) {
        let imported = scratch.path().join(file.file_name().expect("a name"));
        let output = lydian(&["corpus", "import", text(&file), "--out", text(&imported)]);
        assert!(
            output.status.success(),
            "{}: {}",
            file.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let (before, after) = (read_json(&file), read_json(&imported));
        let (before, after) = (before["entries"].as_array(), after["entries"].as_array());
        let (before, after) = (before.expect("entries"), after.expect("entries"));
        assert_eq!(before.len(), after.len(), "{}", file.display());
        for (one, other) in before.iter().zip(after) {
            for field in ["id", "source", "reference", "difficulty", "domain", "register"] {
                assert_eq!(one[field], other[field], "{}: {field}", file.display());
            }
        }
    }
}

/// Writes the corpus and the predictions of a recorded run and returns their paths.
fn prepare(run: &Value, corpora: &Path, scratch: &Path) -> (PathBuf, PathBuf) {
    let entries = run["entries"].as_array().expect("entries");
    let predictions = scratch.join("predictions.jsonl");
    let lines: String = entries
        .iter()
        .map(|entry| json!({"id": entry["id"], "output": entry["predicted"]}).to_string() + "\n")
        .collect();
    fs::write(&predictions, lines).expect("a writable scratch folder");
    let name = run["config"]["corpus_path"].as_str().expect("corpus_path");
    if corpora.join(name).is_file() {
        return (corpora.join(name), predictions);
    }
    let rebuilt = scratch.join(name);
    let mut tags = name.split('-');
    let dataset = json!({
        "id": name, "version": "0.1.0", "language_pair": &name[..7], "created": "2026-06-12", "license": "CC-BY-2.0",
        "source_language": tags.next(), "target_language": tags.next(), "provenance": ["corpus"],
    });
    let pairs: Vec<Value> = entries
        .iter()
        .map(|entry| json!({"id": entry["id"], "source": entry["source"], "reference": entry["expected"]}))
        .collect();
    fs::write(
        &rebuilt,
        json!({"dataset": dataset, "entries": pairs}).to_string(),
    )
    .expect("a writable folder");
    (rebuilt, predictions)
}

fn replay(run: &Value, corpora: &Path) -> Value {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (corpus, predictions) = prepare(run, corpora, scratch.path());
    let out = scratch.path().join("run");
    let output = lydian(&[
        "run",
        text(&corpus),
        "--method",
        "replay",
        "--predictions",
        text(&predictions),
        "--out",
        text(&out),
    ]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    read_json(&out.join("run-card.json"))
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Asserts that a score equals the recorded one to the digits that were recorded.
fn assert_agrees(file: &Path, what: &str, ours: &Value, recorded: &Value, digits: i32) {
    let (ours, recorded) = (number(ours), number(recorded));
    let half = 0.500_01 * 10_f64.powi(-digits);
    assert!(
        (ours - recorded).abs() <= half,
        "{}: {what} is {ours}, recorded {recorded}",
        file.display()
    );
}

/// The records count a match without regard to case. Here case counts (decision 3), nothing else differs.
fn assert_exact_matches_differ_by_case_alone(file: &Path, run: &Value, card: &Value) {
    let entries = run["entries"].as_array().expect("entries");
    let results = card["results"].as_array().expect("results");
    for (entry, result) in entries.iter().zip(results) {
        assert_eq!(entry["id"], result["entry_id"], "{}", file.display());
        if entry["exact_match"] != result["exact_match"] {
            let lower = |value: &Value| value.as_str().expect("text").trim().to_lowercase();
            assert_eq!(
                result["exact_match"],
                false,
                "{}: {}",
                file.display(),
                entry["id"]
            );
            assert_eq!(
                lower(&entry["predicted"]),
                lower(&entry["expected"]),
                "{}",
                file.display()
            );
        }
    }
}

#[test]
fn every_recorded_run_gets_its_recorded_scores() {
    let (Some(runs), Some(corpora)) = (data("runs"), data("corpora")) else {
        return;
    };
    let mut outputs = 0;
    let mut other_lengths = Vec::new();
    for file in json_files(&runs) {
        let run = read_json(&file);
        let card = replay(&run, &corpora);
        let (recorded, scores) = (&run["overall"], &card["scores"]);
        outputs += scores["total"].as_u64().expect("total");
        assert_eq!(scores["total"], recorded["total_entries"], "{}", file.display());
        assert_eq!(scores["errors"], recorded["error_count"], "{}", file.display());
        assert_agrees(
            &file,
            "chrF++",
            &scores["chrf_plus_plus"],
            &recorded["corpus_chrf"],
            2,
        );
        assert_agrees(&file, "BLEU", &scores["bleu"], &recorded["corpus_bleu"], 2);
        assert_agrees(&file, "TER", &scores["ter"], &recorded["corpus_ter"], 2);
        assert_exact_matches_differ_by_case_alone(&file, &run, &card);
        if (number(&scores["length_ratio"]) - number(&recorded["avg_length_ratio"])).abs() > 0.000_050_1 {
            other_lengths.push(run["config"]["corpus_path"].clone());
        }
    }
    assert_eq!(outputs, 1611);
    // The records count code points, decision 12 grapheme clusters: they differ where vowels are marks.
    assert_eq!(other_lengths, ["eng-arb-dev-v1.json"]);
}
