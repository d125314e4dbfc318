//! `lydian dialect validate`: every problem of an item file at once.

use std::path::PathBuf;

use clap::Args;
use lydian_model::dialect::{DialectItems, ItemType, Strictness};
use lydian_model::{Diagnostic, Severity, Sha256Hex};
use lydian_report::number::counted;
use serde::Serialize;

use crate::dialect_items as items;
use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian dialect validate`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect validate items.json
  lydian dialect validate items.json --strict --json

Exit code 3 when there is an error; warnings and hints do not change it.")]
pub(super) struct Arguments {
    /// Item file
    #[arg(value_name = "ITEMS")]
    items: PathBuf,
    /// Judge as for publication: a fact that the dataset does not list is an error
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Validation<'file> {
    schema: &'static str,
    file: &'file std::path::Path,
    sha256: &'file Sha256Hex,
    valid: bool,
    items: Option<usize>,
    errors: usize,
    warnings: usize,
    hints: usize,
    findings: &'file [Diagnostic],
}

/// Prints the findings.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let strictness = if arguments.strict {
        Strictness::Strict
    } else {
        Strictness::Draft
    };
    let file = items::read(&arguments.items, strictness)?;
    let count = |severity| {
        file.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let (errors, warnings, hints) = (
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Hint),
    );
    if arguments.json {
        context.print_json(&Validation {
            schema: "lydian.dialect-validation/1",
            file: &arguments.items,
            sha256: &file.sha256,
            valid: errors == 0,
            items: file.items.as_ref().map(|items| items.items.len()),
            errors,
            warnings,
            hints,
            findings: &file.findings,
        })?;
    } else {
        let mut text = String::new();
        for finding in &file.findings {
            text.push_str(&format!("{}: {finding}\n", arguments.items.display()));
        }
        text.push_str(&summary(file.items.as_ref()));
        text.push_str(&format!(
            "{}, {}, {}\n",
            counted(errors as u64, "error", "errors"),
            counted(warnings as u64, "warning", "warnings"),
            counted(hints as u64, "hint", "hints")
        ));
        context.print(&text)?;
    }
    Ok(if errors == 0 {
        Exit::Done
    } else {
        Exit::InvalidDocument
    })
}

fn summary(items: Option<&DialectItems>) -> String {
    let Some(items) = items else { return String::new() };
    let count = |item_type: ItemType| {
        items
            .items
            .iter()
            .filter(|item| item.item_type() == item_type)
            .count()
    };
    let types: Vec<String> = ItemType::ALL
        .iter()
        .map(|item_type| format!("{} {}", count(*item_type), item_type.name()))
        .collect();
    let number = counted(items.items.len() as u64, "item", "items");
    format!("{number}: {}\n", types.join(", "))
}
