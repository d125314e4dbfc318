//! `lydian card cite`: a run in the form a paper quotes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lydian_model::RunCard;
use lydian_model::run_card::scores::Interval;
use lydian_report::metric_name::short_name;
use lydian_report::number;
use lydian_report::run_label::run_label;
use serde::Serialize;

use crate::documents;
use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian card cite`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Run card, or the run folder that holds it
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Citation {
    schema: &'static str,
    text: String,
    signatures: BTreeMap<String, String>,
    dataset_sha256: String,
    run_card_hash: String,
}

/// Prints the citation.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let card = documents::read_card(&arguments.run)?;
    let citation = Citation {
        schema: "lydian.citation/1",
        text: text(&card),
        signatures: card.scores.signatures.clone(),
        dataset_sha256: card.dataset.sha256.to_string(),
        run_card_hash: card.run_card_hash.clone(),
    };
    if arguments.json {
        context.print_json(&citation)?;
    } else {
        context.print(&plain(&citation))?;
    }
    Ok(Exit::Done)
}

fn text(card: &RunCard) -> String {
    let scores = &card.scores;
    let values: Vec<String> = [
        ("chrF++", "chrf_plus_plus", scores.chrf_plus_plus),
        ("BLEU", "bleu", scores.bleu),
        ("TER", "ter", scores.ter),
    ]
    .into_iter()
    .filter(|(_, _, score)| score.is_some())
    .map(|(label, name, score)| {
        let interval = scores.confidence_intervals.get(name);
        let bounds = match interval.and_then(Interval::bounds) {
            Some(_) => format!(" [{}]", number::interval_points(interval)),
            None => String::new(),
        };
        format!("{label} {}{bounds}", number::points(score))
    })
    .collect();
    let resampling = scores
        .confidence_intervals
        .get("chrf_plus_plus")
        .filter(|interval| interval.bounds().is_some())
        .map_or_else(String::new, |interval| {
            format!(
                " Brackets: 95 % percentile bootstrap intervals, {} resamples, seed {}.",
                number::count(u64::from(interval.resamples)),
                interval.seed
            )
        });
    let incomplete = if scores.errors > 0 {
        format!(
            " The run is incomplete: {} of {} without an answer.",
            number::count(scores.errors),
            number::entries(scores.total)
        )
    } else {
        String::new()
    };
    format!(
        "{} ({}) on {} of {} {} ({} to {}): {}.{resampling}{incomplete} {}",
        run_label(card),
        card.model_slug,
        number::entries(scores.total),
        card.dataset.id,
        card.dataset.version,
        card.dataset.source_language,
        card.dataset.target_language,
        values.join(", "),
        card.notice,
    )
}

fn plain(citation: &Citation) -> String {
    let signatures: String = citation
        .signatures
        .iter()
        .map(|(name, signature)| format!("{:<16}{signature}\n", short_name(name)))
        .collect();
    format!(
        "{}\n\n{signatures}{:<16}sha256:{}\n{:<16}sha256:{}\n",
        citation.text, "corpus", citation.dataset_sha256, "run card", citation.run_card_hash
    )
}
