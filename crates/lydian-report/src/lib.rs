//! HTML, SVG, terminal and export tables from run cards.
//!
//! Everything here is text from documents; nothing reads a file or computes a score.
#![forbid(unsafe_code)]

pub mod dialect;
pub mod html;
pub mod number;
pub mod sentence;
pub mod svg;
pub mod sweep;
pub mod table;
pub mod terminal;
