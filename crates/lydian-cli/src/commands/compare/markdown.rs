//! A comparison as Markdown.

use lydian_report::terminal::display_name;
use lydian_scoring::compare::Comparison;

use super::{digits, heading, letter, runs};

/// Returns the text.
pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = format!("{}\n\n| | run | card |\n|---|---|---|\n", heading(comparison));
    for [letter, label, hash] in runs(comparison) {
        text.push_str(&format!("| {letter} | {} | `{hash}` |\n", escaped(&label)));
    }
    for (index, system) in comparison.systems.iter().enumerate() {
        let name = letter(index + 1);
        text.push_str(&format!(
            "\n| metric | A | {name} | {name} − A | 95 % interval | p | p corrected | detectable |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|\n"
        ));
        for metric in &system.metrics {
            let places = digits(&metric.metric);
            let corrected = format!("{:.4}", metric.p_holm.get());
            let corrected = if metric.significant {
                format!("**{corrected}**")
            } else {
                corrected
            };
            text.push_str(&format!(
                "| {} | {:.places$} | {:.places$} | {:+.places$} | {:+.places$} … {:+.places$} | {:.4} | {corrected} | {:.places$} |\n",
                display_name(&metric.metric),
                metric.baseline.get(),
                metric.system.get(),
                metric.difference.get(),
                metric.lower.get(),
                metric.upper.get(),
                metric.p_value.get(),
                metric.detectable_difference.get(),
            ));
        }
        text.push_str(&format!(
            "\nBy sentence chrF++ {name} is better on {} entries, A on {}; {} are equal.\n",
            system.entries.wins, system.entries.losses, system.entries.ties
        ));
    }
    text.push_str(&format!("\n{}\n", comparison.notice));
    text
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
