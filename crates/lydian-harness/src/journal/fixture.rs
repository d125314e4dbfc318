//! A run setup for tests.

use std::collections::BTreeMap;
use std::path::Path;

use lydian_model::run_setup::{
    DatasetIdentity, HARNESS_VERSION, MethodConfig, MethodIdentity, RunSetup, Selection,
};
use lydian_model::{DependencyClass, EntryId, MethodClass, Sha256Hex};
use serde_json::{Map, Value};

use super::{Execution, Journal, JournalError, NewRun};

/// Returns an entry id.
pub(crate) fn id(number: i64) -> EntryId {
    EntryId::integer(number)
}

pub(crate) fn setup(entries: i64) -> RunSetup {
    RunSetup {
        run_id: "00000000-0000-4000-8000-000000000000".into(),
        harness_version: HARNESS_VERSION.into(),
        timestamp: "2026-11-30T12:00:00Z".into(),
        method: MethodIdentity {
            method_id: "copy".into(),
            name: "Copy".into(),
            method_class: MethodClass::CustomPlugin,
            dependency_class: DependencyClass::S,
            method_sha256: Sha256Hex::of(b"method"),
        },
        model_slug: "copy".into(),
        condition: "baseline".into(),
        temperature: None,
        system_prompt_used: String::new(),
        coaching_data_sha256: None,
        fst_version: None,
        tools_enabled: Vec::new(),
        batch_size: None,
        max_retries: None,
        method_config: MethodConfig::default(),
        parameters: BTreeMap::new(),
        seed: None,
        endpoint: None,
        post_processing: Vec::new(),
        dataset: DatasetIdentity {
            id: "d".into(),
            version: "1.0.0".into(),
            language_pair: "pt→gl".into(),
            source_language: "pt".into(),
            target_language: "gl".into(),
            license: None,
            sha256: Sha256Hex::of(b"corpus"),
            file_entry_count: 3,
            values_from: BTreeMap::new(),
        },
        selection: Selection {
            entry_ids: (1..=entries).map(id).collect(),
            complete: true,
            ..Selection::default()
        },
    }
}

pub(crate) fn create(folder: &Path, entries: i64) -> Result<Journal, JournalError> {
    let inputs = Map::from_iter([("corpus".to_owned(), Value::from("corpus.json"))]);
    let run = NewRun {
        setup: &setup(entries),
        inputs: &inputs,
    };
    Journal::create(folder, run, execution())
}

pub(crate) fn execution() -> Execution {
    Execution {
        began: "2026-11-30T12:00:00Z".into(),
        program: "lydian 0.0.0".into(),
    }
}
