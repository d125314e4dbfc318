//! Which n-grams an output shares with its references: what a score is made of, for people to read.

use std::collections::BTreeMap;

/// The n-grams of one order.
///
/// ```
/// use lydian_metrics::{Metric, bleu::Bleu};
/// let overlaps = Bleu::default().overlaps("the cat sat", &["the cat ran"]);
/// assert_eq!((overlaps[0].unit, overlaps[0].order), ("token", 1));
/// assert_eq!(overlaps[0].matched.keys().collect::<Vec<_>>(), ["cat", "the"]);
/// assert_eq!(overlaps[1].missing.keys().collect::<Vec<_>>(), ["cat ran"]);
/// assert_eq!(overlaps[1].extra.keys().collect::<Vec<_>>(), ["cat sat"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// What the n-grams consist of: `character`, `word` or `token`.
    pub unit: &'static str,
    /// How many of them an n-gram has.
    pub order: usize,
    /// The n-grams both sides have, with how often they match.
    pub matched: BTreeMap<String, u64>,
    /// The n-grams of the reference that found no match.
    pub missing: BTreeMap<String, u64>,
    /// The n-grams of the hypothesis that found no match.
    pub extra: BTreeMap<String, u64>,
}

impl Overlap {
    /// Compares the n-grams of a hypothesis with those of references; of each, the reference that has it most
    /// often counts.
    pub(crate) fn new(
        unit: &'static str,
        order: usize,
        hypothesis: &[String],
        references: &[Vec<String>],
    ) -> Self {
        let separator = if unit == "character" { "" } else { " " };
        let ours = counted(hypothesis, order, separator);
        let mut theirs: BTreeMap<String, u64> = BTreeMap::new();
        for reference in references {
            for (ngram, count) in counted(reference, order, separator) {
                let most = theirs.entry(ngram).or_default();
                *most = count.max(*most);
            }
        }
        let (mut matched, mut extra) = (BTreeMap::new(), BTreeMap::new());
        for (ngram, count) in ours {
            let common = theirs.get(&ngram).map_or(0, |&other| other.min(count));
            if common > 0 {
                matched.insert(ngram.clone(), common);
            }
            if count > common {
                extra.insert(ngram, count - common);
            }
        }
        for (ngram, common) in &matched {
            if let Some(count) = theirs.get_mut(ngram) {
                *count -= common;
            }
        }
        theirs.retain(|_, count| *count > 0);
        Self {
            unit,
            order,
            matched,
            missing: theirs,
            extra,
        }
    }
}

fn counted(items: &[String], order: usize, separator: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    if (1..=items.len()).contains(&order) {
        for ngram in items.windows(order) {
            *counts.entry(ngram.join(separator)).or_default() += 1;
        }
    }
    counts
}
