//! The look of tables on a terminal.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

/// How many columns the text may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub u16);

/// Only a line under the header: rows stay close together and a screen reader meets no drawing characters.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Returns an empty table of this width.
pub fn new(width: Width) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width.0);
    table
}
