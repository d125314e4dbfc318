//! A document as one HTML page that works offline.

use std::fmt::Write as _;

use lydian_scoring::dialect::{DialectComparison, DialectReport};

use super::item_list;
use super::plain::{Document, PlainTable};
use super::tables;
use crate::html::{escape, page};

/// Returns the page of a report, its headline first.
pub(super) fn report(report: &DialectReport) -> String {
    let document = tables::of_report(report);
    let mut body = lead(&document);
    for table in &document.tables {
        body.push_str(&element(table));
    }
    body.push_str(&limitations(&document));
    body.push_str(&prompts(report));
    body.push_str(&item_list::section(report));
    page::wrap(&document.title, &body)
}

/// Returns the page of a comparison.
pub(super) fn comparison(compared: &DialectComparison, document: &Document) -> String {
    let mut body = lead(document);
    if compared.tests.is_empty() {
        body.push_str("<p>There is nothing to compare.</p>\n");
    }
    for table in &document.tables {
        body.push_str(&element(table));
    }
    body.push_str(&limitations(document));
    page::wrap(&document.title, &body)
}

/// Returns headline and facts.
pub(crate) fn lead(document: &Document) -> String {
    let mut text = format!("<p class=\"lead\">{}</p>\n<dl>\n", escape(&document.headline));
    for fact in &document.facts {
        let (name, value) = fact.split_once(' ').unwrap_or((fact, ""));
        writeln!(text, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value.trim()))
            .expect("writing to a string cannot fail");
    }
    text.push_str("</dl>\n");
    text
}

/// Returns a table.
pub(crate) fn element(table: &PlainTable) -> String {
    let mut text = format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table>\n<caption>{0}</caption>\n<thead><tr>",
        escape(&table.caption)
    );
    let words: Vec<bool> = (0..table.header.len())
        .map(|column| column == 0 || table.holds_words(column))
        .collect();
    let class = |words: bool| if words { "" } else { " class=\"n\"" };
    for (name, words) in table.header.iter().zip(&words) {
        text.push_str(&format!(
            "<th scope=\"col\"{}>{}</th>",
            class(*words),
            escape(name)
        ));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let mut cells = row.iter();
        let heading = cells.next().map(String::as_str).unwrap_or_default();
        text.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(heading)));
        for (cell, words) in cells.zip(words.iter().skip(1)) {
            text.push_str(&format!("<td{}>{}</td>", class(*words), pieces(cell)));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

/// Returns a cell that may be broken between its parts, a number, its interval and a remark, and nowhere else.
fn pieces(cell: &str) -> String {
    let parts: Vec<&str> = cell
        .split_inclusive("; ")
        .flat_map(|part| match part.find(" [") {
            Some(at) => vec![&part[..at], &part[at + 1..]],
            None => vec![part],
        })
        .collect();
    match parts.as_slice() {
        [] | [_] => escape(cell),
        parts => parts
            .iter()
            .map(|part| format!("<span class=\"piece\">{}</span>", escape(part.trim_end())))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// Returns the prompts as they were, for readers who ask what the method was told.
fn prompts(report: &DialectReport) -> String {
    let Some(run) = report.answers.run.as_ref().filter(|run| !run.prompts.is_empty()) else {
        return String::new();
    };
    let mut text = "<h2>Prompts</h2>\n".to_owned();
    for (item_type, prompt) in &run.prompts {
        let whole = match prompt.system.as_str() {
            "" => prompt.user.clone(),
            system => format!("{system}\n\n{}", prompt.user),
        };
        writeln!(
            text,
            "<details><summary>{}, {}: {}</summary><pre>{}</pre></details>",
            item_type.name(),
            item_type.title(),
            prompt.origin.name(),
            escape(&whole),
        )
        .expect("writing to a string cannot fail");
    }
    text
}

/// Returns what the numbers cannot say.
pub(crate) fn limitations(document: &Document) -> String {
    let items: String = document
        .limitations
        .iter()
        .map(|text| format!("<li>{}</li>\n", escape(text)))
        .collect();
    format!("<h2>What these numbers cannot say</h2>\n<ul>\n{items}</ul>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cell_breaks_between_number_interval_and_remark_only() {
        assert_eq!(pieces("28"), "28");
        assert_eq!(
            pieces("0/4 = 0.0 % [0.0, 49.0]; not above chance"),
            "<span class=\"piece\">0/4 = 0.0 %</span> <span class=\"piece\">[0.0, 49.0];</span> \
             <span class=\"piece\">not above chance</span>"
        );
    }

    #[test]
    fn a_table_that_scrolls_is_reached_by_keyboard() {
        let mut table = PlainTable::new("what & why", &["a", "b"]);
        table.rows.push(vec!["1".into(), "2".into()]);
        assert!(element(&table).starts_with(
            "<div class=\"scroll\" role=\"region\" aria-label=\"what &amp; why\" tabindex=\"0\">"
        ));
    }
}
