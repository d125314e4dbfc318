//! From axes and rules to the list of runs, always in the same order.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Axis, SweepMethod, SweepPlan, same_value, shown_value};
use crate::canonical_bytes;

/// Most runs of one sweep; more means that an axis was multiplied by mistake.
pub const MOST_RUNS: usize = 100_000;

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// Index of its method in the plan.
    pub method: usize,
    /// Value of every axis, by parameter.
    pub coordinates: BTreeMap<String, Value>,
    /// Seed, if the run is one of several repeats.
    pub seed: Option<u32>,
}

impl Combination {
    /// Returns the coordinates and the seed as one line, such as `model=m temperature=0.3 seed=2`.
    pub fn label(&self) -> String {
        let mut names: Vec<&String> = self.coordinates.keys().collect();
        names.sort_by_key(|name| axis_rank(name));
        let mut parts: Vec<String> = names
            .iter()
            .map(|name| format!("{name}={}", shown_value(&self.coordinates[*name])))
            .collect();
        parts.extend(self.seed.map(|seed| format!("seed={seed}")));
        parts.join(" ")
    }
}

impl SweepPlan {
    /// Returns every run, in the order of the plan: methods, then axes with the last one varying fastest, then what is
    /// included, each with every seed. A combination that is named twice is run once.
    pub fn combinations(&self) -> Vec<Combination> {
        let mut list = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (index, method) in self.methods.iter().enumerate() {
            let of_axes = product(&method.axes).into_iter().filter(|coordinates| {
                !self
                    .exclude
                    .iter()
                    .any(|rule| rule.covers(&method.id, coordinates))
            });
            let included = self
                .include
                .iter()
                .filter(|included| included.method == index)
                .map(|included| included.coordinates.clone());
            for coordinates in of_axes.chain(included) {
                if seen.insert((index, canonical_bytes(&coordinates))) {
                    list.extend(self.seeds_of(method).into_iter().map(|seed| Combination {
                        method: index,
                        coordinates: coordinates.clone(),
                        seed,
                    }));
                }
            }
        }
        list
    }

    fn seeds_of(&self, method: &SweepMethod) -> Vec<Option<u32>> {
        if method.repeated && !self.seeds.is_empty() {
            self.seeds.iter().copied().map(Some).collect()
        } else {
            vec![None]
        }
    }

    /// Returns how many runs the axes alone would make; `None` if it is beyond counting.
    pub(super) fn size(&self) -> Option<usize> {
        let mut all = self.include.len().checked_mul(self.seeds.len().max(1))?;
        for method in &self.methods {
            let mut runs = if method.repeated {
                self.seeds.len().max(1)
            } else {
                1
            };
            for axis in &method.axes {
                runs = runs.checked_mul(axis.values.len())?;
            }
            all = all.checked_add(runs)?;
        }
        Some(all)
    }
}

/// Returns where an axis stands in the order of variation.
pub(super) fn axis_rank(name: &str) -> (usize, String) {
    let place = super::AXES.iter().position(|axis| *axis == name);
    (place.unwrap_or(super::AXES.len()), name.to_owned())
}

fn product(axes: &[Axis]) -> Vec<BTreeMap<String, Value>> {
    axes.iter().fold(vec![BTreeMap::new()], |combinations, axis| {
        combinations
            .iter()
            .flat_map(|combination| {
                axis.values.iter().map(|value| {
                    let mut longer = combination.clone();
                    longer.insert(axis.name.clone(), value.clone());
                    longer
                })
            })
            .collect()
    })
}

impl super::Rule {
    /// Says whether the rule covers a combination. A parameter that the combination does not have matches nothing.
    pub fn covers(&self, method: &str, coordinates: &BTreeMap<String, Value>) -> bool {
        let of_method = self.methods.is_empty() || self.methods.iter().any(|id| id == method);
        of_method
            && self.values.iter().all(|(name, values)| {
                coordinates
                    .get(name)
                    .is_some_and(|value| values.iter().any(|wanted| same_value(wanted, value)))
            })
    }
}
