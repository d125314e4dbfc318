//! Making methods ready that reach out: providers and plugins.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lydian_model::calendar::is_day;
use lydian_model::method::{Attestation, Check, EntryPoint};
use lydian_model::run_setup::MethodConfig;
use lydian_model::{EntryId, Finite, Sha256Hex, SourceEntry};
use serde_json::{Value, json};

use super::{Method, MethodError, MethodSetup, Prepared};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::checker::Checker;
use crate::endpoint::{Clock, Endpoint, EndpointSettings, RetryPolicy, Unpriced};
use crate::item_prompt::ItemPrompts;
use crate::limit::LimitSettings;
use crate::plugin::{PluginMethod, PluginSettings, RunInfo};
use crate::pool::Pool;
use crate::price::{Price, PriceTable};
use crate::provider_method::{MethodRun, ProviderMethod};
use crate::secret::Secret;
use crate::transport::{HttpTransport, Timeouts, is_local_endpoint};

/// Calls of a provider at a time when nobody says how many.
const CONCURRENCY: usize = 8;

/// The parameter of a setup that holds the prompts of dialect items by type.
pub const ITEM_PROMPTS: &str = "item_prompts";

/// Everything about providers and plugins that is not in the method's folder.
#[derive(Clone, Default)]
pub struct ServiceOptions {
    /// Tag of the source language.
    pub source_language: String,
    /// Tag of the target language.
    pub target_language: String,
    /// Name of the source language for prompts; without one its tag stands there.
    pub source_name: Option<String>,
    /// Name of the target language for prompts.
    pub target_name: Option<String>,
    /// Takes the place of the method's base URL.
    pub base_url: Option<String>,
    /// The key.
    pub key: Option<Secret>,
    /// Calls at a time.
    pub concurrency: Option<usize>,
    /// Most requests per minute, when the user knows such a limit.
    pub requests_per_minute: Option<f64>,
    /// How long calls are repeated.
    pub retry: Option<RetryPolicy>,
    /// How long a provider is waited for.
    pub timeouts: Option<Timeouts>,
    /// Where clean answers are kept, and the source of the time at which they are stored.
    pub cache: Option<(Cache, Clock)>,
    /// What may be spent.
    pub budget: Option<(Arc<Budget>, Unpriced)>,
    /// The user's prices.
    pub prices: Option<PriceTable>,
    /// Number of the repetition.
    pub sample: u32,
    /// The environment a plugin gets.
    pub environment: BTreeMap<String, String>,
    /// File for what a plugin writes to standard error.
    pub stderr_file: Option<PathBuf>,
    /// Endpoints shared with other runs of the same process.
    pub endpoints: Endpoints,
    /// What is shared with other runs and machines.
    pub pool: Option<Arc<dyn Pool>>,
    /// Makes a checker of a morphological analyser.
    pub analyser: Option<AnalyserReader>,
    /// How dialect items are put; `None` for plain corpora.
    pub items: Option<ItemPrompts>,
}

/// Makes a checker of a morphological analyser: that in a file, or that of the target language's card.
pub type AnalyserReader = Arc<dyn Fn(Option<&Path>) -> Result<Box<dyn Checker>, String> + Send + Sync>;

/// Endpoints by service, base URL and model: one limit and one state for everyone who asks the same one.
#[derive(Clone, Debug, Default)]
pub struct Endpoints(Arc<Mutex<BTreeMap<String, Arc<Endpoint<HttpTransport>>>>>);

impl fmt::Debug for ServiceOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ServiceOptions")
            .field("base_url", &self.base_url)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}

impl Endpoints {
    fn get(
        &self,
        key: String,
        make: impl FnOnce() -> Result<Endpoint<HttpTransport>, MethodError>,
    ) -> Result<Arc<Endpoint<HttpTransport>>, MethodError> {
        let mut endpoints = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(endpoint) = endpoints.get(&key) {
            return Ok(Arc::clone(endpoint));
        }
        let endpoint = Arc::new(make()?);
        endpoints.insert(key, Arc::clone(&endpoint));
        Ok(endpoint)
    }

    /// Returns every endpoint in use with its name.
    pub fn all(&self) -> Vec<(String, Arc<Endpoint<HttpTransport>>)> {
        let endpoints = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        endpoints
            .iter()
            .map(|(name, endpoint)| (name.clone(), Arc::clone(endpoint)))
            .collect()
    }
}

/// Reads the folder of a method behind a provider. Nothing is sent, and no key is needed.
pub fn provider_method(method: &Method, options: &ServiceOptions) -> Result<ProviderMethod, MethodError> {
    let run = MethodRun {
        source_language: options.source_language.clone(),
        target_language: options.target_language.clone(),
        source_name: options.source_name.clone(),
        target_name: options.target_name.clone(),
        base_url: options.base_url.clone(),
        sample: options.sample,
        items: options.items.clone(),
    };
    let analyser = |path: Option<&Path>| match &options.analyser {
        Some(read) => read(path),
        None => Err("this program cannot read analysers".to_owned()),
    };
    ProviderMethod::load(&method.manifest, &method.folder, &run, &analyser)
        .map_err(|error| field(method, &error))
}

/// Returns the price of the method's model: the user's, else the shipped one.
pub fn price(method: &ProviderMethod, options: &ServiceOptions) -> Option<Price> {
    let model = method.parameters().model.as_str();
    let user = options
        .prices
        .as_ref()
        .and_then(|table| table.price(method.endpoint(), model));
    user.cloned()
        .or_else(|| PriceTable::shipped().price(method.endpoint(), model).cloned())
}

pub(super) fn prepare_provider(method: &Method, options: &ServiceOptions) -> Result<Prepared, MethodError> {
    let provider = provider_method(method, options)?;
    let setup = provider_setup(method, &provider)?;
    let concurrency = options.concurrency.unwrap_or(CONCURRENCY);
    let excluded = provider.declared_examples();
    let name = format!(
        "{} {} {}",
        provider.kind(),
        provider.endpoint(),
        provider.parameters().model
    );
    let endpoint = options.endpoints.get(name, || {
        let (cache, clock) = match &options.cache {
            Some((cache, clock)) => (Some(cache.clone()), Arc::clone(clock)),
            None => (None, Arc::new(String::new) as Clock),
        };
        let transport = HttpTransport::new(
            provider.kind(),
            provider.endpoint(),
            options.key.clone(),
            &provider.headers(),
            options.timeouts.unwrap_or_default(),
        )
        .map_err(|error| field(method, &error))?;
        let settings = EndpointSettings {
            kind: provider.kind(),
            identity: provider.endpoint().to_owned(),
            limit: LimitSettings {
                concurrency,
                requests_per_minute: options.requests_per_minute,
            },
            seed: u64::from(std::process::id()),
            retry: options.retry.unwrap_or_default(),
            price: price(&provider, options),
            budget: options.budget.clone(),
            pool: options.pool.clone(),
            cache,
            clock,
        };
        Ok(Endpoint::new(transport, settings))
    })?;
    Ok(Prepared {
        translator: Arc::new(provider.connect(endpoint)),
        setup,
        concurrency,
        excluded: sorted(excluded),
    })
}

pub(super) fn prepare_plugin(
    method: &Method,
    command: &[String],
    options: &ServiceOptions,
) -> Result<Prepared, MethodError> {
    let manifest = &method.manifest;
    let batch_size = match manifest.parameters.get("batch_size") {
        None => 1,
        Some(value) => value
            .as_u64()
            .and_then(|size| u32::try_from(size).ok())
            .filter(|size| *size > 0)
            .ok_or_else(|| field(method, &"parameter batch_size: expected a number above 0"))?,
    };
    let seed = manifest.parameters.get("seed").and_then(Value::as_u64);
    let run = RunInfo {
        source_lang: options.source_language.clone(),
        target_lang: options.target_language.clone(),
        seed,
        params: manifest.parameters.clone(),
    };
    let usual = PluginSettings::new(command.to_vec(), method.folder.clone(), run);
    let settings = PluginSettings {
        environment: options.environment.clone(),
        batch_size,
        entry_timeout: options
            .timeouts
            .map_or(usual.entry_timeout, |timeouts| timeouts.total),
        stderr_file: options.stderr_file.clone(),
        ..usual
    };
    let slug = match manifest.parameters.get("model").and_then(Value::as_str) {
        Some(model) => model.to_owned(),
        None => format!("plugin/{}", manifest.method_id),
    };
    let temperature = manifest
        .parameters
        .get("temperature")
        .and_then(Value::as_f64)
        .and_then(Finite::new);
    let setup = MethodSetup {
        batch_size: Some(batch_size),
        temperature,
        seed,
        ..MethodSetup::plain(method, slug)?
    };
    Ok(Prepared {
        translator: Arc::new(PluginMethod::new(settings)),
        setup,
        concurrency: options.concurrency.unwrap_or(1),
        excluded: Vec::new(),
    })
}

fn provider_setup(method: &Method, provider: &ProviderMethod) -> Result<MethodSetup, MethodError> {
    let parameters = provider.parameters();
    let slug = match (provider.kind().takes_prompt(), parameters.model.as_str()) {
        (true, model) => model.to_owned(),
        (false, "") => provider.kind().name().to_owned(),
        (false, model) => format!("{}/{model}", provider.kind()),
    };
    let temperature = parameters.sampling.temperature.and_then(Finite::new);
    let text = |text: String| (!text.is_empty()).then_some(text);
    let config = MethodConfig {
        model: Some(slug.clone()),
        temperature,
        batch_size: Some(parameters.batch_size),
        register: parameters.style.clone(),
        coaching_file: provider
            .coaching_sha256()
            .map(|_| format!("coaching/{}.toml", parameters.coaching_config.label())),
        coaching_prompt: text(provider.coaching_source().to_owned()),
        prompt_context: text(provider.prompt_source().to_owned()),
        quality_tier: None,
    };
    let plain = MethodSetup::plain(method, slug)?;
    let mut all = plain.parameters.clone();
    all.insert("provider".into(), json!(provider.kind().name()));
    all.insert(
        "prompt_file_sha256".into(),
        json!(Sha256Hex::of(provider.prompt_source().as_bytes())),
    );
    if let Some(prompts) = provider.item_prompts() {
        all.insert(ITEM_PROMPTS.into(), json!(prompts));
    }
    if !provider.checks().is_empty() {
        all.insert("checks".into(), json!(provider.checks()));
    }
    let analyser = provider.analyser();
    if let Some(analyser) = &analyser {
        all.insert("analyser_sha256".into(), json!(analyser.sha256));
        all.insert("analyser_language_card".into(), json!(analyser.language_card));
    }
    let sample = SourceEntry {
        id: EntryId::text("sample"),
        source: "sample".into(),
        context: None,
        register: None,
        domain: None,
        prompt: None,
        options: Vec::new(),
    };
    let wire = provider
        .first_request(&sample)
        .map_err(|error| field(method, &error))?;
    if !wire.adjustments.is_empty() {
        let adjustments: Vec<String> = wire.adjustments.iter().map(ToString::to_string).collect();
        all.insert("adjustments".into(), json!(adjustments));
    }
    Ok(MethodSetup {
        temperature,
        system_prompt_used: provider.system_prompt(),
        coaching_data_sha256: provider.coaching_sha256().cloned(),
        fst_version: analyser.map(|analyser| analyser.version),
        tools_enabled: provider.tools_enabled(),
        batch_size: Some(parameters.batch_size),
        max_retries: (!provider.checks().is_empty()).then_some(parameters.max_retries),
        method_config: config,
        parameters: all,
        seed: parameters.sampling.seed.and_then(|seed| u64::try_from(seed).ok()),
        endpoint: Some(provider.endpoint().to_owned()),
        post_processing: parameters
            .post_processing
            .iter()
            .map(ToString::to_string)
            .collect(),
        ..plain
    })
}

fn sorted(mut ids: Vec<EntryId>) -> Vec<EntryId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Refuses a human baseline without the translator's own words, or by somebody who had seen the references.
pub(super) fn check_attestation(method: &Method, attestation: &Attestation) -> Result<(), MethodError> {
    for (name, value) in [
        ("translator", &attestation.translator),
        ("date", &attestation.date),
        ("statement", &attestation.statement),
    ] {
        if value.trim().is_empty() {
            return Err(field(
                method,
                &format!("attestation.{name} is empty: only the translator can fill it in"),
            ));
        }
    }
    if !is_day(attestation.date.trim()) {
        return Err(field(
            method,
            &format!(
                "attestation.date {:?} is no day of the calendar; write it as 2026-05-01",
                attestation.date
            ),
        ));
    }
    if attestation.references_seen {
        let problem = "the translator had seen the references, so the translations measure nothing";
        return Err(field(method, &problem));
    }
    Ok(())
}

fn field(method: &Method, problem: &dyn fmt::Display) -> MethodError {
    MethodError::Field {
        method_id: method.manifest.method_id.clone(),
        problem: problem.to_string(),
    }
}

/// Returns where the method's key is to be read, as its manifest says it.
pub fn key_reference(method: &Method) -> Option<&str> {
    match &method.manifest.entry_point {
        EntryPoint::Provider { key, .. } => key.as_deref(),
        _ => None,
    }
}

/// Returns the names of the environment variables that the method's plugin may see.
pub fn environment_names(method: &Method) -> &[String] {
    match &method.manifest.entry_point {
        EntryPoint::Plugin { environment, .. } => environment,
        _ => &[],
    }
}

/// Returns whether the method sends text to another machine. A plugin may, unless its dependencies say otherwise.
pub fn sends_text_away(method: &Method, base_url: Option<&str>) -> bool {
    match &method.manifest.entry_point {
        EntryPoint::Provider { base_url: own, .. } => {
            !base_url.or(own.as_deref()).is_some_and(is_local_endpoint)
        }
        EntryPoint::Plugin { .. } => method
            .manifest
            .dependencies
            .iter()
            .any(|dependency| dependency.access == lydian_model::method::Access::ExternalApi),
        _ => false,
    }
}

/// Returns the files of a provider method that decide its answers and exist: prompt, coaching, tools, glossaries,
/// analysers and programs.
pub(super) fn named_files(method: &Method) -> Vec<PathBuf> {
    let EntryPoint::Provider { checks, .. } = &method.manifest.entry_point else {
        return Vec::new();
    };
    let part = |kind: &str, parameter: &str| {
        let name = method
            .manifest
            .parameters
            .get(parameter)
            .and_then(Value::as_str)
            .unwrap_or("default");
        PathBuf::from(kind).join(format!("{name}.toml"))
    };
    let mut files = vec![
        part("prompts", "prompt_version"),
        part("coaching", "coaching_config"),
        part("tools", "tool_config"),
    ];
    for check in checks {
        match check {
            Check::Glossary { file } | Check::Fst { analyser: Some(file) } => files.push(PathBuf::from(file)),
            Check::Command { command } => files.extend(command.iter().map(PathBuf::from)),
            Check::Length { .. } | Check::Script { .. } | Check::Fst { analyser: None } => {}
        }
    }
    files.retain(|file| method.folder.join(file).is_file());
    files.sort_unstable();
    files.dedup();
    files
}
