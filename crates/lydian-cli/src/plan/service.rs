//! What a method that reaches out is given from the command line and the environment.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lydian_harness::budget::Budget;
use lydian_harness::cache::Cache;
use lydian_harness::checker::{Checker, FstGate};
use lydian_harness::endpoint::{Clock, RetryPolicy, Unpriced};
use lydian_harness::finite_file;
use lydian_harness::method::Method;
use lydian_harness::method::service::{self, AnalyserReader, ServiceOptions};
use lydian_harness::price::PriceTable;
use lydian_harness::secret::{Secret, SecretReference};
use lydian_harness::transport::Timeouts;
use lydian_harness::transport::endpoint_identity;
use lydian_model::sweep::EndpointPlan;
use lydian_model::{Dataset, NanoUsd};
use serde::{Deserialize, Serialize};

use crate::error::{CommandError, CommandResult, Exit};
use crate::language_cards::language_name;
use crate::languages::Pair;
use crate::{environment, files};

/// How a provider is reached and what it may cost. Keys are references, never values.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceArguments {
    /// Address of the provider, in place of the method's own
    #[arg(long, value_name = "URL", value_parser = base_url, help_heading = "Provider")]
    pub(super) base_url: Option<String>,
    /// Where the key is [default: what the method says]
    #[arg(long, value_name = "env:NAME|file:PATH", help_heading = "Provider")]
    pub(super) key: Option<String>,
    /// Most requests a minute
    #[arg(long, value_name = "N", value_parser = positive, help_heading = "Provider")]
    pub(super) requests_per_minute: Option<f64>,
    /// Most US dollars to spend on the run
    #[arg(long, value_name = "USD", value_parser = positive, help_heading = "Provider")]
    pub(super) budget: Option<f64>,
    /// Send requests whose price is unknown although there is a budget
    #[arg(long, requires = "budget", help_heading = "Provider")]
    pub(super) allow_unpriced: bool,
    /// Keep clean answers for other runs and take theirs, in this folder or else the user's own
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = USER_CACHE, help_heading = "Provider")]
    pub(super) cache: Option<PathBuf>,
    /// Your own prices, in the form of the shipped table
    #[arg(long, value_name = "FILE", help_heading = "Provider")]
    #[serde(default)]
    pub(super) prices: Option<PathBuf>,
    /// How long a request is repeated while the provider is unavailable [default: 900]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800), help_heading = "Provider")]
    #[serde(default)]
    pub(super) patience: Option<u64>,
}

/// Stands for the cache folder of the user.
const USER_CACHE: &str = ":user:";

/// Returns the time limits of a provider or plugin whose answer may take so many seconds.
pub(super) fn timeouts(seconds: u64) -> Timeouts {
    let total = Duration::from_secs(seconds);
    let usual = Timeouts::default();
    Timeouts {
        idle: usual.idle.min(total),
        total,
        ..usual
    }
}

/// An address is written to journals and cards, so one that holds a password is refused whatever the method.
fn base_url(text: &str) -> Result<String, String> {
    endpoint_identity(text)
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "expected a number above 0".into())
}

/// Whether requests will be made, so that a key is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// They will.
    Run,
    /// Nothing is sent.
    Show,
}

/// Returns what makes a check of the analyser of the corpus's target language, or of a file read as that one is.
fn analyser_reader(dataset: &Dataset) -> AnalyserReader {
    let (source, target) = (dataset.source_language.clone(), dataset.target_language.clone());
    Arc::new(move |file| {
        let pair = Pair::open(&source, &target).map_err(|error| error.to_string())?;
        let language = match file {
            None => pair.target,
            Some(file) => {
                let bytes = finite_file::read(Path::new(file)).map_err(|error| error.to_string())?;
                pair.target
                    .with_analyser(bytes)
                    .map_err(|error| error.to_string())?
            }
        };
        let gate = FstGate::new(pair.source, language, pair.target_card)?;
        Ok(Box::new(gate) as Box<dyn Checker>)
    })
}

/// What a run knows of its method's surroundings.
pub(super) struct Surroundings<'a> {
    pub(super) method: &'a Method,
    pub(super) dataset: &'a Dataset,
    pub(super) purpose: Purpose,
    pub(super) spent: NanoUsd,
}

impl ServiceArguments {
    /// Returns how the providers of a sweep are reached; budget and rate are shared and stand elsewhere. `below` is the
    /// folder of the plan.
    pub(crate) fn of_sweep(endpoint: &EndpointPlan, below: &Path) -> Self {
        Self {
            base_url: endpoint.base_url.clone(),
            key: endpoint.key.clone(),
            cache: endpoint.cache.as_ref().map(|folder| below.join(folder)),
            prices: endpoint.prices.as_ref().map(|file| below.join(file)),
            patience: endpoint.patience_seconds,
            ..Self::default()
        }
    }

    /// Returns the base URL that takes the place of the method's.
    pub(super) fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Returns the options that the method is prepared with.
    pub(super) fn options(&self, around: &Surroundings<'_>) -> CommandResult<ServiceOptions> {
        let unpriced = if self.allow_unpriced {
            Unpriced::Allowed
        } else {
            Unpriced::Refused
        };
        let budget = match self.budget {
            None => None,
            Some(dollars) => {
                let limit = NanoUsd::from_dollars(dollars)
                    .ok_or_else(|| CommandError::new(Exit::Usage, "the budget is too large"))?;
                Some((Arc::new(Budget::new(limit, around.spent)), unpriced))
            }
        };
        let clock: Clock = Arc::new(super::timestamp);
        Ok(ServiceOptions {
            source_name: language_name(&around.dataset.source_language),
            target_name: language_name(&around.dataset.target_language),
            source_language: around.dataset.source_language.clone(),
            target_language: around.dataset.target_language.clone(),
            base_url: self.base_url.clone(),
            key: self.resolved_key(around)?,
            requests_per_minute: self.requests_per_minute,
            cache: self.cache.clone().map(|folder| (Cache::new(folder), clock)),
            prices: self.price_table()?,
            retry: self.patience.map(|seconds| RetryPolicy {
                patience: Duration::from_secs(seconds),
                ..RetryPolicy::default()
            }),
            budget,
            environment: environment::for_plugin(service::environment_names(around.method)),
            analyser: Some(analyser_reader(around.dataset)),
            ..ServiceOptions::default()
        })
    }

    /// Replaces options that cannot change an answer, when a run goes on.
    pub(crate) fn overridden(self, key: Option<String>, budget: Option<f64>) -> Self {
        Self {
            key: key.or(self.key),
            budget: budget.or(self.budget),
            ..self
        }
    }

    /// Returns these arguments with every path made absolute.
    pub(super) fn absolute(self) -> CommandResult<Self> {
        let cache = match self.cache {
            Some(folder) if folder.as_os_str() == USER_CACHE => Some(environment::cache_folder()?),
            other => other.map(std::path::absolute).transpose()?,
        };
        let prices = self.prices.map(std::path::absolute).transpose()?;
        Ok(Self {
            cache,
            prices,
            ..self
        })
    }

    fn price_table(&self) -> CommandResult<Option<PriceTable>> {
        let Some(path) = &self.prices else { return Ok(None) };
        let invalid = |error: anyhow::Error| {
            CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
        };
        let text = String::from_utf8(files::read(path)?).map_err(|error| invalid(error.into()))?;
        PriceTable::user(&text)
            .map(Some)
            .map_err(|error| invalid(error.into()))
    }

    /// Reads the key where its reference says. A method on this machine may do without one.
    fn resolved_key(&self, around: &Surroundings<'_>) -> CommandResult<Option<Secret>> {
        let named = self
            .key
            .as_deref()
            .or_else(|| service::key_reference(around.method));
        let Some(text) = named.filter(|_| around.purpose == Purpose::Run) else {
            return Ok(None);
        };
        let reference: SecretReference = text
            .parse()
            .map_err(|error| CommandError::from_error(Exit::Usage, error))?;
        let value = match &reference {
            SecretReference::Environment(name) => environment::variable(name).unwrap_or_default(),
            SecretReference::File(path) => String::from_utf8_lossy(&files::read(path.as_ref())?).into_owned(),
        };
        let value = value.trim();
        let local = !service::sends_text_away(around.method, self.base_url());
        match value {
            "" if local => Ok(None),
            "" => Err(
                CommandError::new(Exit::Authentication, format!("{text} holds no key"))
                    .with_hint("set it, or say where the key is with --key env:NAME or --key file:PATH"),
            ),
            value => Ok(Some(Secret::new(value.to_owned()))),
        }
    }
}
