//! The top of a report: what the runs are and what they scored.

use lydian_model::run_card::{RunCard, Scores};

use super::{Report, escape};
use crate::svg::{self, IntervalRow};
use crate::{number, sentence, terminal};

/// Returns the opening sentence, the score table over all runs, caveats and how to check the card.
pub(super) fn section(report: &Report<'_>) -> String {
    let mut html = String::new();
    if let [card] = report.cards {
        html.push_str(&format!(
            "<p class=\"lead\">{}</p>\n",
            escape(&sentence::opening(card))
        ));
    }
    if let Some(card) = report.cards.first() {
        html.push_str(&format!("<p class=\"notice\">{}</p>\n", escape(&card.notice)));
    }
    html.push_str(&chart(report));
    html.push_str(&score_table(report));
    for card in report.cards {
        html.push_str(&findings(card, report.cards.len() > 1));
    }
    for card in report.cards {
        html.push_str(&identity(card, report.cards.len() > 1));
    }
    html
}

fn chart(report: &Report<'_>) -> String {
    let mut rows: Vec<IntervalRow> = report
        .cards
        .iter()
        .filter_map(|card| {
            let interval = card.scores.confidence_intervals.get("chrf_plus_plus");
            Some(IntervalRow {
                label: sentence::run_label(card),
                value: card.scores.chrf_plus_plus?.get(),
                bounds: interval.map(|interval| (interval.lower.get(), interval.upper.get())),
            })
        })
        .collect();
    if let Some(floor) = report.floor.and_then(|floor| floor.chrf_plus_plus) {
        rows.push(IntervalRow {
            label: "source as output".into(),
            value: floor.get(),
            bounds: None,
        });
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<h2>Main score</h2>\n{}\n",
        svg::intervals(&rows, "chrF++ of each run with its 95 % interval")
    )
}

/// How a metric is read from scores and shown.
struct Line {
    name: &'static str,
    show: fn(&Scores) -> String,
}

const LINES: [Line; 16] = [
    Line {
        name: "chrf_plus_plus",
        show: |scores| number::points(scores.chrf_plus_plus),
    },
    Line {
        name: "chrf",
        show: |scores| number::points(scores.chrf),
    },
    Line {
        name: "bleu",
        show: |scores| number::points(scores.bleu),
    },
    Line {
        name: "ter",
        show: |scores| number::points(scores.ter),
    },
    Line {
        name: "exact_match_rate",
        show: |scores| number::percent(scores.exact_match_rate),
    },
    Line {
        name: "equivalent_match_rate",
        show: |scores| number::percent(scores.equivalent_match_rate),
    },
    Line {
        name: "fst_acceptance_rate",
        show: |scores| number::percent(scores.fst_acceptance_rate),
    },
    Line {
        name: "morphological_accuracy",
        show: |scores| number::percent(scores.morphological_accuracy),
    },
    Line {
        name: "semantic_score",
        show: |scores| number::percent(scores.semantic_score),
    },
    Line {
        name: "code_switching_rate",
        show: |scores| number::percent(scores.code_switching_rate),
    },
    Line {
        name: "hallucination_rate",
        show: |scores| number::percent(scores.hallucination_rate),
    },
    Line {
        name: "terminology_adherence",
        show: |scores| number::percent(scores.terminology_adherence),
    },
    Line {
        name: "orthographic_accuracy",
        show: |scores| number::percent(scores.orthographic_accuracy),
    },
    Line {
        name: "length_ratio",
        show: |scores| number::share(scores.length_ratio),
    },
    Line {
        name: "composite",
        show: |scores| number::share(scores.composite),
    },
    Line {
        name: "cost_adjusted_score",
        show: |scores| number::share(scores.cost_adjusted_score),
    },
];

fn score_table(report: &Report<'_>) -> String {
    let mut html = String::from(
        "<h2>Scores</h2>\n<div class=\"scroll\" role=\"region\" aria-label=\"Scores\" tabindex=\"0\">\n\
         <table>\n<caption>Scores over all selected entries; 95 % intervals in brackets</caption>\n<thead><tr><th scope=\"col\">Metric</th>",
    );
    for card in report.cards {
        html.push_str(&format!(
            "<th scope=\"col\" class=\"n\">{}</th>",
            escape(&sentence::run_label(card))
        ));
    }
    if report.floor.is_some() {
        html.push_str("<th scope=\"col\" class=\"n\">source as output</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for line in &LINES {
        html.push_str(&format!(
            "<tr><th scope=\"row\">{}</th>",
            escape(&terminal::display_name(line.name))
        ));
        for card in report.cards {
            html.push_str(&score_cell(&card.scores, line));
        }
        if let Some(floor) = report.floor {
            html.push_str(&format!("<td class=\"n\">{}</td>", escape(&(line.show)(floor))));
        }
        html.push_str("</tr>\n");
    }
    for (name, show) in FACTS {
        html.push_str(&format!("<tr><th scope=\"row\">{name}</th>"));
        for card in report.cards {
            html.push_str(&format!("<td class=\"n\">{}</td>", escape(&show(card))));
        }
        if report.floor.is_some() {
            html.push_str("<td class=\"n\"></td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}

fn score_cell(scores: &Scores, line: &Line) -> String {
    let value = escape(&(line.show)(scores));
    let interval = scores
        .confidence_intervals
        .get(line.name)
        .map_or_else(String::new, |interval| {
            let scale = if matches!(
                line.name,
                "chrf_plus_plus" | "chrf" | "bleu" | "ter" | "composite"
            ) {
                1.0
            } else {
                100.0
            };
            let decimals = if line.name == "composite" { 3 } else { 1 };
            format!(
                " <span class=\"soft\">({:.decimals$}–{:.decimals$})</span>",
                interval.lower.get() * scale,
                interval.upper.get() * scale
            )
        });
    let reason = scores
        .metric_availability
        .get(line.name)
        .and_then(|availability| availability.reason.as_deref())
        .map_or_else(String::new, |reason| {
            format!("<br><span class=\"reason\">{}</span>", escape(reason))
        });
    format!("<td class=\"n\">{value}{interval}{reason}</td>")
}

/// A fact about a run and how it is shown.
type Fact = (&'static str, fn(&RunCard) -> String);

const FACTS: [Fact; 7] = [
    ("entries", |card| number::count(card.scores.total)),
    ("coverage", |card| number::percent(Some(card.scores.coverage))),
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

fn findings(card: &RunCard, several: bool) -> String {
    let scores = &card.scores;
    if scores.caveats.is_empty() && scores.notes.is_empty() {
        return String::new();
    }
    let of = if several {
        format!(": {}", escape(&sentence::run_label(card)))
    } else {
        String::new()
    };
    let mut html = format!("<h2>Caveats{of}</h2>\n<ul>\n");
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

fn identity(card: &RunCard, several: bool) -> String {
    let of = if several {
        format!(": {}", escape(&sentence::run_label(card)))
    } else {
        String::new()
    };
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
