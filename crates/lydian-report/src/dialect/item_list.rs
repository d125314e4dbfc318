//! The verdict on every item, for the HTML page.

use std::fmt::Write as _;

use lydian_scoring::dialect::{DialectReport, ItemVerdict};

use crate::html::escape;

/// Most items that a page lists; it says how many are left out.
const MOST_ITEMS: usize = 5_000;

/// Returns the section that lists the items.
pub(super) fn section(report: &DialectReport) -> String {
    let mut text = "<h2 id=\"items\">Every item</h2>\n<div class=\"scroll\"><table class=\"entries\">\n<caption>What each answer reached and what decided</caption>\n<thead><tr><th scope=\"col\">item</th><th scope=\"col\">type</th><th scope=\"col\">dialect</th><th scope=\"col\">label</th><th scope=\"col\" class=\"n\">score</th><th scope=\"col\">decided by</th><th scope=\"col\">read</th></tr></thead>\n<tbody>\n".to_owned();
    for verdict in report.items.iter().take(MOST_ITEMS) {
        writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
            escape(verdict.id.as_str()),
            verdict.item_type.name(),
            escape(&verdict.dialect),
            verdict.label.name(),
            verdict.score,
            verdict.decided_by.name(),
            escape(&explanation(verdict)),
        )
        .expect("writing to a string cannot fail");
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
