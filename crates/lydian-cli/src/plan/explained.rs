//! The settings of a run and where each comes from.

use std::path::Path;

use lydian_harness::method::Method;
use lydian_harness::method::service::{key_reference, sends_text_away};
use lydian_harness::secret::SecretReference;
use lydian_model::Segment;
use lydian_model::method::EntryPoint;
use serde_json::Value;

use super::{Choice, Inputs};
use crate::environment;
use crate::setting::{Origin, Setting};

/// What a run was told on the command line, beside corpus and method.
pub(crate) struct Told<'a> {
    /// Corpus, method and options as they will be used.
    pub(crate) inputs: &'a Inputs,
    /// The entries asked for.
    pub(crate) choice: &'a Choice,
    /// The method.
    pub(crate) method: &'a Method,
    /// Where the corpus is named.
    pub(crate) corpus_from: Origin,
    /// Where the method is named.
    pub(crate) method_from: Origin,
    /// Where the recorded outputs are named, if they are.
    pub(crate) predictions_from: Option<Origin>,
}

/// Returns the settings in the order in which a run uses them.
pub(crate) fn settings(told: &Told<'_>) -> Vec<Setting> {
    let mut settings = vec![
        Setting::new("corpus", told.inputs.corpus.display(), told.corpus_from.clone()),
        Setting::new("method", &told.inputs.method, told.method_from.clone()),
    ];
    settings.extend(entries(told.choice));
    settings.extend(predictions(told));
    settings.extend(calls(told));
    settings.extend(service(told));
    settings
}

fn entries(choice: &Choice) -> [Setting; 2] {
    let segments: Vec<&str> = choice.segment.iter().map(|segment| segment.name()).collect();
    let public: Vec<&str> = Segment::ALL
        .into_iter()
        .filter(|segment| !segment.is_secret())
        .map(Segment::name)
        .collect();
    [
        Setting::flag_or("segments", "--segment", join(&segments), public.join(", ")),
        Setting::flag_or("most entries", "--limit", choice.limit, "all"),
    ]
}

fn join(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

fn predictions(told: &Told<'_>) -> Option<Setting> {
    let manifest = manifest(told.method);
    let shown = |path: &Path, from: Origin| Setting::new("recorded outputs", path.display(), from);
    match (&told.inputs.options.predictions, &told.predictions_from) {
        (Some(path), Some(from)) => Some(shown(path, from.clone())),
        _ => told.method.predictions_file().map(|path| shown(&path, manifest)),
    }
}

fn calls(told: &Told<'_>) -> Vec<Setting> {
    let options = &told.inputs.options;
    let manifest = &told.method.manifest;
    let mut settings = vec![
        Setting::flag_or(
            "calls at a time",
            "--concurrency",
            options.concurrency,
            "what suits the method",
        ),
        Setting::flag_or(
            "longest answer",
            "--timeout",
            options.timeout.map(|seconds| format!("{seconds} s")),
            "60 s, the first one 600 s",
        ),
    ];
    for (name, value) in &manifest.parameters {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let set = options.set.iter().any(|(changed, _)| changed == name);
        let from = if set {
            Origin::flag("--set")
        } else {
            self::manifest(told.method)
        };
        settings.push(Setting::new(format!("parameter {name}"), value, from));
    }
    settings
}

/// Returns what concerns methods that reach out; nothing for others.
fn service(told: &Told<'_>) -> Vec<Setting> {
    let EntryPoint::Provider {
        provider, base_url, ..
    } = &told.method.manifest.entry_point
    else {
        return Vec::new();
    };
    let arguments = &told.inputs.options.service;
    let manifest = manifest(told.method);
    let address = match (&arguments.base_url, base_url) {
        (Some(url), _) => Setting::new("address", url, Origin::flag("--base-url")),
        (None, Some(url)) => Setting::new("address", url, manifest.clone()),
        (None, None) => Setting::new(
            "address",
            format!("the public one of {provider}"),
            Origin::Default,
        ),
    };
    let away = sends_text_away(told.method, arguments.base_url());
    let cache = arguments
        .cache
        .as_ref()
        .map(|folder| folder.display().to_string());
    let prices = arguments.prices.as_ref().map(|file| file.display().to_string());
    vec![
        address,
        Setting::new(
            "text leaves this machine",
            if away { "yes" } else { "no" },
            Origin::Derived("the address"),
        ),
        key(told, manifest),
        Setting::flag_or(
            "budget",
            "--budget",
            arguments.budget.map(|dollars| format!("{dollars} USD")),
            "none",
        ),
        Setting::flag_or("prices", "--prices", prices, "the table of the program"),
        Setting::flag_or("stored answers", "--cache", cache, "neither taken nor kept"),
        Setting::flag_or(
            "requests a minute",
            "--requests-per-minute",
            arguments.requests_per_minute,
            "as many as the provider takes",
        ),
        Setting::flag_or(
            "patience",
            "--patience",
            arguments.patience.map(|seconds| format!("{seconds} s")),
            "900 s",
        ),
    ]
}

/// Says where the key is and whether one is there; never the key.
fn key(told: &Told<'_>, manifest: Origin) -> Setting {
    let (reference, from) = match (&told.inputs.options.service.key, key_reference(told.method)) {
        (Some(reference), _) => (reference.as_str(), Origin::flag("--key")),
        (None, Some(reference)) => (reference, manifest),
        (None, None) => return Setting::new("key", "none", Origin::Default),
    };
    let state = match reference.parse() {
        Ok(SecretReference::Environment(name)) if environment::variable(&name).is_some() => "set",
        Ok(SecretReference::Environment(_)) => "not set",
        Ok(SecretReference::File(path)) if Path::new(&path).is_file() => "the file is there",
        Ok(SecretReference::File(_)) => "there is no such file",
        Err(_) => "not a reference of the form env:NAME or file:PATH",
    };
    Setting::new("key", format!("{reference} ({state})"), from)
}

fn manifest(method: &Method) -> Origin {
    Origin::File(method.manifest_path())
}
