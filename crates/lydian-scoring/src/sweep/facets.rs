//! What different readers ask of a matrix: axes, fronts, heat map.

use std::collections::BTreeSet;

use lydian_model::sweep::{AXES, same_value};
use lydian_model::{Finite, Score};
use serde_json::Value;

use super::MatrixError;
use super::configurations::mean;
use super::document::{AxisSummary, AxisValue, Configuration, HeatMap};

/// Name under which methods are an axis.
const METHOD: &str = "method";

/// Returns a summary of every axis: methods first, then the axes of B §6.2, then others by name.
pub(super) fn axes(configurations: &[Configuration]) -> Vec<AxisSummary> {
    let names: BTreeSet<&str> = configurations
        .iter()
        .flat_map(|one| one.coordinates.keys().map(String::as_str))
        .collect();
    let known = AXES.iter().copied().filter(|axis| names.contains(axis));
    let others = names.iter().copied().filter(|name| !AXES.contains(name));
    std::iter::once(METHOD)
        .chain(known)
        .chain(others)
        .map(|axis| AxisSummary {
            axis: axis.to_owned(),
            values: values(configurations, axis)
                .into_iter()
                .map(|value| summary(configurations, axis, value))
                .collect(),
        })
        .collect()
}

/// Returns a configuration's value of an axis.
fn value_of(configuration: &Configuration, axis: &str) -> Option<Value> {
    if axis == METHOD {
        Some(Value::from(configuration.method.as_str()))
    } else {
        configuration.coordinates.get(axis).cloned()
    }
}

fn values(configurations: &[Configuration], axis: &str) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in configurations.iter().filter_map(|one| value_of(one, axis)) {
        if !values.iter().any(|known| same_value(known, &value)) {
            values.push(value);
        }
    }
    values
}

fn summary(configurations: &[Configuration], axis: &str, value: Value) -> AxisValue {
    let group: Vec<&Configuration> = configurations
        .iter()
        .filter(|one| value_of(one, axis).is_some_and(|own| same_value(&own, &value)))
        .filter(|one| one.quality.is_some())
        .collect();
    let mean_of = |get: fn(&Configuration) -> Option<f64>| {
        let values: Vec<f64> = group.iter().filter_map(|one| get(one)).collect();
        mean(&values)
    };
    AxisValue {
        value,
        configurations: group.len() as u64,
        quality: mean_of(|one| one.quality.map(Score::get)).and_then(Score::new),
        hallucination_rate: mean_of(|one| one.hallucination_rate.map(Score::get)).and_then(Score::new),
        cost_per_entry_usd: mean_of(|one| one.cost_per_entry_usd.map(Finite::get)).and_then(Finite::new),
        median_latency_seconds: mean_of(|one| one.median_latency_seconds.map(Finite::get))
            .and_then(Finite::new),
        repeat_agreement: mean_of(|one| one.repeat_agreement.map(Score::get)).and_then(Score::new),
    }
}

/// Returns the configurations that no other one beats: at least as good and at most as dear, and one of both strictly.
/// A configuration whose quality or price is not known is on no front.
pub(super) fn pareto(
    configurations: &[Configuration],
    price: fn(&Configuration) -> Option<Finite>,
) -> Vec<String> {
    let points: Vec<(&Configuration, f64, f64)> = configurations
        .iter()
        .filter_map(|one| Some((one, one.quality?.get(), price(one)?.get())))
        .collect();
    let beaten = |quality: f64, price: f64| {
        points.iter().any(|(_, other_quality, other_price)| {
            *other_quality >= quality
                && *other_price <= price
                && (*other_quality > quality || *other_price < price)
        })
    };
    points
        .iter()
        .filter(|(_, quality, price)| !beaten(*quality, *price))
        .map(|(one, ..)| one.id.clone())
        .collect()
}

/// Returns the configurations with the lowest hallucination rate of all.
pub(super) fn fewest_hallucinations(configurations: &[Configuration]) -> Vec<String> {
    let rates = configurations.iter().filter_map(|one| one.hallucination_rate);
    let Some(lowest) = rates.map(Score::get).reduce(f64::min) else {
        return Vec::new();
    };
    let lowest = Score::new(lowest);
    configurations
        .iter()
        .filter(|one| one.hallucination_rate.is_some() && one.hallucination_rate == lowest)
        .map(|one| one.id.clone())
        .collect()
}

/// Returns the value of an axis at which repeats agree most, unless several share that place.
pub(super) fn most_consistent(axes: &[AxisSummary], axis: &str) -> Option<Value> {
    match axes
        .iter()
        .find(|summary| summary.axis == axis)?
        .steadiest()
        .as_slice()
    {
        [only] => Some((*only).clone()),
        _ => None,
    }
}

impl AxisSummary {
    /// Returns the values at which repeats agree most; none without repeats.
    pub fn steadiest(&self) -> Vec<&Value> {
        let agreements = self.values.iter().filter_map(|one| one.repeat_agreement);
        let highest = agreements.map(Score::get).reduce(f64::max).and_then(Score::new);
        self.values
            .iter()
            .filter(|one| highest.is_some() && one.repeat_agreement == highest)
            .map(|one| &one.value)
            .collect()
    }
}

/// Returns the heat map over the named axes, or over the two with the most values.
pub(super) fn heat_map(
    configurations: &[Configuration],
    axes: &[AxisSummary],
    named: Option<&(String, String)>,
) -> Result<Option<HeatMap>, MatrixError> {
    let find = |name: &str| {
        axes.iter()
            .find(|summary| summary.axis == name)
            .ok_or_else(|| MatrixError::NoAxis(name.to_owned()))
    };
    let (across, down) = if let Some((across, down)) = named {
        (find(across)?, find(down)?)
    } else {
        let mut varied: Vec<&AxisSummary> = axes.iter().filter(|axis| axis.values.len() > 1).collect();
        // Methods are an axis only where parameters give no map.
        varied.sort_by_key(|axis| (axis.axis == METHOD, std::cmp::Reverse(axis.values.len())));
        let [first, second, ..] = varied.as_slice() else {
            return Ok(None);
        };
        (*second, *first)
    };
    let cell = |row: &Value, column: &Value| {
        let fits = |one: &&Configuration, axis: &str, value: &Value| {
            value_of(one, axis).is_some_and(|own| same_value(&own, value))
        };
        let values: Vec<f64> = configurations
            .iter()
            .filter(|one| fits(one, &down.axis, row) && fits(one, &across.axis, column))
            .filter_map(|one| one.quality.map(Score::get))
            .collect();
        mean(&values).and_then(Score::new)
    };
    let columns: Vec<Value> = across.values.iter().map(|one| one.value.clone()).collect();
    let rows: Vec<Value> = down.values.iter().map(|one| one.value.clone()).collect();
    Ok(Some(HeatMap {
        across: across.axis.clone(),
        down: down.axis.clone(),
        cells: rows
            .iter()
            .map(|row| columns.iter().map(|column| cell(row, column)).collect())
            .collect(),
        columns,
        rows,
    }))
}
