//! Findings as people read them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use lydian_model::{Diagnostic, Findings, Severity};
use lydian_report::number::counted;
use lydian_report::tame::{tame, tame_lines};

use crate::commands::explain::explains;

/// Findings of one check that are printed before the rest is only counted.
pub(crate) const SHOWN_PER_CHECK: u64 = 20;

/// Which findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The first ones of each check.
    Some,
    /// The first errors of each check, without warnings and hints.
    Errors,
    /// Every one that was kept.
    All,
}

/// Returns the findings as coloured text, errors first, each with its remedy on a line of its own. What they quote is
/// tamed.
pub(crate) fn text(findings: &Findings, shown: Shown) -> String {
    let mut out = String::new();
    let mut printed: BTreeMap<(Severity, &str), u64> = BTreeMap::new();
    for diagnostic in findings.clone().into_sorted() {
        let count = printed
            .entry((diagnostic.severity, diagnostic.check))
            .or_default();
        if shown == Shown::Errors && diagnostic.severity != Severity::Error {
            continue;
        }
        if shown != Shown::All && *count == SHOWN_PER_CHECK {
            continue;
        }
        *count += 1;
        write_finding(&mut out, &diagnostic);
    }
    for (severity, check, total) in findings.counts() {
        if shown == Shown::Errors && severity != Severity::Error {
            continue;
        }
        let shown = printed.get(&(severity, check)).copied().unwrap_or_default();
        if total > shown {
            let name = severity_name(severity);
            writeln!(out, "  … and {} more of {name} {check}", total - shown).expect("writing to a string");
        }
    }
    out
}

/// Returns counts as `2 errors, 1 warning`; empty when there is nothing.
pub(crate) fn summary(findings: &Findings) -> String {
    [Severity::Error, Severity::Warning, Severity::Hint]
        .into_iter()
        .filter_map(|severity| {
            let count = findings.count(severity);
            let name = severity_name(severity);
            (count > 0).then(|| counted(count, name, &format!("{name}s")))
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

fn write_finding(out: &mut String, diagnostic: &Diagnostic) {
    debug_assert!(
        explains(diagnostic.check),
        "no explanation of {} in explain/topics.txt",
        diagnostic.check
    );
    let color = match diagnostic.severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Hint => AnsiColor::Green,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let name = severity_name(diagnostic.severity);
    let place = place(diagnostic);
    let gap = if place.is_empty() { "" } else { ": " };
    writeln!(
        out,
        "  {style}{name}{style:#} {}{gap}{}\n      {} [{}; {}]",
        tame(&place),
        tame_lines(&diagnostic.message),
        tame_lines(&diagnostic.fix),
        diagnostic.check,
        diagnostic.rule
    )
    .expect("writing to a string");
}

fn place(diagnostic: &Diagnostic) -> String {
    let place = &diagnostic.place;
    let line = place.line.map(|line| match place.column {
        Some(column) => format!("line {line}, column {column}"),
        None => format!("line {line}"),
    });
    let entry = place.entry_id.as_ref().map(|id| format!("entry {id}"));
    // The pointer of the whole document is empty.
    let pointer = place.pointer.as_ref().map(|pointer| match pointer.as_str() {
        "" => "the whole document".to_owned(),
        pointer => pointer.to_owned(),
    });
    [line, entry, pointer]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}
