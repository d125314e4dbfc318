//! The reference values computed with sacreBLEU 2.6.0 that are not part of this repository.

use std::path::{Path, PathBuf};

use lydian_metrics::Numeric;
use serde_json::Value;

use super::variants::sentence_variants;

#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn skip(what: &Path) {
    println!("skipped: {} is not there", what.display());
}

/// Returns the folder of reference values, or prints why the test is skipped.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/golden");
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&folder);
    None
}

fn rows() -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(folder()?.join("metrics_public.jsonl")).unwrap();
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

fn depends_on_unicode_version(row: &Value) -> bool {
    row.get("unicode_version_sensitive").is_some()
}

#[test]
fn sentence_scores_have_the_bits_of_the_reference() {
    let Some(rows) = rows() else { return };
    let mut wrong = Vec::new();
    for row in &rows {
        let (hypothesis, references) = (row["hyp"].as_str().unwrap(), strings(&row["refs"]));
        for (name, metric) in sentence_variants() {
            let expected = row["sentence"][name].as_f64().unwrap();
            let score = metric
                .sentence_score(hypothesis, &references, Numeric::Sacrebleu)
                .unwrap();
            if score.to_bits() != expected.to_bits() && !depends_on_unicode_version(row) {
                wrong.push(format!("{} {name}: {score} instead of {expected}", row["id"]));
            }
            let exact = metric
                .sentence_score(hypothesis, &references, Numeric::Exact)
                .unwrap();
            if (exact - score).abs() > 1e-12 * score.max(1.0) {
                wrong.push(format!(
                    "{} {name}: exact mode {exact}, parity mode {score}",
                    row["id"]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cells: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn statistics_are_those_of_the_reference() {
    let Some(rows) = rows() else { return };
    for row in rows.iter().filter(|row| !depends_on_unicode_version(row)) {
        let (hypothesis, references) = (row["hyp"].as_str().unwrap(), strings(&row["refs"]));
        for (name, metric) in sentence_variants() {
            let Some(expected) = row["stats"].get(name) else {
                continue;
            };
            let expected: Vec<f64> = expected
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_f64().unwrap())
                .collect();
            let counts = metric.stats(hypothesis, &references).unwrap();
            let values: Vec<f64> = counts
                .iter()
                .enumerate()
                .map(|(i, &count)| metric.column_value(i, count))
                .collect();
            assert_eq!(values, expected, "{} {name}", row["id"]);
        }
    }
}
