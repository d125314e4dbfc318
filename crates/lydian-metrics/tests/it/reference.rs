//! The project's own reference values: authored strings and shipped examples scored by sacreBLEU.
//!
//! `scripts/metrics-reference-table.py` makes the table; it names the versions of the tools.

use lydian_metrics::bootstrap::Bootstrap;
use lydian_metrics::parity::{randomization_p_value, resample};
use lydian_metrics::randomization::Randomization;
use lydian_metrics::{Corpus, Metric, Numeric, Signature, StatsTable};
use serde_json::Value;

use super::variants::{corpus_variants, sentence_variants};

fn reference() -> Value {
    serde_json::from_str(include_str!("../data/reference.json")).unwrap()
}

fn floats(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

/// On the machines the values were made on all bits agree; elsewhere `ln` and `exp` may differ in the last ones.
fn assert_same(ours: f64, theirs: f64, what: &str) {
    if cfg!(all(
        target_arch = "x86_64",
        target_os = "linux",
        target_env = "gnu"
    )) {
        assert_eq!(
            ours.to_bits(),
            theirs.to_bits(),
            "{what}: {ours} instead of {theirs}"
        );
    } else {
        assert!(
            (ours - theirs).abs() <= 1e-9,
            "{what}: {ours} instead of {theirs}"
        );
    }
}

#[test]
fn sentence_scores_are_those_of_sacrebleu() {
    let document = reference();
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() > 300, "only {} rows", rows.len());
    for row in rows {
        let references = strings(&row["refs"]);
        for ((name, metric), expected) in sentence_variants().iter().zip(floats(&row["scores"])) {
            let score = metric
                .sentence_score(row["hyp"].as_str().unwrap(), &references, Numeric::Sacrebleu)
                .unwrap();
            assert_same(score, expected, &format!("{} {name}", row["id"]));
        }
    }
}

#[test]
fn signatures_are_those_of_sacrebleu_and_can_be_parsed() {
    let document = reference();
    let variants = document["variants"].as_object().unwrap();
    assert_eq!(variants.len(), sentence_variants().len());
    for (name, metric) in sentence_variants() {
        let signature = metric.signature(Some(1)).with_sacrebleu_version();
        assert_eq!(signature.to_string(), variants[name].as_str().unwrap());
        let parsed: Signature = signature.to_string().parse().unwrap();
        assert_eq!(parsed, signature);
        assert_eq!(parsed.get("nrefs"), Some("1"));
    }
}

fn check_corpus_metric(name: &str, metric: &dyn Metric, tables: &[StatsTable], expected: &Value) {
    let pairs: Vec<(&dyn Metric, &StatsTable)> = tables.iter().map(|table| (metric, table)).collect();
    let resampled = resample(&pairs, Bootstrap::default());
    let score = |table| metric.table_score(table, Numeric::Sacrebleu);
    for (index, system) in expected["systems"].as_array().unwrap().iter().enumerate() {
        assert_same(score(&tables[index]), system["score"].as_f64().unwrap(), name);
        let confidence = resampled[index].confidence();
        // Absent where sacreBLEU itself fails.
        for (ours, theirs) in [
            (confidence.mean, &system["mean"]),
            (confidence.half_width, &system["ci"]),
        ] {
            match theirs.as_f64() {
                Some(theirs) => assert_same(ours, theirs, name),
                None => assert!(ours.is_finite(), "{name}"),
            }
        }
    }
    for (index, expected) in floats(&expected["bs"]).into_iter().enumerate() {
        let difference = (score(&tables[0]) - score(&tables[index + 1])).abs();
        assert_same(
            resampled[index + 1].p_value(&resampled[0], difference),
            expected,
            name,
        );
    }
    let randomization = Randomization {
        trials: 2000,
        seed: 12345,
    };
    for (index, expected) in floats(&expected["ar"]).into_iter().enumerate() {
        let p_value = randomization_p_value(metric, &tables[0], &tables[index + 1], randomization).unwrap();
        assert_same(p_value, expected, name);
    }
}

fn example(name: &str) -> (Vec<Vec<String>>, Vec<String>) {
    let folder = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let corpus: Value = serde_json::from_str(&read("corpus.json")).unwrap();
    let field = |name: &str| -> Vec<String> {
        let entries = corpus["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry[name].as_str().unwrap().to_owned())
            .collect()
    };
    let outputs: Vec<String> = read("apertium-output.jsonl")
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["output"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let shouted = outputs.iter().map(|line| line.to_uppercase()).collect();
    (vec![outputs, field("source"), shouted], field("reference"))
}

fn authored(document: &Value) -> (Vec<Vec<String>>, Vec<String>) {
    let rows = document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["refs"].as_array().unwrap().len() == 1);
    let (outputs, references): (Vec<String>, Vec<String>) = rows
        .map(|row| {
            (
                row["hyp"].as_str().unwrap().to_owned(),
                row["refs"][0].as_str().unwrap().to_owned(),
            )
        })
        .unzip();
    let mut rotated = outputs.clone();
    rotated.rotate_left(1);
    (vec![outputs, rotated], references)
}

#[test]
fn corpus_scores_intervals_and_tests_are_those_of_sacrebleu() {
    let document = reference();
    for expected in document["corpora"].as_array().unwrap() {
        let name = expected["name"].as_str().unwrap();
        let (systems, references) = if name == "authored" {
            authored(&document)
        } else {
            example(name)
        };
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        for (variant, metric) in corpus_variants() {
            let Some(expected) = expected["metrics"].get(variant) else {
                continue;
            };
            let tables: Vec<StatsTable> = systems
                .iter()
                .map(|system| {
                    let system: Vec<&str> = system.iter().map(String::as_str).collect();
                    metric.table(&Corpus::new(&system, &[&references]).unwrap())
                })
                .collect();
            check_corpus_metric(&format!("{name} {variant}"), &*metric, &tables, expected);
        }
    }
}
