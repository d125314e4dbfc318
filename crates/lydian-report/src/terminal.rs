//! A run card as text for a terminal.

use std::collections::BTreeMap;

use comfy_table::{Cell, CellAlignment, Table};
use lydian_model::RunCard;
use lydian_model::run_card::{Scores, SubsetScores};

pub use crate::metric_name::display_name;
use crate::run_label::run_label;
pub use crate::table::Width;
use crate::{number, sentence, table};

mod scores;

/// Returns the card as text: the opening sentence, the scores with intervals beside the floor, what was not measured and
/// why, cost and speed, breakdowns, caveats. `floor` is what the unchanged source scores on the same entries.
pub fn card(card: &RunCard, floor: Option<&Scores>, width: Width) -> String {
    let scores = &card.scores;
    let mut text = format!("{}\n\n", sentence::opening_beside(card, floor));
    text.push_str(&identity(card));
    text.push_str(&format!("\n{}\n", scores::measured(scores, floor, width)));
    text.push_str(&scores::not_measured(scores, width));
    text.push_str(&format!("\n{}", outcome_line(scores)));
    if !scores.equivalent_matches_by_rule.is_empty() {
        let rules = number::tallied(&scores.equivalent_matches_by_rule);
        text.push_str(&format!(
            "rules    {rules} (equivalent matches that needed them)\n"
        ));
    }
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
    let entries = if card.selection.complete {
        number::entries(card.dataset.entry_count)
    } else {
        let chosen = number::count(card.dataset.entry_count);
        format!("{chosen} of {}", number::entries(card.dataset.file_entry_count))
    };
    format!(
        "method   {} ({}, dependency class {})\nmodel    {}\ncorpus   {} {} {}, {entries}\nstarted  {}\n",
        run_label(card),
        card.method_class.name(),
        card.dependency_class.name(),
        card.model_slug,
        card.dataset.id,
        card.dataset.version,
        card.dataset.language_pair,
        card.timestamp,
    )
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
    let per_entry = match (
        card.scores.median_latency_seconds,
        card.scores.p95_latency_seconds,
    ) {
        (Some(median), Some(p95)) => format!(
            "{} an entry (median), 95 % within {}",
            number::seconds(Some(median)),
            number::seconds(Some(p95))
        ),
        _ => "no times of single entries were recorded".to_owned(),
    };
    format!(
        "cost     {cost}, {} an entry\nspeed    {} in all, {per_entry}\n",
        number::dollars(card.totals.cost_per_entry_usd.map(lydian_model::Finite::get)),
        number::seconds(Some(card.elapsed_seconds)),
    )
}

/// Only difficulties have intervals; a column that would stay empty is left out.
fn breakdown(title: &str, subsets: &BTreeMap<String, SubsetScores>, width: Width) -> Table {
    let mut table = table::new(width);
    let with_intervals = subsets
        .values()
        .any(|subset| !subset.confidence_intervals.is_empty());
    let mut header = vec![title, "entries", "chrF++"];
    header.extend(with_intervals.then_some("95 % interval"));
    header.extend(["BLEU", "TER", "exact"]);
    table.set_header(header);
    for (name, subset) in subsets {
        let interval = number::interval_points(subset.confidence_intervals.get("chrf_plus_plus"));
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let mut row = vec![
            Cell::new(name),
            right(number::count(subset.total)),
            right(number::points(subset.chrf_plus_plus)),
        ];
        row.extend(with_intervals.then(|| right(interval)));
        row.extend([
            right(number::points(subset.bleu)),
            right(number::points(subset.ter)),
            right(number::percent(subset.exact_match_rate)),
        ]);
        table.add_row(row);
    }
    table
}
