//! Quality against a price, with the front that nothing beats, as SVG.

use lydian_scoring::sweep::{Configuration, SweepMatrix};

use super::tables;
use crate::html::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 24.0;

/// One picture: what is paid, and which configurations are on the front.
pub(super) struct Plot<'m> {
    /// Name of the price, such as `USD per entry`.
    pub(super) price_name: &'static str,
    /// The price of a configuration.
    pub(super) price: fn(&Configuration) -> Option<f64>,
    /// Configurations on the front.
    pub(super) front: &'m [String],
}

struct Point<'m> {
    configuration: &'m Configuration,
    quality: f64,
    price: f64,
}

/// Returns the picture, or a sentence that says why there is none.
pub(super) fn svg(matrix: &SweepMatrix, plot: &Plot<'_>) -> String {
    let points: Vec<Point<'_>> = matrix
        .configurations
        .iter()
        .filter_map(|configuration| {
            Some(Point {
                configuration,
                quality: configuration.quality?.get(),
                price: (plot.price)(configuration)?,
            })
        })
        .collect();
    if points.is_empty() {
        return format!(
            "<p class=\"soft\">No configuration has both {} and {}.</p>\n",
            matrix.metric.name(),
            plot.price_name
        );
    }
    let dearest = points.iter().map(|point| point.price).fold(0.0, f64::max);
    let dearest = if dearest > 0.0 { dearest } else { 1.0 };
    let lowest = points
        .iter()
        .map(|point| point.quality)
        .fold(f64::INFINITY, f64::min);
    let highest = points
        .iter()
        .map(|point| point.quality)
        .fold(f64::NEG_INFINITY, f64::max);
    let margin = ((highest - lowest) * 0.1).max(0.005);
    let (floor, ceiling) = (lowest - margin, highest + margin);
    let x = |price: f64| LEFT + price / dearest * (WIDTH - LEFT - RIGHT);
    let y = |quality: f64| TOP + (ceiling - quality) / (ceiling - floor) * (HEIGHT - TOP - BOTTOM);
    let base = HEIGHT - BOTTOM;
    let mut svg = format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{} against {}; the same numbers stand in the table\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"{base}\" x2=\"{:.1}\" y2=\"{base}\"/>\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"{TOP}\" x2=\"{LEFT}\" y2=\"{base}\"/>",
        escape(matrix.metric.name()),
        escape(plot.price_name),
        WIDTH - RIGHT
    );
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let price = dearest * share;
        let quality = floor + (ceiling - floor) * share;
        svg.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{quality:.2}</text>",
            x(price),
            base + 16.0,
            amount(price),
            LEFT - 6.0,
            y(quality) + 4.0
        ));
    }
    svg.push_str(&format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 8.0,
        escape(plot.price_name)
    ));
    let mut front: Vec<&Point<'_>> = points
        .iter()
        .filter(|point| plot.front.contains(&point.configuration.id))
        .collect();
    front.sort_by(|left, right| left.price.total_cmp(&right.price));
    let line: Vec<String> = front
        .iter()
        .map(|point| format!("{:.1},{:.1}", x(point.price), y(point.quality)))
        .collect();
    svg.push_str(&format!(
        "<polyline class=\"front\" points=\"{}\"/>",
        line.join(" ")
    ));
    for point in &points {
        let on_front = plot.front.contains(&point.configuration.id);
        svg.push_str(&format!(
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"><title>{}: {}, {}</title></circle>",
            if on_front { "dot" } else { "off" },
            x(point.price),
            y(point.quality),
            if on_front { 6 } else { 4 },
            escape(&point.configuration.label),
            tables::quality(matrix.metric, point.configuration.quality),
            amount(point.price)
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

fn amount(value: f64) -> String {
    if value == 0.0 || value >= 0.1 {
        format!("{value:.2}")
    } else {
        format!("{value:.2e}")
    }
}
