//! `lydian run --dry-run`: what would be run.

use lydian_model::fingerprint::{fingerprint, setup_fingerprint};
use lydian_model::{DependencyClass, MethodClass, Sha256Hex};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::output::Context;
use crate::plan::Plan;

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
    fingerprint: Sha256Hex,
    setup_fingerprint: Sha256Hex,
}

/// Shows the plan.
pub(super) fn show(plan: &Plan, json: bool, context: &Context) -> CommandResult {
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

fn text(planned: &Planned<'_>) -> String {
    let excluded = match planned.excluded {
        0 => String::new(),
        count => format!(", {count} left out because the method was shown them"),
    };
    format!(
        "corpus       {} ({} of {} entries{excluded}, {} characters)\n\
         method       {} ({}, dependency class {})\n\
         engine       {}\n\
         at a time    {}\n\
         fingerprint  {}\n\
         Nothing was sent or written.\n",
        planned.dataset,
        planned.entries,
        planned.file_entries,
        planned.source_characters,
        planned.method_id,
        planned.method_class.name(),
        planned.dependency_class.name(),
        planned.model_slug,
        planned.concurrency,
        planned.fingerprint,
    )
}
