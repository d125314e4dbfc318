//! HTML, SVG, terminal and export tables from run cards.
#![forbid(unsafe_code)]
