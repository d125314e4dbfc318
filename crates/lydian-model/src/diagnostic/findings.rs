//! Collects findings: all of them are counted, the first ones of each check are kept.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Severity};

/// Findings kept per check; further ones are only counted, so that memory stays bounded.
pub const KEPT_PER_CHECK: u64 = 1_000;

/// Everything a validator found in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    counts: BTreeMap<(Severity, &'static str), u64>,
}

impl Findings {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = self
            .counts
            .entry((diagnostic.severity, diagnostic.check))
            .or_default();
        *count += 1;
        if *count <= KEPT_PER_CHECK {
            self.kept.push(diagnostic);
        }
    }

    /// Returns the kept findings in the order they were found.
    pub fn kept(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Returns the number of findings of a severity, those not kept included.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts
            .iter()
            .filter(|((of, _), _)| *of == severity)
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns how often each check of each severity fired.
    pub fn counts(&self) -> impl Iterator<Item = (Severity, &'static str, u64)> + '_ {
        self.counts
            .iter()
            .map(|((severity, check), count)| (*severity, *check, *count))
    }

    /// Says whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Returns the kept findings, errors first.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut kept = self.kept;
        kept.sort_by_key(|diagnostic| diagnostic.severity);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;

    #[test]
    fn findings_beyond_the_limit_are_counted_but_not_kept() {
        let mut findings = Findings::default();
        for _ in 0..KEPT_PER_CHECK + 5 {
            findings.push(Diagnostic::warning("a", "B §2", Place::default(), "m", "f"));
        }
        findings.push(Diagnostic::error("b", "B §2", Place::default(), "m", "f"));
        assert_eq!(findings.count(Severity::Warning), KEPT_PER_CHECK + 5);
        assert_eq!(findings.kept().len() as u64, KEPT_PER_CHECK + 1);
        assert!(findings.has_errors());
        assert_eq!(findings.into_sorted()[0].check, "b");
    }
}
