//! The parameters of a provider method: what a sweep may vary.

use crate::post_processing::PostProcessing;
use crate::provider::Parameters;
use serde_json::{Map, Value};

/// The parameters, read from the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodParameters {
    /// The model as the provider names it.
    pub model: String,
    /// Sampling parameters.
    pub sampling: Parameters,
    /// Prompt file.
    pub prompt_version: PartName,
    /// Coaching file.
    pub coaching_config: PartName,
    /// Tool file.
    pub tool_config: PartName,
    /// Entries per request.
    pub batch_size: u32,
    /// Most repairs after a rejection.
    pub max_retries: u32,
    /// Most rounds of tool calls per answer.
    pub max_tool_rounds: u32,
    /// Steps between raw answer and output.
    pub post_processing: Vec<PostProcessing>,
    /// Name of the source language for the prompt, instead of its tag.
    pub source_name: Option<String>,
    /// Name of the target language for the prompt, instead of its tag.
    pub target_name: Option<String>,
    /// Register asked for.
    pub style: Option<String>,
}

/// Name of a prompt, coaching or tool file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartName(Option<String>);

/// A parameter that cannot be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum ParameterError {
    /// A parameter nobody knows.
    #[error("unknown parameter {0:?}{similar}; fields of the provider's own go into \"extra\"", similar = similar(.0))]
    Unknown(String),
    /// A value of the wrong kind or out of range.
    #[error("parameter {name}: expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A post-processing step that does not exist.
    #[error("parameter post_processing: {0}")]
    Step(String),
}

/// Every parameter.
const NAMES: [&str; 18] = [
    "model",
    "temperature",
    "top_p",
    "max_output_tokens",
    "seed",
    "reasoning_effort",
    "stop",
    "extra",
    "prompt_version",
    "coaching_config",
    "tool_config",
    "batch_size",
    "max_retries",
    "max_tool_rounds",
    "post_processing",
    "source_name",
    "target_name",
    "register",
];

/// Returns the question whether the parameter with the most similar name is meant.
fn similar(name: &str) -> String {
    let similarity = |known: &str| strsim::jaro_winkler(name, known);
    let found = NAMES
        .into_iter()
        .filter(|known| similarity(known) > 0.85)
        .max_by(|left, right| similarity(left).total_cmp(&similarity(right)));
    found.map_or_else(String::new, |known| format!(", did you mean {known:?}?"))
}

const DEFAULT: &str = "default";
const NONE: &str = "none";

impl PartName {
    /// Returns the file's name without its ending, or `None` for the name `none`.
    pub fn file(&self) -> Option<&str> {
        match self.0.as_deref() {
            None => Some(DEFAULT),
            Some(NONE) => None,
            Some(name) => Some(name),
        }
    }

    /// Returns whether no name was given, so that the file may be missing.
    pub fn is_default(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the name as a sweep shows it.
    pub fn label(&self) -> &str {
        self.0.as_deref().unwrap_or(DEFAULT)
    }
}

impl MethodParameters {
    /// Reads the manifest's parameters. A name that is not known is an error, so that a misspelt one cannot be lost.
    pub fn read(map: &Map<String, Value>) -> Result<Self, ParameterError> {
        let mut read = Self {
            model: String::new(),
            sampling: Parameters::default(),
            prompt_version: PartName(None),
            coaching_config: PartName(None),
            tool_config: PartName(None),
            batch_size: 1,
            max_retries: 0,
            max_tool_rounds: 5,
            post_processing: Vec::new(),
            source_name: None,
            target_name: None,
            style: None,
        };
        // Null stands for "not set", which is what a sweep needs to leave a parameter out.
        for (name, value) in map.iter().filter(|(_, value)| !value.is_null()) {
            read.set(name, value)?;
        }
        Ok(read)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), ParameterError> {
        let fail = |expected| ParameterError::Value {
            name: name.to_owned(),
            expected,
        };
        let text = || value.as_str().map(str::to_owned).ok_or_else(|| fail("a text"));
        let number = || {
            value
                .as_f64()
                .filter(|n| n.is_finite())
                .ok_or_else(|| fail("a number"))
        };
        let count = || {
            value
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
                .ok_or_else(|| fail("a whole number from 0 to 4294967295"))
        };
        let sampling = &mut self.sampling;
        match name {
            "model" => self.model = text()?,
            "temperature" => sampling.temperature = Some(number()?),
            "top_p" => sampling.top_p = Some(number()?),
            "max_output_tokens" => sampling.max_output_tokens = Some(count()?),
            "seed" => sampling.seed = Some(value.as_i64().ok_or_else(|| fail("a whole number"))?),
            "reasoning_effort" => sampling.reasoning_effort = Some(text()?),
            "stop" => sampling.stop = texts(value).ok_or_else(|| fail("a list of texts"))?,
            "extra" => sampling.extra = value.as_object().cloned().ok_or_else(|| fail("an object"))?,
            "prompt_version" => self.prompt_version = part(value).ok_or_else(|| fail(PART))?,
            "coaching_config" => self.coaching_config = part(value).ok_or_else(|| fail(PART))?,
            "tool_config" => self.tool_config = part(value).ok_or_else(|| fail(PART))?,
            "batch_size" => {
                self.batch_size = Some(count()?)
                    .filter(|n| *n > 0)
                    .ok_or_else(|| fail("a number above 0"))?;
            }
            "max_retries" => self.max_retries = count()?,
            "max_tool_rounds" => self.max_tool_rounds = count()?,
            "post_processing" => {
                let names = texts(value).ok_or_else(|| fail("a list of texts"))?;
                let steps = names
                    .iter()
                    .map(|name| name.parse::<PostProcessing>())
                    .collect::<Result<_, _>>();
                self.post_processing = steps.map_err(|error| ParameterError::Step(error.to_string()))?;
            }
            "source_name" => self.source_name = Some(text()?),
            "target_name" => self.target_name = Some(text()?),
            "register" => self.style = Some(text()?),
            other => return Err(ParameterError::Unknown(other.to_owned())),
        }
        Ok(())
    }
}

const PART: &str = "the name of a file without folder and ending, or \"none\"";

fn part(value: &Value) -> Option<PartName> {
    let name = value.as_str()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let valid = !name.is_empty() && !name.starts_with('.') && name.chars().all(plain);
    valid.then(|| PartName(Some(name.to_owned())))
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|text| text.as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: &Value) -> Result<MethodParameters, ParameterError> {
        MethodParameters::read(value.as_object().unwrap())
    }

    #[test]
    fn every_name_is_known_and_a_misspelt_one_finds_it() {
        for name in NAMES {
            let error = read(&json!({name: {"odd": []}})).err();
            assert!(!matches!(error, Some(ParameterError::Unknown(_))), "{name}");
        }
        let told = |name: &str| read(&json!({name: 1})).unwrap_err().to_string();
        assert!(told("temperatures").contains("\"temperatures\", did you mean \"temperature\"?"));
        assert!(!told("zzz").contains("did you mean"));
    }

    #[test]
    fn parameters_keep_their_values() {
        let read = read(
            &json!({"model": "m", "temperature": 0, "seed": null, "coaching_config": "none",
            "prompt_version": "v2", "post_processing": ["unwrap-quotes@1"], "extra": {"provider": {}}}),
        )
        .unwrap();
        assert_eq!(
            (read.model.as_str(), read.sampling.temperature, read.sampling.seed),
            ("m", Some(0.0), None)
        );
        assert_eq!(
            (read.coaching_config.file(), read.prompt_version.file()),
            (None, Some("v2"))
        );
        assert_eq!(
            (read.tool_config.file(), read.tool_config.is_default()),
            (Some("default"), true)
        );
        assert_eq!(read.post_processing, [PostProcessing::UnwrapQuotes]);
    }

    #[test]
    fn misspelt_names_and_wrong_values_are_refused() {
        assert_eq!(
            read(&json!({"temprature": 0})),
            Err(ParameterError::Unknown("temprature".into()))
        );
        for wrong in [
            json!({"temperature": "0"}),
            json!({"seed": 1.5}),
            json!({"batch_size": 0}),
            json!({"max_retries": -1}),
            json!({"prompt_version": "../secret"}),
            json!({"prompt_version": ".hidden"}),
            json!({"post_processing": ["trim"]}),
            json!({"stop": "x"}),
            json!({"extra": []}),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }
}
