//! FST acceptance of one entry, and when the whole rate means nothing (decision 10).

use std::collections::BTreeSet;

use lydian_language::{FstChecker, Rejection, TextCheck, Verdict};
use serde_json::{Value, json};

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
    let rejected = rejected(&output);
    if rejected.is_empty() {
        judged
    } else {
        judged.with("rejected", Value::Array(rejected))
    }
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
