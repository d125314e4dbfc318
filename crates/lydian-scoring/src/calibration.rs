//! Does a semantic scorer tell right references from wrong ones, and better than chrF++ does? (decision 32)

use lydian_language::SemanticCalibration;
use lydian_metrics::chrf::Chrf;
use lydian_metrics::{Corpus, Metric, Numeric};

/// Fewer entries than this say nothing about a scorer.
pub const FEWEST_ENTRIES: usize = 30;
/// Each output is compared with so many references of other entries.
const WRONG_REFERENCES: usize = 3;
/// Wrong pairs of a thousand that may score as high as a valid one.
const WRONG_ABOVE: usize = 10;
/// Right pairs of a thousand that may score as low as a mismatch.
const RIGHT_BELOW: usize = 50;

/// An entry of the development segment with an output of an honest system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrationEntry {
    /// Its source.
    pub source: String,
    /// The output.
    pub output: String,
    /// The reference.
    pub reference: String,
}

/// A pair to be scored: the numbers of the entries that output and reference come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationPair {
    /// Whose output.
    pub output: usize,
    /// Whose reference.
    pub reference: usize,
}

impl CalibrationPair {
    /// Returns whether output and reference belong together.
    pub fn is_right(self) -> bool {
        self.output == self.reference
    }
}

/// Why a scorer cannot be calibrated with these entries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// There are too few.
    #[error("{found} entries have an output; {FEWEST_ENTRIES} are needed")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// The outputs are the references.
    #[error("{equal} of {entries} outputs equal their reference, which any scorer recognises")]
    OutputsAreReferences {
        /// How many are equal.
        equal: usize,
        /// How many there are.
        entries: usize,
    },
    /// Every pair has the same score.
    #[error("the scorer gives unrelated pairs the highest score")]
    NoScale,
}

/// Returns the pairs to score: every output with its own reference, then with those of a few other entries. The choice
/// depends on the order of the entries only.
pub fn pairs(entries: &[CalibrationEntry]) -> Result<Vec<CalibrationPair>, CalibrationError> {
    let count = entries.len();
    if count < FEWEST_ENTRIES {
        return Err(CalibrationError::TooFew { found: count });
    }
    let equal = entries
        .iter()
        .filter(|entry| entry.output.trim() == entry.reference.trim())
        .count();
    if equal * 2 > count {
        return Err(CalibrationError::OutputsAreReferences {
            equal,
            entries: count,
        });
    }
    let own = (0..count).map(|index| CalibrationPair {
        output: index,
        reference: index,
    });
    let shifts = (1..=WRONG_REFERENCES).map(|part| part * count / (WRONG_REFERENCES + 1));
    let others = shifts.flat_map(|shift| {
        (0..count).map(move |index| CalibrationPair {
            output: index,
            reference: (index + shift) % count,
        })
    });
    let differ = |pair: &CalibrationPair| entries[pair.output].reference != entries[pair.reference].reference;
    Ok(own.chain(others.filter(differ)).collect())
}

/// Returns the sentence chrF++ of the pairs, which a scorer has to match.
pub fn chrf_plus_plus(entries: &[CalibrationEntry], pairs: &[CalibrationPair]) -> Vec<f64> {
    let outputs: Vec<&str> = pairs
        .iter()
        .map(|pair| entries[pair.output].output.as_str())
        .collect();
    let references = pairs
        .iter()
        .map(|pair| entries[pair.reference].reference.as_str());
    let corpus = Corpus::new(&outputs, &[references.collect::<Vec<_>>()])
        .expect("there are pairs, each with one output and one reference");
    let chrf = Chrf::plus_plus();
    let table = chrf.table(&corpus);
    table.rows().map(|row| chrf.score(row, Numeric::Exact)).collect()
}

/// Who was calibrated, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrationSubject {
    /// Identity of the scorer.
    pub scorer: String,
    /// SHA-256 of the corpus.
    pub corpus_sha256: String,
    /// Whose outputs were used.
    pub outputs: String,
}

/// Returns the calibration that the scores of the pairs lead to. `scores` and `chrf` are in the order of `pairs`.
pub fn calibrate(
    subject: CalibrationSubject,
    pairs: &[CalibrationPair],
    scores: &[f64],
    chrf: &[f64],
) -> Result<SemanticCalibration, CalibrationError> {
    let split = |values: &[f64]| -> (Vec<f64>, Vec<f64>) {
        let of = |right: bool| {
            let chosen = pairs
                .iter()
                .zip(values)
                .filter(|(pair, _)| pair.is_right() == right);
            let mut chosen: Vec<f64> = chosen.map(|(_, value)| *value).collect();
            chosen.sort_by(f64::total_cmp);
            chosen
        };
        (of(true), of(false))
    };
    let (right, wrong) = split(scores);
    let (chrf_right, chrf_wrong) = split(chrf);
    let chance_level = wrong.iter().sum::<f64>() / wrong.len() as f64;
    if chance_level >= 1.0 {
        return Err(CalibrationError::NoScale);
    }
    let high_wrong = quantile(&wrong, 1000 - WRONG_ABOVE);
    let low_right = quantile(&right, RIGHT_BELOW);
    Ok(SemanticCalibration {
        scorer: subject.scorer,
        corpus_sha256: subject.corpus_sha256,
        outputs: subject.outputs,
        pairs: pairs.len() as u64,
        auc: rounded(area(&right, &wrong)),
        chrf_plus_plus_auc: rounded(area(&chrf_right, &chrf_wrong)),
        chance_level: rounded(chance_level),
        valid_from: rounded(high_wrong.max(low_right)),
        mismatch_below: rounded(high_wrong.min(low_right)),
    })
}

/// Returns the probability that a right pair scores above a wrong one, ties counting half. Both lists are sorted.
fn area(right: &[f64], wrong: &[f64]) -> f64 {
    let below = |value: f64| wrong.partition_point(|other| *other < value);
    let up_to = |value: f64| wrong.partition_point(|other| *other <= value);
    let twice: usize = right.iter().map(|value| below(*value) + up_to(*value)).sum();
    twice as f64 / (2 * right.len() * wrong.len()) as f64
}

/// Returns the value of a sorted list that stands at so many thousandths of it.
fn quantile(sorted: &[f64], thousandths: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted[(thousandths * last + 500) / 1000]
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "these quotients of small whole numbers are exact"
)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<CalibrationEntry> {
        (0..count)
            .map(|n| CalibrationEntry {
                source: format!("source {n}"),
                output: format!("output number {n}"),
                reference: format!("reference number {n}"),
            })
            .collect()
    }

    fn subject() -> CalibrationSubject {
        CalibrationSubject {
            scorer: "s#1".into(),
            corpus_sha256: "c".into(),
            outputs: "o".into(),
        }
    }

    #[test]
    fn the_area_counts_ties_as_half() {
        assert_eq!(area(&[2.0, 3.0], &[0.0, 1.0]), 1.0);
        assert_eq!(area(&[1.0], &[1.0]), 0.5);
        assert_eq!(area(&[0.0, 2.0], &[1.0]), 0.5);
        assert_eq!(
            area(&[1.0, 1.0, 4.0], &[1.0, 2.0]),
            // 0.5 + 0 for each of the first two, 1 + 1 for the last, of 6 pairs.
            0.5
        );
    }

    #[test]
    fn every_output_meets_its_own_reference_and_three_others() {
        let pairs = pairs(&entries(40)).unwrap();
        assert_eq!(pairs.len(), 160);
        assert_eq!(pairs.iter().filter(|pair| pair.is_right()).count(), 40);
        // A reference that two entries share is no wrong one for either.
        let mut repeated = entries(40);
        repeated[0].reference = repeated[10].reference.clone();
        assert_eq!(super::pairs(&repeated).unwrap().len(), 158);
    }

    #[test]
    fn few_entries_and_outputs_that_are_references_prove_nothing() {
        assert_eq!(pairs(&entries(29)), Err(CalibrationError::TooFew { found: 29 }));
        let copied: Vec<CalibrationEntry> = entries(40)
            .into_iter()
            .map(|entry| CalibrationEntry {
                output: entry.reference.clone(),
                ..entry
            })
            .collect();
        assert!(matches!(
            pairs(&copied),
            Err(CalibrationError::OutputsAreReferences { equal: 40, .. })
        ));
    }

    #[test]
    fn a_scorer_that_separates_passes_and_one_that_guesses_does_not() {
        let pairs = pairs(&entries(40)).unwrap();
        let number = |pair: &CalibrationPair| (pair.output * 7 + pair.reference * 3) % 40;
        let apart: Vec<f64> = pairs
            .iter()
            .map(|pair| if pair.is_right() { 0.9 } else { 0.4 } + number(pair) as f64 / 1000.0)
            .collect();
        let guessed: Vec<f64> = pairs.iter().map(|pair| number(pair) as f64 / 40.0).collect();
        let good = calibrate(subject(), &pairs, &apart, &guessed).unwrap();
        assert!(good.passes() && good.auc == 1.0, "{good:?}");
        assert!(0.4 < good.chance_level && good.chance_level < 0.45);
        assert!(good.mismatch_below < 0.45 && good.valid_from >= 0.9, "{good:?}");
        let bad = calibrate(subject(), &pairs, &guessed, &apart).unwrap();
        assert!(!bad.passes() && bad.auc < 0.7, "{bad:?}");
        let constant = vec![1.0; pairs.len()];
        assert_eq!(
            calibrate(subject(), &pairs, &constant, &apart),
            Err(CalibrationError::NoScale)
        );
    }
}
