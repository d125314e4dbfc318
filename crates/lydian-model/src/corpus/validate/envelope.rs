//! Checks of the envelope (B §2.1).

use std::collections::BTreeSet;

use super::formats::{License, is_version, license};
use super::provenance::machine_word;
use super::tally::Tally;
use crate::calendar::is_date;
use crate::corpus::Dataset;
use crate::corpus::read::{Layout, Outline};
use crate::diagnostic::{Diagnostic, Findings, Place, Severity};
use crate::json::value::quoted;
use crate::language_tag::{LanguageTag, TagError};

const RULE: &str = "B §2.1";

struct Report<'run> {
    outline: &'run Outline,
    findings: &'run mut Findings,
}

impl Report<'_> {
    fn push(&mut self, severity: Severity, check: &'static str, field: &str, words: (String, String)) {
        let place = match self.outline.layout {
            Layout::Dataset => Place::pointer(format!("/dataset/{field}")),
            _ => Place::default(),
        };
        let rule = if field.ends_with("language") {
            "decision 1"
        } else {
            RULE
        };
        self.findings.push(Diagnostic {
            severity,
            ..Diagnostic::error(check, rule, place, words.0, words.1)
        });
    }
}

/// Checks every stated value and compares the provenance list with the entries.
pub(super) fn check(outline: &Outline, tally: &Tally, findings: &mut Findings) {
    let mut report = Report { outline, findings };
    let dataset = &outline.corpus.dataset;
    check_assumed(&mut report);
    check_languages(dataset, &mut report);
    check_version_and_date(dataset, &mut report);
    check_license(dataset, &mut report);
    check_provenance(dataset, tally, &mut report);
}

fn check_assumed(report: &mut Report<'_>) {
    let assumed: Vec<String> = report
        .outline
        .values_from
        .iter()
        .filter(|(_, origin)| *origin != "flag" && *origin != "provenance block")
        .map(|(field, origin)| format!("{field} ({origin})"))
        .collect();
    if !assumed.is_empty() {
        report.findings.push(Diagnostic::warning(
            "assumed_values",
            RULE,
            Place::default(),
            format!("the file does not state {}", assumed.join(", ")),
            "`lydian corpus import` writes a file that states them; run cards name where each value came from",
        ));
    }
}

fn check_languages(dataset: &Dataset, report: &mut Report<'_>) {
    let mut tags = Vec::new();
    for (field, text) in [
        ("source_language", &dataset.source_language),
        ("target_language", &dataset.target_language),
    ] {
        if text.is_empty() {
            continue;
        }
        match LanguageTag::parse(text) {
            Ok(tag) => {
                if let Some(code) = tag.bibliographic() {
                    let words = (
                        format!("{field} is {text}, a library code"),
                        format!("write {code}"),
                    );
                    report.push(Severity::Warning, "bibliographic_code", field, words);
                }
                tags.push(tag);
            }
            Err(error) => {
                let fix = match error {
                    TagError::Underscore => format!("write {}", text.replace('_', "-")),
                    _ => "use a tag such as en, crk or sr-Latn".to_owned(),
                };
                let message = format!("{field} {} is not a BCP 47 tag: {error}", quoted(text));
                report.push(Severity::Error, "language_tag", field, (message, fix));
            }
        }
    }
    if let [source, target] = &tags[..]
        && source.folded() == target.folded()
    {
        let message = format!("source and target language are both {source}");
        let words = (message, "check the languages".to_owned());
        report.push(Severity::Warning, "same_language", "target_language", words);
    }
}

fn check_version_and_date(dataset: &Dataset, report: &mut Report<'_>) {
    if !dataset.version.is_empty() && !is_version(&dataset.version) {
        let message = format!("version {} is not a semantic version", quoted(&dataset.version));
        let words = (message, "write it as 1.0.0".to_owned());
        report.push(Severity::Error, "version", "version", words);
    }
    if !dataset.created.is_empty() && !is_date(&dataset.created) {
        let message = format!("created {} is not an ISO 8601 date", quoted(&dataset.created));
        let words = (message, "write it as 2026-05-01".to_owned());
        report.push(Severity::Error, "date", "created", words);
    }
}

fn check_license(dataset: &Dataset, report: &mut Report<'_>) {
    if dataset.license.is_empty() {
        return;
    }
    let shown = quoted(&dataset.license);
    match license(&dataset.license) {
        License::Valid => {}
        License::Unstated => {
            let words = (
                "nobody has stated the licence".to_owned(),
                "find out under which licence the texts may be used, and state it".to_owned(),
            );
            report.push(Severity::Warning, "license_unstated", "license", words);
        }
        License::Deprecated => {
            let words = (
                format!("license {shown} uses an identifier that SPDX has replaced"),
                "say -only or -or-later, such as GPL-2.0-only".to_owned(),
            );
            report.push(Severity::Warning, "license_deprecated", "license", words);
        }
        License::Invalid { reason, meant } => {
            let fix = match meant {
                Some(name) => format!("did you mean {name}?"),
                None => "use an SPDX identifier, or LicenseRef-NAME for a licence of your own".to_owned(),
            };
            let message = format!("license {shown} is not an SPDX expression: {reason}");
            report.push(Severity::Error, "license", "license", (message, fix));
        }
    }
}

fn check_provenance(dataset: &Dataset, tally: &Tally, report: &mut Report<'_>) {
    for tag in &dataset.provenance {
        if let Some(word) = machine_word(tag) {
            let message = format!("the provenance list says {word:?}: references made by a machine");
            report.findings.push(Diagnostic::error(
                "machine_made_reference",
                "B §1.4",
                Place::pointer("/dataset/provenance"),
                message,
                "remove those entries; references are written by people",
            ));
        }
    }
    if report.outline.layout != Layout::Dataset {
        return;
    }
    let listed: BTreeSet<&str> = dataset.provenance.iter().map(String::as_str).collect();
    let used: BTreeSet<&str> = tally.provenances.keys().map(String::as_str).collect();
    if used.is_empty() && !listed.is_empty() {
        // Entries without provenance are reported as such.
        return;
    }
    if listed != used {
        let names = |tags: BTreeSet<&str>| {
            tags.into_iter()
                .map(quoted)
                .take(10)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let missing = names(used.difference(&listed).copied().collect());
        let unused = names(listed.difference(&used).copied().collect());
        let message = match (missing.as_str(), unused.as_str()) {
            (missing, "") => format!("the provenance list lacks {missing}, which entries use"),
            ("", unused) => format!("the provenance list names {unused}, which no entry uses"),
            (missing, unused) => format!("the provenance list lacks {missing} and names {unused} in vain"),
        };
        let words = (message, "list exactly the tags of the entries".to_owned());
        report.push(Severity::Warning, "provenance_list", "provenance", words);
    }
}
