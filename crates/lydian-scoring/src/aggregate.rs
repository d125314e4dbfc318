//! From added-up statistics to scores and their intervals.

use std::collections::BTreeMap;

use lydian_metrics::bleu::Bleu;
use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
use lydian_metrics::chrf::Chrf;
use lydian_metrics::{Metric, Numeric, StatsTable};
use lydian_model::Score;
use lydian_model::run_card::scores::Interval;
use rayon::prelude::*;

use crate::composite::{self, CompositeMetric, Profile};
use crate::evidence::{Availability, Evidence, Part};

/// Columns of the analyser's table (decision 10).
pub(crate) mod fst {
    /// Accepted output words.
    pub(crate) const ACCEPTED: usize = 0;
    /// Checked output words, with one rejected word per reference word for an entry without output.
    pub(crate) const CHECKED: usize = 1;
    /// Accepted words of the reference.
    pub(crate) const REFERENCE_ACCEPTED: usize = 2;
    /// Checked words of the reference.
    pub(crate) const REFERENCE_CHECKED: usize = 3;
    /// Output words on which a limit cut the search off.
    pub(crate) const UNKNOWN: usize = 4;
}

/// Parts that get an interval beside the composite.
const WITH_INTERVAL: [Part; 5] = [
    Part::ChrfPlusPlus,
    Part::Bleu,
    Part::ExactMatch,
    Part::Fst,
    Part::Semantic,
];

/// Name of the composite's interval.
pub(crate) const COMPOSITE: &str = "composite";

/// The values of all parts on one sample of entries; what is not available is `None`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    parts: Vec<Option<f64>>,
    /// The weighted mean of those that enter it.
    pub(crate) composite: Option<f64>,
}

impl Values {
    /// Computes the values from the column sums of each part.
    pub(crate) fn from_sums<'s>(
        profile: Profile,
        available: &Availability,
        sums: impl Fn(Part) -> &'s [u64],
    ) -> Self {
        let parts: Vec<Option<f64>> = Part::ALL
            .into_iter()
            .map(|part| available.has(part).then(|| value(part, sums(part))).flatten())
            .collect();
        let composite = composite::composite(profile, |metric| {
            let part = part_of(metric);
            let plain = parts[part as usize]?;
            Some(if part == Part::Fst {
                plain * kept_words(sums(part))
            } else {
                plain
            })
        });
        Self { parts, composite }
    }

    /// Computes the values of all entries of the evidence.
    pub(crate) fn of(evidence: &Evidence, profile: Profile) -> Self {
        let sums: Vec<Vec<u64>> = evidence.tables().into_iter().map(StatsTable::sum).collect();
        Self::from_sums(profile, &evidence.available(), |part| &sums[part as usize])
    }

    /// Returns a part's value.
    pub(crate) fn part(&self, part: Part) -> Option<f64> {
        self.parts[part as usize]
    }

    /// Returns a part's value as documents hold it.
    pub(crate) fn score(&self, part: Part) -> Option<Score> {
        self.part(part).map(rounded)
    }

    /// Says whether a metric of the composite has a value.
    pub(crate) fn has(&self, metric: CompositeMetric) -> bool {
        self.part(part_of(metric)).is_some()
    }
}

/// Returns a score as documents hold it.
pub(crate) fn rounded(value: f64) -> Score {
    Score::new(value).expect("scores are quotients of finite numbers with positive denominators")
}

/// Returns the mean of the values that exist. Adding them in sorted order makes the order of entries irrelevant.
pub(crate) fn sorted_mean(values: &[Option<f64>]) -> Option<f64> {
    let mut values: Vec<f64> = values.iter().copied().flatten().collect();
    values.sort_by(f64::total_cmp);
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the values of every bootstrap resample; all parts of one resample see the same entries.
pub(crate) fn resampled(evidence: &Evidence, profile: Profile) -> Vec<Values> {
    let sums = Bootstrap::default().sums_of(&evidence.tables());
    let available = evidence.available();
    (0..Bootstrap::default().resamples)
        .into_par_iter()
        .map(|resample| Values::from_sums(profile, &available, |part| sums[part as usize].row(resample)))
        .collect()
}

/// Entries from which on resampling shows how a score varies.
pub(crate) const FEWEST_FOR_INTERVAL: usize = 2;

/// Why a single entry has no interval.
pub(crate) const NO_SPREAD: &str = "a single entry shows no spread: at least 2 are needed for an interval";

/// Returns the 95 % intervals of the values that have one (decision 30). Drawing a single entry again gives the same
/// score every time; an interval of no width would promise certainty, so there is none.
pub(crate) fn intervals(evidence: &Evidence, profile: Profile) -> BTreeMap<String, Interval> {
    if evidence.len() < FEWEST_FOR_INTERVAL {
        return no_intervals(evidence, profile);
    }
    let resampled = resampled(evidence, profile);
    let incomplete = evidence.outcomes.contains(&lydian_model::Outcome::Failed);
    let entries = evidence.len() as u64;
    let interval = |values: Vec<f64>| {
        let Bootstrap { resamples, seed } = Bootstrap::default();
        let found = percentile_interval(&values);
        Interval {
            lower: Some(rounded(found.lower)),
            upper: Some(rounded(found.upper)),
            mean: Some(rounded(found.mean)),
            level: rounded(0.95),
            resamples: u32::try_from(resamples).expect("the default number of resamples is small"),
            seed,
            entries,
            incomplete,
            reason: None,
        }
    };
    let collect = |of: &dyn Fn(&Values) -> Option<f64>| -> Option<Vec<f64>> {
        let values: Vec<f64> = resampled.iter().filter_map(of).collect();
        (!values.is_empty()).then_some(values)
    };
    let mut intervals = BTreeMap::new();
    for part in WITH_INTERVAL {
        if let Some(values) = collect(&|values| values.part(part)) {
            intervals.insert(part.name().to_owned(), interval(values));
        }
    }
    if let Some(values) = collect(&|values| values.composite) {
        intervals.insert(COMPOSITE.to_owned(), interval(values));
    }
    intervals
}

/// Returns, for every value that has an interval over more entries, why it has none over these.
fn no_intervals(evidence: &Evidence, profile: Profile) -> BTreeMap<String, Interval> {
    let values = Values::of(evidence, profile);
    let parts = WITH_INTERVAL
        .into_iter()
        .filter(|&part| values.part(part).is_some())
        .map(Part::name);
    let composite = values.composite.map(|_| COMPOSITE);
    let none = Interval {
        lower: None,
        upper: None,
        mean: None,
        level: rounded(0.95),
        resamples: 0,
        seed: Bootstrap::default().seed,
        entries: evidence.len() as u64,
        incomplete: evidence.outcomes.contains(&lydian_model::Outcome::Failed),
        reason: Some(NO_SPREAD.to_owned()),
    };
    parts
        .chain(composite)
        .map(|name| (name.to_owned(), none.clone()))
        .collect()
}

fn part_of(metric: CompositeMetric) -> Part {
    match metric {
        CompositeMetric::FstAcceptanceRate => Part::Fst,
        CompositeMetric::MorphologicalAccuracy => Part::Morphology,
        CompositeMetric::ChrfPlusPlus => Part::ChrfPlusPlus,
        CompositeMetric::SemanticScore => Part::Semantic,
        CompositeMetric::EquivalentMatchRate => Part::EquivalentMatch,
        CompositeMetric::ExactMatchRate => Part::ExactMatch,
        CompositeMetric::CodeSwitchingRate => Part::CodeSwitching,
        CompositeMetric::TerminologyAdherence => Part::Terminology,
        CompositeMetric::HallucinationRate => Part::Hallucination,
        CompositeMetric::OrthographicAccuracy => Part::Orthography,
    }
}

fn value(part: Part, sums: &[u64]) -> Option<f64> {
    match part {
        Part::ChrfPlusPlus => Some(Chrf::plus_plus().score(sums, Numeric::Exact)),
        Part::Bleu => Some(Bleu::default().score(sums, Numeric::Exact)),
        // The value of an entry is counted in millionths.
        Part::Semantic => share(sums[0], sums[1] * 1_000_000),
        Part::Morphology => share(2 * sums[0], sums[1] + sums[2]),
        _ => share(sums[0], sums[1]),
    }
}

/// Returns how many of the words that could be expected were there to check, at most 1 (decision 10).
fn kept_words(sums: &[u64]) -> f64 {
    share(sums[fst::CHECKED], sums[fst::REFERENCE_CHECKED]).map_or(1.0, |kept| kept.min(1.0))
}

/// Returns a share, or `None` of nothing.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
