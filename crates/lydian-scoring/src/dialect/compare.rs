//! Two sets of answers on the same items, compared per dialect with exact tests (D §4).

use std::collections::{BTreeMap, BTreeSet};

use lydian_metrics::proportion::mcnemar;
use lydian_model::dialect::ItemType;
use lydian_model::{EntryId, Score};
use schemars::JsonSchema;
use serde::Serialize;

use super::report::{DatasetNote, DialectReport, RowKey};
use super::verdict::{ItemVerdict, Label};

/// The schema name and version of [`DialectComparison`].
pub const COMPARISON_SCHEMA: &str = "lydian.dialect-comparison/1";

/// A comparison of two reports on one dataset, per dialect and item type.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DialectComparison {
    /// [`COMPARISON_SCHEMA`].
    pub schema: String,
    /// The dataset both reports are about.
    pub dataset: DatasetNote,
    /// The name of the first answers.
    pub first: String,
    /// The name of the second answers.
    pub second: String,
    /// Items that only one of the two was asked; they are left out.
    pub left_out: Vec<EntryId>,
    /// One test per dialect and measure that has items.
    pub tests: Vec<PairedTest>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Refusals.
    Refusals,
    /// The T1 score.
    T1,
    /// Right T2 answers.
    T2,
    /// Right T3 answers.
    T3,
    /// Right T4 answers.
    T4,
}

/// The exact test that was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExactTest {
    /// McNemar's exact test on the items on which the two differ.
    McnemarExact,
    /// All sign changes of the score differences.
    SignFlipExact,
}

/// One paired comparison.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PairedTest {
    /// The dialect.
    pub dialect: String,
    /// What is compared.
    pub measure: Measure,
    /// The items both were asked.
    pub items: u64,
    /// The mean of the first: T1 score, or share.
    pub first: Score,
    /// The mean of the second.
    pub second: Score,
    /// Items on which the first has the higher value.
    pub first_higher: u64,
    /// Items on which the second has the higher value.
    pub second_higher: u64,
    /// The test.
    pub test: ExactTest,
    /// Its two-sided p-value.
    pub p_value: Score,
    /// The p-value after Holm's correction over all tests of this comparison.
    pub p_holm: Score,
}

/// Why two reports cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// They are about different files.
    #[error("the reports are about different datasets: {first} and {second}")]
    OtherDataset {
        /// The digest of the first dataset.
        first: String,
        /// The digest of the second dataset.
        second: String,
    },
    /// They were scored with different tables of the language gate.
    #[error("the reports were scored with different language gates: {first} and {second}")]
    OtherGate {
        /// The digest of the first table.
        first: String,
        /// The digest of the second table.
        second: String,
    },
    /// Two runs over different items.
    #[error("no item was asked of both")]
    NothingInCommon,
}

/// Compares two reports on the same dataset.
pub fn compare(first: &DialectReport, second: &DialectReport) -> Result<DialectComparison, ComparisonError> {
    if first.dataset.sha256 != second.dataset.sha256 {
        return Err(ComparisonError::OtherDataset {
            first: first.dataset.sha256.to_string(),
            second: second.dataset.sha256.to_string(),
        });
    }
    if first.gate_sha256 != second.gate_sha256 {
        return Err(ComparisonError::OtherGate {
            first: first.gate_sha256.to_string(),
            second: second.gate_sha256.to_string(),
        });
    }
    let other: BTreeMap<&EntryId, &ItemVerdict> = second
        .items
        .iter()
        .map(|verdict| (&verdict.id, verdict))
        .collect();
    let pairs: Vec<(&ItemVerdict, &ItemVerdict)> = first
        .items
        .iter()
        .filter_map(|verdict| Some((verdict, *other.get(&verdict.id)?)))
        .collect();
    if pairs.is_empty() {
        return Err(ComparisonError::NothingInCommon);
    }
    let rows = first
        .rows
        .iter()
        .chain(&first.uncertain)
        .map(|row| row.dialect.as_str());
    let measures = [
        Measure::Refusals,
        Measure::T1,
        Measure::T2,
        Measure::T3,
        Measure::T4,
    ];
    let mut tests: Vec<(PairedTest, f64)> = rows
        .flat_map(|dialect| {
            measures
                .into_iter()
                .filter_map(|measure| paired_test(&pairs, dialect, measure))
                .collect::<Vec<_>>()
        })
        .collect();
    let raw: Vec<f64> = tests.iter().map(|(_, p)| *p).collect();
    for ((test, p), holm) in tests.iter_mut().zip(lydian_metrics::multiple::holm(&raw)) {
        test.p_holm = Score::new(holm).or(Score::new(*p)).unwrap_or(test.p_holm);
    }
    let paired: BTreeSet<&EntryId> = pairs.iter().map(|(verdict, _)| &verdict.id).collect();
    let all: BTreeSet<&EntryId> = first
        .items
        .iter()
        .chain(&second.items)
        .map(|verdict| &verdict.id)
        .collect();
    Ok(DialectComparison {
        schema: COMPARISON_SCHEMA.to_owned(),
        left_out: all.difference(&paired).map(|id| (*id).clone()).collect(),
        dataset: DatasetNote {
            items: pairs.len() as u64,
            ..first.dataset.clone()
        },
        first: first.answers.name.clone(),
        second: second.answers.name.clone(),
        tests: tests.into_iter().map(|(test, _)| test).collect(),
    })
}

fn paired_test(
    pairs: &[(&ItemVerdict, &ItemVerdict)],
    dialect: &str,
    measure: Measure,
) -> Option<(PairedTest, f64)> {
    let value = |verdict: &ItemVerdict| match measure {
        Measure::Refusals => i64::from(verdict.label == Label::Refusal),
        Measure::T1 | Measure::T2 | Measure::T3 | Measure::T4 => i64::from(verdict.score),
    };
    let wanted = match measure {
        Measure::Refusals => None,
        Measure::T1 => Some(ItemType::T1),
        Measure::T2 => Some(ItemType::T2),
        Measure::T3 => Some(ItemType::T3),
        Measure::T4 => Some(ItemType::T4),
    };
    let values: Vec<(i64, i64)> = pairs
        .iter()
        .filter(|(verdict, _)| RowKey::of(&verdict.dialect).name() == dialect)
        .filter(|(verdict, _)| wanted.is_none_or(|wanted| verdict.item_type == wanted))
        .map(|(first, second)| (value(first), value(second)))
        .collect();
    let items = values.len();
    let first_higher = values.iter().filter(|(first, second)| first > second).count() as u64;
    let second_higher = values.iter().filter(|(first, second)| first < second).count() as u64;
    let (test, p) = if measure == Measure::T1 {
        let differences: Vec<i64> = values.iter().map(|(first, second)| first - second).collect();
        (ExactTest::SignFlipExact, sign_flip(&differences))
    } else {
        (ExactTest::McnemarExact, mcnemar(first_higher, second_higher))
    };
    let mean = |sum: i64| Score::new(sum as f64 / items as f64);
    let test = PairedTest {
        dialect: dialect.to_owned(),
        measure,
        items: items as u64,
        first: mean(values.iter().map(|(first, _)| first).sum())?,
        second: mean(values.iter().map(|(_, second)| second).sum())?,
        first_higher,
        second_higher,
        test,
        p_value: Score::new(p)?,
        p_holm: Score::new(p)?,
    };
    Some((test, p))
}

/// Returns the probability that random signs give the differences a sum as far from 0 as theirs: all 2ⁿ
/// sign changes, by the distribution of their sum.
fn sign_flip(differences: &[i64]) -> f64 {
    let steps: Vec<usize> = differences
        .iter()
        .filter_map(|d| usize::try_from(d.unsigned_abs()).ok())
        .filter(|d| *d > 0)
        .collect();
    let total: usize = steps.iter().sum();
    // `chances[k]` is the probability that the positive ones sum to k; the signed sum is then 2k − total.
    let mut chances = vec![0.0_f64; total + 1];
    chances[0] = 1.0;
    for step in steps {
        for at in (0..=total).rev() {
            let stay = chances[at] / 2.0;
            let come = if at >= step { chances[at - step] / 2.0 } else { 0.0 };
            chances[at] = stay + come;
        }
    }
    let observed = differences.iter().sum::<i64>().unsigned_abs();
    let far = |k: usize| (2 * k).abs_diff(total) as u64 >= observed;
    (0..=total)
        .filter(|k| far(*k))
        .map(|k| chances[k])
        .sum::<f64>()
        .min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_changes_are_counted_exactly() {
        // One of 2^5 sign changes is as extreme on each side; with a tie nothing changes.
        assert!((sign_flip(&[1, 1, 1, 1, 1]) - 2.0 / 32.0).abs() < 1e-15);
        assert!((sign_flip(&[1, 0, 1, 1, 1, 1]) - 2.0 / 32.0).abs() < 1e-15);
        // Sums of ±2±1±1: |4| twice out of 8.
        assert!((sign_flip(&[2, 1, 1]) - 0.25).abs() < 1e-15);
        assert!((sign_flip(&[2, -1, -1]) - 1.0).abs() < 1e-15);
        assert!((sign_flip(&[]) - 1.0).abs() < 1e-15);
    }
}
