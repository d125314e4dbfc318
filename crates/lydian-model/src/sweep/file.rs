//! The plan's form in TOML, with the places of what can be wrong.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A table whose keys and values keep their places.
pub(super) type Table = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// A whole plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) schema: Spanned<String>,
    pub(super) name: Spanned<String>,
    pub(super) corpus: Spanned<String>,
    #[serde(default)]
    pub(super) segments: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) domains: Vec<Spanned<String>>,
    pub(super) limit: Option<Spanned<u64>>,
    pub(super) metric: Option<Spanned<String>>,
    pub(super) repeats: Option<Spanned<u32>>,
    pub(super) seeds: Option<Spanned<Vec<Spanned<u32>>>>,
    pub(super) budget_usd: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) allow_unpriced: bool,
    #[serde(default)]
    pub(super) endpoint: Endpoint,
    #[serde(default)]
    pub(super) axes: Table,
    #[serde(default, rename = "method")]
    pub(super) methods: Vec<Spanned<Method>>,
    #[serde(default)]
    pub(super) exclude: Vec<Spanned<Table>>,
    #[serde(default)]
    pub(super) include: Vec<Spanned<Table>>,
}

/// How providers are reached.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Endpoint {
    pub(super) base_url: Option<Spanned<String>>,
    pub(super) key: Option<Spanned<String>>,
    pub(super) concurrency: Option<Spanned<usize>>,
    pub(super) requests_per_minute: Option<Spanned<f64>>,
    pub(super) prices: Option<String>,
    pub(super) cache: Option<String>,
    pub(super) patience_seconds: Option<Spanned<u64>>,
}

/// One method.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Method {
    pub(super) id: Spanned<String>,
    #[serde(rename = "method")]
    pub(super) path: Spanned<String>,
    pub(super) predictions: Option<String>,
    pub(super) role: Option<Spanned<String>>,
    #[serde(default = "yes")]
    pub(super) shared_axes: bool,
    #[serde(default)]
    pub(super) axes: Table,
    #[serde(default)]
    pub(super) parameters: Table,
}

const fn yes() -> bool {
    true
}
