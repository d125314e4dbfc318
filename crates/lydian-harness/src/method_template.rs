//! Method folders to start from: one for each class.

use std::path::PathBuf;

use lydian_model::MethodClass;
use serde_json::{Map, Value, json};

use crate::provider::ProviderKind;

const LLM_PROMPT: &str = include_str!("../templates/llm-prompt.toml");
const COACHED_PROMPT: &str = include_str!("../templates/coached-prompt.toml");
const COACHING: &str = include_str!("../templates/coaching.toml");
const GLOSSARY: &str = include_str!("../templates/glossary.tsv");
const PLUGIN: &str = include_str!("../templates/custom-plugin.py");
const SDK: &str = include_str!("../../../examples/plugins/python/lydian_plugin.py");

/// Name of the variable that holds the key unless another is named.
pub const KEY_VARIABLE: &str = "LYDIAN_API_KEY";

/// What a template is filled in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateValues {
    /// Identifier of the method.
    pub method_id: String,
    /// The service; the class's usual one when absent.
    pub provider: Option<ProviderKind>,
    /// Its base URL; the service's public one when absent.
    pub base_url: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Reference to the key.
    pub key: String,
    /// Whether a pipeline has every word checked.
    pub words: WordCheck,
}

/// Whether the words of a pipeline's answers are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WordCheck {
    /// They are not.
    #[default]
    None,
    /// The analyser of the target language's card has to know them.
    Analyser,
}

/// A template that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Only pipelines check their answers.
    #[error("{class} methods have no checks; a pipeline has")]
    NoChecks {
        /// The class.
        class: &'static str,
    },
    /// The service does not fit the class.
    #[error("{class} methods cannot use {provider}")]
    WrongProvider {
        /// The class.
        class: &'static str,
        /// The service.
        provider: &'static str,
    },
}

/// Returns the files of a method folder, by path relative to it.
pub fn method_files(
    class: MethodClass,
    values: &TemplateValues,
) -> Result<Vec<(PathBuf, String)>, TemplateError> {
    let text = |path: &str, content: &str| (PathBuf::from(path), content.to_owned());
    let mut files = match class {
        MethodClass::RawLlm => vec![text("prompts/default.toml", LLM_PROMPT)],
        MethodClass::CoachedLlm => {
            vec![
                text("prompts/default.toml", COACHED_PROMPT),
                text("coaching/default.toml", COACHING),
            ]
        }
        MethodClass::Pipeline => vec![
            text("prompts/default.toml", COACHED_PROMPT),
            text("coaching/default.toml", COACHING),
            text("glossary.tsv", GLOSSARY),
        ],
        MethodClass::CustomPlugin => vec![
            text("method.py", &PLUGIN.replace("METHOD_ID", &values.method_id)),
            text("lydian_plugin.py", SDK),
        ],
        MethodClass::Api => Vec::new(),
        MethodClass::Human => vec![text("translations.jsonl", "")],
    };
    let manifest = manifest(class, values)?;
    let manifest = serde_json::to_string_pretty(&manifest).expect("a manifest has string keys") + "\n";
    files.push((PathBuf::from("method.json"), manifest));
    files.push((PathBuf::from("README.md"), readme(class, values)));
    files.sort();
    Ok(files)
}

fn manifest(class: MethodClass, values: &TemplateValues) -> Result<Value, TemplateError> {
    let provider = values.provider.unwrap_or(match class {
        MethodClass::Api => ProviderKind::LibreTranslate,
        _ => ProviderKind::OpenAi,
    });
    let is_service = !matches!(class, MethodClass::CustomPlugin | MethodClass::Human);
    if is_service && provider.takes_prompt() == (class == MethodClass::Api) {
        return Err(TemplateError::WrongProvider {
            class: class.name(),
            provider: provider.name(),
        });
    }
    if values.words == WordCheck::Analyser && class != MethodClass::Pipeline {
        return Err(TemplateError::NoChecks { class: class.name() });
    }
    let mut service = Map::new();
    service.insert("type".into(), json!("provider"));
    service.insert("provider".into(), json!(provider.name()));
    if let Some(base_url) = &values.base_url {
        service.insert("base_url".into(), json!(base_url));
    }
    service.insert("key".into(), json!(values.key));
    let model = values
        .model
        .clone()
        .unwrap_or_else(|| default_model(provider).to_owned());
    let mut parameters = json!({"model": model, "temperature": 0, "max_output_tokens": 1024});
    let entry_point = match class {
        MethodClass::Pipeline => {
            parameters["max_retries"] = json!(2);
            let mut checks = vec![
                json!({"type": "length", "min_ratio": 0.3, "max_ratio": 4}),
                json!({"type": "glossary", "file": "glossary.tsv"}),
            ];
            if values.words == WordCheck::Analyser {
                checks.push(json!({"type": "fst"}));
            }
            service.insert("checks".into(), checks.into());
            Value::Object(service)
        }
        MethodClass::RawLlm | MethodClass::CoachedLlm => Value::Object(service),
        MethodClass::Api => {
            parameters = json!({});
            Value::Object(service)
        }
        MethodClass::CustomPlugin => {
            parameters = json!({"batch_size": 16});
            json!({"type": "plugin", "command": ["python3", "method.py"]})
        }
        MethodClass::Human => {
            parameters = json!({});
            let attestation = json!({"translator": "", "date": "", "statement": "",
                "machine_translation_used": false, "references_seen": false});
            json!({"type": "human", "translations": "translations.jsonl", "attestation": attestation})
        }
    };
    let mut manifest = json!({
        "name": values.method_id,
        "method_id": values.method_id,
        "version": "0.1",
        "description": "What the method does and where it fails.",
        "class": class.name(),
        "entry_point": entry_point,
        "dependencies": dependencies(class, provider),
        "condition": class.name(),
    });
    if parameters
        .as_object()
        .is_some_and(|parameters| !parameters.is_empty())
    {
        manifest["parameters"] = parameters;
    }
    Ok(manifest)
}

fn default_model(provider: ProviderKind) -> &'static str {
    match provider {
        ProviderKind::OpenAi => "gpt-4.1-mini",
        ProviderKind::Anthropic => "claude-haiku-4-5",
        ProviderKind::Gemini => "gemini-2.5-flash",
        ProviderKind::DeepL | ProviderKind::GoogleTranslate | ProviderKind::LibreTranslate => "",
    }
}

fn dependencies(class: MethodClass, provider: ProviderKind) -> Value {
    match class {
        MethodClass::RawLlm | MethodClass::CoachedLlm | MethodClass::Pipeline => json!([{"id": "model",
            "kind": "model", "license": "proprietary", "access": "external-api", "substitutable": true}]),
        MethodClass::Api => json!([{"id": provider.name(), "kind": "service", "license": "proprietary",
            "access": "external-api"}]),
        MethodClass::CustomPlugin => json!([{"id": "python", "kind": "software", "license": "PSF-2.0",
            "access": "mirrored", "source": "https://www.python.org", "pin": "3.11"}]),
        MethodClass::Human => json!([]),
    }
}

fn readme(class: MethodClass, values: &TemplateValues) -> String {
    let steps = match class {
        MethodClass::RawLlm => {
            "1. Name the model in `method.json`; for a local server add `\"base_url\": \"http://localhost:11434/v1\"`.\n\
             2. Change the prompt in `prompts/default.toml`; a second one, `prompts/v2.toml`, is chosen with `\"prompt_version\": \"v2\"`."
        }
        MethodClass::CoachedLlm => {
            "1. Name the model in `method.json`.\n2. Write notes, examples and dictionary into `coaching/default.toml`.\n\
             3. Change the prompt in `prompts/default.toml`."
        }
        MethodClass::Pipeline => {
            "1. Name the model in `method.json`.\n2. Write notes, examples and dictionary into `coaching/default.toml`.\n\
             3. Put prescribed terms into `glossary.tsv`. What a check rejects goes back to the model, `max_retries` times."
        }
        MethodClass::CustomPlugin => {
            "1. Write the method into `method.py`.\n2. `lydian plugin check .` tries it out."
        }
        MethodClass::Api => {
            "1. Choose the service in `method.json`: `deepl`, `google-translate` or `libretranslate`."
        }
        MethodClass::Human => {
            "1. Put one line per entry into `translations.jsonl`: `{\"id\": 1, \"output\": \"…\"}`.\n\
             2. Let the translator fill in the attestation in `method.json`."
        }
    };
    let words = match values.words {
        WordCheck::None => "",
        WordCheck::Analyser => {
            "4. Add the analyser of the target language once: `lydian language add-analyser TAG FILE`. Words it does not\n   \
             know go back to the model with similar words. Name it, with its licence, among the dependencies.\n"
        }
    };
    let key = match class {
        MethodClass::CustomPlugin | MethodClass::Human => String::new(),
        _ => format!("\nThe key is read from `{}`.\n", values.key),
    };
    let id = &values.method_id;
    format!(
        "# {id}\n\n{steps}\n{words}{key}\n```console\n$ lydian run corpus.json --method . --dry-run\n$ lydian run corpus.json --method .\n```\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::service::{ServiceOptions, provider_method};
    use crate::method::{Method, PrepareOptions, prepare};

    fn values(provider: Option<ProviderKind>) -> TemplateValues {
        TemplateValues {
            method_id: "mine".into(),
            provider,
            base_url: None,
            model: None,
            key: format!("env:{KEY_VARIABLE}"),
            words: WordCheck::None,
        }
    }

    fn written(class: MethodClass, values: &TemplateValues) -> (tempfile::TempDir, Method) {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in method_files(class, values).unwrap() {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let method = Method::read(&folder.path().join("method.json")).unwrap();
        (folder, method)
    }

    #[test]
    fn every_template_is_a_method_of_its_class() {
        for class in MethodClass::ALL {
            let (_folder, method) = written(class, &values(None));
            let identity = method.identity().unwrap();
            assert_eq!(identity.method_class, class);
            if class != MethodClass::Human {
                let prepared = prepare(&method, PrepareOptions::default()).unwrap();
                assert_eq!(prepared.setup.condition, class.name());
            }
        }
    }

    #[test]
    fn a_pipeline_may_check_its_words_and_other_classes_may_not() {
        let checked = TemplateValues {
            words: WordCheck::Analyser,
            ..values(None)
        };
        let (_folder, method) = written(MethodClass::Pipeline, &checked);
        let error = provider_method(&method, &ServiceOptions::default()).unwrap_err();
        assert!(
            error.to_string().contains("the check fst has no analyser"),
            "{error}"
        );
        let error = method_files(MethodClass::RawLlm, &checked).unwrap_err();
        assert_eq!(
            error.to_string(),
            "raw-llm methods have no checks; a pipeline has"
        );
    }

    #[test]
    fn templates_for_models_and_services_hold_what_they_say() {
        let (_folder, method) = written(MethodClass::Pipeline, &values(Some(ProviderKind::Anthropic)));
        let provider = provider_method(&method, &ServiceOptions::default()).unwrap();
        assert_eq!(
            (provider.checks(), provider.parameters().max_retries),
            (vec!["length", "glossary"], 2)
        );
        assert!(
            provider
                .system_prompt()
                .contains("Write here what the model gets wrong")
        );
        let error = method_files(MethodClass::Api, &values(Some(ProviderKind::OpenAi))).unwrap_err();
        assert_eq!(error.to_string(), "api methods cannot use openai");
        assert!(method_files(MethodClass::RawLlm, &values(Some(ProviderKind::DeepL))).is_err());
    }
}
