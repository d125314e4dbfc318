//! A document of paragraphs and tables, before it takes a format.

/// A document: what every format shows, in this order.
pub(crate) struct Document {
    /// The title.
    pub(crate) title: String,
    /// The first line.
    pub(crate) headline: String,
    /// What was asked and answered, in short lines.
    pub(crate) facts: Vec<String>,
    /// The tables.
    pub(crate) tables: Vec<PlainTable>,
    /// What the numbers cannot say.
    pub(crate) limitations: Vec<String>,
}

/// A table of texts. The first column is a heading, the others are numbers.
pub(crate) struct PlainTable {
    /// What it shows.
    pub(crate) caption: String,
    /// The names of the columns.
    pub(crate) header: Vec<String>,
    /// The rows, each as long as the header.
    pub(crate) rows: Vec<Vec<String>>,
}

impl PlainTable {
    /// Returns a table without rows.
    pub(crate) fn new(caption: &str, header: &[&str]) -> Self {
        Self {
            caption: caption.to_owned(),
            header: header.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }
}

/// Returns a text on one line, without control characters and direction marks that could hide or move text.
pub(crate) fn tame(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
    };
    text.chars()
        .map(|c| if hidden(c) { '\u{FFFD}' } else { c })
        .collect()
}
