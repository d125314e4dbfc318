//! `lydian run --show-prompt N`: the exact requests, nothing sent.

use lydian_harness::method::service::provider_method;
use lydian_model::EntryId;
use serde::Serialize;
use serde_json::Value;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::plan::Plan;

#[derive(Serialize)]
struct Shown {
    schema: &'static str,
    endpoint: String,
    requests: Vec<Request>,
}

#[derive(Serialize)]
struct Request {
    entry_id: EntryId,
    path: String,
    body: Value,
    adjustments: Vec<String>,
}

/// Prints the first requests of the first `count` entries as JSON. The key is not part of them.
pub(in crate::commands) fn show(plan: &Plan, count: usize, context: &Context) -> CommandResult {
    let method = provider_method(&plan.method, &plan.service).map_err(|error| {
        CommandError::from_error(Exit::Usage, error).with_hint("only methods behind a provider have prompts")
    })?;
    let request = |entry: &lydian_model::SourceEntry| {
        let wire = method.first_request(entry).map_err(|error| {
            CommandError::from_error(Exit::Usage, error).context(format!("entry {}", entry.id))
        })?;
        Ok(Request {
            entry_id: entry.id.clone(),
            path: wire.path,
            body: wire.body,
            adjustments: wire.adjustments.iter().map(ToString::to_string).collect(),
        })
    };
    let requests = plan
        .entries
        .iter()
        .take(count)
        .map(request)
        .collect::<CommandResult<Vec<_>>>()?;
    context.print_json(&Shown {
        schema: "lydian.prompts/1",
        endpoint: method.endpoint().to_owned(),
        requests,
    })?;
    Ok(Exit::Done)
}
