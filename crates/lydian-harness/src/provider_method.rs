//! A method behind a provider: its folder read once, then entry by entry prompt, call, tools, checks and repairs.

mod batch;
mod conversation;
mod estimate;
mod parameters;
mod prediction;

pub use estimate::{CostRange, Estimate, Range};
pub use parameters::{MethodParameters, ParameterError};

use crate::checker::{
    AnalyserIdentity, Checker, CommandChecker, GlossaryChecker, LengthChecker, ScriptChecker,
};
use crate::endpoint::{Call, CallResult, Endpoint};
use crate::finite_file;
use crate::item_prompt::ItemPrompts;
use crate::post_processing::PostProcessing;
use crate::prompt::{Coaching, Prompt, RunValues};
use crate::provider::{self, ProviderKind, RequestError, TranslationRequest, Turn, WireRequest};
use crate::tool::Toolbox;
use crate::translator::{BoxFuture, CallLog, Stop, Translator};
use crate::transport::{Transport, endpoint_identity};
use lydian_model::dialect::{ItemPromptText, ItemType};
use lydian_model::method::{Check, EntryPoint};
use lydian_model::{EntryId, MethodManifest, Prediction, Sha256Hex, SourceEntry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything a provider method is made of, read from its folder. Nothing is sent and no key is needed for it.
pub struct ProviderMethod {
    kind: ProviderKind,
    endpoint: String,
    headers: BTreeMap<String, String>,
    key_reference: Option<String>,
    parameters: MethodParameters,
    prompt: Prompt,
    coaching: Coaching,
    tools: Toolbox,
    checkers: Vec<Box<dyn Checker>>,
    post_processing: Vec<PostProcessing>,
    source_language: String,
    target_language: String,
    source_name: Option<String>,
    target_name: Option<String>,
    sample: u32,
    items: Option<ItemPrompts>,
}

/// The languages and options of a run that are not in the method's folder.
#[derive(Clone, Debug, Default)]
pub struct MethodRun {
    /// Tag of the source language.
    pub source_language: String,
    /// Tag of the target language.
    pub target_language: String,
    /// Name of the source language for prompts; without one its tag stands there.
    pub source_name: Option<String>,
    /// Name of the target language for prompts.
    pub target_name: Option<String>,
    /// Takes the place of the folder's base URL.
    pub base_url: Option<String>,
    /// Number of the repetition, so that repeats are asked for anew.
    pub sample: u32,
    /// How dialect items are put; `None` for plain corpora.
    pub items: Option<ItemPrompts>,
}

/// Builds a checker for a morphological analyser: that in a file, or that of the target language's card.
pub type AnalyserChecker<'a> = &'a dyn Fn(Option<&Path>) -> Result<Box<dyn Checker>, String>;

/// Why a method folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MethodError {
    /// The manifest names another kind of entry point.
    #[error("the entry point is not a provider")]
    NotAProvider,
    /// A file cannot be read.
    #[error("{path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        cause: std::io::Error,
    },
    /// A file is not valid.
    #[error("{path}: {problem}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The manifest is not valid.
    #[error("method.json: {0}")]
    Manifest(String),
}

/// A method connected to its endpoint.
#[derive(Debug)]
pub struct ConnectedMethod<T> {
    method: ProviderMethod,
    endpoint: Arc<Endpoint<T>>,
}

impl std::fmt::Debug for ProviderMethod {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ProviderMethod")
            .field("endpoint", &self.endpoint)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

impl ProviderMethod {
    /// Reads the folder of a method whose manifest has a provider as entry point.
    pub fn load(
        manifest: &MethodManifest,
        folder: &Path,
        run: &MethodRun,
        analyser: AnalyserChecker<'_>,
    ) -> Result<Self, MethodError> {
        let EntryPoint::Provider {
            provider,
            base_url,
            key,
            headers,
            checks,
        } = &manifest.entry_point
        else {
            return Err(MethodError::NotAProvider);
        };
        let manifest_error = |error: &dyn std::fmt::Display| MethodError::Manifest(error.to_string());
        let kind: ProviderKind = provider.parse().map_err(|error| manifest_error(&error))?;
        let url = run
            .base_url
            .as_deref()
            .or(base_url.as_deref())
            .unwrap_or(kind.default_base_url());
        let endpoint = endpoint_identity(url).map_err(|error| manifest_error(&error))?;
        let parameters =
            MethodParameters::read(&manifest.parameters).map_err(|error| manifest_error(&error))?;
        if kind.takes_prompt() && parameters.model.is_empty() {
            return Err(MethodError::Manifest("the parameter model is missing".into()));
        }
        let prompt = read_part(folder, "prompts", &parameters.prompt_version, Prompt::parse)?;
        let prompt = match prompt {
            Some(prompt) => prompt,
            None => Prompt::parse("").expect("the empty prompt is read in a test"),
        };
        let coaching =
            read_part(folder, "coaching", &parameters.coaching_config, Coaching::parse)?.unwrap_or_default();
        let tools = read_part(folder, "tools", &parameters.tool_config, |text| {
            Toolbox::parse(text, &coaching, folder)
        })?
        .unwrap_or_default();
        let checkers = checks
            .iter()
            .map(|check| checker(check, folder, analyser))
            .collect::<Result<Vec<_>, _>>()?;
        let items = run.items.clone().map(|items| {
            if prompt.asks_questions() {
                items.beside_own()
            } else {
                items
            }
        });
        Ok(Self {
            kind,
            endpoint,
            headers: headers.clone(),
            key_reference: key.clone(),
            post_processing: parameters.post_processing.clone(),
            parameters,
            prompt,
            coaching,
            tools,
            checkers,
            source_language: run.source_language.clone(),
            target_language: run.target_language.clone(),
            source_name: run.source_name.clone(),
            target_name: run.target_name.clone(),
            sample: run.sample,
            items,
        })
    }

    /// Connects the method to an endpoint that several methods may share.
    pub fn connect<T: Transport>(self, endpoint: Arc<Endpoint<T>>) -> ConnectedMethod<T> {
        ConnectedMethod {
            method: self,
            endpoint,
        }
    }

    /// Returns the service.
    pub fn kind(&self) -> ProviderKind {
        self.kind
    }

    /// Returns the identity of the endpoint, its base URL.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Returns the headers sent with every request.
    pub fn headers(&self) -> Vec<(String, String)> {
        self.headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Returns where the key is to be read, as the manifest says it.
    pub fn key_reference(&self) -> Option<&str> {
        self.key_reference.as_deref()
    }

    /// Returns the parameters.
    pub fn parameters(&self) -> &MethodParameters {
        &self.parameters
    }

    /// Returns the whole system prompt.
    pub fn system_prompt(&self) -> String {
        if self.kind.takes_prompt() {
            self.prompt.system(self.values())
        } else {
            String::new()
        }
    }

    /// Returns the digest of the coaching file.
    pub fn coaching_sha256(&self) -> Option<&Sha256Hex> {
        self.coaching.sha256()
    }

    /// Returns all coaching data as text, for the card and for finding evaluated entries in it.
    pub fn coaching_text(&self) -> String {
        self.coaching.text()
    }

    /// Returns the coaching file as it is; empty when there is none.
    pub fn coaching_source(&self) -> &str {
        self.coaching.source()
    }

    /// Returns the prompt file as it is; empty when there is none.
    pub fn prompt_source(&self) -> &str {
        self.prompt.source()
    }

    /// Returns the prompts by item type when dialect items are run.
    pub fn item_prompts(&self) -> Option<BTreeMap<ItemType, ItemPromptText>> {
        let own = self.kind.takes_prompt().then_some(&self.prompt);
        self.items.as_ref().map(|items| items.recorded(own))
    }

    /// Returns the prompt that takes the place of the method's own for a dialect item.
    fn item_prompt(&self, entry: &SourceEntry) -> Option<&Prompt> {
        self.items.as_ref()?.of(entry)
    }

    /// Checks are made for translations; the answer to a question is none.
    fn checkers_of(&self, entry: &SourceEntry) -> &[Box<dyn Checker>] {
        match entry.prompt {
            Some(_) => &[],
            None => &self.checkers,
        }
    }

    /// Steps that trim a translation would cut the reasons off an answer to a question.
    fn post_processing_of(&self, entry: &SourceEntry) -> &[PostProcessing] {
        match entry.prompt {
            Some(_) => &[],
            None => &self.post_processing,
        }
    }

    /// Returns the names of the tools offered to the model, sorted.
    pub fn tools_enabled(&self) -> Vec<String> {
        self.tools.names()
    }

    /// Returns the names of the checks.
    pub fn checks(&self) -> Vec<&str> {
        self.checkers.iter().map(|checker| checker.name()).collect()
    }

    /// Returns the analyser that one of the checks asks.
    pub fn analyser(&self) -> Option<AnalyserIdentity> {
        self.checkers.iter().find_map(|checker| checker.analyser())
    }

    /// Returns the corpus entries used as examples; they are left out of the evaluation.
    pub fn declared_examples(&self) -> Vec<EntryId> {
        self.coaching
            .examples()
            .iter()
            .filter_map(|example| example.entry_id.clone())
            .collect()
    }

    /// Returns the request that is sent first for an entry, without its key.
    pub fn first_request(&self, entry: &SourceEntry) -> Result<WireRequest, RequestError> {
        self.kind.wire_request(&self.request(self.opening(entry)))
    }

    fn values(&self) -> RunValues<'_> {
        RunValues {
            source_language: self
                .parameters
                .source_name
                .as_deref()
                .or(self.source_name.as_deref())
                .unwrap_or(&self.source_language),
            target_language: self
                .parameters
                .target_name
                .as_deref()
                .or(self.target_name.as_deref())
                .unwrap_or(&self.target_language),
            style: self.parameters.style.as_deref().unwrap_or_default(),
            coaching: &self.coaching,
        }
    }

    /// Returns what is said before the model answers for the first time; an engine gets the bare text.
    fn opening(&self, entry: &SourceEntry) -> provider::Prompt {
        if !self.kind.takes_prompt() {
            return provider::Prompt::Text(entry.source.clone());
        }
        if let Some(prompt) = self.item_prompt(entry) {
            return provider::Prompt::Chat {
                system: prompt.system(self.values()),
                turns: vec![Turn::User(prompt.user(self.values(), entry))],
                tools: self.tools.specs(),
            };
        }
        let mut turns = self.example_turns();
        turns.push(Turn::User(self.prompt.user(self.values(), entry)));
        provider::Prompt::Chat {
            system: self.system_prompt(),
            turns,
            tools: self.tools.specs(),
        }
    }

    /// Returns the examples as a conversation, unless the prompt holds them as text.
    fn example_turns(&self) -> Vec<Turn> {
        if self.prompt.holds_examples() {
            return Vec::new();
        }
        let turns = self.coaching.examples().iter().flat_map(|example| {
            let entry = SourceEntry {
                id: EntryId::text("example"),
                source: example.source.clone(),
                context: None,
                register: None,
                domain: None,
                prompt: None,
                options: Vec::new(),
            };
            let question = self.prompt.user(self.values(), &entry);
            [
                Turn::User(question),
                Turn::Assistant {
                    text: example.target.clone(),
                    tool_calls: Vec::new(),
                },
            ]
        });
        turns.collect()
    }

    fn request(&self, prompt: provider::Prompt) -> TranslationRequest {
        TranslationRequest {
            model: self.parameters.model.clone(),
            source_language: self.source_language.clone(),
            target_language: self.target_language.clone(),
            prompt,
            parameters: self.parameters.sampling.clone(),
        }
    }
}

impl<T: Transport> ConnectedMethod<T> {
    /// Returns the method.
    pub fn method(&self) -> &ProviderMethod {
        &self.method
    }

    async fn call(
        &self,
        entry_ids: &[EntryId],
        prompt: provider::Prompt,
        source_characters: u64,
        log: &dyn CallLog,
    ) -> Result<CallResult, Stop> {
        let request = self.method.request(prompt);
        let call = Call {
            entry_ids,
            request: &request,
            sample: self.method.sample,
            source_characters,
        };
        self.endpoint.call(&call, log).await
    }
}

impl<T: Transport> Translator for ConnectedMethod<T> {
    fn batch_size(&self) -> usize {
        self.method.parameters.batch_size.max(1) as usize
    }

    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        Box::pin(async move {
            if entries.len() > 1 {
                return self.translate_batch(entries, log).await;
            }
            let mut predictions = Vec::with_capacity(entries.len());
            for entry in entries {
                predictions.push(self.translate_one(entry, log).await?);
            }
            Ok(predictions)
        })
    }
}

/// Reads `FOLDER/KIND/NAME.toml`; the name `none` means that there is none, and so does a missing default.
fn read_part<P, E: std::fmt::Display>(
    folder: &Path,
    kind: &str,
    name: &parameters::PartName,
    parse: impl FnOnce(&str) -> Result<P, E>,
) -> Result<Option<P>, MethodError> {
    let Some(file) = name.file() else { return Ok(None) };
    let path = folder.join(kind).join(format!("{file}.toml"));
    let text = match finite_file::read_to_string(&path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound && name.is_default() => return Ok(None),
        Err(cause) => return Err(MethodError::File { path, cause }),
    };
    parse(&text).map(Some).map_err(|error| MethodError::Invalid {
        path,
        problem: error.to_string(),
    })
}

fn checker(
    check: &Check,
    folder: &Path,
    analyser: AnalyserChecker<'_>,
) -> Result<Box<dyn Checker>, MethodError> {
    match check {
        Check::Length { min_ratio, max_ratio } => {
            let (min, max) = (
                min_ratio.map(lydian_model::Finite::get),
                max_ratio.map(lydian_model::Finite::get),
            );
            Ok(Box::new(LengthChecker::new(min, max)))
        }
        Check::Script { scripts } => match ScriptChecker::new(scripts) {
            Ok(checker) => Ok(Box::new(checker)),
            Err(error) => Err(MethodError::Manifest(error.to_string())),
        },
        Check::Glossary { file } => {
            let path = folder.join(file);
            let text = finite_file::read_to_string(&path).map_err(|cause| MethodError::File {
                path: path.clone(),
                cause,
            })?;
            match GlossaryChecker::parse(&text) {
                Ok(checker) => Ok(Box::new(checker)),
                Err(error) => Err(MethodError::Invalid {
                    path,
                    problem: error.to_string(),
                }),
            }
        }
        Check::Fst { analyser: file } => {
            let Some(file) = file else {
                return analyser(None).map_err(|problem| {
                    MethodError::Manifest(format!("the check fst has no analyser: {problem}"))
                });
            };
            let path = folder.join(file);
            analyser(Some(&path)).map_err(|problem| MethodError::Invalid { path, problem })
        }
        Check::Command { command } => Ok(Box::new(CommandChecker::new(command.clone(), folder.to_owned()))),
    }
}
