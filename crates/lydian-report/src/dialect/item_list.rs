//! The verdict on every item, for the HTML page.

use std::fmt::Write as _;

use lydian_scoring::dialect::{DialectReport, ItemVerdict};

use crate::html::escape;

/// Most items that a page lists; it says how many are left out.
const MOST_ITEMS: usize = 5_000;

/// Returns the section that lists the items.
pub(super) fn section(report: &DialectReport) -> String {
    let header: String = COLUMNS
        .iter()
        .map(|(name, class)| format!("<th scope=\"col\" class=\"{class}\">{name}</th>"))
        .collect();
    let caption = "What each answer reached and what decided";
    let mut text = format!(
        "<h2 id=\"items\">Every item</h2>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\"><table class=\"entries\">\n\
         <caption>{caption}</caption>\n<thead><tr>{header}</tr></thead>\n<tbody>\n"
    );
    for verdict in report.items.iter().take(MOST_ITEMS) {
        let cells = [
            escape(verdict.id.as_str()),
            verdict.item_type.name().to_owned(),
            escape(&verdict.dialect),
            verdict.label.name().replace('_', " "),
            verdict.score.to_string(),
            verdict.decided_by.name().replace('_', " "),
            escape(&explanation(verdict)),
        ];
        text.push_str(&row(&cells));
    }
    text.push_str("</tbody></table></div>\n");
    if report.items.len() > MOST_ITEMS {
        writeln!(
            text,
            "<p>{} further items are not listed.</p>",
            report.items.len() - MOST_ITEMS
        )
        .expect("writing to a string cannot fail");
    }
    text
}

/// The columns, with the class of each.
const COLUMNS: [(&str, &str); 7] = [
    ("item", "middle"),
    ("type", "narrow"),
    ("dialect", "middle"),
    ("label", "wide"),
    ("score", "n narrow"),
    ("decided by", "wide"),
    ("read", ""),
];

fn row(cells: &[String; COLUMNS.len()]) -> String {
    let [id, cells @ ..] = cells;
    let cells: String = COLUMNS[1..]
        .iter()
        .zip(cells)
        .map(|((name, _), cell)| match *name {
            "score" => format!("<td class=\"n\" data-label=\"{name}\">{cell}</td>"),
            "read" => format!("<td class=\"text\" data-label=\"{name}\" dir=\"auto\">{cell}</td>"),
            _ => format!("<td data-label=\"{name}\">{cell}</td>"),
        })
        .collect();
    format!("<tr><th scope=\"row\">{id}</th>{cells}</tr>\n")
}

/// Returns what was read in an answer: keyword by keyword, or the letter.
fn explanation(verdict: &ItemVerdict) -> String {
    let mut parts: Vec<String> = verdict
        .keywords
        .iter()
        .map(|row| match &row.matched {
            Some(by) if by.output == row.keyword => row.keyword.clone(),
            Some(by) => format!("{} ← {}", row.keyword, by.output),
            None => format!("{} not found", row.keyword),
        })
        .collect();
    if let Some(coverage) = verdict.coverage {
        parts.insert(0, format!("coverage {:.3}", coverage.get()));
    }
    if let Some(right) = verdict.correct_answer {
        let read = verdict
            .letter
            .map_or("none", lydian_model::dialect::Letter::as_str);
        parts.push(format!("letter {read}, right {right}"));
    }
    if let Some(pattern) = &verdict.refusal_pattern {
        parts.push(format!("refusal pattern {pattern}"));
    }
    parts.join("; ")
}
