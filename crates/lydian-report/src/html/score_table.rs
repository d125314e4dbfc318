//! The scores of all runs side by side with the floor, and what was not measured.

use lydian_model::run_card::{RunCard, Scores};

use super::{Run, escape};
use crate::metric_name::{FLOOR, display_name};
use crate::not_measured::not_measured as missing;
use crate::number;
use crate::shown_metric::{SHOWN, ShownMetric};

/// Returns the table; a metric that no run has is left to [`not_measured`].
pub(super) fn section(runs: &[Run<'_>], floor: Option<&Scores>) -> String {
    let mut html = String::from(
        "<h2>Scores</h2>\n<div class=\"scroll\" role=\"region\" aria-label=\"Scores\" tabindex=\"0\">\n\
         <table>\n<caption>Scores over all selected entries; 95 % intervals in brackets</caption>\n<thead><tr><th scope=\"col\">Metric</th>",
    );
    for run in runs {
        html.push_str(&format!(
            "<th scope=\"col\" class=\"n\">{}</th>",
            escape(run.label)
        ));
    }
    if floor.is_some() {
        html.push_str(&format!("<th scope=\"col\" class=\"n\">{FLOOR}</th>"));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    let measured = |metric: &&ShownMetric| runs.iter().any(|run| metric.has_value(&run.card.scores));
    for metric in SHOWN.iter().filter(measured) {
        html.push_str(&format!(
            "<tr><th scope=\"row\">{}</th>",
            escape(&display_name(metric.name))
        ));
        let scores = runs.iter().map(|run| &run.card.scores).chain(floor);
        html.push_str(&scores.map(|scores| cell(scores, metric)).collect::<String>());
        html.push_str("</tr>\n");
    }
    for (name, show) in FACTS {
        html.push_str(&format!("<tr><th scope=\"row\">{name}</th>"));
        for run in runs {
            html.push_str(&format!("<td class=\"n\">{}</td>", escape(&show(run.card))));
        }
        if floor.is_some() {
            html.push_str("<td class=\"n\"></td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}

fn cell(scores: &Scores, metric: &ShownMetric) -> String {
    let value = escape(&metric.value(scores));
    let interval = match metric.interval(scores) {
        none if none.is_empty() => String::new(),
        bounds => format!(" <span class=\"soft\">({})</span>", escape(&bounds)),
    };
    format!("<td class=\"n\">{value}{interval}</td>")
}

/// Returns what a run has no value for, a line per reason.
pub(super) fn not_measured(run: &Run<'_>, several: bool) -> String {
    let missing = missing(&run.card.scores);
    if missing.is_empty() {
        return String::new();
    }
    let of = run.suffix(several);
    let mut html = format!("<h2>Not measured{of}</h2>\n<ul class=\"missing\">\n");
    for one in missing {
        html.push_str(&format!(
            "<li><strong>{}</strong>: {}</li>\n",
            escape(&one.metrics.join(", ")),
            escape(&one.reason)
        ));
    }
    html.push_str("</ul>\n");
    html
}

/// A fact about a run and how it is shown.
type Fact = (&'static str, fn(&RunCard) -> String);

const FACTS: [Fact; 8] = [
    ("entries", |card| number::count(card.scores.total)),
    ("coverage", |card| number::percent(Some(card.scores.coverage))),
    ("matches by rule of equivalence", |card| {
        number::tallied(&card.scores.equivalent_matches_by_rule)
    }),
    ("automated tier", |card| card.scores.quality_tier.clone()),
    ("tier that may be claimed", |card| {
        card.scores.claimable_tier.clone()
    }),
    ("cost", |card| {
        number::dollars(card.totals.total_cost_usd.map(lydian_model::NanoUsd::dollars))
    }),
    ("cost per entry", |card| {
        number::dollars(card.totals.cost_per_entry_usd.map(lydian_model::Finite::get))
    }),
    ("median latency per entry", |card| {
        number::seconds(card.scores.median_latency_seconds)
    }),
];
