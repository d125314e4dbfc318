//! Scores of subsets: the metrics of the whole run computed again on some of its entries (decision 9).

use std::collections::BTreeMap;

use lydian_metrics::chrf::Chrf;
use lydian_metrics::ter::Ter;
use lydian_metrics::{Metric, Numeric};
use lydian_model::run_card::SubsetScores;
use lydian_model::{Outcome, Provenance};

use crate::aggregate::{self, Values, rounded, sorted_mean};
use crate::caveat::failures;
use crate::composite::Profile;
use crate::evidence::{Evidence, Part};
use crate::item::Item;

/// The subset of entries for which the corpus states no value.
pub(crate) const UNSPECIFIED: &str = "unspecified";

/// The breakdowns of a run.
pub(crate) struct Breakdowns {
    pub(crate) difficulty: BTreeMap<String, SubsetScores>,
    pub(crate) provenance: BTreeMap<String, SubsetScores>,
    pub(crate) domain: BTreeMap<String, SubsetScores>,
    pub(crate) register: BTreeMap<String, SubsetScores>,
    pub(crate) segment: BTreeMap<String, SubsetScores>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Intervals {
    Computed,
    LeftOut,
}

/// Computes all breakdowns; difficulties have intervals.
pub(crate) fn breakdowns(items: &[Item<'_>], evidence: &Evidence, profile: Profile) -> Breakdowns {
    let by = |intervals: Intervals, key: &dyn Fn(&Item<'_>) -> Option<String>| {
        subsets(items, key)
            .into_iter()
            .map(|(name, entries)| {
                (
                    name,
                    subset_scores(&evidence.subset(&entries), profile, intervals),
                )
            })
            .collect()
    };
    Breakdowns {
        difficulty: by(Intervals::Computed, &|item| {
            item.entry.difficulty.map(|level| level.to_string())
        }),
        provenance: by(Intervals::LeftOut, &|item| {
            item.entry
                .provenance
                .as_ref()
                .map(Provenance::label)
                .map(str::to_owned)
        }),
        domain: by(Intervals::LeftOut, &|item| {
            item.entry.domain.map(|domain| domain.code().to_owned())
        }),
        register: by(Intervals::LeftOut, &|item| item.entry.register.clone()),
        segment: by(Intervals::LeftOut, &|item| {
            Some(item.entry.segment_or_default().name().to_owned())
        }),
    }
}

/// Counts the entries per outcome, every outcome named.
pub(crate) fn outcome_counts(outcomes: &[Outcome]) -> BTreeMap<String, u64> {
    Outcome::ALL
        .into_iter()
        .map(|outcome| {
            let count = outcomes.iter().filter(|&&other| other == outcome).count();
            (outcome.name().to_owned(), count as u64)
        })
        .collect()
}

/// Returns the share of entries that have an answer.
pub(crate) fn coverage(evidence: &Evidence) -> f64 {
    1.0 - failures(evidence) as f64 / evidence.len() as f64
}

fn subsets(items: &[Item<'_>], key: &dyn Fn(&Item<'_>) -> Option<String>) -> BTreeMap<String, Vec<usize>> {
    let mut subsets: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let name = key(item).unwrap_or_else(|| UNSPECIFIED.to_owned());
        subsets.entry(name).or_default().push(index);
    }
    subsets
}

fn subset_scores(evidence: &Evidence, profile: Profile, intervals: Intervals) -> SubsetScores {
    let values = Values::of(evidence, profile);
    SubsetScores {
        total: evidence.len() as u64,
        exact_matches: evidence.column(Part::ExactMatch).table.sum()[0],
        exact_match_rate: values.score(Part::ExactMatch),
        equivalent_match_rate: values.score(Part::EquivalentMatch),
        fst_acceptance_rate: values.score(Part::Fst),
        morphological_accuracy: values.score(Part::Morphology),
        chrf_plus_plus: values.score(Part::ChrfPlusPlus),
        chrf: Some(rounded(
            Chrf::default().table_score(&evidence.chrf, Numeric::Exact),
        )),
        bleu: values.score(Part::Bleu),
        semantic_score: values.score(Part::Semantic),
        ter: Some(rounded(Ter::default().table_score(&evidence.ter, Numeric::Exact))),
        length_ratio: sorted_mean(&evidence.length_ratios).map(rounded),
        code_switching_rate: values.score(Part::CodeSwitching),
        hallucination_rate: values.score(Part::Hallucination),
        terminology_adherence: values.score(Part::Terminology),
        orthographic_accuracy: values.score(Part::Orthography),
        composite: values.composite.map(rounded),
        errors: failures(evidence),
        coverage: rounded(coverage(evidence)),
        outcomes: outcome_counts(&evidence.outcomes),
        confidence_intervals: if intervals == Intervals::Computed {
            aggregate::intervals(evidence, profile)
        } else {
            BTreeMap::new()
        },
    }
}
