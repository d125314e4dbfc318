//! Identity of an experimental setup (B §3.8, decision 23).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::canonical::{Sha256Hex, canonical_bytes};
use crate::run_setup::RunSetup;
use crate::{EntryId, Finite};

/// The eight components of B §3.8 under their names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FingerprintComponents {
    batch_size: u32,
    condition: String,
    #[serde(rename = "dataset.sha256")]
    dataset_sha256: String,
    harness_version: String,
    model_slug: String,
    system_prompt_sha256: Sha256Hex,
    temperature: Option<Finite>,
    tools_enabled: Vec<String>,
}

/// The same eight, and everything else that can change an output.
#[derive(Serialize)]
struct SetupComponents<'setup> {
    batch_size: u32,
    coaching_data_sha256: Option<&'setup Sha256Hex>,
    condition: &'setup str,
    #[serde(rename = "dataset.sha256")]
    dataset_sha256: String,
    endpoint: Option<&'setup str>,
    fst_version: Option<&'setup str>,
    harness_version: &'setup str,
    max_retries: Option<u32>,
    method_sha256: &'setup Sha256Hex,
    model_slug: &'setup str,
    parameters: &'setup BTreeMap<String, Value>,
    post_processing: &'setup [String],
    seed: Option<u64>,
    system_prompt_sha256: Sha256Hex,
    temperature: Option<Finite>,
    tools_enabled: Vec<String>,
}

impl FingerprintComponents {
    /// Returns the components of a setup.
    pub fn of(setup: &RunSetup) -> Self {
        let mut tools_enabled = setup.tools_enabled.clone();
        tools_enabled.sort_unstable();
        Self {
            batch_size: setup.batch_size.unwrap_or(1),
            condition: setup.condition.clone(),
            dataset_sha256: dataset_component(setup),
            harness_version: setup.harness_version.clone(),
            model_slug: setup.model_slug.clone(),
            system_prompt_sha256: Sha256Hex::of(setup.system_prompt_used.as_bytes()),
            temperature: setup.temperature,
            tools_enabled,
        }
    }

    /// Returns the canonical bytes that are hashed.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        canonical_bytes(self)
    }

    /// Returns the fingerprint.
    pub fn fingerprint(&self) -> Sha256Hex {
        Sha256Hex::of(&self.canonical_bytes())
    }
}

/// Returns the `fingerprint` of a setup.
pub fn fingerprint(setup: &RunSetup) -> Sha256Hex {
    FingerprintComponents::of(setup).fingerprint()
}

/// Returns the `setup_fingerprint`: the eight components and everything else that can change an output.
pub fn setup_fingerprint(setup: &RunSetup) -> Sha256Hex {
    let base = FingerprintComponents::of(setup);
    Sha256Hex::of_canonical(&SetupComponents {
        batch_size: base.batch_size,
        coaching_data_sha256: setup.coaching_data_sha256.as_ref(),
        condition: &setup.condition,
        dataset_sha256: base.dataset_sha256,
        endpoint: setup.endpoint.as_deref(),
        fst_version: setup.fst_version.as_deref(),
        harness_version: &setup.harness_version,
        max_retries: setup.max_retries,
        method_sha256: &setup.method.method_sha256,
        model_slug: &setup.model_slug,
        parameters: &setup.parameters,
        post_processing: &setup.post_processing,
        seed: setup.seed,
        system_prompt_sha256: base.system_prompt_sha256,
        temperature: setup.temperature,
        tools_enabled: base.tools_enabled,
    })
}

/// Returns the digest of the list of selected ids, in corpus order, as strings.
pub fn selection_sha256(ids: &[EntryId]) -> Sha256Hex {
    let texts: Vec<&str> = ids.iter().map(EntryId::as_str).collect();
    Sha256Hex::of_canonical(&texts)
}

fn dataset_component(setup: &RunSetup) -> String {
    if setup.selection.complete {
        setup.dataset.sha256.to_string()
    } else {
        let selection = selection_sha256(&setup.selection.entry_ids);
        Sha256Hex::of(format!("{}:{selection}", setup.dataset.sha256).as_bytes()).to_string()
    }
}
