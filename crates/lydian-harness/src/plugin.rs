//! Methods that are programs of their own: the plugin protocol, version 1, JSON Lines over standard input and output.
//!
//! The format is described in `docs/reference/plugin-protocol.md`.

mod conformance;
mod host;
mod message;
mod prediction;
mod scoring;
mod session;
mod standard_error;

pub use conformance::{CheckResult, Conformance};
pub use host::PluginMethod;
pub use message::{
    Capabilities, ErrorKind, FromPlugin, Hello, HostHello, Limits, MethodInfo, Order, PluginEntry,
    PluginError, PluginStep, PluginUsage, ResultMessage, RunInfo, ScoreMessage, ScorePair, ToPlugin,
};
pub(crate) use scoring::ScoringSession;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The protocol's version.
pub const PROTOCOL: u32 = 1;

/// How a plugin is started and what it is told about the run.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginSettings {
    /// Program and arguments; a program with a slash in its name is looked for in `folder`.
    pub command: Vec<String>,
    /// The method's folder, in which the program runs.
    pub folder: PathBuf,
    /// The whole environment the program gets.
    pub environment: BTreeMap<String, String>,
    /// What it is told about the run.
    pub run: RunInfo,
    /// Entries per message; never more than the plugin says it takes.
    pub batch_size: u32,
    /// Longest wait for the next result of a message.
    pub entry_timeout: Duration,
    /// Longest wait for the plugin to say hello.
    pub start_timeout: Duration,
    /// File that receives what the plugin writes to standard error.
    pub stderr_file: Option<PathBuf>,
}

impl PluginSettings {
    /// Returns settings with the usual time limits.
    pub fn new(command: Vec<String>, folder: PathBuf, run: RunInfo) -> Self {
        Self {
            command,
            folder,
            environment: BTreeMap::new(),
            run,
            batch_size: 1,
            entry_timeout: Duration::from_secs(120),
            start_timeout: Duration::from_secs(120),
            stderr_file: None,
        }
    }
}

/// Returns the JSON Schema of the protocol: the messages of both sides under `$defs`.
pub fn schema() -> String {
    let mut schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Lydian plugin protocol 1",
        "description": "A line is an object: the host writes ToPlugin, the plugin writes FromPlugin.",
        "oneOf": [{"$ref": "#/$defs/ToPlugin"}, {"$ref": "#/$defs/FromPlugin"}],
    });
    let mut generator = schemars::SchemaGenerator::default();
    generator.subschema_for::<ToPlugin>();
    generator.subschema_for::<FromPlugin>();
    schema["$defs"] = serde_json::Value::Object(generator.take_definitions(true));
    serde_json::to_string_pretty(&schema).expect("a schema has string keys") + "\n"
}
