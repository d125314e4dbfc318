//! The detectors on real translations: false alarms and recall.
#![expect(clippy::print_stdout, reason = "a skipped test says why")]
use lydian_language::{Audit, Language, LanguageTag, Pair, audit};
use std::path::PathBuf;

struct Corpus {
    name: String,
    source_language: String,
    target_language: String,
    pairs: Vec<(String, String)>,
}

fn corpora() -> Vec<Corpus> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/corpora");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: no corpora at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.map(|f| f.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .map(|p| read(&p))
        .collect()
}

fn read(path: &std::path::Path) -> Corpus {
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    Corpus {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        source_language: text(&value["language_pair"]["source"]),
        target_language: text(&value["language_pair"]["target"]),
        pairs: value["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| (text(&e["source"]), text(&e["reference"])))
            .collect(),
    }
}

fn language(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

#[test]
fn human_translations_raise_few_alarms_and_planted_faults_are_found() {
    let mut all = Audit::default();
    for corpus in corpora() {
        let pairs: Vec<Pair<'_>> = corpus
            .pairs
            .iter()
            .map(|(source, output)| Pair { source, output })
            .collect();
        let result = audit(
            &language(&corpus.source_language),
            &language(&corpus.target_language),
            &pairs,
        );
        println!(
            "{} {} alarms {}",
            corpus.name, result.entries, result.false_alarms
        );
        for alarm in &result.alarms {
            println!(
                "   {} {} | {} | {}",
                alarm.detector, alarm.evidence, corpus.pairs[alarm.entry].0, corpus.pairs[alarm.entry].1
            );
        }
        all.add(&result);
    }
    println!("{} of {}", all.false_alarms, all.entries);
    for (kind, recall) in &all.recall {
        println!(
            "{kind} {}/{} {:.2} %",
            recall.found,
            recall.planted,
            100.0 * recall.found as f64 / recall.planted.max(1) as f64
        );
    }
}
