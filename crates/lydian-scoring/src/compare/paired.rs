//! Paired tests and intervals of differences.

use std::collections::BTreeMap;

use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
use lydian_metrics::power::Spread;
use lydian_metrics::randomization::{Randomization, p_value};
use lydian_metrics::ter::Ter;
use lydian_metrics::{Metric, Numeric, StatsTable};
use lydian_model::run_card::RunCard;
use lydian_model::{Entry, EntryId, Prediction, Score};
use rayon::prelude::*;

use super::{MetricComparison, NotCompared, Results};
use crate::ScoringError;
use crate::aggregate::{COMPOSITE, FEWEST_FOR_INTERVAL, NO_SPREAD, Values, rounded};
use crate::composite::{CompositeMetric, Profile};
use crate::evidence::{Availability, Evidence, Part, signatures};
use crate::item::pair;
use crate::recorded;

/// Probability with which the detectable difference is found.
const POWER: f64 = 0.8;
/// Level of the tests.
const ALPHA: f64 = 0.05;

/// A run with its statistics on the shared entries.
pub(super) struct Side {
    evidence: Evidence,
    profile: Profile,
    whole: Sample,
}

/// All scores of one sample of entries.
struct Sample {
    values: Values,
    ter: f64,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Of(Part),
    Ter,
    Composite,
}

impl Measure {
    const fn name(self) -> &'static str {
        match self {
            Self::Of(part) => part.name(),
            Self::Ter => "ter",
            Self::Composite => COMPOSITE,
        }
    }

    fn higher_is_better(self) -> bool {
        !matches!(
            self,
            Self::Ter | Self::Of(Part::CodeSwitching | Part::Hallucination)
        )
    }

    fn all() -> impl Iterator<Item = Self> {
        let of = Part::ALL.into_iter().map(Self::Of);
        let (first, rest): (Vec<Self>, Vec<Self>) =
            of.partition(|&measure| matches!(measure, Self::Of(Part::ChrfPlusPlus | Part::Bleu)));
        first
            .into_iter()
            .chain([Self::Ter])
            .chain(rest)
            .chain([Self::Composite])
    }
}

impl Sample {
    fn from_sums<'s>(profile: Profile, available: &Availability, sums: impl Fn(usize) -> &'s [u64]) -> Self {
        Self {
            values: Values::from_sums(profile, available, |part| sums(part as usize)),
            ter: Ter::default().score(sums(Part::ALL.len()), Numeric::Exact),
        }
    }

    fn value(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Of(part) => self.values.part(part),
            Measure::Ter => Some(self.ter),
            Measure::Composite => self.values.composite,
        }
    }
}

impl Side {
    /// Computes the statistics of some results of a card.
    pub(super) fn new(card: &RunCard, results: &Results<'_>) -> Result<Self, ScoringError> {
        let entries: Vec<Entry> = results
            .iter()
            .map(|result| Entry::new(EntryId::text(&result.entry_id), &result.source, &result.expected))
            .collect();
        let predictions: BTreeMap<EntryId, Prediction> = results
            .iter()
            .map(|result| {
                let id = EntryId::text(&result.entry_id);
                let prediction = Prediction {
                    outcome: result.outcome,
                    ..Prediction::of_text(id.clone(), &result.predicted)
                };
                (id, prediction)
            })
            .collect();
        let entries: Vec<&Entry> = entries.iter().collect();
        let items = pair(&entries, &predictions)?;
        let evidence = Evidence::new(&items, |part| recorded::column(part, card, results));
        let profile = Profile::from_name(&card.scores.composite_profile).unwrap_or_default();
        let sums: Vec<Vec<u64>> = tables(&evidence).into_iter().map(StatsTable::sum).collect();
        let whole = Sample::from_sums(profile, &evidence.available(), |table| &sums[table]);
        Ok(Self {
            evidence,
            profile,
            whole,
        })
    }

    /// Returns the scores on the shared entries by metric.
    pub(super) fn scores(&self) -> BTreeMap<String, Score> {
        Measure::all()
            .filter_map(|measure| {
                let value = self.whole.value(measure)?;
                Some((measure.name().to_owned(), rounded(value)))
            })
            .collect()
    }

    /// Returns the sentence chrF++ of an entry.
    pub(super) fn sentence_score(&self, entry: usize) -> f64 {
        self.evidence.sentence_scores(entry)[0]
    }

    fn samples(&self, sums: &[StatsTable]) -> Vec<Sample> {
        let available = self.evidence.available();
        (0..sums[0].len())
            .into_par_iter()
            .map(|row| Sample::from_sums(self.profile, &available, |table| sums[table].row(row)))
            .collect()
    }
}

/// Compares a system with the baseline under every metric that both have.
pub(super) fn compare(baseline: &Side, system: &Side) -> (Vec<MetricComparison>, Vec<NotCompared>) {
    let resampled =
        [baseline, system].map(|side| side.samples(&Bootstrap::default().sums_of(&tables(&side.evidence))));
    let shuffled = shuffled(baseline, system);
    let spreads = baseline.evidence.len() >= FEWEST_FOR_INTERVAL;
    let (mut compared, mut left_out) = (Vec::new(), Vec::new());
    for measure in Measure::all() {
        let name = measure.name().to_owned();
        if let Some(reason) = obstacle(measure, baseline, system) {
            left_out.push(NotCompared { metric: name, reason });
            continue;
        }
        let (Some(before), Some(after)) = (baseline.whole.value(measure), system.whole.value(measure)) else {
            continue;
        };
        let difference = after - before;
        let differences = |pairs: &[Vec<Sample>; 2]| -> Vec<f64> {
            pairs[0]
                .iter()
                .zip(&pairs[1])
                .filter_map(|(first, second)| Some(second.value(measure)? - first.value(measure)?))
                .collect()
        };
        let drawn = differences(&resampled);
        let interval = spreads.then(|| percentile_interval(&drawn));
        let spread = Spread {
            deviation: deviation(&drawn),
            segments: baseline.evidence.len(),
        };
        let p = rounded(p_value(difference, &differences(&shuffled)));
        compared.push(MetricComparison {
            signature: signatures()
                .into_iter()
                .find(|(metric, _)| *metric == name)
                .map(|(_, signature)| signature.to_string()),
            metric: name,
            higher_is_better: measure.higher_is_better(),
            baseline: rounded(before),
            system: rounded(after),
            difference: rounded(difference),
            lower: interval.as_ref().map(|interval| rounded(interval.lower)),
            upper: interval.as_ref().map(|interval| rounded(interval.upper)),
            no_interval_reason: (!spreads).then(|| NO_SPREAD.to_owned()),
            p_value: p,
            p_holm: p,
            significant: false,
            detectable_difference: spreads.then(|| rounded(spread.detectable(spread.segments, ALPHA, POWER))),
        });
    }
    (compared, left_out)
}

/// Returns the scores of both systems in every trial of approximate randomisation; all metrics share the flips.
fn shuffled(baseline: &Side, system: &Side) -> [Vec<Sample>; 2] {
    let pairs = tables(&baseline.evidence)
        .into_iter()
        .zip(tables(&system.evidence));
    let (left, right): (Vec<StatsTable>, Vec<StatsTable>) = pairs
        .map(|(first, second)| {
            Randomization::default()
                .sums(first, second)
                .expect("tables over the same entries and metric have one shape")
        })
        .unzip();
    [baseline.samples(&left), system.samples(&right)]
}

/// Returns why a metric cannot be compared.
fn obstacle(measure: Measure, baseline: &Side, system: &Side) -> Option<String> {
    if measure == Measure::Composite {
        if baseline.profile != system.profile {
            return Some("the runs have different weight profiles".to_owned());
        }
        let differing: Vec<&str> = CompositeMetric::all()
            .filter(|&metric| baseline.whole.values.has(metric) != system.whole.values.has(metric))
            .map(CompositeMetric::name)
            .collect();
        if !differing.is_empty() {
            return Some(format!("only one of the runs has {}", differing.join(", ")));
        }
    }
    let (before, after) = (baseline.whole.value(measure), system.whole.value(measure));
    match (before, after) {
        (Some(_), Some(_)) => None,
        (None, None) => Some("neither run has it".to_owned()),
        _ => Some("only one of the runs has it".to_owned()),
    }
}

fn tables(evidence: &Evidence) -> Vec<&StatsTable> {
    let mut tables = evidence.tables();
    tables.push(&evidence.ter);
    tables
}

/// Returns the standard deviation of resampled differences.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    libm::sqrt(squares / (count - 1.0).max(1.0))
}
