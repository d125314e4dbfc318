//! HTML, SVG, terminal and export tables from run cards.
//!
//! Everything here is text from documents; nothing reads a file or computes a score.
#![forbid(unsafe_code)]

pub mod dialect;
pub mod html;
pub mod metric_name;
pub mod not_measured;
pub mod number;
pub mod run_label;
pub mod sentence;
pub mod shown_metric;
pub mod svg;
pub mod sweep;
pub mod table;
pub mod tame;
pub mod terminal;
