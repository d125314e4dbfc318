//! A document as LaTeX tables for `booktabs`.

use super::plain::{Document, PlainTable};

/// Returns the document: comments, then one `table` environment per table.
pub(crate) fn document(document: &Document) -> String {
    let mut text = format!(
        "% {}\n% {}\n",
        comment(&document.title),
        comment(&document.headline)
    );
    text.push_str(&format!(
        "\\noindent {}.\n",
        escape(document.headline.trim_end_matches('.'))
    ));
    for table in &document.tables {
        text.push_str(&environment(table));
    }
    text.push_str("\\begin{itemize}\n");
    for limitation in &document.limitations {
        text.push_str(&format!("  \\item {}\n", escape(limitation)));
    }
    text.push_str("\\end{itemize}\n");
    text
}

fn environment(table: &PlainTable) -> String {
    let line = |cells: &[String]| {
        format!(
            "    {} \\\\\n",
            cells
                .iter()
                .map(|cell| escape(cell))
                .collect::<Vec<_>>()
                .join(" & ")
        )
    };
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    format!(
        "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{}}}\n    \\toprule\n{}    \\midrule\n{rows}    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n",
        escape(&table.caption),
        "l".repeat(table.header.len()),
        line(&table.header),
    )
}

fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Keeps a text from being read as commands.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '–' => escaped.push_str("--"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_lose_their_meaning() {
        assert_eq!(
            escape("5 % of \\input{x}"),
            "5 \\% of \\textbackslash{}input\\{x\\}"
        );
    }
}
