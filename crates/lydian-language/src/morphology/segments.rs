//! Morphs of a segmentation, found in order in the words of an output.
use super::matching::{Weight, assign};
use super::{AffixCredit, MorphCounts};

/// What one word shares with a segmented word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Overlap {
    matched: u64,
    /// Passages of the word that no morph covers.
    leftovers: u64,
}

impl Overlap {
    fn better_than(self, other: Self) -> bool {
        (self.matched, std::cmp::Reverse(self.leftovers))
            > (other.matched, std::cmp::Reverse(other.leftovers))
    }
}

/// Counts morphs over the best alignment; a word without one is one unit.
pub(super) fn count(gold: &[Vec<String>], tokens: &[String], credit: AffixCredit) -> MorphCounts {
    let overlaps: Vec<Vec<Overlap>> = gold
        .iter()
        .map(|morphs| {
            tokens
                .iter()
                .map(|token| overlap(morphs, token, credit))
                .collect()
        })
        .collect();
    let weights: Vec<Vec<Weight>> = overlaps
        .iter()
        .map(|row| {
            row.iter()
                .map(|o| Weight {
                    matched: o.matched,
                    predicted: o.matched + o.leftovers,
                })
                .collect()
        })
        .collect();
    let columns = assign(&weights);
    let mut counts = MorphCounts {
        gold: gold.iter().map(|morphs| morphs.len() as u64).sum(),
        ..MorphCounts::default()
    };
    for (row, column) in columns.iter().enumerate() {
        if let Some(column) = column {
            let found = overlaps[row][*column];
            counts.matched += found.matched;
            counts.predicted += found.matched + found.leftovers;
        }
    }
    let apart = (0..tokens.len())
        .filter(|at| !columns.contains(&Some(*at)))
        .count();
    counts.predicted += apart as u64;
    counts
}

/// The most morphs that stand in the token in order: the first at its start, the last at its end.
fn overlap(morphs: &[String], token: &str, credit: AffixCredit) -> Overlap {
    let stem = match credit {
        AffixCredit::Always => None,
        AffixCredit::WithStem => (0..morphs.len()).rev().max_by_key(|i| morphs[*i].chars().count()),
    };
    let search = Search { morphs, token, stem };
    search.from(0, 0, stem.is_none()).unwrap_or_default()
}

struct Search<'s> {
    morphs: &'s [String],
    token: &'s str,
    /// The morph without which nothing counts.
    stem: Option<usize>,
}

/// Longer words are compared as wholes: no language has so many morphs in one.
const MOST_MORPHS: usize = 40;

impl Search<'_> {
    /// The best continuation with morph `next` from byte `at` on; `None` if the stem is missing.
    fn from(&self, next: usize, at: usize, has_stem: bool) -> Option<Overlap> {
        // best[i][p]: the best way on from morph i at byte p, for both answers to whether the stem is in.
        let width = self.token.len() + 1;
        if self.morphs.len() > MOST_MORPHS {
            let whole = self.morphs.concat() == self.token;
            return whole.then_some(Overlap {
                matched: self.morphs.len() as u64,
                leftovers: 0,
            });
        }
        let mut best = vec![[None::<Overlap>; 2]; width];
        for (place, entry) in best.iter_mut().enumerate() {
            let left = u64::from(place < self.token.len());
            entry[1] = Some(Overlap {
                matched: 0,
                leftovers: left,
            });
        }
        for morph in (next..self.morphs.len()).rev() {
            best = (0..width)
                .map(|place| [false, true].map(|stem| self.step(morph, place, stem, &best)))
                .collect();
        }
        best[at][usize::from(has_stem)]
    }

    fn step(
        &self,
        morph: usize,
        place: usize,
        has_stem: bool,
        after: &[[Option<Overlap>; 2]],
    ) -> Option<Overlap> {
        let mut best = after[place][usize::from(has_stem)];
        let text = self.morphs[morph].as_str();
        let stem_now = has_stem || self.stem == Some(morph);
        let Some(rest) = self.token.get(place..) else {
            return best;
        };
        for (offset, _) in rest.match_indices(text).filter(|_| !text.is_empty()) {
            let (start, end) = (place + offset, place + offset + text.len());
            let misplaced_first = morph == 0 && start != 0;
            let misplaced_last = morph + 1 == self.morphs.len() && end != self.token.len();
            if misplaced_first || misplaced_last {
                continue;
            }
            if let Some(rest) = after[end][usize::from(stem_now)] {
                let found = Overlap {
                    matched: rest.matched + 1,
                    leftovers: rest.leftovers + u64::from(start > place),
                };
                if best.is_none_or(|known| found.better_than(known)) {
                    best = Some(found);
                }
            }
        }
        best
    }
}
