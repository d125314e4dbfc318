//! `--explain`: what the score of one segment is made of.

use std::collections::BTreeMap;

use lydian_metrics::{Corpus, Metric, Overlap};

use super::evaluate;
use super::settings::Settings;
use crate::error::{CommandError, CommandResult, Exit};

/// How many n-grams of a list are shown.
const SHOWN: usize = 12;

/// Returns the explanation of a segment, counted from 1, for every system.
pub(super) fn explain(
    segment: usize,
    names: &[String],
    corpora: &[Corpus<'_>],
    settings: &Settings,
) -> CommandResult<String> {
    let mut text = String::new();
    for (name, corpus) in names.iter().zip(corpora) {
        if segment == 0 || segment > corpus.len() {
            return Err(CommandError::new(
                Exit::Usage,
                format!(
                    "there is no segment {segment}; {name} has segments 1 to {}",
                    corpus.len()
                ),
            ));
        }
        let (hypothesis, references) = (corpus.hypothesis(segment - 1), corpus.references(segment - 1));
        text += &format!("{name}, segment {segment}\n  output     {hypothesis}\n");
        for reference in references {
            text += &format!("  reference  {reference}\n");
        }
        for metric in &settings.sentence_metrics {
            text += &one_metric(&**metric, hypothesis, references, settings)?;
        }
    }
    Ok(text)
}

fn one_metric(
    metric: &dyn Metric,
    hypothesis: &str,
    references: &[&str],
    settings: &Settings,
) -> CommandResult<String> {
    let row = metric
        .stats(hypothesis, references)
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))?;
    let score = metric.score(&row, settings.numeric);
    let signature = evaluate::complete(metric.signature(Some(references.len())), settings);
    let mut text = format!("\n{} = {score:.4}  ({signature})\n", metric.name());
    if let Some(verbose) = metric.verbose(&row, settings.numeric) {
        text += &format!("  {verbose}\n");
    }
    let overlaps = metric.overlaps(hypothesis, references);
    if overlaps.is_empty() {
        for (column, &count) in row.iter().enumerate() {
            text += &format!(
                "  {}: {}\n",
                metric.column_name(column),
                metric.column_value(column, count)
            );
        }
    }
    for overlap in &overlaps {
        text += &one_order(overlap);
    }
    Ok(text)
}

fn one_order(overlap: &Overlap) -> String {
    let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
    let (matched, missing, extra) = (sum(&overlap.matched), sum(&overlap.missing), sum(&overlap.extra));
    let share = |total: u64| match total {
        0 => "none".to_owned(),
        total => format!(
            "{matched}/{total} = {:.1} %",
            100.0 * matched as f64 / total as f64
        ),
    };
    let mut text = format!(
        "  {}s in a row: {}  precision {}, recall {}\n",
        overlap.unit,
        overlap.order,
        share(matched + extra),
        share(matched + missing)
    );
    for (label, counts) in [
        ("matched", &overlap.matched),
        ("only in output", &overlap.extra),
        ("only in reference", &overlap.missing),
    ] {
        if !counts.is_empty() {
            text += &format!("    {label}: {}\n", listed(counts));
        }
    }
    text
}

/// Lists the most frequent n-grams first.
fn listed(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let shown = sorted.iter().take(SHOWN).map(|(ngram, count)| match count {
        1 => format!("{ngram:?}"),
        _ => format!("{ngram:?} ×{count}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if sorted.len() > SHOWN {
        text += &format!(" and {} more", sorted.len() - SHOWN);
    }
    text
}
