//! `lydian score --fail-under`: scores that every system has to reach.

use super::evaluate::Column;
use crate::error::{CommandError, CommandResult, Exit};

/// One score to reach.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Threshold {
    /// The metric as the user names it, in lower case.
    metric: String,
    value: f64,
}

/// Reads `METRIC=VALUE`.
pub(super) fn threshold(text: &str) -> Result<Threshold, String> {
    let (metric, value) = text
        .split_once('=')
        .ok_or("expected METRIC=VALUE, such as chrf=55")?;
    let value: f64 = value
        .trim()
        .parse()
        .map_err(|_| format!("{value:?} is not a number"))?;
    if !value.is_finite() || value < 0.0 {
        return Err("expected a number of 0 or more".to_owned());
    }
    Ok(Threshold {
        metric: metric.trim().to_lowercase().replace("_plus_plus", "++"),
        value,
    })
}

/// Returns a message for every system that does not reach a score; an error for a metric that is not computed.
pub(super) fn missed(
    thresholds: &[Threshold],
    names: &[String],
    columns: &[Column],
) -> CommandResult<Vec<String>> {
    let mut missed = Vec::new();
    for threshold in thresholds {
        let mut computed = columns
            .iter()
            .filter(|column| threshold.is_about(&column.name))
            .peekable();
        if computed.peek().is_none() {
            let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let message = format!("--fail-under: {} is not computed", threshold.metric);
            let next = match threshold.metric.as_str() {
                "chrf++" => "--chrf-word-order 2 makes chrF count words",
                _ => "-m names metrics",
            };
            return Err(CommandError::new(Exit::Usage, message)
                .with_hint(format!("computed are {}; {next}", known.join(", "))));
        }
        for column in computed {
            for (name, outcome) in names.iter().zip(&column.outcomes) {
                missed.extend(threshold.missed(name, &column.name, outcome.score));
            }
        }
    }
    Ok(missed)
}

impl Threshold {
    /// `chrf` is every chrF, `chrf++` the one with words, `chrf2` exactly that one.
    fn is_about(&self, column: &str) -> bool {
        let column = column.to_lowercase();
        match self.metric.as_str() {
            "chrf" => column.starts_with("chrf"),
            "chrf++" => column.starts_with("chrf") && column.ends_with("++"),
            exact => exact == column,
        }
    }

    fn missed(&self, system: &str, metric: &str, score: f64) -> Option<String> {
        let wanted = self.value;
        if metric == "TER" {
            return (score > wanted).then(|| {
                format!(
                    "the gate is not met: {metric} of {system} is {score:.4}, at most {wanted} is allowed"
                )
            });
        }
        (score < wanted)
            .then(|| format!("the gate is not met: {metric} of {system} is {score:.4}, {wanted} is wanted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_an_order_and_one_metric_can_be_named() {
        let about = |text: &str, column: &str| threshold(text).unwrap().is_about(column);
        assert!(about("chrf=1", "chrF2++") && about("chrf=1", "chrF2"));
        assert!(about("chrf_plus_plus=1", "chrF2++") && !about("chrF++=1", "chrF2"));
        assert!(about("chrF2=1", "chrF2") && !about("chrf2=1", "chrF2++"));
        assert!(about("BLEU=1", "BLEU") && !about("bleu=1", "TER"));
    }

    #[test]
    fn less_is_better_for_ter_alone() {
        let missed =
            |text: &str, metric: &str, score: f64| threshold(text).unwrap().missed("s", metric, score);
        assert_eq!(missed("ter=50", "TER", 50.0), None);
        assert!(
            missed("ter=50", "TER", 50.1)
                .unwrap()
                .contains("at most 50 is allowed")
        );
        assert_eq!(missed("bleu=20", "BLEU", 20.0), None);
        assert!(
            missed("bleu=20", "BLEU", 19.9)
                .unwrap()
                .contains("19.9000, 20 is wanted")
        );
    }
}
