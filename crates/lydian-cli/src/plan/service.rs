//! What a method that reaches out is given from the command line and the environment.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lydian_harness::budget::Budget;
use lydian_harness::cache::Cache;
use lydian_harness::endpoint::{Clock, Unpriced};
use lydian_harness::method::Method;
use lydian_harness::method::service::{self, ServiceOptions};
use lydian_harness::secret::{Secret, SecretReference};
use lydian_model::{Dataset, NanoUsd};
use serde::{Deserialize, Serialize};

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;

/// Variables that any program needs to start.
const USUAL_VARIABLES: [&str; 3] = ["PATH", "LANG", "HOME"];

/// How a provider is reached and what it may cost. Keys are references, never values.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceArguments {
    /// Address of the provider, in place of the method's own
    #[arg(long, value_name = "URL", help_heading = "Provider")]
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
    /// Folder in which clean answers are kept for other runs
    #[arg(long, value_name = "DIR", help_heading = "Provider")]
    pub(super) cache: Option<PathBuf>,
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

/// What a run knows of its method's surroundings.
pub(super) struct Surroundings<'a> {
    pub(super) method: &'a Method,
    pub(super) dataset: &'a Dataset,
    pub(super) purpose: Purpose,
    pub(super) spent: NanoUsd,
}

impl ServiceArguments {
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
            source_language: around.dataset.source_language.clone(),
            target_language: around.dataset.target_language.clone(),
            base_url: self.base_url.clone(),
            key: self.resolved_key(around)?,
            requests_per_minute: self.requests_per_minute,
            cache: self.cache.clone().map(|folder| (Cache::new(folder), clock)),
            budget,
            environment: environment(around.method),
            ..ServiceOptions::default()
        })
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
            SecretReference::Environment(name) => variable(name).unwrap_or_default(),
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

/// Returns the part of the environment that the method's program may see.
fn environment(method: &Method) -> BTreeMap<String, String> {
    let declared = service::environment_names(method).iter().map(String::as_str);
    USUAL_VARIABLES
        .into_iter()
        .chain(declared)
        .filter_map(|name| Some((name.to_owned(), variable(name)?)))
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is where the environment is read"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
