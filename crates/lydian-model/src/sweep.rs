//! The plan of a sweep, `sweep.toml`: methods, axes, rules and repeats that make a matrix of runs (B §6).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Domain, NanoUsd, Segment};

mod expand;
mod file;
mod index;
mod problem;
mod read;
mod rules;

pub use expand::{Combination, MOST_RUNS};
pub use index::{INDEX_SCHEMA, IndexedRun, Shard, SweepIndex};
pub use problem::PlanProblem;

/// Schema name and version of a sweep plan.
pub const SCHEMA: &str = "lydian/sweep@1";

/// The axes of B §6.2, in the order in which they are varied; other parameters follow by name.
pub const AXES: [&str; 5] = [
    "model",
    "temperature",
    "prompt_version",
    "coaching_config",
    "tool_config",
];

/// A sweep as its author declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// Name of the sweep and of its folder.
    pub name: String,
    /// The corpus file, relative to the plan.
    pub corpus: String,
    /// Segments to run over; empty means every public one.
    pub segments: Vec<Segment>,
    /// Domains to run over; empty means every one.
    pub domains: Vec<Domain>,
    /// Most entries to run over.
    pub limit: Option<u64>,
    /// The metric that decides whether a method beats the baselines.
    pub metric: DecidingMetric,
    /// Seeds of the repeats; empty means that every combination is run once, without a seed.
    pub seeds: Vec<u32>,
    /// Most money for the whole sweep.
    pub budget: Option<NanoUsd>,
    /// Whether requests whose price is unknown may be sent although there is a budget.
    pub allow_unpriced: bool,
    /// How providers are reached.
    pub endpoint: EndpointPlan,
    /// The methods.
    pub methods: Vec<SweepMethod>,
    /// Combinations of the axes that are left out.
    pub exclude: Vec<Rule>,
    /// Combinations that are run besides those of the axes.
    pub include: Vec<Included>,
}

/// How the providers of a sweep are reached. Keys are references, never values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointPlan {
    /// Address of the provider, in place of the methods' own.
    pub base_url: Option<String>,
    /// Where the key is, `env:NAME` or `file:PATH`.
    pub key: Option<String>,
    /// Most requests at the same time, over all runs.
    pub concurrency: Option<usize>,
    /// Most requests a minute, over all runs.
    pub requests_per_minute: Option<f64>,
    /// The user's own prices, relative to the plan.
    pub prices: Option<String>,
    /// Folder of stored answers, relative to the plan.
    pub cache: Option<String>,
    /// How long a request is repeated while the provider is unavailable.
    pub patience_seconds: Option<u64>,
}

/// A method of a sweep with what is varied about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepMethod {
    /// Name of the method in this sweep.
    pub id: String,
    /// A built-in method, or a folder or manifest relative to the plan.
    pub method: String,
    /// Recorded outputs to take in the method's place, relative to the plan.
    pub predictions: Option<String>,
    /// What the method is there for.
    pub role: Role,
    /// What is varied, in the order in which it is varied.
    pub axes: Vec<Axis>,
    /// Parameters that are the same in all of its runs.
    pub parameters: BTreeMap<String, Value>,
    /// Whether the method is repeated with the sweep's seeds.
    pub repeated: bool,
}

/// What a method is there for (B §6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It maps what exists: the bar.
    Baseline,
    /// It claims to be better than the baselines.
    UnderTest,
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the parameter.
    pub name: String,
    /// Values, in the order of the plan.
    pub values: Vec<Value>,
}

/// A condition on combinations; all of its parts must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Methods concerned; empty means any.
    pub methods: Vec<String>,
    /// Values by parameter, any of which may hold.
    pub values: BTreeMap<String, Vec<Value>>,
}

/// A combination that stands outside the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Included {
    /// Index of its method.
    pub method: usize,
    /// Its parameters.
    pub coordinates: BTreeMap<String, Value>,
}

/// The metric by which baselines are ranked and the verdict is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidingMetric {
    /// Corpus chrF++.
    #[default]
    ChrfPlusPlus,
    /// The composite.
    Composite,
}

impl DecidingMetric {
    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChrfPlusPlus => "chrf_plus_plus",
            Self::Composite => "composite",
        }
    }

    /// Returns the name people know it by.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ChrfPlusPlus => "chrF++",
            Self::Composite => "composite",
        }
    }
}

impl Role {
    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::UnderTest => "under_test",
        }
    }
}

/// Says whether two parameter values are the same; 0 and 0.0 are (decision 23).
pub fn same_value(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.to_bits() == right.to_bits() || left - right == 0.0,
        _ => left == right,
    }
}

/// Returns a value as labels and tables show it.
pub fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
