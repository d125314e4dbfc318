//! The messages of the plugin protocol. Unknown fields are ignored, unknown types are errors.

use lydian_model::{EntryId, NanoUsd, Outcome, SourceEntry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the host writes, one object per line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPlugin {
    /// The first message.
    Hello(HostHello),
    /// Entries to translate.
    Translate {
        /// Number of the request; results repeat it.
        req: u64,
        /// The entries. References are never among what a plugin sees.
        entries: Vec<PluginEntry>,
    },
    /// Outputs to compare with references; sent to scorers only, never to a method.
    Score {
        /// Number of the request; scores repeat it.
        req: u64,
        /// What is to be compared.
        pairs: Vec<ScorePair>,
    },
    /// Asks for a sign of life.
    Ping {
        /// Number to repeat.
        req: u64,
    },
    /// The results of a request are no longer wanted.
    Cancel {
        /// The request.
        req: u64,
    },
    /// The plugin is to end.
    Shutdown {},
}

/// The host's hello.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostHello {
    /// Versions of the protocol the host speaks.
    pub protocol: Vec<u32>,
    /// Name and version of the host.
    pub host: String,
    /// The run.
    pub run: RunInfo,
    /// Time limits.
    pub limits: Limits,
}

/// What a plugin is told about the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunInfo {
    /// Tag of the source language.
    pub source_lang: String,
    /// Tag of the target language.
    pub target_lang: String,
    /// Seed for anything random.
    pub seed: Option<u64>,
    /// The manifest's parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
}

/// Time limits the host keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Longest silence in seconds while entries are open.
    pub entry_timeout_s: f64,
}

/// An entry as a plugin sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PluginEntry {
    /// The entry's id, always a string here.
    pub id: String,
    /// Text to translate.
    pub source: String,
    /// Communicative function.
    pub context: Option<String>,
    /// Formality.
    pub register: Option<String>,
    /// Application domain.
    pub domain: Option<lydian_model::Domain>,
    /// Question of a multiple-choice item about the source: the output is to name a letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The options of the question, in the order A to D.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl From<&SourceEntry> for PluginEntry {
    fn from(entry: &SourceEntry) -> Self {
        Self {
            id: entry.id.as_str().to_owned(),
            source: entry.source.clone(),
            context: entry.context.clone(),
            register: entry.register.clone(),
            domain: entry.domain,
            question: entry.prompt.clone(),
            options: entry.options.clone(),
        }
    }
}

/// What a scorer compares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScorePair {
    /// Names the pair within its request.
    pub id: String,
    /// The source.
    pub source: String,
    /// The output to be judged.
    pub output: String,
    /// The reference.
    pub reference: String,
}

/// What a plugin writes, one object per line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromPlugin {
    /// The answer to the host's hello.
    Hello(Hello),
    /// The outcome of one entry. It counts when it is received, also if the plugin dies before `done`.
    Result(ResultMessage),
    /// The score of one pair.
    Score(ScoreMessage),
    /// A sign of life while entries are open.
    Progress {
        /// The request.
        req: u64,
        /// Entries done so far.
        #[serde(default)]
        done: Option<u64>,
    },
    /// A remark for the user.
    Log {
        /// `debug`, `info`, `warn` or `error`.
        #[serde(default)]
        level: Option<String>,
        /// The remark.
        message: String,
    },
    /// All entries of a request have their result.
    Done {
        /// The request.
        req: u64,
    },
    /// The answer to a ping.
    Pong {
        /// The number of the ping.
        req: u64,
    },
}

/// The plugin's hello.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The version of the protocol the plugin speaks.
    pub protocol: u32,
    /// The method.
    pub method: MethodInfo,
    /// What the plugin can do.
    #[serde(default)]
    pub capabilities: Capabilities,
    /// `ok`, or what is wrong.
    #[serde(default = "ok")]
    pub health: String,
}

fn ok() -> String {
    "ok".into()
}

/// The plugin's method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodInfo {
    /// Identifier.
    pub id: String,
    /// Version.
    #[serde(default)]
    pub version: Option<String>,
}

/// What a plugin can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Capabilities {
    /// Most entries in one message.
    #[serde(default = "one")]
    pub max_batch: u32,
    /// Most messages without `done`.
    #[serde(default = "one")]
    pub max_in_flight: u32,
    /// In which order results come.
    #[serde(default)]
    pub order: Order,
    /// Whether the same input always gives the same output.
    #[serde(default)]
    pub deterministic: bool,
    /// Whether it scores outputs; it then gets `score` and no `translate`.
    #[serde(default)]
    pub scores: bool,
}

fn one() -> u32 {
    1
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            max_batch: 1,
            max_in_flight: 1,
            order: Order::Any,
            deterministic: false,
            scores: false,
        }
    }
}

/// In which order results come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In any order.
    #[default]
    Any,
    /// In the order of the entries.
    Input,
}

/// The outcome of one entry: an output or an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultMessage {
    /// The request.
    pub req: u64,
    /// The entry.
    pub id: String,
    /// The translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The answer before the plugin's own post-processing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What the answer is worth, if not simply `ok`: `truncated`, `empty`, `filtered`, `refused`, `unparsable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why there is no output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<PluginError>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<PluginUsage>,
    /// The plugin's steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<PluginStep>,
}

/// How near an output is to the reference: a score or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreMessage {
    /// The request.
    pub req: u64,
    /// The pair.
    pub id: String,
    /// 0 (another meaning) to 1 (the same meaning).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Why there is no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Why an entry has no output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PluginError {
    /// Whose fault it is.
    pub kind: ErrorKind,
    /// What happened.
    pub message: String,
    /// Whether the host may ask again.
    #[serde(default)]
    pub retryable: bool,
    /// How many seconds to wait before that.
    #[serde(default)]
    pub retry_after_s: Option<f64>,
}

/// Whose fault a missing output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The method's own.
    Method,
    /// A provider behind the method.
    Provider,
    /// A provider's rate limit.
    RateLimited,
    /// The entry cannot be translated by this method.
    InvalidInput,
    /// Something took too long.
    Timeout,
}

/// What an entry took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PluginUsage {
    /// Calls of a model.
    #[serde(default)]
    pub calls: Option<u32>,
    /// Calls of tools.
    #[serde(default)]
    pub tool_calls: Option<u32>,
    /// Input tokens, cached ones included.
    #[serde(default)]
    pub prompt_tokens: Option<u64>,
    /// Input tokens served from a prompt cache, part of the input.
    #[serde(default)]
    pub cached_tokens: Option<u64>,
    /// Output tokens, reasoning included.
    #[serde(default)]
    pub completion_tokens: Option<u64>,
    /// Reasoning tokens, part of the output.
    #[serde(default)]
    pub reasoning_tokens: Option<u64>,
    /// US dollars; null when unknown, 0 when it ran on the user's own machine.
    #[serde(default)]
    pub cost_usd: Option<NanoUsd>,
}

/// A step of the plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PluginStep {
    /// Name.
    pub name: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// Milliseconds it took.
    #[serde(default)]
    pub ms: Option<f64>,
    /// What it found.
    #[serde(default)]
    pub detail: Option<String>,
}

impl ResultMessage {
    /// Says what makes the message unusable: it must hold an output or an error, not both.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match (&self.output, &self.error) {
            (Some(_), Some(_)) => Some("the result holds both an output and an error"),
            (None, None) if self.outcome.is_none_or(Outcome::text_is_scored) => {
                Some("the result holds neither an output nor an error")
            }
            _ if self.outcome == Some(Outcome::Failed) => Some("a failed result is written as an error"),
            _ => None,
        }
    }
}

/// Returns the entry of a message that has this id.
pub(super) fn position(entries: &[SourceEntry], id: &str) -> Option<usize> {
    let id = EntryId::text(id);
    entries.iter().position(|entry| entry.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_are_ignored_and_unknown_types_are_not() {
        let line = r#"{"type":"done","req":1,"more":[1]}"#;
        assert_eq!(
            serde_json::from_str::<FromPlugin>(line).unwrap(),
            FromPlugin::Done { req: 1 }
        );
        assert!(serde_json::from_str::<FromPlugin>(r#"{"type":"finished","req":1}"#).is_err());
    }

    #[test]
    fn a_hello_needs_little() {
        let line = r#"{"type":"hello","protocol":1,"method":{"id":"m"}}"#;
        let FromPlugin::Hello(hello) = serde_json::from_str(line).unwrap() else {
            panic!("not a hello")
        };
        assert_eq!(
            (hello.capabilities, hello.health.as_str()),
            (Capabilities::default(), "ok")
        );
    }

    #[test]
    fn a_result_holds_an_output_or_an_error() {
        let result = |text: &str| serde_json::from_str::<ResultMessage>(text).unwrap().fault();
        assert_eq!(result(r#"{"req":1,"id":"a","output":""}"#), None);
        assert_eq!(result(r#"{"req":1,"id":"a","outcome":"refused"}"#), None);
        assert!(result(r#"{"req":1,"id":"a"}"#).is_some());
        assert!(
            result(r#"{"req":1,"id":"a","output":"x","error":{"kind":"method","message":"m"}}"#).is_some()
        );
        assert!(result(r#"{"req":1,"id":"a","output":"x","outcome":"failed"}"#).is_some());
    }

    #[test]
    fn ids_are_compared_by_their_text() {
        let entry: SourceEntry = serde_json::from_str(r#"{"id":7,"source":"x"}"#).unwrap();
        assert_eq!(position(&[entry], "7"), Some(0));
    }
}
