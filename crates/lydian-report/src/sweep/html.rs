//! A matrix as one HTML page that works offline.

use lydian_scoring::sweep::SweepMatrix;

use super::pareto::Plot;
use super::{heat_map, pareto, tables};
use crate::dialect::html::{element, lead, limitations};
use crate::html::{escape, page};

/// Returns the page, the verdict first.
pub(super) fn page(matrix: &SweepMatrix) -> String {
    let document = tables::full(matrix);
    let mut body = lead(&document);
    body.push_str(&format!("<p class=\"notice\">{}</p>\n", escape(&matrix.notice)));
    body.push_str("<h2>Quality against cost</h2>\n");
    body.push_str(&pareto::svg(
        matrix,
        &Plot {
            price_name: "USD per entry",
            unit: "USD",
            short_name: "cost",
            price: |one| one.cost_per_entry_usd,
            front: &matrix.pareto_cost,
        },
    ));
    body.push_str("<h2>Quality against speed</h2>\n");
    body.push_str(&pareto::svg(
        matrix,
        &Plot {
            price_name: "seconds per entry (median latency)",
            unit: "s",
            short_name: "latency",
            price: |one| one.median_latency_seconds,
            front: &matrix.pareto_speed,
        },
    ));
    if let Some(map) = &matrix.heat_map {
        body.push_str("<h2>Quality over two axes</h2>\n");
        body.push_str(&heat_map::svg(matrix.metric, map));
    }
    body.push_str("<h2>Tables</h2>\n");
    for table in &document.tables {
        body.push_str(&element(table));
    }
    body.push_str(&limitations(&document));
    page::wrap(&document.title, &body)
}
