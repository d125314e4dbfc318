//! A comparison as Markdown.

use std::path::PathBuf;

use lydian_report::number::{self, counted};
use lydian_report::terminal::display_name;
use lydian_scoring::compare::Comparison;

use super::{Named, detectable, digits, heading, interval, letter, runs};

/// Returns the text.
pub(super) fn render(comparison: &Comparison, paths: &[PathBuf]) -> String {
    let mut text = format!("{}\n\n| | run | card |\n|---|---|---|\n", heading(comparison));
    for Named { letter, label, hash } in runs(comparison, paths) {
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
                "| {} | {:.places$} | {:.places$} | {:+.places$} | {} | {:.4} | {corrected} | {} |\n",
                display_name(&metric.metric),
                metric.baseline.get(),
                metric.system.get(),
                metric.difference.get(),
                interval(metric),
                metric.p_value.get(),
                detectable(metric),
            ));
        }
        text.push_str(&format!(
            "\nBy sentence chrF++ {name} is better on {}, A on {}; {} equal.\n",
            number::entries(system.entries.wins),
            system.entries.losses,
            counted(system.entries.ties, "is", "are")
        ));
    }
    text.push_str(&format!("\n{}\n", comparison.notice));
    text
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
