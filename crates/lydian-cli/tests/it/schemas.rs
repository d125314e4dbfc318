//! Holds real documents against the committed JSON Schemas, and the schemas against the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json_file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema(name: &str) -> jsonschema::Validator {
    let file = root().join(format!("docs/reference/{name}.schema.json"));
    jsonschema::validator_for(&json_file(&file)).expect("a JSON Schema")
}

fn lydian(arguments: &[&str], folder: &Path) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

/// Returns the files below `examples` and `fixtures` that have this name.
fn named(name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("examples"), root().join("fixtures")];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).expect("a readable folder") {
            let path = item.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|found| found == name) {
                found.push(path);
            }
        }
    }
    found
}

fn assert_fits(schema: &jsonschema::Validator, document: &Value, name: &str) {
    let problems: Vec<String> = schema
        .iter_errors(document)
        .map(|error| format!("{name}: {}: {error}", error.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn assert_lines_fit(schema: &jsonschema::Validator, file: &Path) {
    let text = fs::read_to_string(file).expect("a readable file");
    assert!(text.lines().count() > 1, "{} is empty", file.display());
    for line in text.lines() {
        let document = serde_json::from_str(line).expect("a JSON line");
        assert_fits(schema, &document, &file.display().to_string());
    }
}

#[test]
fn committed_schemas_are_those_of_the_program() {
    for (name, arguments) in [
        ("run-card", &["card", "schema"][..]),
        ("corpus", &["corpus", "schema"]),
        ("method", &["method", "schema"]),
        ("journal", &["runs", "schema", "journal"]),
        ("predictions", &["runs", "schema", "predictions"]),
        ("sweep", &["sweep", "schema", "list"]),
        ("sweep-matrix", &["sweep", "schema", "matrix"]),
        ("semantic-scorer", &["runs", "schema", "semantic-scorer"]),
        ("semantic-record", &["runs", "schema", "semantic-record"]),
    ] {
        let committed =
            fs::read(root().join(format!("docs/reference/{name}.schema.json"))).expect("a schema");
        let printed = lydian(arguments, &root()).stdout;
        assert!(committed == printed, "{name}: run scripts/generate");
    }
}

#[test]
fn the_documents_of_a_sweep_fit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let example = root().join("examples/por-glg-sweep");
    let ran = lydian(
        &["sweep", "run", example.to_str().expect("UTF-8"), "--out", "s"],
        folder.path(),
    );
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for (name, file) in [("sweep", "s/sweep.json"), ("sweep-matrix", "s/matrix.json")] {
        let document = json_file(&folder.path().join(file));
        assert_fits(&schema(name), &document, file);
        let mut broken = document.clone();
        broken["metric"] = json!("bleu");
        assert!(!schema(name).is_valid(&broken), "{file}: any metric is accepted");
    }
}

#[test]
fn shipped_corpora_fit_and_broken_ones_do_not() {
    let schema = schema("corpus");
    let mut corpora = named("corpus.json");
    assert!(corpora.len() >= 5, "only {} corpora", corpora.len());
    corpora.push(root().join("fixtures/hostile/good.json"));
    for file in &corpora {
        assert_fits(&schema, &json_file(file), &file.display().to_string());
    }
    let good = json_file(&root().join("fixtures/hostile/good.json"));
    for (pointer, value) in [
        ("/entries/0/reference", json!("")),
        ("/entries/0/source", json!(3)),
        ("/entries/0/segment", json!("test")),
        ("/entries/0/difficulty", json!(6)),
        ("/entries/0/domain", json!("health")),
        ("/entries/0/id", json!(1.5)),
        ("/dataset/provenance", json!("textbook")),
        ("/entries", json!({})),
    ] {
        let mut broken = good.clone();
        *broken
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("no {pointer}")) = value;
        assert!(!schema.is_valid(&broken), "{pointer} is accepted");
    }
    let mut further = good.clone();
    further["entries"][0]["dialect"] = json!("northern");
    assert!(schema.is_valid(&further), "further fields are kept");
}

#[test]
fn imported_corpora_fit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(
        folder.path().join("table.tsv"),
        "id\tsource\treference\tdifficulty\n1\tBom dia\tBos días\t1\n2\tO cão dorme\tO can dorme\t2\n",
    )
    .expect("a writable folder");
    let arguments = [
        "corpus",
        "import",
        "table.tsv",
        "--source-language",
        "pt",
        "--target-language",
        "gl",
        "--out",
        "c.json",
    ];
    let output = lydian(&arguments, folder.path());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_fits(
        &schema("corpus"),
        &json_file(&folder.path().join("c.json")),
        "the import",
    );
}

#[test]
fn shipped_manifests_fit_and_broken_ones_do_not() {
    let schema = schema("method");
    let manifests = named("method.json");
    assert!(manifests.len() >= 6, "only {} manifests", manifests.len());
    for file in &manifests {
        assert_fits(&schema, &json_file(file), &file.display().to_string());
    }
    let good = json_file(&root().join("examples/por-glg/method.json"));
    for (name, value) in [
        ("class", json!("llm")),
        ("supported_pairs", json!("por-glg")),
        ("entry_point", json!({"type": "telepathy"})),
        ("colour", json!("red")),
    ] {
        let mut broken = good.clone();
        broken[name] = value;
        assert!(!schema.is_valid(&broken), "{name} is accepted");
    }
}

#[test]
fn journals_of_answered_and_failed_entries_fit() {
    let schema = schema("journal");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = root().join("fixtures/hostile/good.json");
    let corpus = corpus.to_str().expect("UTF-8");
    lydian(
        &["run", corpus, "--method", "copy", "--out", "copy"],
        folder.path(),
    );
    assert_lines_fit(&schema, &folder.path().join("copy/journal.jsonl"));
    lydian(
        &["run", corpus, "--method", "command:false", "--out", "failed"],
        folder.path(),
    );
    assert_lines_fit(&schema, &folder.path().join("failed/journal.jsonl"));
    let text = fs::read_to_string(folder.path().join("failed/journal.jsonl")).expect("a journal");
    assert!(text.contains("\"outcome\":\"failed\""), "{text}");
    assert!(!schema.is_valid(&json!({"check": "0123456", "record": {"type": "ended"}})));
}

#[test]
fn recorded_outputs_fit() {
    let schema = schema("predictions");
    let recorded = named("apertium-output.jsonl");
    assert!(recorded.len() >= 5, "only {} recordings", recorded.len());
    for file in &recorded {
        assert_lines_fit(&schema, file);
    }
    assert!(!schema.is_valid(&json!({"id": 1})));
    assert!(!schema.is_valid(&json!({"id": 1, "output": null})));
}

#[test]
fn scorers_and_their_records_fit() {
    let manifest = schema("semantic-scorer");
    let shipped = named("scorer.json");
    assert!(!shipped.is_empty(), "no scorer is shipped");
    for file in &shipped {
        assert_fits(&manifest, &json_file(file), &file.display().to_string());
    }
    let good = json_file(&shipped[0]);
    for (name, value) in [
        ("scorer_id", json!(7)),
        ("entry_point", json!({"type": "telepathy"})),
        ("colour", json!("red")),
    ] {
        let mut broken = good.clone();
        broken[name] = value;
        assert!(!manifest.is_valid(&broken), "{name} is accepted");
    }

    // One scorer answers, the other cannot be started: both leave a record.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = json!({"schema": "lydian.semantic-scorer/1", "scorer_id": "none",
        "entry_point": {"type": "process", "command": ["false"], "sends_text_away": false}});
    fs::write(folder.path().join("scorer.json"), broken.to_string()).expect("a writable folder");
    let corpus = root().join("fixtures/hostile/good.json");
    let working = root().join("examples/scorers/python");
    let record = schema("semantic-record");
    for (out, scorer) in [
        ("scored", working.as_path()),
        ("failed", Path::new("scorer.json")),
    ] {
        let [corpus, scorer] = [&corpus, scorer].map(|path: &Path| path.to_str().expect("UTF-8"));
        let run = [
            "run",
            corpus,
            "--method",
            "copy",
            "--semantic",
            scorer,
            "--out",
            out,
        ];
        lydian(&run, folder.path());
        assert_lines_fit(&record, &folder.path().join(out).join("semantic.jsonl"));
    }
    assert!(!record.is_valid(&json!({"type": "answer", "entry_id": 1, "score": 0.5})));
}
