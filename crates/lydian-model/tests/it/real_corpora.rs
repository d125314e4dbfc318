//! Real corpora: the examples of this repository, and third-party files where they are present.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use lydian_model::corpus::read::{Layout, ReadOptions, read_corpus};
use lydian_model::predictions::read_predictions;
use lydian_model::{Domain, Provenance, Segment, Sha256Hex};

use crate::shared;

fn options(path: &Path) -> ReadOptions {
    ReadOptions {
        file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    }
}

#[test]
fn every_example_reads_and_its_predictions_fit() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut read = 0;
    for folder in fs::read_dir(examples).unwrap() {
        let folder = folder.unwrap().path();
        let path = folder.join("corpus.json");
        if !path.is_file() {
            continue;
        }
        let file = read_corpus(File::open(&path).unwrap(), &options(&path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(file.layout, Layout::Dataset);
        assert!(file.values_from.is_empty());
        assert_eq!(file.sha256, Sha256Hex::of(&fs::read(&path).unwrap()));
        let predictions = fs::read(folder.join("apertium-output.jsonl")).unwrap();
        let predictions = read_predictions(&predictions[..]).unwrap();
        let knows = |id: &_| file.corpus.entries.iter().any(|entry| entry.id == *id);
        predictions.unknown_ids(knows).unwrap();
        read += 1;
    }
    assert!(read >= 5, "{read} examples");
}

#[test]
fn all_third_party_corpora_read() {
    let Some(folder) = shared::folder("data/corpora") else {
        return;
    };
    let mut entries = 0;
    for path in fs::read_dir(folder).unwrap() {
        let path = path.unwrap().path();
        let file = read_corpus(File::open(&path).unwrap(), &options(&path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(file.layout, Layout::TopLevel);
        assert_eq!(file.values_from["language_pair"], "language tags");
        assert_eq!(file.corpus.dataset.license, "CC-BY-2.0");
        assert!(file.corpus.dataset.id.starts_with("tatoeba-"));
        for entry in &file.corpus.entries {
            assert_eq!(entry.segment, Some(Segment::Development));
            assert!(matches!(&entry.provenance, Some(Provenance::Source(_))));
            assert!(entry.extra.contains_key("metadata"));
        }
        entries += file.corpus.entries.len();
    }
    assert_eq!(entries, 4_645);
}

#[test]
fn third_party_envelopes_map_onto_the_dataset_block() {
    let Some(folder) = shared::folder("data/corpora") else {
        return;
    };
    let path = folder.join("por-glg-dev-v1.json");
    let file = read_corpus(File::open(&path).unwrap(), &options(&path)).unwrap();
    let dataset = &file.corpus.dataset;
    assert_eq!(
        [
            &*dataset.id,
            &*dataset.version,
            &*dataset.language_pair,
            &*dataset.source_language
        ],
        ["tatoeba-por-glg-dev", "0.1.0", "POR→GLG", "por"]
    );
    assert_eq!(dataset.extra["source_name"], "Portuguese");
    assert_eq!(file.corpus.extra["provenance"]["seed"], 42);
    assert_eq!(file.corpus.entries.len(), 102);
    assert_eq!(file.corpus.entries[0].domain, Some(Domain::Conv));
}

#[test]
fn further_fields_keep_their_order() {
    let json = r#"{"corpus_id": "c", "version": "1.0.0", "language_pair": {"source": "en", "target": "fr",
        "source_name": "English", "target_name": "French", "note": 1}, "created": "2026-05-01", "license": "MIT",
        "zebra": 1, "segment": "development", "apple": 2, "entries": [{"id": 1, "source": "a", "reference": "b"}]}"#;
    let corpus = read_corpus(json.as_bytes(), &ReadOptions::default())
        .unwrap()
        .corpus;
    let keys = |map: &serde_json::Map<_, _>| map.keys().cloned().collect::<Vec<String>>();
    assert_eq!(
        keys(&corpus.dataset.extra),
        ["source_name", "target_name", "note"]
    );
    assert_eq!(keys(&corpus.extra), ["zebra", "apple"]);
}
