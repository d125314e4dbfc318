//! Dialect reports and comparisons as terminal text, Markdown, LaTeX, CSV and one offline HTML page.

mod comparison;
pub(crate) mod csv;
pub(crate) mod html;
mod item_list;
pub(crate) mod latex;
pub(crate) mod markdown;
pub(crate) mod plain;
mod tables;
pub(crate) mod terminal;

use lydian_scoring::dialect::{DialectComparison, DialectReport};

use crate::terminal::Width;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for a terminal of this width.
    Terminal(Width),
    /// Markdown tables.
    Markdown,
    /// LaTeX `tabular` environments for use with `booktabs`.
    Latex,
    /// One row per dialect and measure.
    Csv,
    /// One page that works offline.
    Html,
}

/// Returns a report as text. Refusals come first in every format (D §4).
pub fn report(report: &DialectReport, format: Format) -> String {
    match format {
        Format::Csv => csv::report(report),
        Format::Html => html::report(report),
        Format::Terminal(width) => terminal::document(&tables::of_report(report), width),
        Format::Markdown => markdown::document(&tables::of_report(report)),
        Format::Latex => latex::document(&tables::of_report(report)),
    }
}

/// Returns a comparison as text.
pub fn comparison(compared: &DialectComparison, format: Format) -> String {
    let document = comparison::document(compared);
    match format {
        Format::Csv => csv::comparison(compared),
        Format::Html => html::comparison(compared, &document),
        Format::Terminal(width) => terminal::document(&document, width),
        Format::Markdown => markdown::document(&document),
        Format::Latex => latex::document(&document),
    }
}
