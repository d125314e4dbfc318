//! The method manifest, `method.json`, and the dependency class derived from it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Finite;

/// The kind of a method (B §9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MethodClass {
    /// A direct call of a language model without work specific to the language.
    RawLlm,
    /// A language model with coaching data: examples, grammar notes, dictionary entries.
    CoachedLlm,
    /// Several steps, such as translate, check with a transducer, repair.
    Pipeline,
    /// Any other program.
    CustomPlugin,
    /// An external translation service.
    Api,
    /// A human baseline.
    Human,
}

impl MethodClass {
    /// All classes.
    pub const ALL: [Self; 6] = [
        Self::RawLlm,
        Self::CoachedLlm,
        Self::Pipeline,
        Self::CustomPlugin,
        Self::Api,
        Self::Human,
    ];

    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RawLlm => "raw-llm",
            Self::CoachedLlm => "coached-llm",
            Self::Pipeline => "pipeline",
            Self::CustomPlugin => "custom-plugin",
            Self::Api => "api",
            Self::Human => "human",
        }
    }
}

/// What a method needs at run time, from least to most restrictive (B §8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum DependencyClass {
    /// Self-contained.
    S,
    /// Open external artefacts, pinned and mirrored.
    O,
    /// Substitutable inference of a language model.
    A1,
    /// An external service that nothing else can replace.
    A2,
    /// Closed: bundled without the rights to pass it on.
    X,
}

impl DependencyClass {
    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::O => "O",
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::X => "X",
        }
    }
}

/// The manifest of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodManifest {
    /// Name for people.
    pub name: String,
    /// Stable identifier: lower-case letters, digits, `-`, `_`, `.`, `/`.
    pub method_id: String,
    /// Version of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What the method does and where it fails, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Kind of the method.
    pub class: MethodClass,
    /// How the method is started.
    pub entry_point: EntryPoint,
    /// Language pairs the method supports, such as `por-glg`; empty means any.
    #[serde(default)]
    pub supported_pairs: Vec<String>,
    /// Declared dependency class; must equal the derived one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependency_class: Option<DependencyClass>,
    /// Everything the method needs.
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
    /// Experiment label; `baseline` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Parameters of the entry point that a sweep may vary.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
}

/// How a method is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EntryPoint {
    /// Outputs recorded in a JSON Lines file of `{"id","output"}`.
    Replay {
        /// File, relative to the manifest; `--predictions` takes its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        predictions: Option<String>,
        /// The engine that made the outputs, shown as `model_slug`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engine: Option<String>,
    },
    /// The source as output: the floor every method must beat.
    Copy {},
    /// A program that reads one line and writes one line, kept alive.
    Command {
        /// Program and arguments.
        command: Vec<String>,
    },
    /// The Apertium engine.
    Apertium {
        /// Mode such as `por-glg`.
        mode: String,
    },
    /// A language model or translation engine behind an interface of a known form.
    Provider {
        /// Form of the interface: `openai`, `anthropic`, `gemini`, `deepl`, `google-translate`, `libretranslate`.
        provider: String,
        /// Base URL; the service's public one when absent. `--base-url` takes its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_url: Option<String>,
        /// Reference to the key, `env:NAME` or `file:PATH`; never the key itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Headers sent with every request.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
        /// Checks every answer must pass; a rejected one goes back to the model, up to `max_retries` times.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        checks: Vec<Check>,
    },
    /// A program that speaks the plugin protocol over standard input and output.
    Plugin {
        /// Program and arguments; a program that is a file of the method is found there.
        command: Vec<String>,
        /// Names of environment variables the program may see beside `PATH` and `LANG`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        environment: Vec<String>,
    },
    /// Translations by a person, with what that person attests.
    Human {
        /// JSON Lines file of `{"id","output"}`, relative to the manifest.
        translations: String,
        /// Who translated, when and how.
        attestation: Attestation,
    },
}

/// A check of a pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// The output must have a plausible length, in extended grapheme clusters per cluster of the source.
    Length {
        /// Smallest ratio.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_ratio: Option<Finite>,
        /// Largest ratio.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_ratio: Option<Finite>,
    },
    /// Letters must belong to these scripts, as ISO 15924 codes.
    Script {
        /// The scripts allowed.
        scripts: Vec<String>,
    },
    /// Terms of the source must appear in their prescribed translation.
    Glossary {
        /// Tab-separated file of source term and translations, relative to the manifest.
        file: String,
    },
    /// A morphological analyser must know every word.
    Fst {
        /// Analyser file, relative to the manifest; without one the analyser of the target language's card is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        analyser: Option<String>,
    },
    /// A program gets `{"source","output"}` as a line and answers `{"ok","rejected","message"}`.
    Command {
        /// Program and arguments.
        command: Vec<String>,
    },
}

/// What a human translator attests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    /// Name or pseudonym the translator chose.
    pub translator: String,
    /// Day of the work, `YYYY-MM-DD`.
    pub date: String,
    /// In the translator's own words: how the translations were made.
    pub statement: String,
    /// Whether any machine translation was used as a draft.
    pub machine_translation_used: bool,
    /// Whether the translator had seen the references.
    pub references_seen: bool,
}

/// Something a method needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    /// Identifier, unique in the manifest.
    pub id: String,
    /// What it is.
    pub kind: DependencyKind,
    /// SPDX expression, `proprietary` or `none`.
    pub license: String,
    /// How the method gets at it.
    pub access: Access,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Exact version or digest of a mirrored artefact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<String>,
    /// Whether any compatible endpoint can serve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitutable: Option<bool>,
    /// Whether it may be passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redistributable: Option<bool>,
    /// Whether the right to use it may be transferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transferable: Option<bool>,
    /// Remarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// The kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DependencyKind {
    /// Dictionaries, examples, corpora.
    Data,
    /// Weights or an inference endpoint.
    Model,
    /// Programs and libraries.
    Software,
    /// Any other service.
    Service,
}

/// How a dependency is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Part of the submission.
    Bundled,
    /// Fetched once, pinned, kept by the evaluator.
    Mirrored,
    /// Through the evaluator's inference gateway.
    Gateway,
    /// Over the network at run time.
    ExternalApi,
}

/// Why a dependency has no class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DependencyError {
    /// A mirrored artefact names no version or digest.
    #[error("dependency {id} is mirrored but has no pin")]
    NoPin {
        /// The dependency's id.
        id: String,
    },
    /// A mirrored artefact has no open licence.
    #[error("dependency {id} is mirrored but its licence {license} is not open")]
    NotOpen {
        /// The dependency's id.
        id: String,
        /// Its licence.
        license: String,
    },
}

impl Dependency {
    /// Returns the class this dependency alone would give a method.
    pub fn class(&self) -> Result<DependencyClass, DependencyError> {
        let substitutable = self.substitutable == Some(true);
        match self.access {
            Access::Bundled if self.redistributable == Some(true) && self.transferable == Some(true) => {
                Ok(DependencyClass::S)
            }
            Access::Bundled => Ok(DependencyClass::X),
            Access::Mirrored if self.pin.as_deref().is_none_or(|pin| pin.trim().is_empty()) => {
                Err(DependencyError::NoPin { id: self.id.clone() })
            }
            Access::Mirrored if !is_open_licence(&self.license) => Err(DependencyError::NotOpen {
                id: self.id.clone(),
                license: self.license.clone(),
            }),
            Access::Mirrored => Ok(DependencyClass::O),
            Access::Gateway | Access::ExternalApi
                if self.kind == DependencyKind::Model
                    && (substitutable || self.access == Access::Gateway) =>
            {
                Ok(DependencyClass::A1)
            }
            Access::Gateway | Access::ExternalApi => Ok(DependencyClass::A2),
        }
    }
}

impl MethodManifest {
    /// Returns the most restrictive class of the dependencies, S if there are none, or every problem found.
    pub fn derived_dependency_class(&self) -> Result<DependencyClass, Vec<DependencyError>> {
        let mut class = DependencyClass::S;
        let mut errors = Vec::new();
        for dependency in &self.dependencies {
            match dependency.class() {
                Ok(one) => class = class.max(one),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(class) } else { Err(errors) }
    }
}

/// Says whether an SPDX expression allows use, change and redistribution by anyone: no `none`, `proprietary`,
/// custom reference, non-commercial or no-derivatives term in any part that would have to hold.
fn is_open_licence(expression: &str) -> bool {
    let open_part = |part: &str| {
        let part = part.trim().trim_matches(['(', ')']);
        let closed = ["none", "proprietary", "noassertion", ""];
        !closed.contains(&part.to_ascii_lowercase().as_str())
            && !part.starts_with("LicenseRef-")
            && !part.contains("-NC")
            && !part.contains("-ND")
    };
    expression
        .split(" OR ")
        .any(|choice| choice.split(" AND ").all(open_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(access: Access, kind: DependencyKind) -> Dependency {
        Dependency {
            id: "d".into(),
            kind,
            license: "GPL-2.0-or-later".into(),
            access,
            source: None,
            pin: Some("1.0".into()),
            substitutable: None,
            redistributable: None,
            transferable: None,
            notes: None,
        }
    }

    #[test]
    fn each_access_has_its_class() {
        use {Access::*, DependencyKind::*};
        assert_eq!(dependency(Mirrored, Software).class(), Ok(DependencyClass::O));
        assert_eq!(dependency(Bundled, Data).class(), Ok(DependencyClass::X));
        assert_eq!(dependency(Gateway, Model).class(), Ok(DependencyClass::A1));
        assert_eq!(dependency(ExternalApi, Model).class(), Ok(DependencyClass::A2));
        assert_eq!(dependency(ExternalApi, Service).class(), Ok(DependencyClass::A2));
        let bundled = Dependency {
            redistributable: Some(true),
            transferable: Some(true),
            ..dependency(Bundled, Data)
        };
        assert_eq!(bundled.class(), Ok(DependencyClass::S));
        let substitutable = Dependency {
            substitutable: Some(true),
            ..dependency(ExternalApi, Model)
        };
        assert_eq!(substitutable.class(), Ok(DependencyClass::A1));
        let substitutable_service = Dependency {
            substitutable: Some(true),
            ..dependency(ExternalApi, Service)
        };
        assert_eq!(substitutable_service.class(), Ok(DependencyClass::A2));
    }

    #[test]
    fn mirrored_needs_a_pin_and_an_open_licence() {
        let no_pin = Dependency {
            pin: None,
            ..dependency(Access::Mirrored, DependencyKind::Data)
        };
        assert_eq!(no_pin.class(), Err(DependencyError::NoPin { id: "d".into() }));
        let closed = Dependency {
            license: "CC-BY-NC-4.0".into(),
            ..dependency(Access::Mirrored, DependencyKind::Data)
        };
        assert!(matches!(closed.class(), Err(DependencyError::NotOpen { .. })));
    }

    #[test]
    fn a_choice_of_licences_is_open_if_one_choice_is() {
        assert!(is_open_licence("MIT OR LicenseRef-Custom"));
        assert!(!is_open_licence("MIT AND CC-BY-ND-4.0"));
        assert!(!is_open_licence("proprietary"));
    }
}
