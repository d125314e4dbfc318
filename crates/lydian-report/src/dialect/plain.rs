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
