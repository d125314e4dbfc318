//! The matrix of a sweep as terminal text, Markdown, LaTeX, CSV and one offline HTML page.

mod csv;
mod heat_map;
mod html;
mod pareto;
mod tables;

use lydian_scoring::sweep::SweepMatrix;

use crate::dialect::{latex, markdown, terminal};
use crate::terminal::Width;

/// How a matrix is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for a terminal of this width.
    Terminal(Width),
    /// Markdown tables.
    Markdown,
    /// LaTeX `tabular` environments for use with `booktabs`.
    Latex,
    /// One row per run.
    Csv,
    /// One page that works offline.
    Html,
}

/// Returns a matrix as text, the verdict first.
pub fn report(matrix: &SweepMatrix, format: Format) -> String {
    match format {
        Format::Csv => csv::report(matrix),
        Format::Html => html::page(matrix),
        Format::Terminal(width) => terminal::document(&tables::short(matrix), width),
        Format::Markdown => markdown::document(&tables::full(matrix)),
        Format::Latex => latex::document(&tables::full(matrix)),
    }
}
