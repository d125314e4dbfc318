//! Computes scores, intervals and p-values of all systems under all metrics.

use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
use lydian_metrics::parity::{Resampled, randomization_p_value, resample, shifted_p_value};
use lydian_metrics::randomization::Randomization;
use lydian_metrics::{Corpus, Metric, Numeric, Signature, StatsTable};

use super::settings::{Settings, Test};
use crate::error::{CommandError, CommandResult, Exit};

/// The results of one metric.
pub(super) struct Column {
    /// The name, such as `chrF2++`.
    pub(super) name: String,
    /// How the scores were computed.
    pub(super) signature: Signature,
    /// The results of the systems in their order.
    pub(super) outcomes: Vec<Outcome>,
}

/// The result of one system under one metric.
pub(super) struct Outcome {
    /// The corpus score.
    pub(super) score: f64,
    /// The parts sacreBLEU prints after the score.
    pub(super) verbose: Option<String>,
    /// The sums of the statistics by what they count.
    pub(super) counts: Vec<(&'static str, Vec<f64>)>,
    /// The interval, if wanted.
    pub(super) interval: Option<Interval>,
    /// The comparison with the first system, if wanted.
    pub(super) comparison: Option<Comparison>,
}

/// An interval as sacreBLEU prints it, with its bounds.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    /// The mean of the resampled scores.
    pub(super) mean: f64,
    /// Half the width.
    pub(super) half_width: f64,
    /// The lower bound.
    pub(super) lower: f64,
    /// The upper bound.
    pub(super) upper: f64,
}

/// A paired test against the first system.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    /// The p-value.
    pub(super) p_value: f64,
    /// The score of this system minus that of the first.
    pub(super) difference: f64,
    /// The bounds between which 95 % of the resampled differences lie.
    pub(super) difference_bounds: (f64, f64),
}

/// Computes the results of all metrics, in the order of the settings.
pub(super) fn evaluate(settings: &Settings, corpora: &[Corpus<'_>]) -> CommandResult<Vec<Column>> {
    settings
        .metrics
        .iter()
        .map(|metric| column(settings, &**metric, corpora))
        .collect()
}

fn column(settings: &Settings, metric: &dyn Metric, corpora: &[Corpus<'_>]) -> CommandResult<Column> {
    let tables: Vec<StatsTable> = corpora.iter().map(|corpus| metric.table(corpus)).collect();
    let scores: Vec<f64> = tables
        .iter()
        .map(|table| metric.table_score(table, settings.numeric))
        .collect();
    let mut outcomes: Vec<Outcome> = tables
        .iter()
        .zip(&scores)
        .map(|(table, &score)| {
            let sums = table.sum();
            Outcome {
                score,
                verbose: metric.verbose(&sums, settings.numeric),
                counts: counts(metric, &sums),
                interval: None,
                comparison: None,
            }
        })
        .collect();
    let computation = Computation {
        settings,
        metric,
        tables: &tables,
        scores: &scores,
    };
    match settings.test {
        Test::None => {}
        Test::Confidence(resamples) => computation.add_intervals(&mut outcomes, resamples),
        Test::Bootstrap(resamples) => computation.add_bootstrap(&mut outcomes, resamples)?,
        Test::Randomization(trials) => computation.add_randomization(&mut outcomes, trials)?,
    }
    let reference_count = corpora.first().and_then(Corpus::reference_count);
    let signature = metric.signature(reference_count);
    Ok(Column {
        name: metric.name(),
        signature: complete(signature, settings),
        outcomes,
    })
}

/// Adds what a signature says about tests and version.
pub(super) fn complete(signature: Signature, settings: &Settings) -> Signature {
    let seeded = |signature: Signature| signature.with("seed", &settings.seed.label);
    let signature = match settings.test {
        Test::None => signature,
        Test::Confidence(n) | Test::Bootstrap(n) => seeded(signature.with("bs", n.to_string())),
        Test::Randomization(n) => seeded(signature.with("ar", n.to_string())),
    };
    match settings.numeric {
        Numeric::Exact => signature,
        Numeric::Sacrebleu => signature.with_sacrebleu_version(),
    }
}

/// Groups the values of a row by what they count.
fn counts(metric: &dyn Metric, sums: &[u64]) -> Vec<(&'static str, Vec<f64>)> {
    let mut groups: Vec<(&'static str, Vec<f64>)> = Vec::new();
    for (column, &sum) in sums.iter().enumerate() {
        let (name, value) = (metric.column_name(column), metric.column_value(column, sum));
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => groups.push((name, vec![value])),
        }
    }
    groups
}

/// The data of one metric that intervals and tests are made from.
struct Computation<'a> {
    settings: &'a Settings,
    metric: &'a dyn Metric,
    tables: &'a [StatsTable],
    scores: &'a [f64],
}

impl Computation<'_> {
    fn add_intervals(&self, outcomes: &mut [Outcome], resamples: usize) {
        let bootstrap = self.bootstrap(resamples);
        match self.settings.numeric {
            Numeric::Exact => {
                for (outcome, table) in outcomes.iter_mut().zip(self.tables) {
                    outcome.interval = Some(exact_interval(&bootstrap.scores(self.metric, table)));
                }
            }
            Numeric::Sacrebleu => {
                for (outcome, resampled) in outcomes.iter_mut().zip(self.resample(bootstrap)) {
                    let confidence = resampled.confidence();
                    outcome.interval = Some(interval(&resampled, confidence.mean, confidence.half_width));
                }
            }
        }
    }

    fn add_bootstrap(&self, outcomes: &mut [Outcome], resamples: usize) -> CommandResult<()> {
        let bootstrap = self.bootstrap(resamples);
        match self.settings.numeric {
            Numeric::Exact => {
                for (outcome, table) in outcomes.iter_mut().zip(self.tables) {
                    outcome.interval = Some(exact_interval(&bootstrap.scores(self.metric, table)));
                }
                self.compare(outcomes, |system| {
                    let differences =
                        bootstrap.differences(self.metric, &self.tables[system], &self.tables[0])?;
                    Ok(shifted_p_value(&differences, self.difference(system)))
                })
            }
            Numeric::Sacrebleu => {
                let resampled = self.resample(bootstrap);
                for (outcome, resampled) in outcomes.iter_mut().zip(&resampled) {
                    let confidence = resampled.array_confidence();
                    outcome.interval = Some(interval(resampled, confidence.mean, confidence.half_width));
                }
                self.compare(outcomes, |system| {
                    Ok(resampled[system].p_value(&resampled[0], self.difference(system).abs()))
                })
            }
        }
    }

    fn add_randomization(&self, outcomes: &mut [Outcome], trials: usize) -> CommandResult<()> {
        let randomization = Randomization {
            trials,
            seed: self.settings.seed.value,
        };
        self.compare(outcomes, |system| match self.settings.numeric {
            Numeric::Exact => {
                let test = randomization.test(self.metric, &self.tables[system], &self.tables[0])?;
                Ok(test.p_value)
            }
            Numeric::Sacrebleu => {
                randomization_p_value(self.metric, &self.tables[0], &self.tables[system], randomization)
            }
        })
    }

    /// Fills the comparison of every system but the first.
    fn compare(
        &self,
        outcomes: &mut [Outcome],
        p_value: impl Fn(usize) -> Result<f64, lydian_metrics::MetricError>,
    ) -> CommandResult<()> {
        let internal = |error| CommandError::from_error(Exit::Internal, error);
        for (system, outcome) in outcomes.iter_mut().enumerate().skip(1) {
            let differences = self
                .bootstrap(1000)
                .differences(self.metric, &self.tables[system], &self.tables[0])
                .map_err(internal)?;
            let bounds = percentile_interval(&differences);
            outcome.comparison = Some(Comparison {
                p_value: p_value(system).map_err(internal)?,
                difference: self.difference(system),
                difference_bounds: (bounds.lower, bounds.upper),
            });
        }
        Ok(())
    }

    fn difference(&self, system: usize) -> f64 {
        self.scores[system] - self.scores[0]
    }

    fn bootstrap(&self, resamples: usize) -> Bootstrap {
        Bootstrap {
            resamples,
            seed: self.settings.seed.value,
        }
    }

    fn resample(&self, bootstrap: Bootstrap) -> Vec<Resampled> {
        let pairs: Vec<(&dyn Metric, &StatsTable)> =
            self.tables.iter().map(|table| (self.metric, table)).collect();
        resample(&pairs, bootstrap)
    }
}

fn interval(resampled: &Resampled, mean: f64, half_width: f64) -> Interval {
    let bounds = percentile_interval(&resampled.scores().collect::<Vec<f64>>());
    Interval {
        mean,
        half_width,
        lower: bounds.lower,
        upper: bounds.upper,
    }
}

fn exact_interval(scores: &[f64]) -> Interval {
    let bounds = percentile_interval(scores);
    let half_width = 0.5 * (bounds.upper - bounds.lower);
    Interval {
        mean: bounds.mean,
        half_width,
        lower: bounds.lower,
        upper: bounds.upper,
    }
}
