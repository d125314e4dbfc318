//! The Levenshtein distance, 64 cells at a time, near the diagonal only (Myers 1999, Hyyrö 2003, Ukkonen 1985).
//!
//! A column of the matrix is kept as blocks of 64 vertical differences. Paths cheaper than a guess stay within a
//! band around the diagonal; the guess is doubled until the distance found is not above it. Cells outside the
//! band are taken to cost what a path along its edge costs, so no distance is ever too low.

/// The vertical differences of 64 rows: bits of `up` are +1, of `down` -1.
#[derive(Clone, Copy)]
struct Block {
    up: u64,
    down: u64,
}

/// The column left of the text: every row costs one more than the one above.
const FRESH: Block = Block {
    up: u64::MAX,
    down: 0,
};

/// Returns the distance of two sequences of small numbers, or `None` if more than `budget` blocks were needed.
pub(crate) fn levenshtein(left: &[u32], right: &[u32], budget: u64) -> Option<u64> {
    let (left, right) = without_common_ends(left, right);
    let (pattern, text) = if left.len() <= right.len() {
        (left, right)
    } else {
        (right, left)
    };
    if pattern.is_empty() {
        return Some(text.len() as u64);
    }
    let occurrences = Occurrences::new(pattern);
    let surplus = text.len() - pattern.len();
    let mut slack = 64;
    let mut spent = 0;
    loop {
        let band = Band {
            rows: pattern.len(),
            surplus,
            slack,
        };
        spent += band.blocks_per_column() * text.len() as u64;
        if spent > budget {
            return None;
        }
        let distance = band.distance(&occurrences, text);
        if distance <= (surplus + 2 * slack) as u64 || slack >= text.len() {
            return Some(distance);
        }
        slack *= 2;
    }
}

/// Drops what both sequences begin and end with.
fn without_common_ends<'a>(left: &'a [u32], right: &'a [u32]) -> (&'a [u32], &'a [u32]) {
    let common = |pairs: &mut dyn Iterator<Item = (&u32, &u32)>| pairs.take_while(|(a, b)| a == b).count();
    let start = common(&mut left.iter().zip(right));
    let (left, right) = (&left[start..], &right[start..]);
    let end = common(&mut left.iter().rev().zip(right.iter().rev()));
    (&left[..left.len() - end], &right[..right.len() - end])
}

/// Where each item stands in the pattern.
struct Occurrences {
    /// The positions of all items, item after item.
    positions: Vec<u32>,
    /// Where the positions of an item begin; one more than there are items.
    starts: Vec<usize>,
    /// The bits of frequent items for all blocks, so that they need not be set one by one.
    frequent: Vec<Option<Box<[u64]>>>,
    blocks: usize,
}

impl Occurrences {
    fn new(pattern: &[u32]) -> Self {
        let largest = pattern.iter().max().map_or(0, |&item| item as usize);
        let mut starts = vec![0; largest + 2];
        for &item in pattern {
            starts[item as usize + 1] += 1;
        }
        for item in 0..=largest {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        let mut positions = vec![0; pattern.len()];
        for (place, &item) in (0..).zip(pattern) {
            positions[next[item as usize]] = place;
            next[item as usize] += 1;
        }
        let blocks = pattern.len().div_ceil(64);
        // At most 32 items can be this frequent.
        let frequent = starts
            .windows(2)
            .map(|range| {
                let own = &positions[range[0]..range[1]];
                (own.len() >= 2 * blocks).then(|| {
                    let mut bits = vec![0; blocks];
                    set_bits(own, 0, &mut bits);
                    bits.into_boxed_slice()
                })
            })
            .collect();
        Self {
            positions,
            starts,
            frequent,
            blocks,
        }
    }

    /// Returns the bits of an item for the blocks from `first` to `last`.
    fn bits<'a>(&'a self, item: u32, first: usize, last: usize, scratch: &'a mut [u64]) -> &'a [u64] {
        let item = item as usize;
        if let Some(Some(bits)) = self.frequent.get(item) {
            return &bits[first..=last];
        }
        let bits = &mut scratch[..=last - first];
        bits.fill(0);
        if item + 1 < self.starts.len() {
            let own = &self.positions[self.starts[item]..self.starts[item + 1]];
            let from = own.partition_point(|&place| (place as usize) < 64 * first);
            let to = own.partition_point(|&place| (place as usize) < 64 * (last + 1));
            set_bits(&own[from..to], first, bits);
        }
        bits
    }
}

fn set_bits(positions: &[u32], first: usize, bits: &mut [u64]) {
    for &place in positions {
        bits[place as usize / 64 - first] |= 1 << (place % 64);
    }
}

/// The cells within reach of paths that leave the way from corner to corner by at most `slack`.
struct Band {
    rows: usize,
    /// How many more columns than rows there are.
    surplus: usize,
    slack: usize,
}

impl Band {
    fn blocks_per_column(&self) -> u64 {
        let blocks = self.rows.div_ceil(64);
        blocks.min((self.surplus + 2 * self.slack) / 64 + 2) as u64
    }

    /// Returns the first and the last block of a column, counted from 1.
    fn blocks(&self, column: usize) -> (usize, usize) {
        let first = (column - 1).saturating_sub(self.surplus + self.slack);
        let last = column + self.slack;
        ((first.min(self.rows - 1)) / 64, (last.min(self.rows) - 1) / 64)
    }

    /// Returns the cost of the cheapest path within the band.
    fn distance(&self, occurrences: &Occurrences, text: &[u32]) -> u64 {
        let mut blocks = vec![FRESH; occurrences.blocks];
        let mut scratch = vec![0; occurrences.blocks];
        let end = occurrences.blocks - 1;
        let rows_of = |block: usize| if block == end { self.rows - 64 * end } else { 64 };
        let (mut first, mut last) = self.blocks(1);
        // The cost of the lowest row of the last block.
        let mut cost = (0..=last).map(|block| rows_of(block) as u64).sum::<u64>();
        for (index, &item) in text.iter().enumerate() {
            let reach = self.blocks(index + 1);
            first = reach.0.max(first);
            while last < reach.1 {
                last += 1;
                cost += rows_of(last) as u64;
            }
            let bits = occurrences.bits(item, first, last, &mut scratch);
            // Above the band every column costs one more than the one before it.
            let mut incoming = Change { up: 1, down: 0 };
            for (block, &equal) in blocks[first..last].iter_mut().zip(bits) {
                incoming = block.advance(equal, incoming, 63);
            }
            let lowest = u32::try_from(rows_of(last) - 1).unwrap_or(63);
            let change = blocks[last].advance(bits[last - first], incoming, lowest);
            cost = cost + change.up - change.down;
        }
        cost
    }
}

/// By how much a row costs more or less than in the column before: at most one of both is 1.
#[derive(Clone, Copy)]
struct Change {
    up: u64,
    down: u64,
}

impl Block {
    /// Moves to the next column, given where its item occurs and how the row above changed; returns how the row
    /// `lowest` of the block changed.
    #[inline]
    fn advance(&mut self, equal: u64, incoming: Change, lowest: u32) -> Change {
        let vertical = equal | self.down;
        let equal = equal | incoming.down;
        let diagonal = ((equal & self.up).wrapping_add(self.up) ^ self.up) | equal;
        let up = self.down | !(diagonal | self.up);
        let down = self.up & diagonal;
        let outgoing = Change {
            up: up >> lowest & 1,
            down: down >> lowest & 1,
        };
        let up = up << 1 | incoming.up;
        let down = down << 1 | incoming.down;
        self.up = down | !(vertical | up);
        self.down = up & vertical;
        outgoing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook matrix, row by row.
    fn by_rows(left: &[u32], right: &[u32]) -> u64 {
        let mut row: Vec<u64> = (0..=right.len() as u64).collect();
        for (i, a) in left.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i as u64 + 1;
            for (j, b) in right.iter().enumerate() {
                let substituted = diagonal + u64::from(a != b);
                diagonal = row[j + 1];
                row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
            }
        }
        row[right.len()]
    }

    fn random(seed: &mut u64, below: u64) -> u64 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    }

    fn sequence(seed: &mut u64, length: u64, items: u64) -> Vec<u32> {
        (0..length)
            .map(|_| u32::try_from(random(seed, items)).unwrap())
            .collect()
    }

    #[test]
    fn distances_are_those_of_the_whole_matrix() {
        let mut seed = 3;
        for round in 0..400 {
            let length = [3, 70, 200, 700][round % 4];
            let items = [1, 2, 4, 300][round / 4 % 4];
            let left_length = random(&mut seed, length);
            let left = sequence(&mut seed, left_length, items);
            let mut right = if round % 3 == 0 {
                let right_length = random(&mut seed, length);
                sequence(&mut seed, right_length, items)
            } else {
                left.clone()
            };
            for _ in 0..random(&mut seed, 30) {
                let place = usize::try_from(random(&mut seed, right.len() as u64 + 1)).unwrap();
                match random(&mut seed, 3) {
                    0 => right.insert(place, 1),
                    1 if place < right.len() => drop(right.remove(place)),
                    _ => {
                        let block = usize::try_from(random(&mut seed, 40)).unwrap().min(right.len());
                        right.rotate_left(block);
                    }
                }
            }
            let expected = Some(by_rows(&left, &right));
            assert_eq!(
                levenshtein(&left, &right, u64::MAX),
                expected,
                "{left:?} {right:?}"
            );
            assert_eq!(
                levenshtein(&right, &left, u64::MAX),
                expected,
                "{left:?} {right:?}"
            );
        }
    }

    #[test]
    fn a_distance_that_needs_too_much_work_is_refused() {
        let mut seed = 5;
        let (left, right) = (sequence(&mut seed, 5000, 4), sequence(&mut seed, 5000, 4));
        assert_eq!(levenshtein(&left, &right, 1000), None);
        assert!(levenshtein(&left, &right, 2_000_000).is_some());
        // Equal texts cost nothing, however long they are.
        assert_eq!(levenshtein(&left, &left, 0), Some(0));
    }
}
