//! Mean quality over two axes, as SVG.

use lydian_model::Score;
use lydian_model::sweep::{DecidingMetric, shown_value};
use lydian_scoring::sweep::HeatMap;

use super::tables;
use crate::html::escape;

const LABEL: f64 = 200.0;
const CELL: f64 = 92.0;
const ROW: f64 = 34.0;
const HEAD: f64 = 46.0;

/// Returns the picture. Every cell holds its number, so that nobody needs the colours.
pub(super) fn svg(metric: DecidingMetric, map: &HeatMap) -> String {
    let known: Vec<f64> = map
        .cells
        .iter()
        .flatten()
        .filter_map(|cell| cell.map(Score::get))
        .collect();
    let lowest = known.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let strength = |value: f64| {
        if highest > lowest {
            0.1 + 0.75 * (value - lowest) / (highest - lowest)
        } else {
            0.4
        }
    };
    let width = LABEL + CELL * map.columns.len() as f64;
    let height = HEAD + ROW * map.rows.len() as f64;
    let mut svg = format!(
        "<svg class=\"plot heat\" role=\"img\" aria-label=\"mean {} by {} and {}; the same numbers stand in the table\" viewBox=\"0 0 {width} {height}\">\
         <text x=\"{:.1}\" y=\"16\" text-anchor=\"middle\">{}</text><text x=\"0\" y=\"38\">{}</text>",
        metric.title(),
        escape(&map.down),
        escape(&map.across),
        f64::midpoint(LABEL, width),
        escape(&map.across),
        escape(&map.down)
    );
    for (column, value) in map.columns.iter().enumerate() {
        svg.push_str(&format!(
            "<text x=\"{:.1}\" y=\"38\" text-anchor=\"middle\">{}</text>",
            LABEL + CELL * (column as f64 + 0.5),
            escape(&shortened(&shown_value(value), 13))
        ));
    }
    for (row, (value, cells)) in map.rows.iter().zip(&map.cells).enumerate() {
        let top = HEAD + ROW * row as f64;
        svg.push_str(&format!(
            "<text x=\"0\" y=\"{:.1}\">{}</text>",
            top + ROW / 2.0 + 4.0,
            escape(&shortened(&shown_value(value), 28))
        ));
        for (column, cell) in cells.iter().enumerate() {
            let left = LABEL + CELL * column as f64;
            if let Some(score) = cell {
                svg.push_str(&format!(
                    "<rect class=\"bar\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" opacity=\"{:.2}\"/>",
                    CELL - 2.0,
                    ROW - 2.0,
                    strength(score.get())
                ));
            }
            svg.push_str(&format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                left + CELL / 2.0,
                top + ROW / 2.0 + 4.0,
                tables::quality(metric, *cell)
            ));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}
