//! A method folder made again out of a run card (B §3.2).

use std::path::PathBuf;

use lydian_model::{MethodClass, RunCard};
use serde_json::{Map, Value, json};

use crate::prompt::{Coaching, Prompt};
use crate::provider::ProviderKind;
use crate::provider_method::{MethodParameters, ParameterError};

/// A card whose method cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstallError {
    /// Methods of this class are more than their configuration.
    #[error("a card of class {class} does not carry its method: {why}")]
    Class {
        /// The class.
        class: &'static str,
        /// What is missing.
        why: &'static str,
    },
    /// The card does not name something that is needed.
    #[error("the card does not say {0}")]
    Missing(&'static str),
    /// A name of a file in the card is a path.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The files by path relative to the folder.
    pub files: Vec<(PathBuf, String)>,
    /// Whether the folder is exactly the card's method; otherwise what differs.
    pub remark: Option<String>,
}

/// Returns the folder of the card's method; `key` is a reference to the key.
pub fn install(card: &RunCard, key: &str) -> Result<Installed, InstallError> {
    refuse_what_no_card_carries(card)?;
    let config = &card.method_config;
    let model = config
        .model
        .clone()
        .ok_or(InstallError::Missing("which model was used"))?;
    let mut remarks = Vec::new();
    let provider = provider(card, &mut remarks)?;
    let parameters = parameters(card, provider, &model);
    refuse_paths(&parameters)?;
    let label = |name: &str| {
        parameters
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or("default")
            .to_owned()
    };
    let mut files = Vec::new();
    if let Some(text) = config
        .prompt_context
        .as_deref()
        .or_else(|| non_empty(&card.system_prompt_used))
    {
        let path = PathBuf::from("prompts").join(format!("{}.toml", label("prompt_version")));
        files.push((path, prompt_file(text, &mut remarks)));
    }
    if let Some(text) = config.coaching_prompt.as_deref().and_then(non_empty) {
        let path = PathBuf::from("coaching").join(format!("{}.toml", label("coaching_config")));
        files.push((path, coaching_file(text, &mut remarks)));
    }
    let mut entry_point = json!({"type": "provider", "provider": provider.name(), "key": key});
    if let Some(endpoint) = card
        .endpoint
        .as_deref()
        .filter(|endpoint| *endpoint != provider.default_base_url())
    {
        entry_point["base_url"] = json!(endpoint);
    }
    let kind = if provider.takes_prompt() {
        "model"
    } else {
        "service"
    };
    let mut dependency =
        json!({"id": model, "kind": kind, "license": "proprietary", "access": "external-api"});
    if provider.takes_prompt() {
        dependency["substitutable"] = json!(true);
    }
    let manifest = json!({
        "name": card.method_name,
        "method_id": card.method_id,
        "description": format!("Installed from run card {}.", card.run_card_hash),
        "class": card.method_class.name(),
        "entry_point": entry_point,
        "dependencies": [dependency],
        "condition": card.condition,
        "parameters": parameters,
    });
    let manifest = serde_json::to_string_pretty(&manifest).expect("a manifest has string keys") + "\n";
    files.push((PathBuf::from("method.json"), manifest));
    files.sort();
    Ok(Installed {
        files,
        remark: (!remarks.is_empty()).then(|| remarks.join("; ")),
    })
}

/// Refuses names of files that are paths: a card must not choose where files are written.
fn refuse_paths(parameters: &Map<String, Value>) -> Result<(), ParameterError> {
    let names = ["prompt_version", "coaching_config", "tool_config"];
    let files = parameters
        .iter()
        .filter(|(name, _)| names.contains(&name.as_str()));
    MethodParameters::read(&files.map(|(name, value)| (name.clone(), value.clone())).collect()).map(drop)
}

fn refuse_what_no_card_carries(card: &RunCard) -> Result<(), InstallError> {
    let why = match card.method_class {
        MethodClass::CustomPlugin => "its program is not in the card",
        MethodClass::Human => "a person is not installed",
        MethodClass::Pipeline => "its checks and their files are not in the card",
        _ if !card.tools_enabled.is_empty() => "its tools are not in the card",
        MethodClass::RawLlm | MethodClass::CoachedLlm | MethodClass::Api => return Ok(()),
    };
    Err(InstallError::Class {
        class: card.method_class.name(),
        why,
    })
}

fn provider(card: &RunCard, remarks: &mut Vec<String>) -> Result<ProviderKind, InstallError> {
    match card.parameters.get("provider").and_then(Value::as_str) {
        Some(name) => name
            .parse()
            .map_err(|_| InstallError::Missing("a provider that is known here")),
        None if card.method_class == MethodClass::Api => Err(InstallError::Missing("which service was used")),
        None => {
            // Cards of other programs name a model only.
            remarks.push("the card names no provider, chat completions are assumed".to_owned());
            Ok(ProviderKind::OpenAi)
        }
    }
}

fn parameters(card: &RunCard, provider: ProviderKind, model: &str) -> Map<String, Value> {
    let config = &card.method_config;
    let derived = ["provider", "prompt_file_sha256", "checks", "adjustments"];
    let own = card
        .parameters
        .iter()
        .filter(|(name, _)| !derived.contains(&name.as_str()));
    let mut parameters: Map<String, Value> = own.map(|(name, value)| (name.clone(), value.clone())).collect();
    if provider.takes_prompt() {
        parameters.insert("model".into(), json!(model));
    }
    for (name, value) in [
        ("temperature", config.temperature.map(|value| json!(value))),
        (
            "batch_size",
            config
                .batch_size
                .filter(|size| *size > 1)
                .map(|value| json!(value)),
        ),
        ("register", config.register.clone().map(|value| json!(value))),
    ] {
        if let Some(value) = value.filter(|_| !parameters.contains_key(name)) {
            parameters.insert(name.into(), value);
        }
    }
    parameters
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// Returns the prompt file: the card's own, or one around a plain system prompt.
fn prompt_file(text: &str, remarks: &mut Vec<String>) -> String {
    if Prompt::parse(text).is_ok() {
        return text.to_owned();
    }
    remarks.push("the card holds the system prompt only, each source is sent alone".into());
    let escaped = text.replace('{', "{{").replace('}', "}}");
    toml::to_string(&Map::from_iter([("system".to_owned(), json!(escaped))])).expect("a text is valid TOML")
}

fn coaching_file(text: &str, remarks: &mut Vec<String>) -> String {
    if Coaching::parse(text).is_ok() {
        return text.to_owned();
    }
    remarks.push("the coaching data of the card is plain text and becomes notes".into());
    toml::to_string(&Map::from_iter([("notes".to_owned(), json!(text))])).expect("a text is valid TOML")
}
