//! The list of a sweep's runs, `sweep.json`: which card belongs to which point of the parameter space.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DecidingMetric, Role};
use crate::{NanoUsd, Sha256Hex};

/// Schema name and version of the list.
pub const INDEX_SCHEMA: &str = "lydian.sweep/1";

/// Digits of the setup fingerprint that name a run and its folder.
const ID_DIGITS: usize = 16;

/// The runs of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepIndex {
    /// Schema name and version.
    pub schema: String,
    /// Name of the sweep.
    pub name: String,
    /// Digest of the plan's text.
    pub plan_sha256: Sha256Hex,
    /// Version of the evaluation protocol.
    pub harness_version: String,
    /// The metric that decides.
    pub metric: DecidingMetric,
    /// Digest of the corpus file.
    pub dataset_sha256: Sha256Hex,
    /// Budget of the whole sweep.
    pub budget_usd: Option<NanoUsd>,
    /// The part that is run in this folder; null for all.
    pub shard: Option<Shard>,
    /// Every run of the plan, in its order.
    pub runs: Vec<IndexedRun>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexedRun {
    /// Start of the setup fingerprint; names the run's folder.
    pub id: String,
    /// Identity of the run (decision 23).
    pub setup_fingerprint: Sha256Hex,
    /// Name of the method in the plan.
    pub method: String,
    /// What the method is there for.
    pub role: Role,
    /// Value of every axis.
    pub coordinates: BTreeMap<String, Value>,
    /// Seed, if it is one of several repeats.
    pub seed: Option<u32>,
    /// Coordinates and seed as one line.
    pub label: String,
}

/// One of several parts of a sweep, `2/3` for the second of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Number of the part, from 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

impl IndexedRun {
    /// Returns the name of the run with this identity.
    pub fn id_of(setup_fingerprint: &Sha256Hex) -> String {
        setup_fingerprint.as_str().chars().take(ID_DIGITS).collect()
    }

    /// Returns method and coordinates as one line.
    pub fn title(&self) -> String {
        format!("{} {}", self.method, self.label).trim().to_owned()
    }
}

impl Shard {
    /// Says whether the run with this place in the plan belongs to the part. Runs are dealt out in turn, so that every part
    /// gets some of every method.
    pub const fn holds(self, place: usize) -> bool {
        place as u64 % self.of as u64 == self.number as u64 - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected i/n, such as 2/3 for the second of three parts";
        let (number, of) = text.split_once('/').ok_or(EXPECTED)?;
        match (number.trim().parse(), of.trim().parse()) {
            (Ok(number), Ok(of)) if number >= 1 && number <= of => Ok(Self { number, of }),
            _ => Err(EXPECTED),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_run_once() {
        let shards: Vec<Shard> = (1..=3).map(|number| Shard { number, of: 3 }).collect();
        for place in 0..10 {
            let holders = shards.iter().filter(|shard| shard.holds(place)).count();
            assert_eq!(holders, 1, "run {place}");
        }
    }

    #[test]
    fn a_shard_is_written_as_a_fraction() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for wrong in ["", "2", "0/3", "4/3", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
