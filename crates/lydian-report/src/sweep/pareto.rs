//! Quality against a price, with the front that nothing beats, as SVG.

use lydian_model::Finite;
use lydian_scoring::sweep::{Configuration, SweepMatrix};

use super::tables;
use crate::html::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 24.0;
/// Points that have a number and a line in the legend.
const NAMED: usize = 20;

/// One picture: what is paid, and which configurations are on the front.
pub(super) struct Plot<'m> {
    /// Name of the price, such as `USD per entry`.
    pub(super) price_name: &'static str,
    /// Its unit.
    pub(super) unit: &'static str,
    /// What it is in a sentence, such as `cost`.
    pub(super) short_name: &'static str,
    /// The price of a configuration.
    pub(super) price: fn(&Configuration) -> Option<Finite>,
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
    let mut points: Vec<Point<'_>> = matrix
        .configurations
        .iter()
        .filter_map(|configuration| {
            Some(Point {
                configuration,
                quality: configuration.quality?.get(),
                price: (plot.price)(configuration)?.get(),
            })
        })
        .collect();
    if points.is_empty() {
        return format!(
            "<p class=\"soft\">No configuration has both {} and {}{}.</p>\n",
            matrix.metric.title(),
            plot.price_name,
            escape(&tables::left_out(matrix, plot.short_name, plot.price))
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
        escape(matrix.metric.title()),
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
    let middle = f64::midpoint(TOP, base);
    svg.push_str(&format!(
        "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>",
        escape(matrix.metric.title())
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
    // Those on the front are numbered first, so that they keep their numbers where there are too many points to name.
    points.sort_by_key(|point| !plot.front.contains(&point.configuration.id));
    for (place, point) in points.iter().enumerate() {
        let at = (x(point.price), y(point.quality));
        svg.push_str(&dot(matrix, plot, (place, point), at));
    }
    svg.push_str("</svg>\n");
    svg.push_str(&legend(matrix, plot, &points));
    svg
}

/// Returns one point with its number.
fn dot(
    matrix: &SweepMatrix,
    plot: &Plot<'_>,
    (place, point): (usize, &Point<'_>),
    (x, y): (f64, f64),
) -> String {
    let (class, radius) = if plot.front.contains(&point.configuration.id) {
        ("dot", 6)
    } else {
        ("off", 4)
    };
    let circle = format!(
        "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{}: {}, {}</title></circle>",
        escape(&point.configuration.label),
        tables::quality(matrix.metric, point.configuration.quality),
        amount(point.price)
    );
    if place >= NAMED {
        return circle;
    }
    // A number stands on the side where the picture has room.
    let (beside, anchor) = if x > WIDTH / 2.0 {
        (-9.0, "end")
    } else {
        (9.0, "start")
    };
    format!(
        "{circle}<text class=\"value\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        x + beside,
        y + 4.0,
        place + 1
    )
}

/// Returns what the numbers of the points stand for, and which configurations have none.
fn legend(matrix: &SweepMatrix, plot: &Plot<'_>, points: &[Point<'_>]) -> String {
    let items: String = points
        .iter()
        .take(NAMED)
        .map(|point| {
            let front = if plot.front.contains(&point.configuration.id) {
                ", on the front"
            } else {
                ""
            };
            format!(
                "<li>{}: {} {}, {} {}{front}</li>\n",
                escape(&point.configuration.label),
                matrix.metric.title(),
                tables::quality(matrix.metric, point.configuration.quality),
                amount(point.price),
                plot.unit
            )
        })
        .collect();
    let more = match points.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("<p class=\"soft\">{more} more points are in the table.</p>\n"),
    };
    let left_out = match tables::left_out(matrix, plot.short_name, plot.price).trim() {
        "" => String::new(),
        sentence => format!("<p class=\"soft\">Not in the picture {}.</p>\n", escape(sentence)),
    };
    format!("<ol class=\"soft\">\n{items}</ol>\n{more}{left_out}")
}

fn amount(value: f64) -> String {
    if value == 0.0 || value >= 0.1 {
        format!("{value:.2}")
    } else {
        format!("{value:.2e}")
    }
}
