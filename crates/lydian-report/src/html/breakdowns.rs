//! Scores per difficulty, domain, register, segment and provenance, and the spread over entries.

use std::collections::BTreeMap;

use lydian_model::RunCard;
use lydian_model::run_card::SubsetScores;

use super::{Report, escape};
use crate::{number, sentence, svg};

/// Returns the breakdowns of every run.
pub(super) fn sections(report: &Report<'_>) -> String {
    report
        .cards
        .iter()
        .map(|card| of_card(card, report.cards.len() > 1))
        .collect()
}

fn of_card(card: &RunCard, several: bool) -> String {
    let of = if several {
        format!(": {}", escape(&sentence::run_label(card)))
    } else {
        String::new()
    };
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
        if !subsets.is_empty() {
            html.push_str(&table(title, subsets, &of));
        }
    }
    html
}

fn table(title: &str, subsets: &BTreeMap<String, SubsetScores>, of: &str) -> String {
    let mut html = format!(
        "<h3>By {title}</h3>\n<div class=\"scroll\" role=\"region\" aria-label=\"By {title}{of}\" tabindex=\"0\">\n<table>\n\
         <caption>Corpus scores computed again on each subset</caption>\n\
         <thead><tr><th scope=\"col\">{title}</th><th scope=\"col\" class=\"n\">entries</th><th scope=\"col\" class=\"n\">chrF++</th>\
         <th scope=\"col\" class=\"n\">95 % interval</th><th scope=\"col\" class=\"n\">BLEU</th><th scope=\"col\" class=\"n\">TER</th>\
         <th scope=\"col\" class=\"n\">exact match</th><th scope=\"col\" class=\"n\">composite</th></tr></thead>\n<tbody>\n"
    );
    for (name, subset) in subsets {
        html.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(name)));
        for cell in [
            number::count(subset.total),
            number::points(subset.chrf_plus_plus),
            number::interval_points(subset.confidence_intervals.get("chrf_plus_plus")),
            number::points(subset.bleu),
            number::points(subset.ter),
            number::percent(subset.exact_match_rate),
            number::share(subset.composite),
        ] {
            html.push_str(&format!("<td class=\"n\">{cell}</td>"));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}
