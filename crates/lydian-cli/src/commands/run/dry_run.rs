//! `lydian run --dry-run`: what would be run.

use lydian_harness::price::PriceRow;
use lydian_harness::provider::RequestError;
use lydian_harness::provider_method::{Estimate, Range};
use lydian_model::fingerprint::{fingerprint, setup_fingerprint};
use lydian_model::prediction::CostSource;
use lydian_model::{DependencyClass, MethodClass, Sha256Hex};
use lydian_report::number;
use serde::Serialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::plan::Plan;
use crate::plan::estimate::{self, estimate};

/// What `--dry-run --json` prints.
#[derive(Serialize)]
struct Planned<'a> {
    schema: &'static str,
    dataset: &'a str,
    dataset_sha256: &'a Sha256Hex,
    entries: usize,
    file_entries: u64,
    excluded: usize,
    source_characters: usize,
    method_id: &'a str,
    method_class: MethodClass,
    dependency_class: DependencyClass,
    model_slug: &'a str,
    concurrency: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimated>,
    fingerprint: Sha256Hex,
    setup_fingerprint: Sha256Hex,
}

/// What a provider will probably be asked, and for how much.
#[derive(Serialize)]
struct Estimated {
    endpoint: String,
    estimate: Estimate,
    token_estimate: &'static str,
    price: Option<PriceRow>,
    price_table: Option<String>,
    price_source: CostSource,
    adjustments: Vec<String>,
}

/// Shows the plan.
pub(in crate::commands) fn show(plan: &Plan, json: bool, context: &Context) -> CommandResult {
    let setup = &plan.setup;
    let planned = Planned {
        schema: "lydian.run-plan/1",
        dataset: &setup.dataset.id,
        dataset_sha256: &setup.dataset.sha256,
        entries: plan.entries.len(),
        file_entries: setup.dataset.file_entry_count,
        excluded: setup.selection.excluded.len(),
        source_characters: plan
            .entries
            .iter()
            .map(|entry| entry.source.chars().count())
            .sum(),
        method_id: &setup.method.method_id,
        method_class: setup.method.method_class,
        dependency_class: setup.method.dependency_class,
        model_slug: &setup.model_slug,
        concurrency: plan
            .inputs
            .options
            .concurrency
            .unwrap_or(plan.prepared.concurrency),
        estimate: estimated(plan)?,
        fingerprint: fingerprint(setup),
        setup_fingerprint: setup_fingerprint(setup),
    };
    if json {
        context.print_json(&planned)?;
    } else {
        context.print(&text(&planned))?;
    }
    Ok(Exit::Done)
}

/// Estimates the calls of a method behind a provider; other methods have none.
fn estimated(plan: &Plan) -> CommandResult<Option<Estimated>> {
    let Some(found) = estimate(plan)? else {
        return Ok(None);
    };
    let estimate::Estimated {
        method,
        price,
        estimate,
    } = found;
    let adjustments = plan
        .entries
        .first()
        .map(|entry| method.first_request(entry))
        .transpose()
        .map_err(|error: RequestError| CommandError::from_error(Exit::Usage, error))?;
    Ok(Some(Estimated {
        endpoint: method.endpoint().to_owned(),
        estimate,
        token_estimate: "low: 4 bytes per token, no repairs; high: 2 bytes per token, every repair and tool round",
        price_source: price.as_ref().map_or(CostSource::None, |price| price.source),
        price_table: price
            .as_ref()
            .and_then(|price| price.row.as_ref())
            .map(|row| row.as_of.clone()),
        price: price.and_then(|price| price.row),
        adjustments: adjustments
            .map(|wire| wire.adjustments.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
    }))
}

/// Returns the lines about calls and cost.
fn estimate_text(estimated: &Estimated) -> String {
    let Estimated { estimate, .. } = estimated;
    let range = |range: Range| {
        if range.low == range.high {
            range.low.to_string()
        } else {
            format!("{} to {}", range.low, range.high)
        }
    };
    let cost = match estimate.cost_usd {
        Some(cost) => {
            let from = estimated.price.as_ref().map_or(String::new(), |row| {
                let source = if row.source_url.is_empty() {
                    "your prices"
                } else {
                    &row.source_url
                };
                format!(" ({source}, {})", row.as_of)
            });
            format!(
                "{:.4} to {:.4} USD{from}",
                cost.low.dollars(),
                cost.high.dollars()
            )
        }
        None => "unknown: the model is in no price table; --prices FILE gives your own".into(),
    };
    let adjustments: String = estimated
        .adjustments
        .iter()
        .map(|one| format!("note         {one}\n"))
        .collect();
    format!(
        "endpoint     {}\nrequests     {}\ntokens       {} in, {} out\ncost         {cost}\n{adjustments}",
        estimated.endpoint,
        range(estimate.requests),
        range(estimate.input_tokens),
        range(estimate.output_tokens),
    )
}

fn text(planned: &Planned<'_>) -> String {
    let excluded = match planned.excluded {
        0 => String::new(),
        count => format!(", {count} left out because the method was shown them"),
    };
    format!(
        "corpus       {} ({} of {}{excluded}, {})\n\
         method       {} ({}, dependency class {})\n\
         engine       {}\n\
         at a time    {}\n\
         {}\
         fingerprint  {}\n\
         Nothing was sent or written.\n",
        planned.dataset,
        planned.entries,
        number::entries(planned.file_entries),
        number::counted(planned.source_characters as u64, "character", "characters"),
        planned.method_id,
        planned.method_class.name(),
        planned.dependency_class.name(),
        planned.model_slug,
        planned.concurrency,
        planned.estimate.as_ref().map(estimate_text).unwrap_or_default(),
        planned.fingerprint,
    )
}
