//! Findings about a whole run: caveats withhold the tier, notes do not (decision 21).

use std::collections::BTreeSet;

use lydian_metrics::chrf::Chrf;
use lydian_metrics::{Corpus, Metric, Numeric};
use lydian_model::counted;
use lydian_model::prediction::Step;
use lydian_model::run_card::scores::Caveat;

use crate::aggregate::sorted_mean;
use crate::context::{AnalyserUse, ScoringContext};
use crate::evidence::{Evidence, Part};
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
/// chrF++ on their own references per chrF++ on those of other entries, up to which outputs are unrelated.
const OWN_TO_OTHER: f64 = 1.1;
/// Share of the floor's chrF++ below which outputs are far below it.
const FAR_BELOW_FLOOR: f64 = 0.5;
/// How the steps of a pipeline's own checks are named: `check fst`.
const CHECK_STEP: &str = "check";
/// Ids named in a reason.
const NAMED: usize = 5;

/// Returns the findings that withhold the tier.
pub(crate) fn caveats(items: &[Item<'_>], evidence: &Evidence, context: &ScoringContext<'_>) -> Vec<Caveat> {
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
pub(crate) fn notes(
    items: &[Item<'_>],
    evidence: &Evidence,
    composite_coverage: f64,
    context: &ScoringContext<'_>,
) -> Vec<Caveat> {
    let entries = items.len();
    let thin = (composite_coverage < THIN).then(|| {
        let weight = composite_coverage * 100.0;
        finding(
            "thin_metrics",
            format!("metrics with {weight:.0} % of the composite's weight were available; it says little"),
        )
    });
    let in_loop = (context.analyser_use == AnalyserUse::InLoop).then(|| {
        finding(
            "analyser_in_loop",
            "the method used the analyser that scores it, so its acceptance is no independent evidence"
                .to_owned(),
        )
    });
    let few = (entries < FEW_ENTRIES).then(|| {
        finding(
            "few_entries",
            format!("too few entries for reliable intervals: {entries}; at least {FEW_ENTRIES} are needed"),
        )
    });
    [
        thin,
        in_loop,
        few,
        below_floor(items, evidence),
        never_accepted(items),
        unrelated_output(items, evidence),
        suspicious_matches(items),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Finds results on entries with known variants that hit the very reference too often: other translations are as
/// good, so that whoever always has this one may have known it (B §9.3.1).
fn suspicious_matches(items: &[Item<'_>]) -> Option<Caveat> {
    let with_variants = || items.iter().filter(|item| !item.entry.variants.is_empty());
    let entries = with_variants().count();
    let exact = with_variants().filter(|item| item.exact_match()).count();
    (entries >= ENTRIES_TO_JUDGE_REPETITION && exact * 20 >= entries * 19).then(|| {
        finding(
            "suspicious_matches",
            format!("{exact} of {entries} outputs are exactly the reference although other translations are listed"),
        )
    })
}

/// Finds outputs that resemble the references of other entries as much as their own: whatever they are, they do not
/// come from the sources. Entries are paired by id, so that their order has no influence.
fn unrelated_output(items: &[Item<'_>], evidence: &Evidence) -> Option<Caveat> {
    if items.len() < ENTRIES_TO_JUDGE_REPETITION {
        return None;
    }
    let mut by_id: Vec<&Item<'_>> = items.iter().collect();
    by_id.sort_by_key(|item| item.entry.id.as_str());
    let outputs: Vec<&str> = by_id.iter().map(|item| item.output.as_ref()).collect();
    let others: Vec<&str> = (0..by_id.len())
        .map(|index| by_id[(index + by_id.len() / 2) % by_id.len()].reference.as_ref())
        .collect();
    let chrf = Chrf::plus_plus();
    let own = chrf.table_score(&evidence.column(Part::ChrfPlusPlus).table, Numeric::Exact);
    let shuffled = Corpus::new(&outputs, &[others]).ok()?;
    let other = chrf.corpus_score(&shuffled, Numeric::Exact);
    (own > 0.0 && own <= other * OWN_TO_OTHER).then(|| {
        finding(
            "unrelated_output",
            format!("outputs score {own:.1} chrF++ on their own references and {other:.1} on those of other entries"),
        )
    })
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
            format!(
                "; {} no output",
                counted(silent as u64, "entry has", "entries have")
            )
        } else {
            String::new()
        };
        finding(
            "near_constant_output",
            format!(
                "{} for {}{empty}",
                counted(outputs as u64, "distinct output", "distinct outputs"),
                counted(references as u64, "distinct reference", "distinct references")
            ),
        )
    })
}

fn source_copies(items: &[Item<'_>]) -> Option<Caveat> {
    let copies = items.iter().filter(|item| is_source_copy(item)).count();
    (copies > 0 && copies * 100 >= items.len() * COPIED_PER_CENT).then(|| {
        finding(
            "source_copy",
            format!(
                "{copies} of {} repeat the source where the reference does not",
                counted(items.len() as u64, "output", "outputs")
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

/// Finds outputs that keep far less of the references than the sources themselves do.
fn below_floor(items: &[Item<'_>], evidence: &Evidence) -> Option<Caveat> {
    if items.len() < ENTRIES_TO_JUDGE_REPETITION {
        return None;
    }
    let sources: Vec<_> = items.iter().map(|item| nfc(&item.entry.source)).collect();
    let references: Vec<&str> = items.iter().map(|item| item.reference.as_ref()).collect();
    let chrf = Chrf::plus_plus();
    let own = chrf.table_score(&evidence.column(Part::ChrfPlusPlus).table, Numeric::Exact);
    let untranslated: Vec<&str> = sources.iter().map(AsRef::as_ref).collect();
    let untranslated = Corpus::new(&untranslated, &[references]).ok()?;
    let floor = chrf.corpus_score(&untranslated, Numeric::Exact);
    (own < floor * FAR_BELOW_FLOOR).then(|| {
        finding(
            "below_floor",
            format!(
                "outputs score {own:.1} chrF++, less than half of what the sources score when nobody translates them: {floor:.1}"
            ),
        )
    })
}

/// Finds a pipeline whose own checks were made and never let an answer pass.
fn never_accepted(items: &[Item<'_>]) -> Option<Caveat> {
    let passed: Vec<bool> = items
        .iter()
        .filter_map(|item| passed_checks(&item.prediction.steps))
        .collect();
    (!passed.is_empty() && !passed.contains(&true)).then(|| {
        finding(
            "never_accepted",
            format!(
                "the method's own checks were made for {} and accepted no answer",
                counted(passed.len() as u64, "entry", "entries")
            ),
        )
    })
}

/// Says whether all checks of some answer of an entry let it pass; `None` where none was made.
fn passed_checks(steps: &[Step]) -> Option<bool> {
    let is_check = |step: &Step| step.name.split(' ').next() == Some(CHECK_STEP);
    let mut answers = steps
        .chunk_by(|one, next| is_check(one) == is_check(next))
        .filter(|steps| is_check(&steps[0]))
        .peekable();
    answers.peek()?;
    Some(answers.any(|checks| checks.iter().all(|check| check.ok)))
}

fn test_leak(items: &[Item<'_>], context: &ScoringContext<'_>) -> Option<Caveat> {
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
            format!(
                "{failed} of {} failed",
                counted(evidence.len() as u64, "entry", "entries")
            ),
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
