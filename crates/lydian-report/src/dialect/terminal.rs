//! A document for a terminal.

use comfy_table::{ContentArrangement, Table, presets};

use super::plain::{Document, PlainTable};
use crate::terminal::Width;

/// Returns the document, its headline first.
pub(crate) fn document(document: &Document, width: Width) -> String {
    let mut text = format!("{}\n\n{}\n", document.headline, document.facts.join("\n"));
    for table in &document.tables {
        text.push_str(&format!("\n{}\n{}\n", table.caption, lines(table, width)));
    }
    text.push('\n');
    for limitation in &document.limitations {
        text.push_str(&format!("limitation: {limitation}\n"));
    }
    text
}

fn lines(plain: &PlainTable, width: Width) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width.0).set_header(&plain.header);
    for row in &plain.rows {
        table.add_row(row);
    }
    table
}
