//! A run card as text for a terminal.

use comfy_table::{Cell, CellAlignment, Table};
use lydian_model::RunCard;
use lydian_model::run_card::SubsetScores;
use lydian_model::run_card::scores::{Interval, Scores};

pub use crate::table::Width;
use crate::{number, sentence, table};

/// Returns the card as text: the opening sentence, the scores with intervals, cost and speed, breakdowns, caveats.
pub fn card(card: &RunCard, width: Width) -> String {
    let scores = &card.scores;
    let mut text = format!("{}\n\n", sentence::opening(card));
    text.push_str(&identity(card));
    text.push_str(&format!("\n{}\n", score_table(scores, width)));
    text.push_str(&format!("\n{}", outcome_line(scores)));
    text.push_str(&cost_and_speed(card));
    for (title, subsets) in [
        ("difficulty", &scores.by_difficulty),
        ("domain", &scores.by_domain),
        ("register", &scores.by_register),
        ("segment", &scores.by_segment),
        ("provenance", &scores.by_provenance),
    ] {
        if subsets.len() > 1 {
            text.push_str(&format!("\n{}\n", breakdown(title, subsets, width)));
        }
    }
    for caveat in &scores.caveats {
        text.push_str(&format!("\ncaveat {}: {}", caveat.name, caveat.reason));
    }
    for note in &scores.notes {
        text.push_str(&format!("\nnote {}: {}", note.name, note.reason));
    }
    if !scores.caveats.is_empty() || !scores.notes.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!("\n{}\n", card.notice));
    text
}

fn identity(card: &RunCard) -> String {
    let selection = if card.selection.complete {
        String::new()
    } else {
        format!(" of {}", number::count(card.dataset.file_entry_count))
    };
    format!(
        "method   {} ({}, dependency class {})\nmodel    {}\ncorpus   {} {} {}, {}{selection} entries\nstarted  {}\n",
        sentence::run_label(card),
        card.method_class.name(),
        card.dependency_class.name(),
        card.model_slug,
        card.dataset.id,
        card.dataset.version,
        card.dataset.language_pair,
        number::count(card.dataset.entry_count),
        card.timestamp,
    )
}

fn score_table(scores: &Scores, width: Width) -> Table {
    let mut table = table::new(width);
    table.set_header(["metric", "score", "95 % interval", "status"]);
    let interval = |name: &str| scores.confidence_intervals.get(name);
    let mut row = |name: &str, value: String, interval: String| {
        let status = scores
            .metric_availability
            .get(name)
            .map_or_else(String::new, |availability| {
                availability.reason.clone().unwrap_or_else(|| {
                    serde_json::to_value(availability.validation)
                        .ok()
                        .and_then(|value| value.as_str().map(str::to_owned))
                        .unwrap_or_default()
                })
            });
        table.add_row([
            Cell::new(display_name(name)),
            Cell::new(value).set_alignment(CellAlignment::Right),
            Cell::new(interval).set_alignment(CellAlignment::Right),
            Cell::new(status),
        ]);
    };
    let bounds = |name: &str| number::interval_points(interval(name));
    row(
        "chrf_plus_plus",
        number::points(scores.chrf_plus_plus),
        bounds("chrf_plus_plus"),
    );
    row("chrf", number::points(scores.chrf), bounds("chrf"));
    row("bleu", number::points(scores.bleu), bounds("bleu"));
    row("ter", number::points(scores.ter), bounds("ter"));
    let mut shares = |name: &str, value| {
        row(name, number::percent(value), percent_interval(interval(name)));
    };
    shares("exact_match_rate", scores.exact_match_rate);
    shares("equivalent_match_rate", scores.equivalent_match_rate);
    shares("fst_acceptance_rate", scores.fst_acceptance_rate);
    shares("morphological_accuracy", scores.morphological_accuracy);
    shares("semantic_score", scores.semantic_score);
    shares("code_switching_rate", scores.code_switching_rate);
    shares("hallucination_rate", scores.hallucination_rate);
    shares("terminology_adherence", scores.terminology_adherence);
    shares("orthographic_accuracy", scores.orthographic_accuracy);
    let ratio = scores
        .length_ratio
        .map_or_else(|| number::MISSING.to_owned(), |r| format!("{:.2}", r.get()));
    row("length_ratio", ratio, String::new());
    row(
        "composite",
        number::share(scores.composite),
        number::interval_share(interval("composite"), 3),
    );
    table
}

fn percent_interval(interval: Option<&Interval>) -> String {
    interval.map_or_else(String::new, |interval| {
        format!(
            "{:.1}–{:.1} %",
            interval.lower.get() * 100.0,
            interval.upper.get() * 100.0
        )
    })
}

/// Returns the name people use for a metric.
pub fn display_name(metric: &str) -> String {
    match metric {
        "chrf_plus_plus" => "chrF++".to_owned(),
        "chrf" => "chrF".to_owned(),
        "bleu" => "BLEU".to_owned(),
        "ter" => "TER (lower is better)".to_owned(),
        "exact_match_rate" => "exact match".to_owned(),
        "equivalent_match_rate" => "equivalent match".to_owned(),
        "fst_acceptance_rate" => "FST acceptance".to_owned(),
        "code_switching_rate" => "code-switching (lower is better)".to_owned(),
        "hallucination_rate" => "hallucination (lower is better)".to_owned(),
        other => other.replace('_', " "),
    }
}

fn outcome_line(scores: &Scores) -> String {
    let outcomes: Vec<String> = scores
        .outcomes
        .iter()
        .filter(|(_, number)| **number > 0)
        .map(|(name, number)| format!("{} {name}", number::count(*number)))
        .collect();
    format!(
        "outcomes {} · coverage {:.1} %\ntier     {} (may be claimed: {}) · composite profile {}, weights available {:.0} %\n",
        outcomes.join(", "),
        scores.coverage.get() * 100.0,
        scores.quality_tier,
        scores.claimable_tier,
        scores.composite_profile,
        scores.composite_coverage.get() * 100.0,
    )
}

fn cost_and_speed(card: &RunCard) -> String {
    let cost = match (card.totals.total_cost_usd, card.totals.known_cost_usd) {
        (Some(total), _) => number::dollars(Some(total.dollars())),
        (None, Some(known)) => format!("unknown, at least {}", number::dollars(Some(known.dollars()))),
        (None, None) => "unknown".to_owned(),
    };
    format!(
        "cost     {cost}, {} an entry\nspeed    {} in all, {} an entry (median), 95 % within {}\n",
        number::dollars(card.totals.cost_per_entry_usd.map(lydian_model::Finite::get)),
        number::seconds(Some(card.elapsed_seconds)),
        number::seconds(card.scores.median_latency_seconds),
        number::seconds(card.scores.p95_latency_seconds),
    )
}

fn breakdown(title: &str, subsets: &std::collections::BTreeMap<String, SubsetScores>, width: Width) -> Table {
    let mut table = table::new(width);
    table.set_header([
        title,
        "entries",
        "chrF++",
        "95 % interval",
        "BLEU",
        "TER",
        "exact",
    ]);
    for (name, subset) in subsets {
        let interval = number::interval_points(subset.confidence_intervals.get("chrf_plus_plus"));
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        table.add_row([
            Cell::new(name),
            right(number::count(subset.total)),
            right(number::points(subset.chrf_plus_plus)),
            right(interval),
            right(number::points(subset.bleu)),
            right(number::points(subset.ter)),
            right(number::percent(subset.exact_match_rate)),
        ]);
    }
    table
}
