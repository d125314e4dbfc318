//! A method: found by name, folder or file, checked, and made ready to translate.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lydian_model::method::{DependencyError, EntryPoint};
use lydian_model::run_setup::{
    DatasetIdentity, HARNESS_VERSION, MethodConfig, MethodIdentity, RunSetup, Selection,
};
use lydian_model::{DependencyClass, EntryId, Finite, MethodManifest, Sha256Hex, SourceEntry};
use serde_json::Value;

pub mod apertium;
pub mod builtin;
pub mod command;
pub mod copy;
mod languages;
mod prepare;
pub mod replay;
pub mod service;

use crate::finite_file;
use crate::method_digest::{DigestError, Files, method_sha256};
use crate::provider::ProviderKind;
use crate::translator::Translator;
use replay::Recorded;

pub use prepare::prepare;

/// Name of the manifest in a method folder.
pub const MANIFEST_FILE: &str = "method.json";

/// A method as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// Its manifest.
    pub manifest: MethodManifest,
    /// Folder in which the files that the manifest names are looked for.
    pub folder: PathBuf,
    /// Name of the manifest in that folder; means nothing for a built-in method.
    pub manifest_file: String,
    /// Where the manifest comes from.
    pub origin: Origin,
}

/// Where a manifest comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Made from a name such as `copy`.
    BuiltIn,
    /// Read from a file.
    File,
}

/// A method that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MethodError {
    /// Nothing goes by this name.
    #[error("there is no method {name:?}")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The folder holds no manifest.
    #[error("{} holds no {MANIFEST_FILE}", folder.display())]
    NoManifest {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The manifest is not one.
    #[error("{}: {source}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A field of the manifest holds something it must not.
    #[error("{method_id}: {problem}")]
    Field {
        /// The method.
        method_id: String,
        /// The field and what is wrong with it.
        problem: String,
    },
    /// Dependencies without a class.
    #[error("{method_id}: {}", listed(problems))]
    Dependencies {
        /// The method.
        method_id: String,
        /// Every problem.
        problems: Vec<DependencyError>,
    },
    /// The declared class is not the derived one.
    #[error("{method_id}: dependency_class is {} but its dependencies make it {}", declared.name(), derived.name())]
    ClassDiffers {
        /// The method.
        method_id: String,
        /// What the manifest says.
        declared: DependencyClass,
        /// What the dependencies say.
        derived: DependencyClass,
    },
    /// A file of the method cannot be read.
    #[error(transparent)]
    Digest(#[from] DigestError),
    /// The method replays outputs, and there are none.
    #[error("{method_id} replays recorded outputs, and no file of predictions is given")]
    NoPredictions {
        /// The method.
        method_id: String,
    },
    /// The engine or its language data is not installed.
    #[error("{problem}")]
    NotInstalled {
        /// What is missing.
        problem: String,
        /// The command that installs it.
        hint: String,
    },
    /// The method does not translate between the languages of the corpus.
    #[error(
        "{method_id} translates {pairs}, and the corpus is from {source_language} to {target_language}{remark}"
    )]
    Languages {
        /// The method.
        method_id: String,
        /// The pairs it declares.
        pairs: String,
        /// Source language of the corpus.
        source_language: String,
        /// Target language of the corpus.
        target_language: String,
        /// What else there is to say, with a separator in front.
        remark: &'static str,
    },
    /// Entries that the method cannot be given.
    #[error("{problem}")]
    Entries {
        /// Which entries, and why.
        problem: String,
        /// What to do instead.
        hint: String,
    },
}

/// Everything that decides how a method is made ready, beside its manifest.
#[derive(Clone, Debug, Default)]
pub struct PrepareOptions {
    /// Recorded outputs, which take the method's place.
    pub recorded: Option<Recorded>,
    /// Longest time an answer may take.
    pub timeout: Option<Duration>,
    /// What providers and plugins need.
    pub service: service::ServiceOptions,
}

/// A method ready to translate.
pub struct Prepared {
    /// What translates.
    pub translator: Arc<dyn Translator>,
    /// What a run records about it.
    pub setup: MethodSetup,
    /// Calls at a time when nobody says how many.
    pub concurrency: usize,
    /// Entries that the method was shown with their answers, such as few-shot examples; they cannot be evaluated.
    pub excluded: Vec<EntryId>,
}

/// The part of a run's setup that the method decides.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodSetup {
    /// Who it is.
    pub method: MethodIdentity,
    /// Model or engine.
    pub model_slug: String,
    /// Experiment label.
    pub condition: String,
    /// Sampling temperature.
    pub temperature: Option<Finite>,
    /// The whole system prompt.
    pub system_prompt_used: String,
    /// Digest of the coaching data.
    pub coaching_data_sha256: Option<Sha256Hex>,
    /// Version of the analyser the method uses.
    pub fst_version: Option<String>,
    /// Names of the tools offered to the model.
    pub tools_enabled: Vec<String>,
    /// Entries per request.
    pub batch_size: Option<u32>,
    /// Most repairs after a rejection.
    pub max_retries: Option<u32>,
    /// What the developer intended.
    pub method_config: MethodConfig,
    /// Every further parameter that can change the output.
    pub parameters: BTreeMap<String, Value>,
    /// Seed.
    pub seed: Option<u64>,
    /// Identity of the endpoint.
    pub endpoint: Option<String>,
    /// Names of post-processing steps.
    pub post_processing: Vec<String>,
}

impl Method {
    /// Finds a method: `copy`, `replay`, `apertium:MODE`, `command:PROGRAM ARGUMENTS`, a folder with a manifest, or a
    /// manifest. Relative paths are taken from `current`.
    pub fn find(name: &str, current: &Path) -> Result<Self, MethodError> {
        if let Some(manifest) = builtin::manifest(name)? {
            return Ok(Self {
                manifest,
                folder: current.to_path_buf(),
                manifest_file: MANIFEST_FILE.to_owned(),
                origin: Origin::BuiltIn,
            });
        }
        let path = current.join(name);
        if path.is_dir() {
            let manifest = path.join(MANIFEST_FILE);
            if !manifest.is_file() {
                return Err(MethodError::NoManifest { folder: path });
            }
            return Self::read(&manifest);
        }
        if path.exists() {
            return Self::read(&path);
        }
        Err(MethodError::Unknown {
            name: name.to_owned(),
        })
    }

    /// Reads a manifest.
    pub fn read(path: &Path) -> Result<Self, MethodError> {
        let bytes = finite_file::read(path).map_err(|source| MethodError::Io {
            path: path.to_path_buf(),
            source,
        })?;
        let manifest = serde_json::from_slice(&bytes).map_err(|source| MethodError::Manifest {
            path: path.to_path_buf(),
            source,
        })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok(Self {
            manifest,
            folder: folder.to_path_buf(),
            manifest_file: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            origin: Origin::File,
        })
    }

    /// Returns the method with these parameters in place of its own.
    pub fn with_parameters(mut self, parameters: &[(String, Value)]) -> Result<Self, MethodError> {
        let takes_some = matches!(
            self.manifest.entry_point,
            EntryPoint::Provider { .. } | EntryPoint::Plugin { .. }
        );
        for (name, value) in parameters {
            if !takes_some {
                return Err(MethodError::Field {
                    method_id: self.manifest.method_id,
                    problem: format!(
                        "the parameter {name} would change nothing: only providers and plugins take parameters"
                    ),
                });
            }
            self.manifest.parameters.insert(name.clone(), value.clone());
        }
        Ok(self)
    }

    /// Returns the path of the manifest of a method that was read from a file.
    pub fn manifest_path(&self) -> PathBuf {
        self.folder.join(&self.manifest_file)
    }

    /// Returns the class that the dependencies give, which must be the declared one if one is declared.
    pub fn dependency_class(&self) -> Result<DependencyClass, MethodError> {
        let method_id = self.manifest.method_id.clone();
        let derived = match self.manifest.derived_dependency_class() {
            Ok(derived) => derived,
            Err(problems) => return Err(MethodError::Dependencies { method_id, problems }),
        };
        match self.manifest.dependency_class {
            Some(declared) if declared != derived => Err(MethodError::ClassDiffers {
                method_id,
                declared,
                derived,
            }),
            _ => Ok(derived),
        }
    }

    /// Returns who the method is, after checking its identifier and class.
    pub fn identity(&self) -> Result<MethodIdentity, MethodError> {
        let manifest = &self.manifest;
        if !is_identifier(&manifest.method_id) {
            return Err(MethodError::Field {
                method_id: format!("{:?}", manifest.method_id),
                problem: "method_id must be lower-case letters, digits, - _ . /".into(),
            });
        }
        self.check_pairs()?;
        let named = self.named_files();
        let files = match manifest.entry_point {
            EntryPoint::Command { .. } | EntryPoint::Plugin { .. } if self.origin == Origin::File => {
                Files::Folder
            }
            _ => Files::Named(&named),
        };
        Ok(MethodIdentity {
            method_id: manifest.method_id.clone(),
            name: manifest.name.clone(),
            method_class: manifest.class,
            dependency_class: self.dependency_class()?,
            method_sha256: method_sha256(manifest, &self.folder, files)?,
        })
    }

    /// Returns the files that the entry point names.
    fn named_files(&self) -> Vec<PathBuf> {
        match &self.manifest.entry_point {
            EntryPoint::Replay {
                predictions: Some(file),
                ..
            }
            | EntryPoint::Human {
                translations: file, ..
            } => vec![PathBuf::from(file)],
            EntryPoint::Command { command } => command
                .iter()
                .filter(|part| self.folder.join(part).is_file())
                .map(PathBuf::from)
                .collect(),
            EntryPoint::Provider { .. } => service::named_files(self),
            _ => Vec::new(),
        }
    }

    /// Refuses entries that the method cannot be given, before any is sent.
    pub fn check_entries(&self, entries: &[SourceEntry]) -> Result<(), MethodError> {
        match self.manifest.entry_point {
            EntryPoint::Command { .. } => command::check_entries(entries),
            _ if self.only_translates() => self.refuse_questions(entries),
            _ => Ok(()),
        }
    }

    /// Returns whether the method is an engine that can only translate, so that questions mean nothing to it.
    pub fn only_translates(&self) -> bool {
        match &self.manifest.entry_point {
            EntryPoint::Apertium { .. } => true,
            EntryPoint::Provider { provider, .. } => provider
                .parse::<ProviderKind>()
                .is_ok_and(|kind| !kind.takes_prompt()),
            _ => false,
        }
    }

    fn refuse_questions(&self, entries: &[SourceEntry]) -> Result<(), MethodError> {
        let questions = entries.iter().filter(|entry| entry.prompt.is_some()).count();
        if questions == 0 {
            return Ok(());
        }
        Err(MethodError::Entries {
            problem: format!(
                "{} only translates, and {questions} of the entries are questions with options",
                self.manifest.method_id
            ),
            hint: "run the translation items alone, with --types T1".into(),
        })
    }

    /// Returns the predictions file that the manifest names, if it names one.
    pub fn predictions_file(&self) -> Option<PathBuf> {
        match &self.manifest.entry_point {
            EntryPoint::Replay {
                predictions: Some(file),
                ..
            }
            | EntryPoint::Human {
                translations: file, ..
            } => Some(self.folder.join(file)),
            _ => None,
        }
    }
}

impl MethodSetup {
    /// Returns the setup of a method without model, prompt or sampling (decision 17).
    pub fn plain(method: &Method, model_slug: String) -> Result<Self, MethodError> {
        let manifest = &method.manifest;
        let parameters = manifest.parameters.iter();
        Ok(Self {
            method: method.identity()?,
            method_config: MethodConfig {
                model: Some(model_slug.clone()),
                ..MethodConfig::default()
            },
            model_slug,
            condition: manifest.condition.clone().unwrap_or_else(|| "baseline".into()),
            temperature: None,
            system_prompt_used: String::new(),
            coaching_data_sha256: None,
            fst_version: None,
            tools_enabled: Vec::new(),
            batch_size: None,
            max_retries: None,
            parameters: parameters
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            seed: None,
            endpoint: None,
            post_processing: Vec::new(),
        })
    }

    /// Returns the setup of a run of the method over a selection of a corpus.
    pub fn of_run(
        self,
        run_id: String,
        timestamp: String,
        dataset: DatasetIdentity,
        selection: Selection,
    ) -> RunSetup {
        RunSetup {
            run_id,
            harness_version: HARNESS_VERSION.to_owned(),
            timestamp,
            method: self.method,
            model_slug: self.model_slug,
            condition: self.condition,
            temperature: self.temperature,
            system_prompt_used: self.system_prompt_used,
            coaching_data_sha256: self.coaching_data_sha256,
            fst_version: self.fst_version,
            tools_enabled: self.tools_enabled,
            batch_size: self.batch_size,
            max_retries: self.max_retries,
            method_config: self.method_config,
            parameters: self.parameters,
            seed: self.seed,
            endpoint: self.endpoint,
            post_processing: self.post_processing,
            dataset,
            selection,
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_./".contains(&byte);
    !text.is_empty() && text.len() <= 128 && text.bytes().all(allowed)
}

fn listed(problems: &[DependencyError]) -> String {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
