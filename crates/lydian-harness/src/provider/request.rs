//! The neutral request and the wire request made from it.

use serde_json::{Map, Value};

/// One text to be translated, in terms no provider owns.
#[derive(Clone, Debug, PartialEq)]
pub struct TranslationRequest {
    /// The model as the provider names it; empty for engines that have only one.
    pub model: String,
    /// Tag of the source language.
    pub source_language: String,
    /// Tag of the target language.
    pub target_language: String,
    /// What is said to the model or engine.
    pub prompt: Prompt,
    /// Sampling and further parameters.
    pub parameters: Parameters,
}

/// What is said to a model, or the text given to an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// A conversation for a language model.
    Chat {
        /// The system prompt; empty means none is sent.
        system: String,
        /// The turns, oldest first.
        turns: Vec<Turn>,
        /// Tools the model may call.
        tools: Vec<ToolSpec>,
    },
    /// A bare text for a translation engine.
    Text(String),
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Said to the model.
    User(String),
    /// Said by the model.
    Assistant {
        /// Its text, possibly empty.
        text: String,
        /// The tools it asked for.
        tool_calls: Vec<super::ToolCall>,
    },
    /// The result of a tool call.
    Tool {
        /// The call this answers.
        call_id: String,
        /// The tool's name (Gemini matches by name).
        name: String,
        /// What the tool returned.
        content: String,
    },
}

/// A tool offered to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Name the model calls it by.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
}

/// Sampling parameters; `None` means the provider's own default applies and nothing is sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    pub top_p: Option<f64>,
    /// Most tokens the model may produce.
    pub max_output_tokens: Option<u32>,
    /// Seed for sampling.
    pub seed: Option<i64>,
    /// How much hidden reasoning is asked for, in the provider's words.
    pub reasoning_effort: Option<String>,
    /// Texts that end the answer.
    pub stop: Vec<String>,
    /// Further fields, put into the request as they are; they win over the fields above.
    pub extra: Map<String, Value>,
}

/// A request as it goes over the wire, without its key.
#[derive(Clone, Debug, PartialEq)]
pub struct WireRequest {
    /// Path below the base URL, with a leading slash.
    pub path: String,
    /// Headers that belong to the wire form (never the key).
    pub headers: Vec<(&'static str, String)>,
    /// The JSON body.
    pub body: Value,
    /// Where the body differs from what was asked.
    pub adjustments: Vec<Adjustment>,
}

/// A visible difference between what was asked and what is sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Adjustment {
    /// The parameter.
    pub parameter: String,
    /// What happened to it.
    pub kind: AdjustmentKind,
}

/// What happened to a parameter on its way to the wire.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdjustmentKind {
    /// The wire form has no such field.
    NotSent,
    /// The wire form demands the field, so this value was added.
    Added(String),
}

impl std::fmt::Display for Adjustment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            AdjustmentKind::NotSent => write!(
                formatter,
                "{} is not sent: the provider has no such parameter",
                self.parameter
            ),
            AdjustmentKind::Added(value) => {
                write!(
                    formatter,
                    "{} is sent as {value}: the provider demands it",
                    self.parameter
                )
            }
        }
    }
}

/// A request that this provider's form cannot express.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RequestError {
    /// A prompt was given to an engine or a bare text to a model.
    #[error("{provider} takes {takes}")]
    WrongPrompt {
        /// The provider.
        provider: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// The model name cannot stand in a URL or is missing.
    #[error("model name {0:?} is not usable with this provider")]
    BadModel(String),
    /// The text to translate is empty.
    #[error("the text to translate is empty")]
    EmptyText,
}

impl TranslationRequest {
    /// Returns the conversation, or an error for engines' texts.
    pub(super) fn chat(&self, provider: &'static str) -> Result<(&str, &[Turn], &[ToolSpec]), RequestError> {
        match &self.prompt {
            Prompt::Chat { system, turns, tools } => {
                if self.model.is_empty() {
                    return Err(RequestError::BadModel(String::new()));
                }
                Ok((system, turns, tools))
            }
            Prompt::Text(_) => Err(RequestError::WrongPrompt {
                provider,
                takes: "a prompt, not a bare text",
            }),
        }
    }

    /// Returns the bare text, or an error for conversations.
    pub(super) fn text(&self, provider: &'static str) -> Result<&str, RequestError> {
        match &self.prompt {
            Prompt::Text(text) if text.is_empty() => Err(RequestError::EmptyText),
            Prompt::Text(text) => Ok(text),
            Prompt::Chat { .. } => Err(RequestError::WrongPrompt {
                provider,
                takes: "a bare text, not a prompt",
            }),
        }
    }
}

impl Parameters {
    /// Returns the largest output the request allows, whichever field says so.
    pub fn most_output_tokens(&self) -> Option<u64> {
        let extra = ["max_completion_tokens", "max_tokens"]
            .iter()
            .find_map(|name| self.extra.get(*name)?.as_u64());
        extra.or(self.max_output_tokens.map(u64::from))
    }

    /// Names every set parameter among `names` as not sent.
    pub(super) fn not_sent(&self, names: &[&str]) -> Vec<Adjustment> {
        let is_set = |name: &str| match name {
            "temperature" => self.temperature.is_some(),
            "top_p" => self.top_p.is_some(),
            "max_output_tokens" => self.max_output_tokens.is_some(),
            "seed" => self.seed.is_some(),
            "reasoning_effort" => self.reasoning_effort.is_some(),
            "stop" => !self.stop.is_empty(),
            _ => false,
        };
        names
            .iter()
            .filter(|name| is_set(name) && !self.extra.contains_key(**name))
            .map(|name| Adjustment {
                parameter: (*name).to_owned(),
                kind: AdjustmentKind::NotSent,
            })
            .collect()
    }
}

/// Names of all sampling parameters, for engines that have none of them.
pub(super) const ALL_SAMPLING: [&str; 6] = [
    "temperature",
    "top_p",
    "max_output_tokens",
    "seed",
    "reasoning_effort",
    "stop",
];

/// Puts the method's own extra fields into the body; they replace fields of the same name.
pub(super) fn put_extra(body: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (name, value) in extra {
        if value.is_null() {
            body.remove(name);
        } else {
            body.insert(name.clone(), value.clone());
        }
    }
}
