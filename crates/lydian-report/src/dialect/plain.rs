//! A document of paragraphs and tables, before it takes a format.

use crate::number::MISSING;

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

/// A table of texts. The first column is a heading, the others are numbers or words.
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

    /// Says whether a column holds words, which stand on the left; numbers stand on the right.
    pub(crate) fn holds_words(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.any(|cell| cell != MISSING && !cell.is_empty() && !is_number(cell))
    }
}

/// Says whether a cell begins with a number: `12.5`, `+0.3`, `1.0–2.5`, `5 of 5`, `0.4 s`.
fn is_number(cell: &str) -> bool {
    let first = cell.split_whitespace().next().unwrap_or_default();
    let digits = first.trim_start_matches(['+', '-', '−', '<', '≥', '±']);
    digits.starts_with(|character: char| character.is_ascii_digit())
        && digits
            .chars()
            .all(|character| character.is_ascii_digit() || ".,–-+e%:".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_told_apart() {
        for number in [
            "12.5",
            "+0.3",
            "-1.20 to 3.40",
            "1.0–2.5",
            "5 of 5",
            "3.2e-5",
            "12,345",
            "97 %",
        ] {
            assert!(is_number(number), "{number}");
        }
        for word in [
            "yes",
            "2ee3f7f13a4266e9",
            "model=m temperature=0.3",
            "cost, speed",
        ] {
            assert!(!is_number(word), "{word}");
        }
        let mut table = PlainTable::new("t", &["a", "b"]);
        table.rows = vec![vec!["x".into(), MISSING.into()], vec!["y".into(), "1".into()]];
        assert!(table.holds_words(0) && !table.holds_words(1));
    }
}
