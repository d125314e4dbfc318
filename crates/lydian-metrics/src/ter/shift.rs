//! The search for block shifts that make a hypothesis more like the reference.

use super::alignment::Alignment;
use super::edit_distance::{EditDistance, Step};

/// The longest block that is moved.
const MAX_LENGTH: usize = 10;
/// How far apart the block and its place in the reference may be.
const MAX_DISTANCE: usize = 50;
/// After this many tries, over all rounds, the search ends.
const MAX_TRIES: usize = 1000;

/// Counts edits, with memory that is used again for the next pair of texts.
#[derive(Default)]
pub(super) struct Search {
    matrix: EditDistance,
    path: Vec<Step>,
    alignment: Alignment,
    words: Vec<u32>,
    moved: Vec<u32>,
}

impl Search {
    /// Returns the number of edits: shifts plus the edit distance after them.
    pub(super) fn edits(&mut self, hypothesis: &[u32], reference: &[u32]) -> u64 {
        if reference.is_empty() {
            return hypothesis.len() as u64;
        }
        if hypothesis == reference {
            return 0;
        }
        self.words.clear();
        self.words.extend_from_slice(hypothesis);
        self.matrix.prepare(reference, hypothesis.len());
        let (mut shifts, mut tries, mut same) = (0, 0, 0);
        loop {
            let distance = self.matrix.fill(&self.words, same);
            // A shift is an edit itself, so it cannot make one edit fewer.
            if distance <= 1 {
                return u64::from(distance) + shifts;
            }
            match self.best_shift(reference, &mut tries) {
                // The best shift of the round that reaches the limit is not applied.
                Some(shift) if tries < MAX_TRIES && shift.distance < distance => {
                    shifts += 1;
                    let (start, end) = shift.rearrange(&self.words, &mut self.moved);
                    self.words[start..end].copy_from_slice(&self.moved);
                    same = start;
                }
                _ => return u64::from(distance) + shifts,
            }
        }
    }

    fn best_shift(&mut self, reference: &[u32], tries: &mut usize) -> Option<Shift> {
        self.matrix.path(&self.words, &mut self.path);
        self.alignment.follow(&self.path);
        self.matrix.fill_backward(&self.words);
        let mut best: Option<Shift> = None;
        for start in 0..self.words.len() {
            if !self.alignment.hypothesis_wrong(start, MAX_LENGTH) {
                continue;
            }
            let nearest = start.saturating_sub(MAX_DISTANCE);
            let furthest = reference.len().min(start + MAX_DISTANCE + 1);
            for goal in nearest..furthest {
                if self.words[start] != reference[goal] {
                    continue;
                }
                for length in 1..=common_run(&self.words[start..], &reference[goal..]) {
                    if self.is_candidate(start, goal, length) {
                        self.try_targets((start, goal, length), &mut best, tries);
                    }
                    if *tries >= MAX_TRIES {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Returns whether both places of the block are wrong and the block is not in its place already.
    fn is_candidate(&self, start: usize, goal: usize, length: usize) -> bool {
        let aligned = self.alignment.after[goal];
        // The aligned word lies inside the block when start < aligned <= start + length.
        self.alignment.hypothesis_wrong(start, length)
            && self.alignment.reference_wrong(goal, length)
            && !(start < aligned && aligned <= start + length)
    }

    /// Tries the block before its place in the reference, then behind each of its words there.
    fn try_targets(
        &mut self,
        (start, goal, length): (usize, usize, usize),
        best: &mut Option<Shift>,
        tries: &mut usize,
    ) {
        let mut last_target = None;
        for place in goal..=goal + length {
            let target = if place == 0 {
                0
            } else {
                self.alignment.after[place - 1]
            };
            if last_target == Some(target) {
                continue;
            }
            last_target = Some(target);
            let mut shift = Shift {
                distance: 0,
                start,
                length,
                target,
            };
            let (first, _) = shift.rearrange(&self.words, &mut self.moved);
            shift.distance = self.matrix.distance(first, &self.moved);
            *tries += 1;
            if best.is_none_or(|best| shift.beats(&best)) {
                *best = Some(shift);
            }
        }
    }
}

/// A block that moves, and the distance it leads to.
#[derive(Clone, Copy)]
struct Shift {
    distance: u32,
    start: usize,
    length: usize,
    target: usize,
}

impl Shift {
    /// Returns whether this shift is to be preferred: nearer, then longer, then from further left, then to further left.
    fn beats(&self, other: &Shift) -> bool {
        let key = |shift: &Shift| {
            (
                std::cmp::Reverse(shift.distance),
                shift.length,
                std::cmp::Reverse(shift.start),
                std::cmp::Reverse(shift.target),
            )
        };
        key(self) > key(other)
    }

    /// Writes the words that change places, in their new order, and returns the range they fill; a target inside
    /// the block moves what follows it to its front.
    fn rearrange(&self, words: &[u32], moved: &mut Vec<u32>) -> (usize, usize) {
        let (start, end, target) = (self.start, self.start + self.length, self.target);
        let block = &words[start..end];
        moved.clear();
        if target < start {
            moved.extend_from_slice(block);
            moved.extend_from_slice(&words[target..start]);
            (target, end)
        } else {
            let resume = if target > end {
                target
            } else {
                (self.length + target).min(words.len())
            };
            moved.extend_from_slice(&words[end..resume]);
            moved.extend_from_slice(block);
            (start, resume)
        }
    }
}

/// Returns how many words both lists begin with alike, at most the length of a block.
fn common_run(left: &[u32], right: &[u32]) -> usize {
    left.iter()
        .zip(right)
        .take(MAX_LENGTH)
        .take_while(|(a, b)| a == b)
        .count()
}
