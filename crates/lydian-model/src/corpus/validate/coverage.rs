//! Checks of a corpus as a whole: recommended fields, sizes, difficulty, and what a benchmark needs.

use serde_json::Value;

use super::Purpose;
use super::tally::{Marked, Tally};
use crate::corpus::Dataset;
use crate::diagnostic::{Diagnostic, Findings, Place, Severity};
use crate::{Domain, Segment, agreeing, counted};

/// Fields of the dataset block that may name the documented consent of the community.
pub(crate) const CONSENT: &str = "consent";

/// Checks what every corpus should have.
pub(super) fn check(tally: &Tally, purpose: Purpose, findings: &mut Findings) {
    if tally.entries == 0 {
        return;
    }
    check_recommended(tally, purpose, findings);
    check_sizes(tally, findings);
    check_difficulty(tally, findings);
    check_forms(tally, findings);
    check_religious(tally, findings);
}

fn check_recommended(tally: &Tally, purpose: Purpose, findings: &mut Findings) {
    let severity = match purpose {
        Purpose::Use => Severity::Warning,
        Purpose::Onboarding => Severity::Error,
    };
    let fields: [(&'static str, &'static str, &str, &Marked); 4] = [
        (
            "missing_provenance",
            "B §2.5",
            "provenance",
            &tally.without_provenance,
        ),
        (
            "missing_difficulty",
            "B §2.4",
            "difficulty",
            &tally.without_difficulty,
        ),
        ("missing_register", "B §2.6", "register", &tally.without_register),
        ("missing_domain", "B §2.7", "domain", &tally.without_domain),
    ];
    for (check, rule, field, without) in fields {
        if without.count > 0 {
            findings.push(Diagnostic {
                severity,
                ..Diagnostic::error(
                    check,
                    rule,
                    Place::default(),
                    format!(
                        "{} of {} without {field} ({})",
                        without.count,
                        counted(tally.entries, "entry", "entries"),
                        without.examples()
                    ),
                    format!("add {field}: breakdowns by it show where a method fails"),
                )
            });
        }
    }
    if tally.without_segment.count > 0 {
        findings.push(Diagnostic::hint(
            "defaulted_segment",
            "decision 6",
            Place::default(),
            format!(
                "{} no segment: development is assumed",
                counted(tally.without_segment.count, "entry names", "entries name")
            ),
            "name the segment of each entry, so that secret ones are never run by mistake",
        ));
    }
}

fn check_sizes(tally: &Tally, findings: &mut Findings) {
    for (segment, count) in &tally.segments {
        let least = segment.minimum_entries() as u64;
        if *count < least {
            findings.push(Diagnostic::warning(
                "small_segment",
                "B §2.3",
                Place::default(),
                format!(
                    "{} has {}, fewer than {least}",
                    segment.name(),
                    counted(*count, "entry", "entries")
                ),
                "add entries: scores over few entries are uncertain",
            ));
        }
    }
}

fn check_difficulty(tally: &Tally, findings: &mut Findings) {
    let graded: u64 = tally.difficulties.values().sum();
    let middle: u64 = tally.difficulties.range(2..=4).map(|(_, count)| count).sum();
    if graded > 0 && 2 * middle < graded {
        findings.push(Diagnostic::warning(
            "difficulty_weight",
            "B §2.4",
            Place::default(),
            format!("{middle} of {graded} graded entries have difficulty 2 to 4"),
            "add entries of difficulty 2 to 4, where most real translation happens",
        ));
    }
}

fn check_forms(tally: &Tally, findings: &mut Findings) {
    for (side, forms) in ["sources", "references"].iter().zip(&tally.forms) {
        if forms.composed.count > 0 && forms.decomposed.count > 0 {
            findings.push(Diagnostic::warning(
                "mixed_normalisation",
                "decision 3",
                Place::default(),
                format!(
                    "{} {side} are in NFC ({}) and {} are decomposed ({})",
                    forms.composed.count,
                    forms.composed.examples(),
                    forms.decomposed.count,
                    forms.decomposed.examples()
                ),
                "normalise all texts the same way, best to NFC",
            ));
        }
    }
}

fn check_religious(tally: &Tally, findings: &mut Findings) {
    let religious = tally.domains.get(&Domain::Religious).copied().unwrap_or_default();
    if religious == 0 {
        return;
    }
    let severity = if 2 * religious > tally.entries {
        Severity::Warning
    } else {
        Severity::Hint
    };
    findings.push(Diagnostic {
        severity,
        ..Diagnostic::error(
            "religious_domain",
            "B §1.4",
            Place::default(),
            format!(
                "religious texts in {religious} of {}",
                counted(tally.entries, "entry", "entries")
            ),
            "such texts say little about the domains people live and work in: report them apart (--domain)",
        )
    });
}

/// Checks what the benchmark of a new language must have (B §11.1) and should have (B §11.2).
pub(super) fn check_onboarding(tally: &Tally, dataset: &Dataset, findings: &mut Findings) {
    let mut fail = |check, message: String, fix: &str| {
        findings.push(Diagnostic::error(
            check,
            "B §11.1",
            Place::default(),
            message,
            fix,
        ));
    };
    for segment in [Segment::GoldStandard, Segment::Development, Segment::Diagnostic] {
        let count = tally.segments.get(&segment).copied().unwrap_or_default();
        let least = segment.minimum_entries() as u64;
        if count < least {
            let message = format!(
                "{} has {}, a benchmark needs {least}",
                segment.name(),
                counted(count, "entry", "entries")
            );
            fail("onboarding_segment", message, "add entries to the segment");
        }
    }
    let diagnostic = tally
        .segments
        .get(&Segment::Diagnostic)
        .copied()
        .unwrap_or_default();
    if tally.with_phenomenon < diagnostic {
        fail(
            "onboarding_phenomenon",
            format!(
                "{} of {} {} the phenomenon",
                tally.with_phenomenon,
                counted(diagnostic, "diagnostic entry", "diagnostic entries"),
                agreeing(tally.with_phenomenon, "names", "name")
            ),
            "name it in `phenomenon`, `variant_class` or `notes`",
        );
    }
    if tally.difficulties.len() < 3 {
        let levels = tally.difficulties.len() as u64;
        let message = format!(
            "{levels} of 5 difficulty levels {}, a benchmark needs 3",
            agreeing(levels, "occurs", "occur")
        );
        fail("onboarding_difficulty", message, "add entries of other levels");
    }
    if tally.registers.len() < 2 {
        let found = counted(tally.registers.len() as u64, "register occurs", "registers occur");
        let message = format!("{found}, a benchmark needs 2");
        fail("onboarding_register", message, "add entries of another register");
    }
    if !names_something(dataset, CONSENT) {
        fail(
            "onboarding_consent",
            "no document of the community's consent is named".to_owned(),
            "name it in the `dataset` block as \"consent\": title, address or reference number",
        );
    }
    hint_at_optional(tally, dataset, findings);
}

fn hint_at_optional(tally: &Tally, dataset: &Dataset, findings: &mut Findings) {
    let mut hint = |check, message: &str, fix: &str| {
        findings.push(Diagnostic::hint(check, "B §11.2", Place::default(), message, fix));
    };
    if tally.with_analysis == 0 {
        let fix = "add `morphological_analysis`: it makes morphological accuracy available";
        hint("no_analyses", "no entry has a gold morphological analysis", fix);
    }
    if tally.with_variants == 0 {
        let fix = "add `variants` or `variant_class`: they make the equivalent-match metric available";
        hint("no_variants", "no entry has acceptable variants", fix);
    }
    for (field, check, message, fix) in [
        (
            "analyser",
            "no_analyser",
            "no morphological analyser is named",
            "name one in the `dataset` block as \"analyser\"",
        ),
        (
            "dictionary",
            "no_dictionary",
            "no bilingual dictionary is named",
            "name one in the `dataset` block as \"dictionary\"",
        ),
        (
            "governance",
            "no_governance",
            "no governance organisation is named",
            "name the one that keeps the secret segments in the `dataset` block as \"governance\"",
        ),
    ] {
        if !names_something(dataset, field) {
            hint(check, message, fix);
        }
    }
}

fn names_something(dataset: &Dataset, field: &str) -> bool {
    match dataset.extra.get(field) {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        _ => false,
    }
}
