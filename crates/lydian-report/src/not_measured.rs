//! What a run has no value for, and why, in few lines.

use lydian_model::run_card::Scores;

use crate::metric_name::short_name;

/// Metrics that are not available for one and the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The names people use.
    pub metrics: Vec<String>,
    /// Why they have no value.
    pub reason: String,
}

/// Returns the metrics without a value, those with the same reason together, in the order of their names.
pub fn not_measured(scores: &Scores) -> Vec<Missing> {
    let mut found: Vec<Missing> = Vec::new();
    let without_value = scores
        .metric_availability
        .iter()
        .filter(|(_, about)| !about.available);
    for (name, about) in without_value {
        let reason = about.reason.clone().unwrap_or_default();
        match found.iter_mut().find(|missing| missing.reason == reason) {
            Some(missing) => missing.metrics.push(short_name(name)),
            None => found.push(Missing {
                metrics: vec![short_name(name)],
                reason,
            }),
        }
    }
    found
}
