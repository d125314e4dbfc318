//! A comparison as text for a terminal.

use std::path::PathBuf;

use comfy_table::{Cell, CellAlignment, Table};
use lydian_report::tame::tame;
use lydian_report::terminal::display_name;
use lydian_scoring::compare::{Comparison, Example, SystemComparison};

use super::{Named, detectable, digits, heading, interval, letter, runs};

/// Columns the text takes.
const WIDTH: lydian_report::table::Width = lydian_report::table::Width(110);

/// Returns the text.
pub(super) fn render(comparison: &Comparison, paths: &[PathBuf]) -> String {
    let mut text = format!("{}\n\n", heading(comparison));
    for Named { letter, label, hash } in runs(comparison, paths) {
        text.push_str(&format!("{letter}  {}  (card {hash}…)\n", tame(&label)));
    }
    for (index, system) in comparison.systems.iter().enumerate() {
        let name = letter(index + 1);
        text.push_str(&format!("\n{}\n", table(system, &name)));
        text.push_str(&format!(
            "by sentence chrF++: {name} better on {}, A better on {}, equal on {}\n",
            system.entries.wins, system.entries.losses, system.entries.ties
        ));
        for (title, examples) in [
            (format!("{name} gains most"), &system.entries.largest_gains),
            (format!("{name} loses most"), &system.entries.largest_losses),
        ] {
            if !examples.is_empty() {
                text.push_str(&format!("\n{title}\n"));
            }
            for example in examples {
                text.push_str(&lines(example, &name));
            }
        }
        if system.reproduction.same_setup {
            let verdict = if system.reproduction.agrees {
                "agree within 2 %: reproduced"
            } else {
                "differ by more than 2 %: not reproduced"
            };
            text.push_str(&format!(
                "\nA and {name} have the same setup; composite and chrF++ {verdict}\n"
            ));
        }
    }
    text.push_str(&format!("\n{}\n", comparison.notice));
    text
}

fn table(system: &SystemComparison, name: &str) -> Table {
    let mut table = lydian_report::table::new(WIDTH);
    let difference = format!("{name} − A");
    table.set_header([
        "metric",
        "A",
        name,
        &difference,
        "95 % interval",
        "p",
        "p corrected",
        "detectable",
    ]);
    for metric in &system.metrics {
        let places = digits(&metric.metric);
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let mark = if metric.significant { " *" } else { "" };
        table.add_row([
            Cell::new(display_name(&metric.metric)),
            right(format!("{:.places$}", metric.baseline.get())),
            right(format!("{:.places$}", metric.system.get())),
            right(format!("{:+.places$}", metric.difference.get())),
            right(interval(metric)),
            right(format!("{:.4}", metric.p_value.get())),
            right(format!("{:.4}{mark}", metric.p_holm.get())),
            right(detectable(metric)),
        ]);
    }
    table
}

fn lines(example: &Example, name: &str) -> String {
    format!(
        "  {}  {}\n    reference  {}\n    A {:>5.1}    {}\n    {name} {:>5.1}    {}\n",
        example.entry_id,
        tame(&example.source),
        tame(&example.expected),
        example.baseline_score.get(),
        tame(&example.baseline_output),
        example.system_score.get(),
        tame(&example.system_output),
    )
}
