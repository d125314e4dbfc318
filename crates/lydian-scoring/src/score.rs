//! Scoring a run: entries and predictions in, everything a card says about them out.

use std::collections::BTreeMap;

use lydian_metrics::chrf::Chrf;
use lydian_metrics::ter::Ter;
use lydian_metrics::{Metric, Numeric};
use lydian_model::run_card::scores::Availability;
use lydian_model::run_card::{EntryResult, Scores, Totals};
use lydian_model::{Entry, EntryId, Finite, Prediction, Score};

use crate::aggregate::{self, Values, fst, rounded, sorted_mean};
use crate::breakdown::{self, Breakdowns, coverage, outcome_counts};
use crate::composite::{self, WITHHELD};
use crate::context::ScoringContext;
use crate::evidence::{Evidence, Part, signatures};
use crate::item::{Item, ScoringError, pair};
use crate::{caveat, language, latency, result, totals};

/// What scoring says about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// Quality, with its uncertainty.
    pub scores: Scores,
    /// One result per entry, in the order of the entries.
    pub results: Vec<EntryResult>,
    /// Cost.
    pub totals: Totals,
}

/// Scores the predictions for the selected entries.
///
/// All scores are over all `entries`: one without a prediction counts as failed and is scored as empty text
/// (decision 8). A prediction for any other entry is an error.
///
/// ```
/// use std::collections::BTreeMap;
/// use lydian_model::{Entry, EntryId, Prediction};
/// use lydian_scoring::{ScoringContext, score};
///
/// let entry = Entry::new(EntryId::integer(1), "Bom dia", "Bos días");
/// let predictions = BTreeMap::from([(entry.id.clone(), Prediction::of_text(entry.id.clone(), "Bos días"))]);
/// let scored = score(&[&entry], &predictions, &ScoringContext::default())?;
/// assert_eq!(scored.scores.exact_match_rate.map(|rate| rate.get()), Some(1.0));
/// // What was not measured says why.
/// assert_eq!(scored.scores.semantic_score, None);
/// assert!(scored.scores.metric_availability["semantic_score"].reason.is_some());
/// # Ok::<(), lydian_scoring::ScoringError>(())
/// ```
pub fn score(
    entries: &[&Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
    context: &ScoringContext<'_>,
) -> Result<Scored, ScoringError> {
    let items = pair(entries, predictions)?;
    let mut measured = language::measure(&items, context);
    let evidence = Evidence::new(&items, |part| measured.take(part, items.len()));
    Ok(assemble(&items, &evidence, context))
}

/// Returns everything that follows from the statistics of a run.
pub(crate) fn assemble(items: &[Item<'_>], evidence: &Evidence, context: &ScoringContext<'_>) -> Scored {
    let totals = totals::totals(items);
    Scored {
        scores: scores(items, evidence, &totals, context),
        results: result::results(items, evidence),
        totals,
    }
}

fn scores(items: &[Item<'_>], evidence: &Evidence, totals: &Totals, context: &ScoringContext<'_>) -> Scores {
    let profile = context.profile;
    let values = Values::of(evidence, profile);
    let Breakdowns {
        difficulty: by_difficulty,
        provenance: by_provenance,
        domain: by_domain,
        register: by_register,
        segment: by_segment,
    } = breakdown::breakdowns(items, evidence, profile);
    let composite = values.composite.map(rounded);
    let composite_coverage = composite::coverage(profile, |metric| values.has(metric));
    let caveats = caveat::caveats(items, evidence, context);
    let quality_tier = if caveats.is_empty() {
        context.tier_boundaries.tier(composite)
    } else {
        WITHHELD
    };
    let per_entry = latency::per_entry(items);
    let per_request = latency::per_request(items);
    let speed = |count: Option<u64>, factor: f64| {
        let rate = totals::per_second(count?, context.elapsed_seconds)?;
        Finite::new(rate * factor)
    };
    let count = |part: Part, column: usize| -> Option<u64> {
        let counted = evidence.column(part);
        counted.has_counts().then(|| counted.table.sum()[column])
    };
    let consistency = consistency(items);
    let detail = FstDetail::of(evidence);
    let morphology = evidence.column(Part::Morphology);
    let morphology_share = |whole: usize| {
        let sums = morphology.table.sum();
        let available = morphology.unavailable.is_none();
        available
            .then(|| aggregate::share(sums[0], sums[whole]))
            .flatten()
            .map(rounded)
    };
    let chrf = rounded(Chrf::default().table_score(&evidence.chrf, Numeric::Exact));
    let ter = rounded(Ter::default().table_score(&evidence.ter, Numeric::Exact));
    let answered = evidence.len() as u64 - caveat::failures(evidence);
    Scores {
        total: evidence.len() as u64,
        exact_matches: evidence.column(Part::ExactMatch).table.sum()[0],
        exact_match_rate: values.score(Part::ExactMatch),
        equivalent_matches: count(Part::EquivalentMatch, 0),
        equivalent_match_rate: values.score(Part::EquivalentMatch),
        equivalent_matches_by_rule: language::rules_fired(evidence.column(Part::EquivalentMatch)),
        fst_accepted: detail.entries_accepted,
        fst_acceptance_rate: values.score(Part::Fst),
        fst_words_accepted: count(Part::Fst, fst::ACCEPTED),
        fst_words_checked: count(Part::Fst, fst::CHECKED),
        fst_acceptance_rate_macro: detail.entry_mean.map(rounded),
        fst_reference_rate: detail.reference_rate.map(rounded),
        morphological_accuracy: values.score(Part::Morphology),
        morphological_precision: morphology_share(1),
        morphological_recall: morphology_share(2),
        chrf_plus_plus: values.score(Part::ChrfPlusPlus),
        chrf: Some(chrf),
        bleu: values.score(Part::Bleu),
        semantic_score: values.score(Part::Semantic),
        ter: Some(ter),
        length_ratio: sorted_mean(&evidence.length_ratios).map(rounded),
        code_switching_rate: values.score(Part::CodeSwitching),
        hallucination_rate: values.score(Part::Hallucination),
        terminology_adherence: values.score(Part::Terminology),
        orthographic_accuracy: values.score(Part::Orthography),
        consistency: consistency.map(rounded),
        tokens_per_second: speed(totals::all_tokens(totals), 1.0),
        entries_per_minute: speed(Some(answered), 60.0),
        avg_latency_seconds: per_entry.mean,
        median_latency_seconds: per_entry.median,
        p95_latency_seconds: per_entry.p95,
        request_latency_avg_seconds: per_request.mean,
        request_latency_median_seconds: per_request.median,
        request_latency_p95_seconds: per_request.p95,
        composite,
        composite_profile: profile.name().to_owned(),
        composite_coverage: rounded(composite_coverage),
        composite_weights: composite::used_weights(profile, |metric| values.has(metric)),
        cost_adjusted_score: cost_adjusted(composite, totals),
        errors: caveat::failures(evidence),
        coverage: rounded(coverage(evidence)),
        outcomes: outcome_counts(&evidence.outcomes),
        quality_tier: quality_tier.to_owned(),
        claimable_tier: composite::claimable(quality_tier).to_owned(),
        tier_boundaries: context.tier_boundaries.by_name().clone(),
        caveats,
        notes: caveat::notes(items, evidence, composite_coverage, context),
        metric_availability: availability(evidence, &values, [consistency, values.composite]),
        confidence_intervals: aggregate::intervals(evidence, profile),
        signatures: signatures_of(&values, context),
        by_difficulty,
        by_provenance,
        by_domain,
        by_register,
        by_segment,
    }
}

/// Returns the signatures of the text metrics and, where it has a value, of the semantic score.
fn signatures_of(values: &Values, context: &ScoringContext<'_>) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = signatures()
        .into_iter()
        .map(|(name, signature)| (name.to_owned(), signature.to_string()))
        .collect();
    let semantic = values
        .part(Part::Semantic)
        .and(context.semantic.zip(context.languages))
        .and_then(|(answers, languages)| language::semantic::signature(answers, languages.target));
    if let Some(signature) = semantic {
        all.insert(Part::Semantic.name().to_owned(), signature);
    }
    all
}

/// What is said about acceptance beside the rate (decision 10); null when no word was checked.
struct FstDetail {
    entries_accepted: Option<u64>,
    entry_mean: Option<f64>,
    reference_rate: Option<f64>,
}

impl FstDetail {
    fn of(evidence: &Evidence) -> Self {
        let column = evidence.column(Part::Fst);
        let checked = || column.table.rows().filter(|row| row[fst::CHECKED] > 0);
        let accepted = checked()
            .filter(|row| row[fst::ACCEPTED] == row[fst::CHECKED])
            .count();
        let shares: Vec<Option<f64>> = checked()
            .map(|row| aggregate::share(row[fst::ACCEPTED], row[fst::CHECKED]))
            .collect();
        let sums = column.table.sum();
        Self {
            entries_accepted: column.has_counts().then_some(accepted as u64),
            entry_mean: aggregate::sorted_mean(&shares),
            reference_rate: aggregate::share(sums[fst::REFERENCE_ACCEPTED], sums[fst::REFERENCE_CHECKED]),
        }
    }
}

/// Returns how often a source that occurs more than once has its commonest translation; a diagnostic.
fn consistency(items: &[Item<'_>]) -> Option<f64> {
    let pairs = items
        .iter()
        .map(|item| (item.entry.source.as_str(), item.output.as_ref()));
    lydian_language::consistency(pairs).rate()
}

fn cost_adjusted(composite: Option<Score>, totals: &Totals) -> Option<Score> {
    let adjusted = composite::cost_adjusted(composite?.get(), totals.cost_per_entry_usd?.get());
    Score::new(adjusted)
}

/// Says of every metric whether it has a value, and why not (decision 20).
fn availability(
    evidence: &Evidence,
    values: &Values,
    [consistency, composite]: [Option<f64>; 2],
) -> BTreeMap<String, Availability> {
    let mut availability = BTreeMap::new();
    let mut insert = |name: &str, reason: Option<String>| {
        let status = Availability {
            available: reason.is_none(),
            reason,
            validation: composite::validation(name),
        };
        availability.insert(name.to_owned(), status);
    };
    for part in Part::ALL {
        let without_value = || "nothing in this run could be judged by it".to_owned();
        let reason = match (&evidence.column(part).unavailable, values.part(part)) {
            (Some(reason), _) => Some(reason.clone()),
            (None, None) => Some(without_value()),
            (None, Some(_)) => None,
        };
        insert(part.name(), reason);
    }
    insert("chrf", None);
    insert("ter", None);
    let ratio = sorted_mean(&evidence.length_ratios);
    insert(
        "length_ratio",
        ratio.is_none().then(|| "no reference has any text".to_owned()),
    );
    insert(
        "consistency",
        consistency.is_none().then(|| "no source occurs twice".to_owned()),
    );
    insert(
        aggregate::COMPOSITE,
        composite
            .is_none()
            .then(|| "none of its metrics has a value".to_owned()),
    );
    availability
}
