//! The JSON document `lydian.score/1` and the formats for spreadsheets and documents.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lydian_metrics::multiple::holm;
use serde::Serialize;
use serde_json::Number;

use super::evaluate::{Column, Outcome};
use super::settings::{Settings, Test};

/// What `lydian score --json` prints.
#[derive(Serialize)]
pub(super) struct Document {
    schema: &'static str,
    systems: Vec<System>,
    tests: Vec<TestResult>,
}

#[derive(Serialize)]
struct System {
    name: String,
    metrics: Vec<MetricScore>,
    sentences: Option<Vec<BTreeMap<String, f64>>>,
}

#[derive(Serialize)]
struct MetricScore {
    name: String,
    score: f64,
    signature: String,
    ci: Option<Bounds>,
    counts: BTreeMap<&'static str, Vec<Number>>,
}

#[derive(Serialize)]
struct Bounds {
    mean: f64,
    lower: f64,
    upper: f64,
}

#[derive(Serialize)]
struct TestResult {
    test: &'static str,
    metric: String,
    baseline: String,
    system: String,
    difference: f64,
    difference_ci: DifferenceBounds,
    p_value: f64,
    p_value_holm: f64,
}

#[derive(Serialize)]
struct DifferenceBounds {
    lower: f64,
    upper: f64,
}

/// The scores of all segments of one system: by segment, then by metric.
pub(super) type SentenceScores = Vec<BTreeMap<String, f64>>;

/// Builds the document.
pub(super) fn document(
    names: &[String],
    columns: &[Column],
    sentences: Option<Vec<SentenceScores>>,
    settings: &Settings,
) -> Document {
    let mut sentences: Vec<Option<SentenceScores>> = match sentences {
        Some(all) => all.into_iter().map(Some).collect(),
        None => names.iter().map(|_| None).collect(),
    };
    let systems = names
        .iter()
        .zip(&mut sentences)
        .enumerate()
        .map(|(index, (name, sentences))| System {
            name: name.clone(),
            metrics: columns
                .iter()
                .map(|column| metric_score(column, &column.outcomes[index]))
                .collect(),
            sentences: sentences.take(),
        })
        .collect();
    let tests = columns
        .iter()
        .flat_map(|column| test_results(names, column, settings.test))
        .collect();
    Document {
        schema: "lydian.score/1",
        systems,
        tests,
    }
}

fn metric_score(column: &Column, outcome: &Outcome) -> MetricScore {
    MetricScore {
        name: column.name.clone(),
        score: outcome.score,
        signature: column.signature.to_string(),
        ci: outcome.interval.map(|interval| Bounds {
            mean: interval.mean,
            lower: interval.lower,
            upper: interval.upper,
        }),
        counts: outcome
            .counts
            .iter()
            .map(|(name, values)| (*name, values.iter().filter_map(|&value| number(value)).collect()))
            .collect(),
    }
}

/// Returns whole numbers without a decimal point.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and within range"
)]
fn number(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        return Some(Number::from(value as u64));
    }
    Number::from_f64(value)
}

fn test_results(names: &[String], column: &Column, test: Test) -> Vec<TestResult> {
    let kind = match test {
        Test::Randomization(_) => "paired-approximate-randomization",
        Test::Bootstrap(_) => "sacrebleu-paired-bootstrap",
        Test::None | Test::Confidence(_) => return Vec::new(),
    };
    let comparisons: Vec<_> = column
        .outcomes
        .iter()
        .filter_map(|outcome| outcome.comparison)
        .collect();
    let raw: Vec<f64> = comparisons.iter().map(|comparison| comparison.p_value).collect();
    comparisons
        .iter()
        .zip(holm(&raw))
        .zip(&names[1..])
        .map(|((comparison, corrected), system)| TestResult {
            test: kind,
            metric: column.name.clone(),
            baseline: names[0].clone(),
            system: system.clone(),
            difference: comparison.difference,
            difference_ci: DifferenceBounds {
                lower: comparison.difference_bounds.0,
                upper: comparison.difference_bounds.1,
            },
            p_value: comparison.p_value,
            p_value_holm: corrected,
        })
        .collect()
}

/// Returns a row per system and metric, tab-separated, with full precision.
pub(super) fn tsv(names: &[String], columns: &[Column]) -> String {
    let mut text = "system\tmetric\tscore\tmean\tlower\tupper\tdifference\tp_value\tsignature\n".to_owned();
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for (system, name) in names.iter().enumerate() {
        for column in columns {
            let outcome = &column.outcomes[system];
            let interval = outcome.interval;
            let row = [
                name.replace(['\t', '\n'], " "),
                column.name.clone(),
                outcome.score.to_string(),
                optional(interval.map(|interval| interval.mean)),
                optional(interval.map(|interval| interval.lower)),
                optional(interval.map(|interval| interval.upper)),
                optional(outcome.comparison.map(|comparison| comparison.difference)),
                optional(outcome.comparison.map(|comparison| comparison.p_value)),
                column.signature.to_string(),
            ];
            text += &row.join("\t");
            text.push('\n');
        }
    }
    text
}

/// Returns the scores of all segments, tab-separated, with full precision.
pub(super) fn sentences_tsv(names: &[String], sentences: &[SentenceScores], metrics: &[String]) -> String {
    let mut text = format!("system\tsegment\t{}\n", metrics.join("\t"));
    for (name, scores) in names.iter().zip(sentences) {
        for (segment, scores) in scores.iter().enumerate() {
            let values: Vec<String> = metrics
                .iter()
                .map(|metric| scores.get(metric).map_or_else(String::new, f64::to_string))
                .collect();
            // Writing to a string cannot fail.
            let _written: std::fmt::Result = writeln!(
                text,
                "{}\t{}\t{}",
                name.replace(['\t', '\n'], " "),
                segment + 1,
                values.join("\t")
            );
        }
    }
    text
}

/// Returns a Markdown table: a row per system, a column per metric, signatures below.
pub(super) fn markdown(names: &[String], columns: &[Column], width: usize) -> String {
    let titles: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut text = format!(
        "| System | {} |\n|---|{}\n",
        titles.join(" | "),
        "---:|".repeat(columns.len())
    );
    for (system, name) in names.iter().enumerate() {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| markdown_cell(&column.outcomes[system], width))
            .collect();
        let name = name.replace('|', "\\|");
        text += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    text.push('\n');
    for column in columns {
        text += &format!("- {}: `{}`\n", column.name, column.signature);
    }
    text
}

fn markdown_cell(outcome: &Outcome, width: usize) -> String {
    let mut cell = format!("{:.width$}", outcome.score);
    if let Some(interval) = outcome.interval {
        cell += &format!(" [{:.width$}, {:.width$}]", interval.lower, interval.upper);
    }
    if let Some(comparison) = outcome.comparison {
        cell += &format!(
            " ({:+.width$}, p = {:.4})",
            comparison.difference, comparison.p_value
        );
    }
    cell
}
