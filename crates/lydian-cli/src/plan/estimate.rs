//! What a planned run will probably ask of its provider.

use lydian_harness::method::service;
use lydian_harness::price::Price;
use lydian_harness::provider::RequestError;
use lydian_harness::provider_method::{Estimate, ProviderMethod};
use lydian_model::method::EntryPoint;

use super::{Plan, method_error};
use crate::error::{CommandError, CommandResult, Exit};

/// A method behind a provider with what it will probably take.
pub(crate) struct Estimated {
    /// The method.
    pub(crate) method: ProviderMethod,
    /// Its price, if known.
    pub(crate) price: Option<Price>,
    /// Requests, tokens and money.
    pub(crate) estimate: Estimate,
}

/// Estimates the calls of a method behind a provider; other methods have none.
pub(crate) fn estimate(plan: &Plan) -> CommandResult<Option<Estimated>> {
    let is_provider = matches!(plan.method.manifest.entry_point, EntryPoint::Provider { .. });
    if !is_provider || plan.inputs.options.predictions.is_some() {
        return Ok(None);
    }
    let method = service::provider_method(&plan.method, &plan.service).map_err(method_error)?;
    let price = service::price(&method, &plan.service);
    let estimate = method
        .estimate(&plan.entries, price.as_ref())
        .map_err(|error: RequestError| CommandError::from_error(Exit::Usage, error))?;
    Ok(Some(Estimated {
        method,
        price,
        estimate,
    }))
}
