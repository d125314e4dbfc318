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
    dataset_sha256: String,
    harness_version: String,
    model_slug: String,
    system_prompt_sha256: Sha256Hex,
    temperature: Option<Finite>,
    tools_enabled: Vec<String>,
}

#[derive(Serialize)]
struct SetupComponents<'setup> {
    base: FingerprintComponents,
    method_sha256: &'setup Sha256Hex,
    parameters: &'setup BTreeMap<String, Value>,
    seed: Option<u64>,
    endpoint: Option<&'setup str>,
    post_processing: &'setup [String],
    coaching_data_sha256: Option<&'setup Sha256Hex>,
    max_retries: Option<u32>,
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
    Sha256Hex::of_canonical(&SetupComponents {
        base: FingerprintComponents::of(setup),
        method_sha256: &setup.method.method_sha256,
        parameters: &setup.parameters,
        seed: setup.seed,
        endpoint: setup.endpoint.as_deref(),
        post_processing: &setup.post_processing,
        coaching_data_sha256: setup.coaching_data_sha256.as_ref(),
        max_retries: setup.max_retries,
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
