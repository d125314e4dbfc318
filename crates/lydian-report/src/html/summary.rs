//! The top of a report: what the runs are and what they scored.

use lydian_model::run_card::Scores;
use lydian_model::run_card::scores::Interval;

use super::{Run, escape, score_table};
use crate::metric_name::{FLOOR, FLOOR_MEANING};
use crate::svg::{self, IntervalRow};
use crate::{number, sentence};

/// Returns the opening sentence, the score table over all runs, caveats and how to check the card.
pub(super) fn section(runs: &[Run<'_>], floor: Option<&Scores>) -> String {
    let several = runs.len() > 1;
    let mut html = String::new();
    for run in runs {
        let label = if several {
            format!("<strong>{}.</strong> ", escape(run.label))
        } else {
            String::new()
        };
        html.push_str(&format!(
            "<p class=\"lead\">{label}{}</p>\n",
            escape(&sentence::opening_beside(run.card, floor))
        ));
    }
    if let Some(run) = runs.first() {
        html.push_str(&format!("<p class=\"notice\">{}</p>\n", escape(&run.card.notice)));
    }
    for run in runs {
        html.push_str(&findings(run, several));
    }
    html.push_str(&chart(runs, floor));
    html.push_str(&score_table::section(runs, floor));
    for run in runs {
        html.push_str(&score_table::not_measured(run, several));
    }
    for run in runs {
        html.push_str(&identity(run, several));
    }
    html
}

fn chart(runs: &[Run<'_>], floor: Option<&Scores>) -> String {
    let of_runs = runs.iter().map(|run| (run.label.to_owned(), &run.card.scores));
    let rows: Vec<IntervalRow> = of_runs
        .chain(floor.map(|floor| (FLOOR.to_owned(), floor)))
        .filter_map(|(label, scores)| {
            let interval = scores.confidence_intervals.get("chrf_plus_plus");
            Some(IntervalRow {
                label,
                value: scores.chrf_plus_plus?.get(),
                bounds: interval.and_then(Interval::bounds),
            })
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let legend = floor.map_or_else(String::new, |_| {
        format!("<p class=\"soft\">{FLOOR_MEANING}. A method below it does harm.</p>\n")
    });
    format!(
        "<h2>Main score</h2>\n{}\n{legend}",
        svg::intervals(&rows, "chrF++ of each run with its 95 % interval")
    )
}

fn findings(run: &Run<'_>, several: bool) -> String {
    let (card, of) = (run.card, run.suffix(several));
    let scores = &card.scores;
    if scores.caveats.is_empty() && scores.notes.is_empty() {
        return String::new();
    }
    let title = if scores.caveats.is_empty() {
        "Notes"
    } else {
        "Caveats"
    };
    let mut html = format!("<h2>{title}{of}</h2>\n<ul>\n");
    for (kind, list) in [("caveat", &scores.caveats), ("note", &scores.notes)] {
        for finding in list {
            html.push_str(&format!(
                "<li><strong>{kind} {}</strong>: {}</li>\n",
                escape(&finding.name),
                escape(&finding.reason)
            ));
        }
    }
    html.push_str("</ul>\n");
    html
}

fn identity(run: &Run<'_>, several: bool) -> String {
    let (card, of) = (run.card, run.suffix(several));
    let mut html = format!("<h2>About this run{of}</h2>\n<dl>\n");
    let chrf_signature = card
        .scores
        .signatures
        .get("chrf_plus_plus")
        .cloned()
        .unwrap_or_default();
    let license = card
        .dataset
        .license
        .clone()
        .unwrap_or_else(|| "not stated".to_owned());
    for (term, value) in [
        (
            "Method",
            format!(
                "{} ({}), dependency class {}",
                card.method_name,
                card.method_class.name(),
                card.dependency_class.name()
            ),
        ),
        ("Model or engine", card.model_slug.clone()),
        (
            "Corpus",
            format!(
                "{} {} ({} → {})",
                card.dataset.id,
                card.dataset.version,
                card.dataset.source_language,
                card.dataset.target_language
            ),
        ),
        ("Licence of the corpus", license),
        ("Started", card.timestamp.clone()),
        ("Took", number::seconds(Some(card.elapsed_seconds))),
        ("Signature of chrF++", chrf_signature),
        ("Fingerprint", card.fingerprint.to_string()),
        ("Card hash", card.run_card_hash.clone()),
    ] {
        html.push_str(&format!("<dt>{term}</dt><dd>{}</dd>\n", escape(&value)));
    }
    html.push_str(
        "</dl>\n<p class=\"soft\">Check the card with <code>lydian card verify run-card.json</code>.</p>\n",
    );
    html
}
