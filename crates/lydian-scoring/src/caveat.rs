//! Findings about a whole run: caveats withhold the tier, notes do not (decision 21).

use std::collections::BTreeSet;

use lydian_model::run_card::scores::Caveat;

use crate::aggregate::sorted_mean;
use crate::context::{AnalyserUse, ScoringContext};
use crate::evidence::Evidence;
use crate::item::{Item, nfc};

/// Fewer entries than this say nothing about repetition.
const ENTRIES_TO_JUDGE_REPETITION: usize = 10;
/// Distinct outputs per distinct reference below which outputs are near constant.
const DISTINCT_SHARE: f64 = 0.5;
/// Share of entries that repeat their source, in per cent.
const COPIED_PER_CENT: usize = 10;
/// Length ratio above which outputs are inflated.
const LONGEST: f64 = 1.5;
/// Length ratio below which outputs are deflated.
const SHORTEST: f64 = 0.6;
/// Weight coverage below which a composite rests on too little.
const THIN: f64 = 0.5;
/// Entries below which an interval is hardly reliable.
const FEW_ENTRIES: usize = 30;
/// Ids named in a reason.
const NAMED: usize = 5;

/// Returns the findings that withhold the tier.
pub(crate) fn caveats(items: &[Item<'_>], evidence: &Evidence, context: &ScoringContext) -> Vec<Caveat> {
    [
        near_constant_output(items),
        source_copies(items),
        length(evidence),
        test_leak(items, context),
        incomplete(evidence),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the findings that readers should see but that withhold nothing.
pub(crate) fn notes(entries: usize, composite_coverage: f64, context: &ScoringContext) -> Vec<Caveat> {
    let mut notes = Vec::new();
    if composite_coverage < THIN {
        notes.push(finding(
            "thin_metrics",
            format!(
                "metrics with {:.0} % of the composite's weight were available; it says less than its number suggests",
                composite_coverage * 100.0
            ),
        ));
    }
    if context.analyser_use == AnalyserUse::InLoop {
        notes.push(finding(
            "analyser_in_loop",
            "the method used the analyser that scores it, so acceptance by it is no independent evidence"
                .to_owned(),
        ));
    }
    if entries < FEW_ENTRIES {
        notes.push(finding(
            "few_entries",
            format!("{entries} entries are too few for reliable intervals; {FEW_ENTRIES} or more are"),
        ));
    }
    notes
}

/// Says whether an output repeats the source while the reference does not. Case, punctuation and spacing do not
/// make a translation of a copy.
pub(crate) fn is_source_copy(item: &Item<'_>) -> bool {
    let source = folded(&nfc(&item.entry.source));
    item.has_text() && folded(&item.output) == source && folded(&item.reference) != source
}

fn near_constant_output(items: &[Item<'_>]) -> Option<Caveat> {
    if items.len() < ENTRIES_TO_JUDGE_REPETITION {
        return None;
    }
    let distinct =
        |texts: &dyn Fn(&Item<'_>) -> String| items.iter().map(texts).collect::<BTreeSet<_>>().len();
    let outputs = distinct(&|item| folded(&item.output));
    let references = distinct(&|item| folded(&item.reference));
    let near_constant = (outputs as f64) < DISTINCT_SHARE * references as f64;
    near_constant.then(|| {
        let silent = items.iter().filter(|item| !item.has_text()).count();
        let empty = if silent > 0 {
            format!(", {silent} entries have no output")
        } else {
            String::new()
        };
        finding(
            "near_constant_output",
            format!("{outputs} distinct outputs for {references} distinct references{empty}"),
        )
    })
}

fn source_copies(items: &[Item<'_>]) -> Option<Caveat> {
    let copies = items.iter().filter(|item| is_source_copy(item)).count();
    (copies > 0 && copies * 100 >= items.len() * COPIED_PER_CENT).then(|| {
        finding(
            "source_copy",
            format!(
                "{copies} of {} outputs repeat the source where the reference does not",
                items.len()
            ),
        )
    })
}

fn length(evidence: &Evidence) -> Option<Caveat> {
    let ratio = sorted_mean(&evidence.length_ratios)?;
    if ratio > LONGEST {
        let reason = format!("outputs are {ratio:.2} times as long as the references on average");
        Some(finding("length_inflation", reason))
    } else if ratio < SHORTEST {
        let reason = format!(
            "outputs have {:.0} % of the references' length on average",
            ratio * 100.0
        );
        Some(finding("length_deflation", reason))
    } else {
        None
    }
}

fn test_leak(items: &[Item<'_>], context: &ScoringContext) -> Option<Caveat> {
    let evaluated: BTreeSet<&str> = items.iter().map(|item| item.entry.id.as_str()).collect();
    let leaked: BTreeSet<(&str, &str)> = context
        .leaks
        .iter()
        .map(|leak| (leak.entry_id.as_str(), leak.place.as_str()))
        .filter(|(id, _)| evaluated.contains(id))
        .collect();
    if leaked.is_empty() {
        return None;
    }
    let named: Vec<String> = leaked
        .iter()
        .take(NAMED)
        .map(|(id, place)| format!("{id} in {place}"))
        .collect();
    let more = if leaked.len() > NAMED { ", …" } else { "" };
    Some(finding(
        "test_leak",
        format!(
            "the method was shown evaluated entries: {}{more}",
            named.join(", ")
        ),
    ))
}

fn incomplete(evidence: &Evidence) -> Option<Caveat> {
    let failed = failures(evidence);
    (failed > 0).then(|| {
        finding(
            "incomplete",
            format!("{failed} of {} entries failed", evidence.len()),
        )
    })
}

/// Returns how many entries have no answer at all.
pub(crate) fn failures(evidence: &Evidence) -> u64 {
    let failed = evidence
        .outcomes
        .iter()
        .filter(|&&outcome| outcome == lydian_model::Outcome::Failed);
    failed.count() as u64
}

fn finding(name: &str, reason: String) -> Caveat {
    Caveat {
        name: name.to_owned(),
        reason,
    }
}

/// Returns the letters and digits of a text in lower case, or the trimmed text if it has none.
fn folded(text: &str) -> String {
    let letters: String = text
        .chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if letters.is_empty() {
        text.trim().to_owned()
    } else {
        letters
    }
}
