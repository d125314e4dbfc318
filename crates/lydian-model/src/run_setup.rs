//! Everything about a run that is fixed before its first entry.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DependencyClass, EntryId, Finite, MethodClass, Segment, Sha256Hex};

/// Version of the evaluation protocol; raised only when outputs can change (decision 23).
pub const HARNESS_VERSION: &str = "1.0";

/// The experimental setup of a run; the first record of its journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSetup {
    /// UUID v4.
    pub run_id: String,
    /// Protocol version, [`HARNESS_VERSION`].
    pub harness_version: String,
    /// RFC 3339 UTC time at which the run started.
    pub timestamp: String,
    /// The method.
    pub method: MethodIdentity,
    /// Model or engine.
    pub model_slug: String,
    /// Experiment label.
    pub condition: String,
    /// Sampling temperature; null for methods without sampling.
    pub temperature: Option<Finite>,
    /// The whole system prompt; empty for methods without one.
    pub system_prompt_used: String,
    /// Digest of the coaching data.
    pub coaching_data_sha256: Option<Sha256Hex>,
    /// Version of the analyser the method uses.
    pub fst_version: Option<String>,
    /// Names of the tools offered to the model.
    pub tools_enabled: Vec<String>,
    /// Entries per request.
    pub batch_size: Option<u32>,
    /// Most repairs after a rejection.
    pub max_retries: Option<u32>,
    /// What the developer intended, in eight fields.
    pub method_config: MethodConfig,
    /// Every further parameter that can change the output.
    pub parameters: BTreeMap<String, Value>,
    /// Seed, when the method takes one.
    pub seed: Option<u64>,
    /// Identity of the endpoint, such as `https://host/v1`; never a key.
    pub endpoint: Option<String>,
    /// Names of post-processing steps.
    pub post_processing: Vec<String>,
    /// The corpus.
    pub dataset: DatasetIdentity,
    /// The entries that were chosen.
    pub selection: Selection,
}

/// Who the method is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodIdentity {
    /// Identifier of the manifest.
    pub method_id: String,
    /// Name for people.
    pub name: String,
    /// Kind of method.
    pub method_class: MethodClass,
    /// Derived dependency class.
    pub dependency_class: DependencyClass,
    /// Digest over the manifest and every file of the method.
    pub method_sha256: Sha256Hex,
}

/// The canonical configuration in eight fields (B §3.2), from which a method folder can be made again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MethodConfig {
    /// Model or engine.
    pub model: Option<String>,
    /// Sampling temperature.
    pub temperature: Option<Finite>,
    /// Entries per request.
    pub batch_size: Option<u32>,
    /// Register asked for.
    pub register: Option<String>,
    /// Coaching file.
    pub coaching_file: Option<String>,
    /// Coaching text of the prompt.
    pub coaching_prompt: Option<String>,
    /// Context text of the prompt.
    pub prompt_context: Option<String>,
    /// Tier the developer aims at.
    pub quality_tier: Option<String>,
}

/// Which corpus a run used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetIdentity {
    /// Identifier.
    pub id: String,
    /// Semantic version.
    pub version: String,
    /// Display label.
    pub language_pair: String,
    /// BCP 47 tag.
    pub source_language: String,
    /// BCP 47 tag.
    pub target_language: String,
    /// SPDX expression, if stated.
    pub license: Option<String>,
    /// Digest of the file's bytes (decision 26).
    pub sha256: Sha256Hex,
    /// Entries in the file.
    pub file_entry_count: u64,
    /// Envelope fields that the file did not state, and where their value came from (`flag`, `file name`, `default`).
    pub values_from: BTreeMap<String, String>,
}

/// Which entries of the corpus a run covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Segments asked for; empty means all public ones.
    pub segments: Vec<Segment>,
    /// Domain codes asked for.
    pub domains: Vec<String>,
    /// Whether ids were asked for by name.
    pub by_id: bool,
    /// Most entries asked for.
    pub limit: Option<u64>,
    /// Entries left out because the method uses them as examples.
    pub excluded: Vec<EntryId>,
    /// The selected ids in corpus order.
    pub entry_ids: Vec<EntryId>,
    /// Whether every entry of the file is selected.
    pub complete: bool,
}
