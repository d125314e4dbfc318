//! Run cards for tests, made the way real ones are: scored, then sealed.

use std::collections::BTreeMap;

use lydian_model::run_card::{Environment, Measured};
use lydian_model::run_setup::{DatasetIdentity, HARNESS_VERSION, MethodConfig, MethodIdentity, Selection};
use lydian_model::{
    DependencyClass, Entry, EntryId, Finite, MethodClass, Prediction, RunCard, RunSetup, Sha256Hex,
};
use lydian_scoring::{ScoringContext, score};

/// Returns a card over `(source, reference, output)` rows; an output of `None` is a failed entry.
pub(crate) fn card(method: &str, rows: &[(&str, &str, Option<&str>)]) -> RunCard {
    let entries: Vec<Entry> = rows
        .iter()
        .enumerate()
        .map(|(index, (source, reference, _))| {
            Entry::new(EntryId::text(format!("e{index}")), *source, *reference)
        })
        .collect();
    let predictions: BTreeMap<EntryId, Prediction> = entries
        .iter()
        .zip(rows)
        .map(|(entry, (_, _, output))| {
            let prediction = match output {
                Some(output) => Prediction::of_text(entry.id.clone(), *output),
                None => Prediction::failed(entry.id.clone(), "provider answered 500"),
            };
            (entry.id.clone(), prediction)
        })
        .collect();
    let selected: Vec<&Entry> = entries.iter().collect();
    let scored = score(&selected, &predictions, &ScoringContext::default()).unwrap();
    RunCard::new(
        &setup(method, &entries),
        Measured {
            elapsed_seconds: Finite::new(1.5).unwrap(),
            model_id: None,
            scores: scored.scores,
            totals: scored.totals,
            results: scored.results,
            environment: Environment {
                program: "lydian 0".into(),
                scorer_version: "0".into(),
                language_card: None,
            },
        },
    )
}

fn setup(method: &str, entries: &[Entry]) -> RunSetup {
    RunSetup {
        run_id: "00000000-0000-4000-8000-000000000000".into(),
        harness_version: HARNESS_VERSION.into(),
        timestamp: "2026-01-01T00:00:00Z".into(),
        method: MethodIdentity {
            method_id: method.into(),
            name: method.into(),
            method_class: MethodClass::CustomPlugin,
            dependency_class: DependencyClass::S,
            method_sha256: Sha256Hex::of(method.as_bytes()),
        },
        model_slug: method.into(),
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
            id: "sample".into(),
            version: "1.0.0".into(),
            language_pair: "EN→AR".into(),
            source_language: "en".into(),
            target_language: "ar".into(),
            license: None,
            sha256: Sha256Hex::of(b"sample"),
            file_entry_count: entries.len() as u64,
            values_from: BTreeMap::new(),
        },
        selection: Selection {
            entry_ids: entries.iter().map(|entry| entry.id.clone()).collect(),
            complete: true,
            ..Selection::default()
        },
    }
}
