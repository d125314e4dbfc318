//! Morphological accuracy: units of a gold analysis found again in an output (specification, "Morphological accuracy").
mod gold;
mod matching;
mod segments;
mod units;

pub use gold::{Gold, GoldProblem, parse_gold};
pub use units::{Units, units_of};

use crate::fst_check::FstChecker;
use crate::word::WordFinder;
use serde::Serialize;

/// Sums over words; precision, recall and F1 are taken over a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MorphCounts {
    /// Units of the gold found in the output.
    pub matched: u64,
    /// Units of the output.
    pub predicted: u64,
    /// Units of the gold.
    pub gold: u64,
    /// Lemmas found (0 where the gold is a segmentation).
    pub lemmas_matched: u64,
    /// Lemmas of the gold.
    pub lemmas_gold: u64,
}

impl MorphCounts {
    /// Adds the counts of another entry.
    pub fn add(&mut self, other: Self) {
        self.matched += other.matched;
        self.predicted += other.predicted;
        self.gold += other.gold;
        self.lemmas_matched += other.lemmas_matched;
        self.lemmas_gold += other.lemmas_gold;
    }

    /// Returns matched / predicted, 0 where nothing was predicted.
    pub fn precision(&self) -> f64 {
        ratio(self.matched, self.predicted)
    }

    /// Returns matched / gold, 0 where there is no gold.
    pub fn recall(&self) -> f64 {
        ratio(self.matched, self.gold)
    }

    /// Returns the harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        ratio(2 * self.matched, self.predicted + self.gold)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// When units beside the stem earn credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AffixCredit {
    /// Only where the part of speech (analyses) or the stem (segmentations) is right. The rule of the metric.
    #[default]
    WithStem,
    /// Always: unrelated words share tags and keep a floor of credit.
    Always,
}

/// Compares an output with a gold analysis; words may stand in any order.
///
/// Tags need the checker's analyser; without one an analysed gold cannot be compared and the answer is `None`.
pub fn compare(
    gold: &Gold,
    output: &str,
    finder: &WordFinder,
    checker: Option<&mut FstChecker<'_>>,
    credit: AffixCredit,
) -> Option<MorphCounts> {
    let words = finder.find(output).words;
    match gold {
        Gold::Segments(gold) => {
            let tokens: Vec<String> = words.iter().map(|w| gold::letters(&w.text)).collect();
            Some(segments::count(gold, &tokens, credit))
        }
        Gold::Analyses(gold) => {
            let checker = checker?;
            let read = |word| {
                let analyses = checker.analyses(word);
                analyses
                    .iter()
                    .map(|a| units_of(a.text(), checker.analyser()))
                    .collect::<Vec<Units>>()
            };
            let predicted: Vec<Vec<Units>> = words.iter().map(read).collect();
            Some(units::count(gold, &predicted, credit))
        }
    }
}
