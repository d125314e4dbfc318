//! A document of paragraphs and tables, before it takes a format.

/// A document: what every format shows, in this order.
pub(super) struct Document {
    /// The title.
    pub(super) title: String,
    /// The first line.
    pub(super) headline: String,
    /// What was asked and answered, in short lines.
    pub(super) facts: Vec<String>,
    /// The tables.
    pub(super) tables: Vec<PlainTable>,
    /// What the numbers cannot say.
    pub(super) limitations: Vec<String>,
}

/// A table of texts. The first column is a heading, the others are numbers.
pub(super) struct PlainTable {
    /// What it shows.
    pub(super) caption: String,
    /// The names of the columns.
    pub(super) header: Vec<String>,
    /// The rows, each as long as the header.
    pub(super) rows: Vec<Vec<String>>,
}

impl PlainTable {
    /// Returns a table without rows.
    pub(super) fn new(caption: &str, header: &[&str]) -> Self {
        Self {
            caption: caption.to_owned(),
            header: header.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }
}

/// Returns a text on one line, without control characters and direction marks that could hide or move text.
pub(super) fn tame(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
    };
    text.chars()
        .map(|c| if hidden(c) { '\u{FFFD}' } else { c })
        .collect()
}
