//! `lydian corpus stats`: what a corpus holds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{Cell, CellAlignment, Table, presets};
use lydian_model::corpus::read::{ReadError, Target};
use lydian_model::corpus::stats::{Counter, Distribution, Side, Statistics};
use lydian_model::{Findings, Severity};
use lydian_report::number::{self, counted};
use serde::Serialize;

use super::input::{Input, InputArguments};
use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian corpus stats`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian corpus stats corpus.json
  lydian corpus stats --json corpus.json | jq .statistics.source.estimated_tokens

The number of tokens is a rule of thumb by script and may be off by half.")]
pub(crate) struct Arguments {
    /// Corpus file
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    sha256: lydian_model::Sha256Hex,
    statistics: Statistics,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let input = Input::new(&arguments.input, std::slice::from_ref(&arguments.file))?;
    let open = input.open()?;
    let mut counter = Counter::default();
    let mut findings = Findings::default();
    let outline = open
        .stream(&mut Target {
            sink: &mut |entry, _, _| counter.add(&entry),
            findings: &mut findings,
        })
        .map_err(|error| CommandError::from(error).context(input.name()))?;
    let (Some(outline), 0) = (outline, findings.count(Severity::Error)) else {
        return Err(
            documents::invalid(input.name(), ReadError::Invalid(Box::new(findings)))
                .with_hint("`lydian corpus validate` shows everything that is wrong"),
        );
    };
    let statistics = counter.finish(outline.default_segment);
    if arguments.json {
        context.print_json(&Report {
            schema: "lydian.corpus-statistics/1",
            file: input.name(),
            sha256: outline.sha256,
            statistics,
        })?;
    } else {
        let dataset = &outline.corpus.dataset;
        let title = format!(
            "{} {} ({}): {}\n",
            dataset.id,
            dataset.version,
            dataset.language_pair,
            number::entries(statistics.entries)
        );
        context.print(&format!("{title}{}", text(&statistics)))?;
    }
    Ok(Exit::Done)
}

fn text(statistics: &Statistics) -> String {
    let segments = statistics
        .segments
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    let mut counts = table(["", "value", "entries", "share"]);
    for (name, table_of) in [
        ("segment", &segments),
        ("difficulty", &statistics.difficulties),
        ("domain", &statistics.domains),
        ("register", &statistics.registers),
        ("context", &statistics.contexts),
        ("provenance", &statistics.provenances),
    ] {
        add_counts(&mut counts, name, table_of, statistics.entries);
    }
    let mut lengths = table(["length", "total", "least", "median", "95 %", "most"]);
    for (side, of) in [
        ("source", &statistics.source),
        ("reference", &statistics.reference),
    ] {
        add_length(&mut lengths, format!("{side} characters"), &of.characters);
        add_length(&mut lengths, format!("{side} words"), &of.words);
    }
    let ratio = statistics
        .length_ratio
        .map_or_else(|| "–".to_owned(), |ratio| format!("{:.2}", ratio.get()));
    format!(
        "\n{counts}\n\n{lengths}\n\n{}{}  reference characters per source character: {ratio}\n  with variants: {}, with morphological analysis: {}\n",
        side_line("source", &statistics.source),
        side_line("reference", &statistics.reference),
        statistics.with_variants,
        statistics.with_analysis
    )
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(usize::from(N == 4) + 1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn add_counts(table: &mut Table, name: &str, counts: &BTreeMap<String, u64>, entries: u64) {
    for (index, (value, count)) in counts.iter().enumerate() {
        let share = 100.0 * *count as f64 / entries.max(1) as f64;
        let label = if index == 0 { name } else { "" };
        table.add_row([
            label.to_owned(),
            value.clone(),
            count.to_string(),
            format!("{share:.1} %"),
        ]);
    }
}

fn add_length(table: &mut Table, name: String, lengths: &Distribution) {
    let numbers = [
        lengths.total,
        lengths.least.into(),
        lengths.median.into(),
        lengths.p95.into(),
        lengths.most.into(),
    ];
    let cells = std::iter::once(Cell::new(name)).chain(numbers.map(Cell::new));
    table.add_row(cells.collect::<Vec<_>>());
}

fn side_line(name: &str, side: &Side) -> String {
    let mut shares: Vec<_> = side.scripts.iter().collect();
    shares.sort_by(|one, other| other.1.get().total_cmp(&one.1.get()));
    let scripts: Vec<String> = shares
        .into_iter()
        .take(5)
        .map(|(script, share)| format!("{script} {:.1} %", 100.0 * share.get()))
        .collect();
    format!(
        "  {name}: {}, {}, about {}\n",
        counted(side.distinct, "different text", "different texts"),
        scripts.join(", "),
        counted(side.estimated_tokens, "token", "tokens")
    )
}
