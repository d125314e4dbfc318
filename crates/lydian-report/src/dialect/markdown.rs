//! A document in Markdown.

use super::plain::{Document, PlainTable};

/// Returns the document, its headline first.
pub(crate) fn document(document: &Document) -> String {
    let mut text = format!(
        "# {}\n\n**{}**\n\n",
        escape(&document.title),
        escape(&document.headline)
    );
    for fact in &document.facts {
        let fact: Vec<&str> = fact.split_whitespace().collect();
        text.push_str(&format!("- {}\n", escape(&fact.join(" "))));
    }
    for table in &document.tables {
        text.push_str(&format!("\n{}\n\n{}", escape(&table.caption), lines(table)));
    }
    text.push_str("\nLimitations:\n\n");
    for limitation in &document.limitations {
        text.push_str(&format!("- {}\n", escape(limitation)));
    }
    text
}

fn lines(table: &PlainTable) -> String {
    let line = |cells: &[String]| {
        format!(
            "| {} |\n",
            cells
                .iter()
                .map(|cell| escape(cell))
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let mut text = line(&table.header);
    text.push_str(&format!("|{}\n", " --- |".repeat(table.header.len())));
    text.extend(table.rows.iter().map(|row| line(row)));
    text
}

/// Keeps a text from being read as markup.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '#'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_name_cannot_break_the_table() {
        assert_eq!(escape("a|b*c"), "a\\|b\\*c");
    }
}
