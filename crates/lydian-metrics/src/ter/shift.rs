//! The search for block shifts that make a hypothesis more like the reference.

use super::alignment::Alignment;
use super::edit_distance::EditDistance;

/// The longest block that is moved.
const MAX_LENGTH: usize = 10;
/// How far apart the block and its place in the reference may be.
const MAX_DISTANCE: usize = 50;
/// After this many tries, over all rounds, the search ends.
const MAX_TRIES: usize = 1000;

/// Returns the number of edits: shifts plus the edit distance after them.
pub(super) fn edits(hypothesis: &[u32], reference: &[u32]) -> u64 {
    if reference.is_empty() {
        return hypothesis.len() as u64;
    }
    let mut words = hypothesis.to_vec();
    let mut matrix = EditDistance::new(reference, words.len());
    let (mut shifts, mut tries) = (0, 0);
    loop {
        let distance = matrix.fill(&words);
        let best = best_shift(&words, reference, &mut matrix, &mut tries);
        match best {
            // The best shift of the round that reaches the limit is not applied.
            Some(shift) if tries < MAX_TRIES && shift.distance < distance => {
                shifts += 1;
                words = shift.apply(&words);
            }
            _ => return u64::from(distance) + shifts,
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

    fn apply(&self, words: &[u32]) -> Vec<u32> {
        let mut moved = Vec::with_capacity(words.len());
        self.apply_into(words, &mut moved);
        moved
    }

    /// Writes the words with the block moved; a target inside the block moves what follows it to its front.
    fn apply_into(&self, words: &[u32], moved: &mut Vec<u32>) {
        let (start, end, target) = (self.start, self.start + self.length, self.target);
        let block = &words[start..end];
        moved.clear();
        if target < start {
            moved.extend_from_slice(&words[..target]);
            moved.extend_from_slice(block);
            moved.extend_from_slice(&words[target..start]);
            moved.extend_from_slice(&words[end..]);
        } else {
            let resume = if target > end {
                target
            } else {
                (self.length + target).min(words.len())
            };
            moved.extend_from_slice(&words[..start]);
            moved.extend_from_slice(&words[end..resume]);
            moved.extend_from_slice(block);
            moved.extend_from_slice(&words[resume..]);
        }
    }
}

fn best_shift(
    words: &[u32],
    reference: &[u32],
    matrix: &mut EditDistance<'_>,
    tries: &mut usize,
) -> Option<Shift> {
    let alignment = Alignment::new(&matrix.path());
    let mut best: Option<Shift> = None;
    let mut moved = Vec::with_capacity(words.len());
    for start in 0..words.len() {
        let nearest = start.saturating_sub(MAX_DISTANCE);
        let furthest = reference.len().min(start + MAX_DISTANCE + 1);
        for goal in nearest..furthest {
            for length in 1..=common_run(&words[start..], &reference[goal..]) {
                let aligned = alignment.after[goal];
                // The aligned word lies inside the block when start < aligned <= start + length.
                if !alignment.hypothesis_wrong(start, length)
                    || !alignment.reference_wrong(goal, length)
                    || (start < aligned && aligned <= start + length)
                {
                    continue;
                }
                let mut last_target = None;
                for place in goal..=goal + length {
                    // Before the block's place in the reference, then behind each of its words.
                    let target = if place == 0 { 0 } else { alignment.after[place - 1] };
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
                    shift.apply_into(words, &mut moved);
                    shift.distance = matrix.distance(&moved, start.min(target));
                    *tries += 1;
                    if best.is_none_or(|best| shift.beats(&best)) {
                        best = Some(shift);
                    }
                }
                if *tries >= MAX_TRIES {
                    return best;
                }
            }
        }
    }
    best
}

/// Returns how many words both lists begin with alike, at most the length of a block.
fn common_run(left: &[u32], right: &[u32]) -> usize {
    left.iter()
        .zip(right)
        .take(MAX_LENGTH)
        .take_while(|(a, b)| a == b)
        .count()
}
