//! Corpus scores, intervals and p-values computed with sacreBLEU 2.6.0 that are not part of this repository.

use lydian_metrics::bootstrap::Bootstrap;
use lydian_metrics::parity::{Confidence, randomization_p_value, resample, resample_after_flips};
use lydian_metrics::randomization::Randomization;
use lydian_metrics::{Corpus, Metric, Numeric, StatsTable};
use serde_json::Value;

use super::golden::folder;
use super::variants::corpus_variants;

/// Collects what is not equal to the last bit.
#[derive(Default)]
struct Differences {
    checked: usize,
    wrong: Vec<String>,
}

impl Differences {
    fn number(&mut self, what: &str, ours: f64, theirs: &Value) {
        self.checked += 1;
        let theirs = theirs.as_f64().unwrap();
        if ours.to_bits() != theirs.to_bits() {
            self.wrong.push(format!("{what}: {ours} instead of {theirs}"));
        }
    }

    fn text(&mut self, what: &str, ours: &str, theirs: &Value) {
        self.checked += 1;
        if Some(ours) != theirs.as_str() {
            self.wrong.push(format!("{what}: {ours} instead of {theirs}"));
        }
    }

    fn confidence(&mut self, what: &str, ours: Confidence, theirs: &Value) {
        self.number(&format!("{what} mean"), ours.mean, &theirs["mean"]);
        self.number(&format!("{what} ci"), ours.half_width, &theirs["ci"]);
    }
}

fn streams(corpus: &Value) -> Vec<Vec<Option<&str>>> {
    let streams = corpus["references"].as_array().unwrap().iter();
    streams
        .map(|stream| stream.as_array().unwrap().iter().map(Value::as_str).collect())
        .collect()
}

fn corpora() -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(folder()?.join("corpus_public.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    Some(document["corpora"].as_array_mut().unwrap().drain(..).collect())
}

fn corpus<'a>(system: &'a Value, references: &[Vec<Option<&'a str>>]) -> Corpus<'a> {
    let hypotheses: Vec<&str> = system["hyps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    Corpus::with_missing(&hypotheses, references).unwrap()
}

fn check_score(differences: &mut Differences, what: &str, metric: &dyn Metric, corpus: &Corpus, row: &Value) {
    let table = metric.table(corpus);
    let score = metric.table_score(&table, Numeric::Sacrebleu);
    differences.number(what, score, &row["score"]);
    let signature = metric
        .signature(corpus.reference_count())
        .with_sacrebleu_version();
    differences.text(what, &signature.to_string(), &row["signature"]);
    differences.text(what, &signature.short(), &row["signature_short"]);
    if let Some(expected) = row.get("total_stats") {
        for (sum, expected) in table.sum().iter().zip(expected.as_array().unwrap()) {
            differences.number(what, *sum as f64, expected);
        }
    }
    if let Some(expected) = row.get("bootstrap") {
        let resampled = resample(&[(metric, &table)], Bootstrap::default()).remove(0);
        differences.confidence(what, resampled.confidence(), expected);
        for (score, expected) in resampled.scores().zip(expected["first5"].as_array().unwrap()) {
            differences.number(what, score, expected);
        }
        let signature = signature.with("bs", "1000").with("seed", "12345");
        differences.text(what, &signature.to_string(), &expected["signature"]);
    }
}

#[test]
fn corpus_scores_and_intervals_have_the_bits_of_the_reference() {
    let Some(corpora) = corpora() else { return };
    let mut differences = Differences::default();
    for golden in &corpora {
        let references = streams(golden);
        for (system, scores) in golden["systems"]
            .as_array()
            .unwrap()
            .iter()
            .zip(golden["scores"].as_array().unwrap())
        {
            let corpus = corpus(system, &references);
            for (name, metric) in corpus_variants() {
                let what = format!("{} {} {name}", golden["name"], system["name"]);
                check_score(
                    &mut differences,
                    &what,
                    &*metric,
                    &corpus,
                    &scores["metrics"][name],
                );
            }
        }
    }
    let Differences { checked, wrong } = differences;
    assert!(
        wrong.is_empty(),
        "{} of {checked}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
    assert!(checked > 6000, "only {checked} numbers were checked");
}

fn check_bootstrap(differences: &mut Differences, what: &str, metric: &dyn Metric, test: &Test) {
    let pairs: Vec<(&dyn Metric, &StatsTable)> = test.tables.iter().map(|table| (metric, table)).collect();
    let resampled = resample(
        &pairs,
        Bootstrap {
            resamples: test.samples,
            seed: 12345,
        },
    );
    for ((system, table), expected) in resampled.iter().zip(&test.tables).zip(test.expected) {
        differences.confidence(what, system.array_confidence(), expected);
        if !expected["p_value"].is_null() {
            let score = |table| metric.table_score(table, Numeric::Sacrebleu);
            let difference = (score(&test.tables[0]) - score(table)).abs();
            differences.number(
                what,
                system.p_value(&resampled[0], difference),
                &expected["p_value"],
            );
        }
    }
}

fn check_randomization(differences: &mut Differences, what: &str, metric: &dyn Metric, test: &Test) {
    let randomization = Randomization {
        trials: test.samples,
        seed: 12345,
    };
    for (table, expected) in test.tables.iter().zip(test.expected).skip(1) {
        let p_value = randomization_p_value(metric, &test.tables[0], table, randomization).unwrap();
        differences.number(what, p_value, &expected["p_value"]);
    }
    let Some(confidence) = test.confidence else { return };
    let baseline = resample(
        &[(metric, &test.tables[0])],
        Bootstrap {
            resamples: confidence,
            seed: 12345,
        },
    );
    differences.confidence(what, baseline[0].array_confidence(), &test.expected[0]);
    let pairs: Vec<(&dyn Metric, &StatsTable)> =
        test.tables[1..].iter().map(|table| (metric, table)).collect();
    let resampled = resample_after_flips(&pairs, randomization, confidence);
    for (resampled, expected) in resampled.iter().zip(&test.expected[1..]) {
        differences.confidence(what, resampled.array_confidence(), expected);
    }
}

struct Test<'a> {
    tables: Vec<StatsTable>,
    expected: &'a [Value],
    samples: usize,
    confidence: Option<usize>,
}

fn count(value: &Value) -> Option<usize> {
    value.as_u64().map(|value| usize::try_from(value).unwrap())
}

#[test]
fn paired_tests_have_the_p_values_of_the_reference() {
    let Some(corpora) = corpora() else { return };
    let mut differences = Differences::default();
    for golden in &corpora {
        let references = streams(golden);
        let corpora: Vec<Corpus> = golden["systems"]
            .as_array()
            .unwrap()
            .iter()
            .map(|system| corpus(system, &references))
            .collect();
        for (kind, paired) in golden["paired"].as_object().unwrap() {
            for (name, metric) in corpus_variants() {
                let name = if name == "BLEU-13a" { "BLEU" } else { name };
                let Some(expected) = paired["results"].get(name) else {
                    continue;
                };
                let test = Test {
                    tables: corpora.iter().map(|corpus| metric.table(corpus)).collect(),
                    expected: expected.as_array().unwrap(),
                    samples: count(&paired["n_samples"]).unwrap(),
                    confidence: count(&paired["n_ar_confidence"]),
                };
                let what = format!("{} {kind} {name}", golden["name"]);
                match kind.as_str() {
                    "bs" => check_bootstrap(&mut differences, &what, &*metric, &test),
                    _ => check_randomization(&mut differences, &what, &*metric, &test),
                }
            }
        }
    }
    let Differences { checked, wrong } = differences;
    assert!(
        wrong.is_empty(),
        "{} of {checked}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
    assert!(checked > 150, "only {checked} numbers were checked");
}
