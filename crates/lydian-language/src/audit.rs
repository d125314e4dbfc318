//! How often the detectors accuse correct translations, and how many planted faults they find (decision 11).
mod faults;

pub use faults::FaultKind;

use crate::detect::{Detectors, FindingKind, Findings, Pair};
use crate::language::Language;
use serde::Serialize;
use std::collections::BTreeMap;

/// False alarms and recall on one corpus.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Audit {
    /// Human translations that were checked.
    pub entries: usize,
    /// Those with any finding.
    pub false_alarms: usize,
    /// Those counted as code-switching.
    pub code_switching: usize,
    /// Those counted as hallucination.
    pub hallucination: usize,
    /// False alarms by detector.
    pub by_detector: BTreeMap<&'static str, usize>,
    /// The alarms themselves: number of the entry, detector, evidence.
    pub alarms: Vec<Alarm>,
    /// Faults planted and found, by kind.
    pub recall: BTreeMap<&'static str, Recall>,
}

/// An alarm on a human translation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// Position of the entry in the corpus.
    pub entry: usize,
    /// The detector.
    pub detector: &'static str,
    /// What it showed.
    pub evidence: String,
}

/// Planted faults of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Recall {
    /// Entries that could carry the fault and were given it.
    pub planted: usize,
    /// Those in which a detector found something.
    pub found: usize,
}

/// Runs the detectors over human translations as they are, and over copies with one planted fault each.
///
/// A faulty copy stands alone among the untouched translations, as a fault in a good run does.
pub fn audit(source: &Language, target: &Language, pairs: &[Pair<'_>]) -> Audit {
    let detectors = Detectors::observe(source, target, pairs);
    let mut result = Audit {
        entries: pairs.len(),
        ..Audit::default()
    };
    for (entry, pair) in pairs.iter().enumerate() {
        result.count_alarms(entry, &detectors.findings(*pair));
    }
    for kind in FaultKind::ALL {
        let recall = result.recall.entry(kind.name()).or_default();
        for planted in faults::plant(kind, pairs) {
            let found = detectors.findings(Pair {
                source: &planted.source,
                output: &planted.output,
            });
            recall.planted += 1;
            recall.found += usize::from(!found.findings.is_empty());
        }
    }
    result
}

impl Audit {
    fn count_alarms(&mut self, entry: usize, findings: &Findings) {
        self.false_alarms += usize::from(!findings.findings.is_empty());
        self.code_switching += usize::from(findings.code_switching());
        self.hallucination += usize::from(findings.hallucination());
        for finding in &findings.findings {
            *self
                .by_detector
                .entry(FindingKind::name(finding.kind))
                .or_default() += 1;
            self.alarms.push(Alarm {
                entry,
                detector: finding.kind.name(),
                evidence: finding.evidence.clone(),
            });
        }
    }

    /// Adds the counts of another corpus; alarms are not carried over.
    pub fn add(&mut self, other: &Self) {
        self.entries += other.entries;
        self.false_alarms += other.false_alarms;
        self.code_switching += other.code_switching;
        self.hallucination += other.hallucination;
        for (detector, count) in &other.by_detector {
            *self.by_detector.entry(detector).or_default() += count;
        }
        for (kind, recall) in &other.recall {
            let sum = self.recall.entry(kind).or_default();
            sum.planted += recall.planted;
            sum.found += recall.found;
        }
    }
}
