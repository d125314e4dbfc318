//! Whole methods from their folder, against the fake provider.

use crate::log::{TestLog, connect, serve, settings};
use lydian_harness::checker::Checker;
use lydian_harness::endpoint::EndpointSettings;
use lydian_harness::fake_provider::FakeProvider;
use lydian_harness::price::{Price, PriceTable};
use lydian_harness::provider_method::{ConnectedMethod, MethodError, MethodRun, ProviderMethod};
use lydian_harness::translator::{Stop, Translator};
use lydian_harness::transport::HttpTransport;
use lydian_model::prediction::CostSource;
use lydian_model::{EntryId, MethodManifest, NanoUsd, Outcome, Prediction, SourceEntry};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

fn manifest(parameters: &Value, checks: &Value) -> MethodManifest {
    let entry_point =
        json!({"type": "provider", "provider": "openai", "key": "env:LYDIAN_API_KEY", "checks": checks});
    serde_json::from_value(json!({"name": "n", "method_id": "m", "class": "pipeline",
        "entry_point": entry_point, "parameters": parameters}))
    .unwrap()
}

fn no_analyser(_: Option<&Path>) -> Result<Box<dyn Checker>, String> {
    Err("no analyser here".into())
}

fn load(manifest: &MethodManifest, folder: &Path, base_url: &str) -> Result<ProviderMethod, MethodError> {
    let run = MethodRun {
        source_language: "en".into(),
        target_language: "crk".into(),
        base_url: Some(base_url.to_owned()),
        ..MethodRun::default()
    };
    ProviderMethod::load(manifest, folder, &run, &no_analyser)
}

fn connected(
    server: &FakeProvider,
    manifest: &MethodManifest,
    folder: &Path,
    price: Option<Price>,
) -> ConnectedMethod<HttpTransport> {
    let method = load(manifest, folder, &server.base_url()).unwrap();
    let endpoint = EndpointSettings {
        price,
        ..settings(method.kind(), method.endpoint(), 4)
    };
    method.connect(Arc::new(connect(endpoint)))
}

fn entry(id: i64, source: &str) -> SourceEntry {
    SourceEntry {
        id: EntryId::integer(id),
        source: source.into(),
        context: None,
        register: None,
        domain: None,
        prompt: None,
        options: Vec::new(),
    }
}

async fn translate<T: Translator>(method: &T, entries: &[SourceEntry]) -> Result<Vec<Prediction>, Stop> {
    method.translate(entries, &TestLog::default()).await
}

fn price() -> Option<Price> {
    let text = "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m\"\ninput = \"1\"\noutput = \"2\"\n";
    PriceTable::user(text).unwrap().price("http://h", "m").cloned()
}

#[tokio::test]
async fn a_plain_call_becomes_a_prediction() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve("[answers]\n\"dog\" = [\" atim\\n\"]\n").await;
    let method = connected(
        &server,
        &manifest(&json!({"model": "m-ok"}), &json!([])),
        folder.path(),
        price(),
    );
    let predictions = translate(&method, &[entry(1, "dog")]).await.unwrap();
    let one = &predictions[0];
    assert_eq!((one.outcome, one.output.as_str()), (Outcome::Ok, "atim"));
    assert_eq!(one.raw_output.as_deref(), Some(" atim\n"));
    assert_eq!(
        (one.attempts, one.request_number, one.cached),
        (1, Some(1), false)
    );
    assert_eq!(one.cost_usd.unwrap().nanos(), server.stats().charged_nano_usd);
    assert_eq!(one.cost_source, CostSource::User);
    assert!(one.steps.is_empty() && one.latency_seconds.is_some());
}

#[tokio::test]
async fn outcomes_reach_the_prediction() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve("[[rule]]\ncontains = \"poison\"\nbehaviour = \"html\"\n").await;
    for (model, outcome, output) in [
        ("m-len", Outcome::Truncated, "eht"),
        ("m-reasonout", Outcome::Truncated, ""),
        ("m-filter", Outcome::Filtered, ""),
        ("m-refusal", Outcome::Refused, ""),
        ("m-empty", Outcome::Empty, ""),
    ] {
        let method = connected(
            &server,
            &manifest(&json!({"model": model}), &json!([])),
            folder.path(),
            None,
        );
        let one = translate(&method, &[entry(1, "the ab")]).await.unwrap().remove(0);
        assert_eq!((one.outcome, one.output.as_str()), (outcome, output), "{model}");
        assert_eq!(
            one.error.is_some(),
            outcome != Outcome::Empty,
            "{model}: {:?}",
            one.error
        );
        assert_eq!((one.cost_usd, one.cost_source), (None, CostSource::None));
    }
    let method = connected(
        &server,
        &manifest(&json!({"model": "m-ok"}), &json!([])),
        folder.path(),
        None,
    );
    let failed = translate(&method, &[entry(1, "poison")]).await.unwrap().remove(0);
    assert_eq!((failed.outcome, failed.attempts), (Outcome::Failed, 3));
    assert!(failed.error.unwrap().starts_with("bad_response"));
}

#[tokio::test]
async fn a_rejected_word_goes_back_to_the_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("terms.tsv"), "dog\tatim\n").unwrap();
    let server = serve("[answers]\n\"the dog\" = [\"atimm\", \"x\", \"atim\", \"never asked\"]\n").await;
    let checks = json!([{"type": "glossary", "file": "terms.tsv"}, {"type": "length", "min_ratio": 0.1}]);
    let parameters = json!({"model": "m-ok", "max_retries": 3});
    std::fs::write(folder.path().join("terms.tsv"), "dog\tatim \n").unwrap();
    let method = connected(&server, &manifest(&parameters, &checks), folder.path(), price());
    let one = translate(&method, &[entry(1, "the dog")])
        .await
        .unwrap()
        .remove(0);
    assert_eq!((one.outcome, one.output.as_str()), (Outcome::Ok, "atimm"));
    let script = json!([{"type": "command", "command": ["sh", "-c",
        "while read -r l; do case \"$l\" in *'\"atim\"'*) echo '{\"ok\":true}';; *) echo '{\"ok\":false,\"rejected\":[\"w\"]}';; esac; done"]}]);
    let method = connected(&server, &manifest(&parameters, &script), folder.path(), price());
    let before = server.stats();
    let one = translate(&method, &[entry(1, "the dog")])
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        (one.output.as_str(), one.attempts, one.request_number),
        ("atim", 3, Some(3))
    );
    let steps: Vec<(&str, bool)> = one
        .steps
        .iter()
        .map(|step| (step.name.as_str(), step.ok))
        .collect();
    let expected = [
        ("translate", true),
        ("check command", false),
        ("repair", true),
        ("check command", false),
        ("repair", true),
        ("check command", true),
    ];
    assert_eq!(steps, expected);
    assert_eq!(
        one.cost_usd.unwrap().nanos(),
        server.stats().charged_nano_usd - before.charged_nano_usd
    );
    let known: NanoUsd = one.steps.iter().filter_map(|step| step.cost_usd).sum();
    assert_eq!(one.cost_usd, Some(known));
}

#[tokio::test]
async fn without_retries_a_rejected_answer_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve("[answers]\n\"dog\" = [\"собака\"]\n").await;
    let checks = json!([{"type": "script", "scripts": ["Latn"]}]);
    let method = connected(
        &server,
        &manifest(&json!({"model": "m-ok"}), &checks),
        folder.path(),
        None,
    );
    let one = translate(&method, &[entry(1, "dog")]).await.unwrap().remove(0);
    assert_eq!((one.output.as_str(), server.stats().requests), ("собака", 1));
    let step = &one.steps[1];
    assert_eq!(
        (step.ok, step.detail.as_deref()),
        (false, Some("собака Write in the Latin script only."))
    );
}

#[tokio::test]
async fn a_model_looks_words_up() {
    let folder = tempfile::tempdir().unwrap();
    for part in ["coaching", "tools"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    let dictionary = "[[dictionary]]\nterm = \"dog\"\ntranslations = [\"atim\"]\n";
    std::fs::write(folder.path().join("coaching/default.toml"), dictionary).unwrap();
    std::fs::write(
        folder.path().join("tools/default.toml"),
        "[[tool]]\ntype = \"dictionary\"\n",
    )
    .unwrap();
    let server = serve("[answers]\n\"the dog\" = [\"atim\"]\n").await;
    let method = connected(
        &server,
        &manifest(&json!({"model": "m-tool"}), &json!([])),
        folder.path(),
        None,
    );
    assert_eq!(method.method().tools_enabled(), ["dictionary"]);
    let one = translate(&method, &[entry(1, "the dog")])
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        (one.output.as_str(), one.tool_call_count, one.attempts),
        ("atim", 1, 2)
    );
    assert_eq!(
        one.steps[0].detail.as_deref(),
        Some("dictionary({\"word\":\"dog\"})")
    );
}

/// Case 22: whatever the model does to a batch, every entry ends up with its own translation.
#[tokio::test]
async fn broken_batches_fall_back_to_single_calls() {
    let entries: Vec<SourceEntry> = ["ab", "cd", "ef"]
        .iter()
        .zip(1..)
        .map(|(text, id)| entry(id, text))
        .collect();
    for (model, requests, batched) in [
        ("m-ok", 1, 3),
        ("m-batchshift", 4, 0),
        ("m-batchskip", 2, 2),
        ("m-batchswap", 1, 3),
        ("m-batchtext", 4, 0),
        ("m-len", 4, 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = serve("").await;
        let parameters = json!({"model": model, "batch_size": 3});
        let method = connected(
            &server,
            &manifest(&parameters, &json!([])),
            folder.path(),
            price(),
        );
        assert_eq!(method.batch_size(), 3);
        let predictions = translate(&method, &entries).await.unwrap();
        let outputs: Vec<&str> = predictions.iter().map(|one| one.output.as_str()).collect();
        let expected = match model {
            "m-len" => ["b", "d", "f"],
            _ => ["ba", "dc", "fe"],
        };
        assert_eq!(outputs, expected, "{model}");
        assert_eq!(
            predictions.iter().filter(|one| one.batch_size == 3).count(),
            batched,
            "{model}"
        );
        assert_eq!(server.stats().requests, requests, "{model}");
        let cost: NanoUsd = predictions.iter().filter_map(|one| one.cost_usd).sum();
        assert_eq!(cost.nanos(), server.stats().charged_nano_usd, "{model}");
    }
}

#[tokio::test]
async fn examples_are_turns_and_declared() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("coaching")).unwrap();
    let coaching = "[[example]]\nsource = \"cat\"\ntarget = \"minôs\"\nentry_id = 7\n";
    std::fs::write(folder.path().join("coaching/v1.toml"), coaching).unwrap();
    let manifest = manifest(
        &json!({"model": "m-ok", "coaching_config": "v1", "temperature": 0}),
        &json!([]),
    );
    let method = load(&manifest, folder.path(), "http://h").unwrap();
    assert_eq!(method.declared_examples(), [EntryId::integer(7)]);
    assert!(method.coaching_sha256().is_some());
    let body = method.first_request(&entry(1, "dog")).unwrap().body;
    let expected = json!([{"role": "user", "content": "cat"}, {"role": "assistant", "content": "minôs"},
        {"role": "user", "content": "dog"}]);
    assert_eq!(
        (&body["messages"], &body["temperature"]),
        (&expected, &json!(0.0))
    );
}

#[test]
fn an_estimate_needs_neither_key_nor_network() {
    let folder = tempfile::tempdir().unwrap();
    let checks = json!([{"type": "length", "min_ratio": 0.5}]);
    let parameters = json!({"model": "m", "max_retries": 2, "max_output_tokens": 100});
    let method = load(&manifest(&parameters, &checks), folder.path(), "http://h").unwrap();
    let entries: Vec<SourceEntry> = (0..10).map(|id| entry(id, "the dog sees the cat")).collect();
    let estimate = method.estimate(&entries, price().as_ref()).unwrap();
    assert_eq!((estimate.requests.low, estimate.requests.high), (10, 30));
    let cost = estimate.cost_usd.unwrap();
    assert!(NanoUsd::ZERO < cost.low && cost.low < cost.high);
    assert_eq!(method.estimate(&entries, None).unwrap().cost_usd, None);
}

#[test]
fn faults_of_a_folder_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let try_load = |parameters: Value, checks: Value| {
        load(&manifest(&parameters, &checks), folder.path(), "http://h")
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        try_load(json!({}), json!([])),
        "method.json: the parameter model is missing"
    );
    let missing = try_load(json!({"model": "m", "prompt_version": "v9"}), json!([]));
    assert!(missing.contains("v9.toml"), "{missing}");
    std::fs::create_dir(folder.path().join("prompts")).unwrap();
    std::fs::write(folder.path().join("prompts/bad.toml"), "user = \"x\"").unwrap();
    let invalid = try_load(json!({"model": "m", "prompt_version": "bad"}), json!([]));
    assert!(
        invalid.ends_with("bad.toml: user: the placeholder {source} is missing"),
        "{invalid}"
    );
    let analyser = try_load(
        json!({"model": "m"}),
        json!([{"type": "fst", "analyser": "crk.hfstol"}]),
    );
    assert!(analyser.ends_with("crk.hfstol: no analyser here"), "{analyser}");
    let url = load(
        &manifest(&json!({"model": "m"}), &json!([])),
        folder.path(),
        "not a url",
    )
    .unwrap_err();
    assert_eq!(
        url.to_string(),
        "method.json: base URL \"not a url\" is not an http or https URL"
    );
}
