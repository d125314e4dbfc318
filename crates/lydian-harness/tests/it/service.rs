//! Method folders made ready: what a run records about them, and what they share.

use crate::log::{TestLog, serve};
use lydian_harness::method::service::{Endpoints, ServiceOptions, sends_text_away};
use lydian_harness::method::{Method, PrepareOptions, Prepared, prepare};
use lydian_harness::secret::Secret;
use lydian_model::{EntryId, SourceEntry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn write(folder: &Path, parameters: &Value) -> PathBuf {
    let manifest = json!({"name": "n", "method_id": "m", "class": "coached-llm", "parameters": parameters,
        "entry_point": {"type": "provider", "provider": "openai", "key": "env:LYDIAN_API_KEY"},
        "dependencies": [{"id": "model", "kind": "model", "license": "proprietary", "access": "external-api",
            "substitutable": true}]});
    let path = folder.join("method.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    path
}

fn part(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn ready(path: &Path, base_url: &str, endpoints: &Endpoints) -> Prepared {
    let service = ServiceOptions {
        source_language: "en".into(),
        target_language: "crk".into(),
        base_url: Some(base_url.to_owned()),
        key: Some(Secret::new("sk-canary".into())),
        endpoints: endpoints.clone(),
        ..ServiceOptions::default()
    };
    prepare(
        &Method::read(path).unwrap(),
        PrepareOptions {
            service,
            ..PrepareOptions::default()
        },
    )
    .unwrap()
}

fn entry() -> SourceEntry {
    serde_json::from_str(r#"{"id": 1, "source": "dog"}"#).unwrap()
}

#[tokio::test]
async fn the_setup_holds_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        &json!({"model": "m-ok", "temperature": 0.3, "seed": 7, "register": "formal"}),
    );
    part(
        folder.path(),
        "prompts/default.toml",
        "system = \"To {target_language}, {style}.\"\n",
    );
    part(
        folder.path(),
        "coaching/default.toml",
        "[[example]]\nsource = \"a\"\ntarget = \"b\"\nentry_id = 9\n",
    );
    let server = serve("key = \"sk-canary\"\n").await;
    let prepared = ready(&path, &server.base_url(), &Endpoints::default());
    let setup = &prepared.setup;
    assert_eq!(
        (
            setup.model_slug.as_str(),
            setup.temperature.unwrap().get(),
            setup.seed
        ),
        ("m-ok", 0.3, Some(7))
    );
    assert_eq!(setup.system_prompt_used, "To crk, formal.");
    assert_eq!(setup.endpoint.as_deref(), Some(server.base_url().as_str()));
    assert!(setup.coaching_data_sha256.is_some());
    assert_eq!(
        setup.method_config.coaching_file.as_deref(),
        Some("coaching/default.toml")
    );
    assert_eq!(prepared.excluded, [EntryId::integer(9)]);
    assert!(!format!("{setup:?}").contains("canary"));
    let one = prepared
        .translator
        .translate(&[entry()], &TestLog::default())
        .await
        .unwrap()
        .remove(0);
    assert_eq!(one.output, "god");
}

#[tokio::test]
async fn the_digest_follows_the_files_in_use_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &json!({"model": "m-ok"}));
    part(folder.path(), "prompts/default.toml", "system = \"a\"\n");
    let digest = || {
        ready(&path, "http://127.0.0.1:9", &Endpoints::default())
            .setup
            .method
            .method_sha256
    };
    let first = digest();
    part(folder.path(), "prompts/v2.toml", "system = \"b\"\n");
    assert_eq!(digest(), first);
    part(folder.path(), "prompts/default.toml", "system = \"c\"\n");
    assert_ne!(digest(), first);
}

#[tokio::test]
async fn methods_that_ask_the_same_endpoint_share_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let endpoints = Endpoints::default();
    for (temperature, model) in [(0.0, "m-ok"), (0.7, "m-ok"), (0.0, "m-other")] {
        let path = write(
            folder.path(),
            &json!({"model": model, "temperature": temperature}),
        );
        ready(&path, "http://127.0.0.1:9", &endpoints);
    }
    assert_eq!(endpoints.all().len(), 2);
}

#[test]
fn only_endpoints_elsewhere_take_text_away() {
    let folder = tempfile::tempdir().unwrap();
    let method = Method::read(&write(folder.path(), &json!({"model": "m"}))).unwrap();
    assert!(sends_text_away(&method, None));
    assert!(!sends_text_away(&method, Some("http://localhost:11434/v1")));
    assert!(sends_text_away(&method, Some("https://example.org/v1")));
}

#[test]
fn a_human_baseline_needs_the_translators_word() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |attestation: Value| {
        let entry_point = json!({"type": "human", "translations": "t.jsonl", "attestation": attestation});
        let manifest = json!({"name": "n", "method_id": "m", "class": "human", "entry_point": entry_point});
        let path = folder.path().join("method.json");
        std::fs::write(&path, manifest.to_string()).unwrap();
        prepare(&Method::read(&path).unwrap(), PrepareOptions::default())
            .err()
            .unwrap()
            .to_string()
    };
    let attestation = |statement: &str, seen: bool| {
        json!({"translator": "A. B.", "date": "2026-01-01", "statement": statement,
            "machine_translation_used": false, "references_seen": seen})
    };
    assert!(problem(attestation(" ", false)).contains("attestation.statement is empty"));
    let mut another_day = attestation("by hand", false);
    another_day["date"] = "2026-02-30".into();
    assert!(problem(another_day).contains("\"2026-02-30\" is no day"));
    assert!(problem(attestation("by hand", true)).contains("seen the references"));
    assert!(problem(attestation("by hand", false)).contains("no file of predictions"));
}
