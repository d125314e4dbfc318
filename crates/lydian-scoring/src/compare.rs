//! Comparison of runs on the same corpus, with paired significance (decision 31).

use lydian_metrics::bootstrap::Bootstrap;
use lydian_metrics::randomization::Randomization;
use lydian_model::counted;
use lydian_model::run_card::{EntryResult, RunCard};
use lydian_model::{Finite, Score};

mod document;
mod eligible;
mod entries;
mod paired;

pub use document::{
    Comparison, Example, MetricComparison, NotCompared, Reproduction, RunSummary, SystemComparison,
    TestMethod, WinsAndLosses,
};
pub use eligible::Refusal;

use eligible::Shared;
use paired::Side;

/// Schema name and version of a comparison.
pub const SCHEMA: &str = "lydian.comparison/1";

/// Entries below which a test says little.
const FEW_ENTRIES: usize = 10;
/// Entries below which an interval is hardly reliable.
const FEW_FOR_INTERVALS: usize = 30;
/// Relative difference up to which one run reproduces another (decision 28).
const REPRODUCTION: f64 = 0.02;

/// What a comparison does with entries that have no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Incomplete {
    /// An incomplete run is refused.
    #[default]
    Refuse,
    /// Entries that failed in any run are left out.
    LeaveOut,
}

/// Compares each run with the first on the entries that all share.
///
/// ```
/// use lydian_model::RunCard;
/// use lydian_scoring::compare::{Incomplete, Refusal, compare};
///
/// fn p_of_chrf(baseline: &RunCard, system: &RunCard) -> Result<Option<f64>, Refusal> {
///     let comparison = compare(&[baseline, system], Incomplete::Refuse)?;
///     let mut metrics = comparison.systems[0].metrics.iter();
///     Ok(metrics.find(|metric| metric.metric == "chrf_plus_plus").map(|metric| metric.p_value.get()))
/// }
/// ```
pub fn compare(cards: &[&RunCard], incomplete: Incomplete) -> Result<Comparison, Refusal> {
    let shared = eligible::shared(cards, incomplete)?;
    let sides = shared
        .results
        .iter()
        .zip(cards)
        .map(|(results, card)| Side::new(card, results))
        .collect::<Result<Vec<Side>, _>>()?;
    let Some((baseline, systems)) = sides.split_first() else {
        return Err(Refusal::TooFewRuns);
    };
    let mut compared: Vec<SystemComparison> = systems
        .iter()
        .zip(&shared.results[1..])
        .zip(&cards[1..])
        .map(|((side, results), card)| {
            let (metrics, not_compared) = paired::compare(baseline, side);
            SystemComparison {
                run: summary(card, side),
                reproduction: reproduction(cards[0], card, &metrics),
                metrics,
                not_compared,
                entries: entries::wins_and_losses(&shared.results[0], results, [baseline, side]),
            }
        })
        .collect();
    correct(&mut compared);
    Ok(document(cards[0], &shared, baseline, compared))
}

fn document(
    card: &RunCard,
    shared: &Shared<'_>,
    baseline: &Side,
    systems: Vec<SystemComparison>,
) -> Comparison {
    let Bootstrap { resamples, seed } = Bootstrap::default();
    Comparison {
        schema: SCHEMA.to_owned(),
        notice: card.notice.clone(),
        dataset: card.dataset.clone(),
        entries: shared.results[0].len() as u64,
        left_out_failed: shared.failed,
        left_out_not_shared: shared.uncovered,
        test: TestMethod {
            name: "paired approximate randomisation, two-sided".to_owned(),
            trials: Randomization::default().trials as u64,
            seed: Randomization::default().seed,
            correction: "Holm, over the systems of one metric".to_owned(),
            interval: "95 % percentile interval of the paired-bootstrap difference".to_owned(),
            resamples: resamples as u64,
            resampling_seed: seed,
        },
        baseline: summary(card, baseline),
        systems,
        warnings: shared.warnings(card),
    }
}

fn summary(card: &RunCard, side: &Side) -> RunSummary {
    RunSummary {
        run_id: card.run_id.clone(),
        method: card.method_name.clone(),
        model_slug: card.model_slug.clone(),
        condition: card.condition.clone(),
        run_card_hash: card.run_card_hash.clone(),
        fingerprint: card.fingerprint.clone(),
        setup_fingerprint: card.setup_fingerprint.clone(),
        scores: side.scores(),
    }
}

/// Says whether the second run agrees with the first as a repetition of it would (decision 28).
fn reproduction(first: &RunCard, second: &RunCard, metrics: &[MetricComparison]) -> Reproduction {
    let relative = |name: &str| {
        let metric = metrics.iter().find(|metric| metric.metric == name)?;
        let (before, after) = (metric.baseline.get(), metric.system.get());
        let change = after - before;
        if change == 0.0 {
            return Some(Finite::ZERO);
        }
        Finite::new(change / before)
    };
    let within = |relative: Option<Finite>| relative.is_some_and(|by| by.get().abs() <= REPRODUCTION);
    let (chrf, composite) = (relative("chrf_plus_plus"), relative("composite"));
    Reproduction {
        same_setup: first.setup_fingerprint == second.setup_fingerprint,
        chrf_plus_plus_relative: chrf,
        composite_relative: composite,
        agrees: within(chrf) && within(composite),
    }
}

/// Corrects the p-values of each metric over all systems.
fn correct(systems: &mut [SystemComparison]) {
    let names: std::collections::BTreeSet<String> = systems
        .iter()
        .flat_map(|system| system.metrics.iter().map(|metric| metric.metric.clone()))
        .collect();
    for name in names {
        let mut family: Vec<&mut MetricComparison> = systems
            .iter_mut()
            .flat_map(|system| system.metrics.iter_mut().filter(|metric| metric.metric == name))
            .collect();
        let p_values: Vec<f64> = family.iter().map(|metric| metric.p_value.get()).collect();
        for (metric, corrected) in family.iter_mut().zip(lydian_metrics::multiple::holm(&p_values)) {
            metric.p_holm = Score::new(corrected).unwrap_or(metric.p_value);
            metric.significant = corrected <= 0.05;
        }
    }
}

impl Shared<'_> {
    fn warnings(&self, card: &RunCard) -> Vec<String> {
        let entries = self.results[0].len();
        let mut warnings = self.warnings.clone();
        if entries < FEW_ENTRIES {
            warnings.push(format!(
                "too few entries for a test that means anything: {entries}"
            ));
        } else if entries < FEW_FOR_INTERVALS {
            warnings.push(format!("too few entries for reliable intervals: {entries}"));
        }
        if self.failed > 0 {
            warnings.push(format!(
                "{} of {} left out because a run has no answer there; that may favour it",
                counted(self.failed, "entry", "entries"),
                card.dataset.id
            ));
        }
        if self.uncovered > 0 {
            warnings.push(format!(
                "{} left out because not all runs cover them",
                counted(self.uncovered, "entry is", "entries are")
            ));
        }
        warnings
    }
}

/// The results of one run on the shared entries, in the order of the first card.
type Results<'c> = Vec<&'c EntryResult>;
