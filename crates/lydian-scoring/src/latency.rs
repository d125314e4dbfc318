//! Response times (decision 14).

use std::collections::BTreeMap;

use lydian_model::Finite;

use crate::item::Item;

/// Mean, median and 95th percentile of some durations in seconds; all null when there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Latency {
    pub(crate) mean: Option<Finite>,
    pub(crate) median: Option<Finite>,
    pub(crate) p95: Option<Finite>,
}

/// Returns the latencies over entries.
pub(crate) fn per_entry(items: &[Item<'_>]) -> Latency {
    summary(items.iter().filter_map(|item| item.prediction.latency_seconds))
}

/// Returns the latencies over requests: entries of one batch share a request number.
pub(crate) fn per_request(items: &[Item<'_>]) -> Latency {
    let mut numbered = BTreeMap::new();
    let mut single = Vec::new();
    for item in items {
        let Some(latency) = item.prediction.latency_seconds else {
            continue;
        };
        match item.prediction.request_number {
            Some(number) => {
                numbered.insert(number, latency);
            }
            None => single.push(latency),
        }
    }
    summary(numbered.into_values().chain(single))
}

fn summary(seconds: impl Iterator<Item = Finite>) -> Latency {
    let mut sorted: Vec<f64> = seconds.map(Finite::get).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return Latency::default();
    }
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    Latency {
        mean: Finite::new(mean),
        median: Finite::new(percentile(&sorted, 1, 2)),
        p95: Finite::new(percentile(&sorted, 19, 20)),
    }
}

/// Returns the value `numerator/denominator` of the way through a sorted list, by linear interpolation.
fn percentile(sorted: &[f64], numerator: usize, denominator: usize) -> f64 {
    let steps = (sorted.len() - 1) * numerator;
    let (below, rest) = (steps / denominator, steps % denominator);
    if rest == 0 {
        return sorted[below];
    }
    let weight = rest as f64 / denominator as f64;
    sorted[below] + (sorted[below + 1] - sorted[below]) * weight
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Latency {
        summary(values.iter().filter_map(|&value| Finite::new(value)))
    }

    #[test]
    fn percentiles_interpolate_as_numpy_does() {
        // numpy.percentile([1, 2, 4, 8], [50, 95]) = [3.0, 7.4]
        let latency = of(&[8.0, 1.0, 4.0, 2.0]);
        assert_eq!(latency.median.unwrap().get(), 3.0);
        assert!((latency.p95.unwrap().get() - 7.4).abs() < 1e-12);
        assert_eq!(latency.mean.unwrap().get(), 3.75);
    }

    #[test]
    fn one_value_is_every_percentile() {
        let latency = of(&[0.5]);
        assert_eq!(latency.p95, latency.median);
        assert_eq!(latency.mean.unwrap().get(), 0.5);
    }

    #[test]
    fn without_a_measurement_there_is_no_latency() {
        assert_eq!(of(&[]), Latency::default());
    }
}
