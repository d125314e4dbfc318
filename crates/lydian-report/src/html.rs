//! One or several run cards as one HTML file that works offline, without scripts, by keyboard and in any script.

use lydian_model::RunCard;
use lydian_model::run_card::Scores;

use crate::run_label::run_labels;
use crate::tame::is_hidden;

mod breakdowns;
mod entries;
pub(crate) mod page;
mod score_table;
mod summary;

/// What a report shows.
#[derive(Clone, Copy, Debug)]
pub struct Report<'cards> {
    /// The runs, at least one, in the order in which they are shown.
    pub cards: &'cards [RunCard],
    /// Scores of the unchanged source text on the first run's entries: the floor every method must beat.
    pub floor: Option<&'cards Scores>,
}

/// A run under a name that no other run of the page has.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    card: &'a RunCard,
    label: &'a str,
}

impl Run<'_> {
    /// Returns what a heading about this run adds when there are `several`, else nothing.
    fn suffix(&self, several: bool) -> String {
        if several {
            format!(": {}", escape(self.label))
        } else {
            String::new()
        }
    }
}

/// Most entries of one run that are embedded; the page says how many are left out.
pub const MOST_EMBEDDED_ENTRIES: usize = 5_000;

/// Returns the page.
pub fn render(report: &Report<'_>) -> String {
    let labels = run_labels(report.cards);
    let runs: Vec<Run<'_>> = report
        .cards
        .iter()
        .zip(&labels)
        .map(|(card, label)| Run { card, label })
        .collect();
    let title = match runs.as_slice() {
        [only] => format!("{} on {}", only.label, only.card.dataset.language_pair),
        runs => format!("{} runs compared", runs.len()),
    };
    let mut body = summary::section(&runs, report.floor);
    body.push_str(&breakdowns::sections(&runs));
    for (number, run) in runs.iter().enumerate() {
        body.push_str(&entries::section(run, number));
    }
    page::wrap(&title, &body)
}

/// Returns text safe inside HTML elements and quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            // Control characters are not allowed in HTML, and others could reorder what stands beside the text.
            hidden if is_hidden(hidden) => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_controls_do_not_survive() {
        assert_eq!(
            escape("<b a='\"'>&\u{1b}[0m\u{202e}"),
            "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{FFFD}[0m\u{FFFD}"
        );
    }
}
