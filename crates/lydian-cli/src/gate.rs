//! `--fail-under`: scores that a run has to reach.

use clap::Args;
use lydian_model::run_card::Scores;
use lydian_report::metric_name::short_name;
use lydian_report::shown_metric::{SHOWN, ShownMetric};

use crate::error::Exit;
use crate::output::Context;

/// Scores to reach.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct GateArguments {
    /// Exit with code 10 unless this score is reached, such as `chrf_plus_plus=55` or `exact_match_rate=20%`; for `ter` and
    /// the rates of code-switching and hallucination it is the most that is allowed. May be repeated
    #[arg(long, value_name = "METRIC=VALUE", value_parser = threshold)]
    fail_under: Vec<Threshold>,
}

/// One score to reach.
#[derive(Clone, Debug, PartialEq)]
struct Threshold {
    metric: &'static str,
    value: f64,
}

impl GateArguments {
    /// Says which scores are not reached and returns code 10 if there is one. A score without a value is not reached.
    pub(crate) fn check(&self, scores: &Scores, context: &Context) -> Exit {
        let missed = self.missed(scores);
        for message in &missed {
            context.error(message);
        }
        if missed.is_empty() {
            Exit::Done
        } else {
            Exit::GateNotMet
        }
    }

    /// Returns whether no score has to be reached.
    pub(crate) fn is_empty(&self) -> bool {
        self.fail_under.is_empty()
    }

    fn missed(&self, scores: &Scores) -> Vec<String> {
        self.fail_under
            .iter()
            .filter_map(|threshold| threshold.missed(scores))
            .collect()
    }
}

impl Threshold {
    fn missed(&self, scores: &Scores) -> Option<String> {
        let metric = shown(self.metric)?;
        let name = short_name(self.metric);
        let wanted = self.value;
        let Some(score) = metric.score(scores) else {
            let reason = scores
                .metric_availability
                .get(self.metric)
                .and_then(|about| about.reason.as_deref())
                .unwrap_or("it was not measured");
            return Some(format!("the gate is not met: {name} has no value ({reason})"));
        };
        let score = score.get();
        if metric.lower_is_better() {
            (score > wanted)
                .then(|| format!("the gate is not met: {name} is {score}, at most {wanted} is allowed"))
        } else {
            (score < wanted).then(|| format!("the gate is not met: {name} is {score}, {wanted} is wanted"))
        }
    }
}

fn shown(name: &str) -> Option<&'static ShownMetric> {
    SHOWN.iter().find(|metric| metric.name == name)
}

/// Reads `METRIC=VALUE`; a share may be given in per cent.
fn threshold(text: &str) -> Result<Threshold, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected METRIC=VALUE, such as chrf_plus_plus=55")?;
    let metric = named(name.trim())?;
    let value = value.trim();
    let (number, divisor) = match value.strip_suffix('%') {
        Some(number) if metric.is_share() => (number.trim(), 100.0),
        Some(_) => return Err(format!("{} is no share: give a number without %", metric.name)),
        None => (value, 1.0),
    };
    let parsed: f64 = number.parse().map_err(|_| format!("{value:?} is not a number"))?;
    let value = parsed / divisor;
    if !value.is_finite() || value < 0.0 || value > metric.most() {
        let range = match metric.most() {
            most if most.is_infinite() => "0 or more".to_owned(),
            most => format!("between 0 and {most}"),
        };
        return Err(format!("{} is {range}, not {parsed}", metric.name));
    }
    Ok(Threshold {
        metric: metric.name,
        value,
    })
}

/// Finds a metric by its name in documents or the one people use.
fn named(name: &str) -> Result<&'static ShownMetric, String> {
    let folded = |name: &str| name.to_lowercase().replace([' ', '-'], "_");
    let wanted = folded(name);
    let found = SHOWN
        .iter()
        .find(|metric| metric.name == wanted || folded(&short_name(metric.name)) == wanted);
    found.ok_or_else(|| {
        let known: Vec<&str> = SHOWN.iter().map(|metric| metric.name).collect();
        let similar = SHOWN
            .iter()
            .map(|metric| (strsim::jaro_winkler(&wanted, metric.name), metric.name))
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .filter(|(similarity, _)| *similarity > 0.7);
        match similar {
            Some((_, similar)) => format!("no metric is called {name:?}; did you mean {similar}?"),
            None => format!("no metric is called {name:?}; known are {}", known.join(", ")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_read_as_people_write_them() {
        let read = |text: &str| threshold(text).map(|threshold| (threshold.metric, threshold.value));
        assert_eq!(read("chrf_plus_plus=55.5"), Ok(("chrf_plus_plus", 55.5)));
        assert_eq!(read("chrF++=55"), Ok(("chrf_plus_plus", 55.0)));
        assert_eq!(read("exact match=20%"), Ok(("exact_match_rate", 0.2)));
        assert_eq!(read("TER=60"), Ok(("ter", 60.0)));
    }

    #[test]
    fn what_can_never_be_reached_is_refused() {
        let refused = |text: &str| threshold(text).unwrap_err();
        assert_eq!(refused("composite=55"), "composite is between 0 and 1, not 55");
        assert_eq!(refused("chrf=101"), "chrf is between 0 and 100, not 101");
        assert_eq!(refused("chrf=20%"), "chrf is no share: give a number without %");
        assert!(refused("chrf").starts_with("expected METRIC=VALUE"));
        assert!(refused("chrf=NaN").contains("not NaN"));
        assert_eq!(
            refused("chrf_plus_plu=3"),
            "no metric is called \"chrf_plus_plu\"; did you mean chrf_plus_plus?"
        );
    }
}
