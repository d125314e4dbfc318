//! Scores per difficulty, domain, register, segment and provenance, and the spread over entries.

use std::collections::BTreeMap;

use lydian_model::RunCard;
use lydian_model::run_card::SubsetScores;

use super::{Run, escape};
use crate::{number, svg};

/// Returns the breakdowns of every run.
pub(super) fn sections(runs: &[Run<'_>]) -> String {
    let several = runs.len() > 1;
    runs.iter()
        .map(|run| of_card(run.card, &run.suffix(several)))
        .collect()
}

fn of_card(card: &RunCard, of: &str) -> String {
    let scores = &card.scores;
    let mut html = format!("<h2>Where it is good and where not{of}</h2>\n");
    let values: Vec<f64> = card
        .results
        .iter()
        .filter_map(|result| result.chrf_score.map(lydian_model::Score::get))
        .collect();
    if !values.is_empty() {
        html.push_str(&format!(
            "<h3>Spread of sentence chrF++</h3>\n{}\n",
            svg::histogram(&values, "Number of entries per sentence chrF++")
        ));
    }
    for (title, subsets) in [
        ("difficulty", &scores.by_difficulty),
        ("domain", &scores.by_domain),
        ("register", &scores.by_register),
        ("segment", &scores.by_segment),
        ("provenance", &scores.by_provenance),
    ] {
        // A single subset is the whole, which stands above.
        if subsets.len() > 1 {
            html.push_str(&table(title, subsets, of));
        }
    }
    html
}

/// Only difficulties have intervals; a column that would stay empty is left out.
fn table(title: &str, subsets: &BTreeMap<String, SubsetScores>, of: &str) -> String {
    let with_intervals = subsets
        .values()
        .any(|subset| !subset.confidence_intervals.is_empty());
    let mut columns = vec!["entries", "chrF++"];
    columns.extend(with_intervals.then_some("95 % interval"));
    columns.extend(["BLEU", "TER", "exact match", "composite"]);
    let header: String = columns
        .iter()
        .map(|column| format!("<th scope=\"col\" class=\"n\">{column}</th>"))
        .collect();
    let mut html = format!(
        "<h3>By {title}</h3>\n<div class=\"scroll\" role=\"region\" aria-label=\"By {title}{of}\" tabindex=\"0\">\n<table>\n\
         <caption>Corpus scores computed again on each subset</caption>\n\
         <thead><tr><th scope=\"col\">{title}</th>{header}</tr></thead>\n<tbody>\n"
    );
    for (name, subset) in subsets {
        html.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(name)));
        let interval = number::interval_points(subset.confidence_intervals.get("chrf_plus_plus"));
        let mut cells = vec![number::count(subset.total), number::points(subset.chrf_plus_plus)];
        cells.extend(with_intervals.then_some(interval));
        cells.extend([
            number::points(subset.bleu),
            number::points(subset.ter),
            number::percent(subset.exact_match_rate),
            number::share(subset.composite),
        ]);
        for cell in cells {
            html.push_str(&format!("<td class=\"n\">{cell}</td>"));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}
