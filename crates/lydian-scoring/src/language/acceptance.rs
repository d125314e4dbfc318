//! FST acceptance of one entry, and when the whole rate means nothing (decision 10).

use std::collections::{BTreeMap, BTreeSet};

use lydian_language::{Fallback, FstChecker, Language, Rejection, TextCheck, Verdict};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::Judged;
use crate::aggregate::{fst, share};
use crate::evidence::Column;
use crate::item::Item;

/// Share of reference words below which the analyser cannot judge a text.
const LOWEST_CEILING: f64 = 0.5;
/// Reference words below which nothing can be said.
const FEWEST_WORDS: u64 = 20;
/// Share of words without an answer above which the rate is not reported.
const MOST_UNKNOWN: f64 = 0.01;
/// Rejected words of a run beside which similar ones are shown: the first ones, each once.
const SUGGESTED: usize = 400;
/// Steps of the search for similar words; scoring must not wait for a hopeless one.
const SUGGEST_STEPS: usize = 40_000;

/// Checks output and reference. An output without any word counts one rejected word per word of the reference.
pub(super) fn judge(checker: &mut FstChecker<'_>, item: &Item<'_>, names: &BTreeSet<String>) -> Judged {
    let reference = checker.check(&item.reference, names);
    let output = checker.check(&item.output, names);
    let expected = [reference.accepted() as u64, reference.checked() as u64];
    if output.words.is_empty() {
        return Judged::counts([0, expected[1], expected[0], expected[1], 0]);
    }
    let judged = Judged::counts([
        output.accepted() as u64,
        output.checked() as u64,
        expected[0],
        expected[1],
        output.unknown() as u64,
    ]);
    details(&output)
        .into_iter()
        .fold(judged, |judged, (name, value)| judged.with(name, value))
}

/// Returns what a reader wants to see: the rejected words, the forms under which others were found, and those that
/// did not count.
fn details(output: &TextCheck) -> Vec<(&'static str, Value)> {
    let mut details = Vec::new();
    let rejected = rejected(output);
    if !rejected.is_empty() {
        details.push(("rejected", Value::Array(rejected)));
    }
    let mut found_as: BTreeMap<&str, u64> = BTreeMap::new();
    let mut allowed = Vec::new();
    for word in &output.words {
        match word.verdict {
            Verdict::Accepted(form) if form != Fallback::AsIs => {
                *found_as.entry(form.name()).or_insert(0) += 1;
            }
            Verdict::Allowed(_) => allowed.push(word.text.as_str()),
            _ => {}
        }
    }
    if !found_as.is_empty() {
        details.push(("found_as", json!(found_as)));
    }
    if !allowed.is_empty() {
        details.push(("not_counted", json!(allowed)));
    }
    details
}

/// Adds accepted words near the rejected ones, for the first rejected words of the run.
pub(super) fn suggest(column: &mut Column, target: &Language) {
    let mut words: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    for word in column.details.iter().flat_map(rejected_of).filter_map(searched) {
        if words.len() == SUGGESTED {
            break;
        }
        if known.insert(word.to_owned()) {
            words.push(word.to_owned());
        }
    }
    let near: BTreeMap<String, Vec<String>> = words
        .into_par_iter()
        .map_init(
            || target.fst_checker().ok(),
            |checker, word| {
                let near = checker
                    .as_mut()
                    .map(|checker| checker.suggestions_within(&word, SUGGEST_STEPS));
                (word, near.unwrap_or_default())
            },
        )
        .collect();
    for details in &mut column.details {
        let Some(Value::Array(rejected)) = details.get_mut("rejected") else {
            continue;
        };
        for verdict in rejected.iter_mut().filter_map(Value::as_object_mut) {
            let found = searched(verdict).and_then(|word| near.get(word));
            if let Some(found) = found.filter(|found| !found.is_empty()) {
                verdict.insert("similar".to_owned(), json!(found));
            }
        }
    }
}

fn rejected_of(details: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let rejected = details.get("rejected").and_then(Value::as_array);
    rejected.into_iter().flatten().filter_map(Value::as_object)
}

/// Returns the word of a rejection unless it was too long to be looked up.
fn searched(verdict: &Map<String, Value>) -> Option<&str> {
    let word = verdict.get("word").and_then(Value::as_str);
    word.filter(|_| !verdict.contains_key("too_long"))
}

/// Says why the rate means nothing, if so.
pub(super) fn doubt(column: &Column) -> Option<String> {
    let sums = column.table.sum();
    let reference = sums[fst::REFERENCE_CHECKED];
    if reference < FEWEST_WORDS {
        return Some(format!(
            "only {reference} words of the references could be checked; {FEWEST_WORDS} are needed"
        ));
    }
    let ceiling = share(sums[fst::REFERENCE_ACCEPTED], reference).unwrap_or(0.0);
    if ceiling < LOWEST_CEILING {
        return Some(format!(
            "the analyser accepts only {:.0} % of the words of the references: it cannot judge this text",
            ceiling * 100.0
        ));
    }
    let unknown = sums[fst::UNKNOWN];
    let share_unknown = share(unknown, unknown + sums[fst::CHECKED]).unwrap_or(0.0);
    (share_unknown > MOST_UNKNOWN).then(|| {
        format!(
            "the search limit cut off the analysis of {:.1} % of the words",
            share_unknown * 100.0
        )
    })
}

fn rejected(check: &TextCheck) -> Vec<Value> {
    check
        .words
        .iter()
        .filter_map(|word| match &word.verdict {
            Verdict::Rejected(Rejection::NotFound) => Some(json!({ "word": word.text })),
            Verdict::Rejected(Rejection::ExcludedTag(tag)) => {
                Some(json!({ "word": word.text, "excluded_tag": tag }))
            }
            Verdict::Rejected(Rejection::TooLong) => Some(json!({ "word": word.text, "too_long": true })),
            _ => None,
        })
        .collect()
}
