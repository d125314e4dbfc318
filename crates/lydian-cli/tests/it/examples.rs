//! Holds the example folders: their corpus, method and recorded output belong together and are what they claim.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lydian_model::MethodManifest;
use serde_json::Value;

fn folders() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<PathBuf> = std::fs::read_dir(examples)
        .expect("examples/")
        .map(|item| item.expect("a readable folder").path())
        .filter(|path| path.join("apertium-output.jsonl").is_file())
        .collect();
    found.sort();
    assert!(
        found.len() >= 5,
        "only {} examples with recorded output",
        found.len()
    );
    found
}

fn read(folder: &Path, name: &str) -> String {
    let file = folder.join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn entries(folder: &Path) -> Vec<Value> {
    let corpus: Value = serde_json::from_str(&read(folder, "corpus.json")).expect("JSON");
    corpus["entries"].as_array().expect("entries").clone()
}

#[test]
fn every_corpus_is_a_development_segment_large_enough_for_a_benchmark() {
    for folder in folders() {
        let entries = entries(&folder);
        assert!(
            entries.len() >= 30,
            "{}: {} entries",
            folder.display(),
            entries.len()
        );
        let levels: BTreeSet<u64> = entries
            .iter()
            .filter_map(|entry| entry["difficulty"].as_u64())
            .collect();
        assert!(levels.len() >= 3, "{}: difficulties {levels:?}", folder.display());
        for entry in &entries {
            assert_eq!(
                entry["segment"],
                "development",
                "{}: {}",
                folder.display(),
                entry["id"]
            );
        }
    }
}

#[test]
fn recorded_output_answers_each_entry_once_in_order() {
    for folder in folders() {
        let expected: Vec<Value> = entries(&folder).iter().map(|entry| entry["id"].clone()).collect();
        let recorded: Vec<Value> = read(&folder, "apertium-output.jsonl")
            .lines()
            .map(|line| {
                let record: Value = serde_json::from_str(line).expect("a JSON line");
                assert!(record["output"].is_string(), "{}: {line}", folder.display());
                record["id"].clone()
            })
            .collect();
        assert_eq!(recorded, expected, "{}", folder.display());
    }
}

#[test]
fn every_method_declares_the_class_its_dependencies_give() {
    let mut seen = BTreeSet::new();
    for folder in folders() {
        let manifest: MethodManifest = serde_json::from_str(&read(&folder, "method.json"))
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let derived = manifest
            .derived_dependency_class()
            .expect("pinned and open dependencies");
        assert_eq!(manifest.dependency_class, Some(derived), "{}", folder.display());
        assert!(
            seen.insert(manifest.method_id.clone()),
            "{} twice",
            manifest.method_id
        );
    }
}
