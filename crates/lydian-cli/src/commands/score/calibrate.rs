//! `--calibrate`: how often tests and intervals claim a difference where there is none.

use lydian_metrics::calibration::{Calibration, Rejections, ShareErrors};
use lydian_metrics::exact::ExactMatch;
use lydian_metrics::{Corpus, Metric};
use serde::Serialize;

use super::settings::Settings;
use crate::error::{CommandError, CommandResult, Exit};

/// True shares for which the tests of shares are looked at.
const SHARES: [f64; 3] = [0.5, 0.8, 0.95];

/// The measured error rates; each should be near the level.
#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    systems: [String; 2],
    segments: usize,
    trials: usize,
    resamples: usize,
    level: f64,
    paired: Vec<PairedRow>,
    shares: Vec<ShareRow>,
}

/// The error rates of the paired tests for one metric.
#[derive(Serialize)]
struct PairedRow {
    metric: String,
    randomization: f64,
    difference_interval: f64,
    score_interval: f64,
    sacrebleu_bootstrap: f64,
}

impl PairedRow {
    fn new(metric: String, rejections: Rejections) -> Self {
        Self {
            metric,
            randomization: rejections.randomization,
            difference_interval: rejections.difference_interval,
            score_interval: rejections.score_interval,
            sacrebleu_bootstrap: rejections.sacrebleu_bootstrap,
        }
    }
}

/// The error rates of the tests of shares for one true share.
#[derive(Serialize)]
struct ShareRow {
    share: f64,
    binomial: f64,
    mcnemar: f64,
    clopper_pearson: f64,
    wilson: f64,
}

/// Measures all metrics on the first two systems.
pub(super) fn calibrate(
    trials: usize,
    names: &[String],
    corpora: &[Corpus<'_>],
    settings: &Settings,
) -> CommandResult<Report> {
    let ([first, second], [first_name, second_name]) = (corpora, names) else {
        return Err(CommandError::new(
            Exit::Usage,
            format!("--calibrate takes two systems, {} are given", names.len()),
        )
        .with_hint("name two output files behind -i"));
    };
    if trials == 0 {
        return Err(CommandError::new(Exit::Usage, "--calibrate 0 measures nothing")
            .with_hint("2000 trials tell 5 % from 6 %"));
    }
    let calibration = Calibration {
        trials,
        segments: first.len(),
        seed: settings.seed.value,
        ..Calibration::default()
    };
    let paired = settings.metrics.iter().map(|metric| {
        let tables = (metric.table(first), metric.table(second));
        let rejections = calibration.paired(&**metric, &tables.0, &tables.1);
        let rejections = rejections.map_err(|error| CommandError::from_error(Exit::Internal, error))?;
        Ok(PairedRow::new(metric.name(), rejections))
    });
    let paired: Vec<PairedRow> = paired.collect::<CommandResult<_>>()?;
    let counts_shares = paired.iter().any(|row| row.metric == ExactMatch.name());
    let shares = if counts_shares { &SHARES[..] } else { &[] };
    Ok(Report {
        schema: "lydian.calibration/1",
        systems: [first_name.clone(), second_name.clone()],
        segments: calibration.segments,
        trials,
        resamples: calibration.resamples,
        level: calibration.level,
        paired,
        shares: shares
            .iter()
            .map(|&share| share_row(share, &calibration))
            .collect(),
    })
}

fn share_row(share: f64, calibration: &Calibration) -> ShareRow {
    let errors = ShareErrors::new(share, calibration.segments as u64, calibration.level);
    ShareRow {
        share,
        binomial: errors.binomial,
        mcnemar: errors.mcnemar,
        clopper_pearson: errors.clopper_pearson,
        wilson: errors.wilson,
    }
}

impl Report {
    /// Returns the report for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{} pairs of {} segments without a difference, made of {} and {}; {} resamples, level {}\n\n\
             metric        randomisation  difference interval  score interval  sacreBLEU bootstrap\n",
            self.trials, self.segments, self.systems[0], self.systems[1], self.resamples, self.level
        );
        for row in &self.paired {
            text += &format!(
                "{:<12}  {:>13.3}  {:>19.3}  {:>14.3}  {:>19.3}\n",
                row.metric,
                row.randomization,
                row.difference_interval,
                row.score_interval,
                row.sacrebleu_bootstrap
            );
        }
        if !self.shares.is_empty() {
            text +=
                "\ntrue share    binomial test  McNemar test  Clopper-Pearson interval  Wilson interval\n";
        }
        for row in &self.shares {
            text += &format!(
                "{:<12}  {:>13.3}  {:>12.3}  {:>24.3}  {:>15.3}\n",
                row.share, row.binomial, row.mcnemar, row.clopper_pearson, row.wilson
            );
        }
        text
    }
}
