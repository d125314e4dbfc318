//! A matrix as CSV (RFC 4180): one row per run, one column per axis.

use std::collections::BTreeSet;

use lydian_model::sweep::shown_value;
use lydian_model::{Finite, NanoUsd, Score};
use lydian_scoring::sweep::{MatrixRun, SweepMatrix};

use crate::dialect::csv::line;

/// Returns the rows. A number that is not available is an empty field, never 0.
pub(super) fn report(matrix: &SweepMatrix) -> String {
    let axes: BTreeSet<&String> = matrix
        .runs
        .iter()
        .flat_map(|run| run.coordinates.keys())
        .collect();
    let mut header = vec!["run", "method", "role"];
    header.extend(axes.iter().map(|axis| axis.as_str()));
    header.extend([
        "seed",
        "state",
        "entries",
        "coverage",
        "chrf_plus_plus",
        "chrf_plus_plus_lower",
        "chrf_plus_plus_upper",
        "composite",
        "bleu",
        "exact_match_rate",
        "hallucination_rate",
        "code_switching_rate",
        "total_cost_usd",
        "known_cost_usd",
        "cost_per_entry_usd",
        "median_latency_seconds",
        "elapsed_seconds",
        "quality_tier",
        "caveats",
        "run_card_hash",
    ]);
    let mut text = line(&header);
    for run in &matrix.runs {
        let cells = row(run, &axes);
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        text.push_str(&line(&cells));
    }
    text
}

fn row(run: &MatrixRun, axes: &BTreeSet<&String>) -> Vec<String> {
    let score = |value: Option<Score>| value.map_or_else(String::new, |value| value.get().to_string());
    let finite = |value: Option<Finite>| value.map_or_else(String::new, |value| value.get().to_string());
    let money = |value: Option<NanoUsd>| value.map_or_else(String::new, |value| value.dollars().to_string());
    let bound = |place: usize| score(run.chrf_plus_plus_interval.map(|bounds| bounds[place]));
    let mut cells = vec![run.id.clone(), run.method.clone(), run.role.name().to_owned()];
    cells.extend(
        axes.iter()
            .map(|axis| run.coordinates.get(*axis).map(shown_value).unwrap_or_default()),
    );
    cells.extend([
        run.seed.map_or_else(String::new, |seed| seed.to_string()),
        run.state.name().to_owned(),
        run.entries
            .map_or_else(String::new, |entries| entries.to_string()),
        score(run.coverage),
        score(run.chrf_plus_plus),
        bound(0),
        bound(1),
        score(run.composite),
        score(run.bleu),
        score(run.exact_match_rate),
        score(run.hallucination_rate),
        score(run.code_switching_rate),
        money(run.cost_usd),
        money(run.known_cost_usd),
        finite(run.cost_per_entry_usd),
        finite(run.median_latency_seconds),
        finite(run.elapsed_seconds),
        run.quality_tier.clone().unwrap_or_default(),
        run.caveats.join(" "),
        run.run_card_hash.clone().unwrap_or_default(),
    ]);
    cells
}
