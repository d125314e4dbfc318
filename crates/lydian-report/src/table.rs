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

/// Returns text with `head` in front, broken between words so that it fits; further lines are set in by `indent`.
pub fn hanging(head: &str, text: &str, indent: usize, width: Width) -> String {
    let most = usize::from(width.0);
    let mut lines = String::from(head);
    let mut column = head.chars().count();
    for (number, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if number > 0 && column + 1 + length > most {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if number > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_broken_between_words_and_set_in() {
        assert_eq!(
            hanging("- ", "one two three", 4, Width(9)),
            "- one two\n    three\n"
        );
        assert_eq!(hanging("- ", "unbreakable", 4, Width(4)), "- unbreakable\n");
    }
}
