//! The run card: one self-contained document of a run's configuration and results (B §3).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Sha256Hex, canonical_bytes};
use crate::fingerprint;
use crate::run_setup::{MethodConfig, RunSetup, Selection};
use crate::{DependencyClass, Finite, MethodClass};

pub mod file_form;
pub mod read;
pub mod result;
pub mod scores;
pub mod totals;

pub use result::EntryResult;
pub use scores::{Scores, SubsetScores};
pub use totals::Totals;

/// Schema name and version of the run card.
pub const SCHEMA: &str = "lydian.run-card/1";

/// The sentence every card, report and page prints (B §1.1, decision 18).
pub const NOTICE: &str = "Automated metrics are proxies: they do not judge the quality of a translation, \
and only people who speak the language can confirm that it is usable.";

/// A run card. `run_card_hash` seals all other fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunCard {
    /// Schema name and version, [`SCHEMA`].
    pub schema: String,
    /// The sentence of B §1.1.
    pub notice: String,
    /// UUID v4.
    pub run_id: String,
    /// Version of the evaluation protocol.
    pub harness_version: String,
    /// RFC 3339 UTC time at which the run started.
    pub timestamp: String,
    /// Seconds of wall time; of a resumed run the sum of its active periods.
    pub elapsed_seconds: Finite,

    /// Identifier of the method.
    pub method_id: String,
    /// Name of the method for people.
    pub method_name: String,
    /// Kind of method (B §9.6).
    pub method_class: MethodClass,
    /// Derived dependency class (B §8.6).
    pub dependency_class: DependencyClass,
    /// Digest over the manifest and every file of the method.
    pub method_sha256: Sha256Hex,

    /// Model or engine.
    pub model_slug: String,
    /// Model identifier the provider resolved to; the first one seen.
    pub model_id: Option<String>,
    /// Experiment label.
    pub condition: String,
    /// Sampling temperature; null for methods without sampling.
    pub temperature: Option<Finite>,
    /// Digest of the system prompt.
    pub system_prompt_sha256: Sha256Hex,
    /// The whole system prompt.
    pub system_prompt_used: String,
    /// Digest of the coaching data.
    pub coaching_data_sha256: Option<Sha256Hex>,
    /// Version of the analyser.
    pub fst_version: Option<String>,
    /// Names of the tools offered to the model.
    pub tools_enabled: Vec<String>,
    /// Entries per request.
    pub batch_size: Option<u32>,
    /// Most repairs after a rejection.
    pub max_retries: Option<u32>,
    /// What the developer intended.
    pub method_config: MethodConfig,
    /// Every further parameter that can change the output.
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Seed, when the method takes one.
    pub seed: Option<u64>,
    /// Identity of the endpoint; never a key.
    pub endpoint: Option<String>,
    /// Names of post-processing steps.
    pub post_processing: Vec<String>,

    /// The corpus.
    pub dataset: DatasetReference,
    /// The entries that were chosen.
    pub selection: Selection,
    /// Quality, with its uncertainty.
    pub scores: Scores,
    /// Cost.
    pub totals: Totals,
    /// One result per selected entry, in corpus order.
    pub results: Vec<EntryResult>,

    /// Program, build and scorer.
    pub environment: Environment,
    /// Run this card was made from again (rescoring), if any.
    pub derived_from: Option<Sha256Hex>,
    /// Identity of the experimental setup in eight components.
    pub fingerprint: Sha256Hex,
    /// Identity of the setup in every component.
    pub setup_fingerprint: Sha256Hex,
    /// Digest of this card with this field empty.
    pub run_card_hash: String,
}

/// The corpus a card is about (B §3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetReference {
    /// Identifier.
    pub id: String,
    /// Version.
    pub version: String,
    /// Display label.
    pub language_pair: String,
    /// BCP 47 tag.
    pub source_language: String,
    /// BCP 47 tag.
    pub target_language: String,
    /// SPDX expression, if stated.
    pub license: Option<String>,
    /// Digest of the file's bytes.
    pub sha256: Sha256Hex,
    /// Entries evaluated.
    pub entry_count: u64,
    /// Entries in the file.
    pub file_entry_count: u64,
    /// Envelope fields that the file did not state, and where their value came from.
    pub values_from: BTreeMap<String, String>,
}

/// What computed the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Program name and version.
    pub program: String,
    /// Version of the scorer.
    pub scorer_version: String,
    /// Schema of the language card used, if any, and its digest.
    pub language_card: Option<String>,
}

/// What a run produced, from which with its setup a card is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Seconds of wall time.
    pub elapsed_seconds: Finite,
    /// Model identifier the provider resolved to.
    pub model_id: Option<String>,
    /// Quality.
    pub scores: Scores,
    /// Cost.
    pub totals: Totals,
    /// Results in corpus order.
    pub results: Vec<EntryResult>,
    /// What computed them.
    pub environment: Environment,
}

impl RunCard {
    /// Returns the sealed card of a run: a pure function of its setup and what was measured.
    pub fn new(setup: &RunSetup, measured: Measured) -> Self {
        let setup_clone = setup.clone();
        let mut card = Self {
            schema: SCHEMA.to_owned(),
            notice: NOTICE.to_owned(),
            run_id: setup_clone.run_id,
            harness_version: setup_clone.harness_version,
            timestamp: setup_clone.timestamp,
            elapsed_seconds: measured.elapsed_seconds,
            method_id: setup_clone.method.method_id,
            method_name: setup_clone.method.name,
            method_class: setup_clone.method.method_class,
            dependency_class: setup_clone.method.dependency_class,
            method_sha256: setup_clone.method.method_sha256,
            model_slug: setup_clone.model_slug,
            model_id: measured.model_id,
            condition: setup_clone.condition,
            temperature: setup_clone.temperature,
            system_prompt_sha256: Sha256Hex::of(setup_clone.system_prompt_used.as_bytes()),
            system_prompt_used: setup_clone.system_prompt_used,
            coaching_data_sha256: setup_clone.coaching_data_sha256,
            fst_version: setup_clone.fst_version,
            tools_enabled: setup_clone.tools_enabled,
            batch_size: setup_clone.batch_size,
            max_retries: setup_clone.max_retries,
            method_config: setup_clone.method_config,
            parameters: setup_clone.parameters,
            seed: setup_clone.seed,
            endpoint: setup_clone.endpoint,
            post_processing: setup_clone.post_processing,
            dataset: DatasetReference {
                id: setup_clone.dataset.id,
                version: setup_clone.dataset.version,
                language_pair: setup_clone.dataset.language_pair,
                source_language: setup_clone.dataset.source_language,
                target_language: setup_clone.dataset.target_language,
                license: setup_clone.dataset.license,
                sha256: setup_clone.dataset.sha256,
                entry_count: setup_clone.selection.entry_ids.len() as u64,
                file_entry_count: setup_clone.dataset.file_entry_count,
                values_from: setup_clone.dataset.values_from,
            },
            selection: setup_clone.selection,
            scores: measured.scores,
            totals: measured.totals,
            results: measured.results,
            environment: measured.environment,
            derived_from: None,
            fingerprint: fingerprint::fingerprint(setup),
            setup_fingerprint: fingerprint::setup_fingerprint(setup),
            run_card_hash: String::new(),
        };
        card.seal();
        card
    }

    /// Sets `run_card_hash` to the digest of the rest of the card (B §3.9).
    pub fn seal(&mut self) {
        self.run_card_hash = self.computed_hash().to_string();
    }

    /// Returns the digest of the card with `run_card_hash` empty.
    pub fn computed_hash(&self) -> Sha256Hex {
        Sha256Hex::of_canonical(&Self {
            run_card_hash: String::new(),
            ..self.clone()
        })
    }

    /// Returns the bytes of `run-card.json`: canonical JSON and a line feed (decision 24).
    pub fn file_bytes(&self) -> Vec<u8> {
        let mut bytes = canonical_bytes(self);
        bytes.push(b'\n');
        bytes
    }
}
