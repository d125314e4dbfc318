//! The table of scores beside the floor, and what was not measured.

use comfy_table::{Cell, CellAlignment, Table};
use lydian_model::run_card::Scores;

use crate::metric_name::{FLOOR, display_name};
use crate::not_measured;
use crate::number::MISSING;
use crate::shown_metric::SHOWN;
use crate::table::{self, Width};

/// Returns the metrics that have a value, each with its interval and how far the metric itself is validated.
pub(super) fn measured(scores: &Scores, floor: Option<&Scores>, width: Width) -> Table {
    let mut table = table::new(width);
    let mut header = vec!["metric", "score", "95 % interval"];
    header.extend(floor.map(|_| FLOOR));
    header.push("validation");
    table.set_header(header);
    for metric in SHOWN.iter().filter(|metric| metric.has_value(scores)) {
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let mut row = vec![
            Cell::new(display_name(metric.name)),
            right(metric.value(scores)),
            right(metric.interval(scores)),
        ];
        row.extend(floor.map(|floor| right(metric.value(floor))));
        row.push(Cell::new(metric.validation(scores)));
        table.add_row(row);
    }
    table
}

/// Returns a line per reason, with the metrics that have no value for it; nothing where all have one.
pub(super) fn not_measured(scores: &Scores, width: Width) -> String {
    let missing = not_measured::not_measured(scores);
    if missing.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nnot measured\n");
    for one in missing {
        let line = format!("{MISSING} {}: {}", one.metrics.join(", "), one.reason);
        text.push_str(&table::hanging("  ", &line, 4, width));
    }
    text
}
