//! Counts the n-grams two sequences have in common, all orders in one pass over their sorted suffixes.
//!
//! Every position becomes one integer that holds the next few items, most significant first, so that suffixes
//! with a common beginning stand next to each other once the integers are sorted. Neighbours that differ at
//! item `k` end the groups of all orders above `k`.

use std::cell::RefCell;

/// How many orders one pass can count.
pub(crate) const ORDERS: usize = 8;

/// Above this length group sizes might not fit the counters of the pass.
const LONGEST: usize = 30_000;

/// A counter per order; sixteen bits wide so that the machine handles all of them at once.
type Lanes = [i16; ORDERS];

thread_local! {
    static KEYS: RefCell<Keys> = const { RefCell::new(Keys { narrow: Vec::new(), wide: Vec::new() }) };
}

struct Keys {
    narrow: Vec<u64>,
    wide: Vec<u128>,
}

/// Returns, for the orders 1 to `orders`, how many n-grams both sequences have, each counted as often as both have it.
///
/// Items are positive and at most `largest`.
pub(crate) fn common(left: &[u32], right: &[u32], orders: usize, largest: u32) -> Vec<u64> {
    if orders == 0 {
        return Vec::new();
    }
    let bits = (u32::BITS - largest.leading_zeros()).max(1);
    let needed = bits as usize * orders;
    if orders > ORDERS || needed > 127 || left.len() + right.len() > LONGEST {
        return (1..=orders)
            .map(|order| common_of_order(left, right, order))
            .collect();
    }
    KEYS.with_borrow_mut(|keys| {
        let lanes = if needed <= 63 {
            count(left, right, orders, bits, &mut keys.narrow)
        } else {
            count(left, right, orders, bits, &mut keys.wide)
        };
        lanes[..orders]
            .iter()
            .map(|&lane| u64::from(lane.unsigned_abs()))
            .collect()
    })
}

/// An integer that holds several items and, in its lowest bit, the sequence they come from.
trait Key: Copy + Ord + Default {
    /// Puts an item in front of a suffix and drops the suffix's last item.
    fn prepend(self, item: u32, bits: u32, orders: u32) -> Self;
    /// Returns the key with the side in its lowest bit.
    fn with_side(self, side: bool) -> Self;
    /// Returns the side.
    fn side(self) -> usize;
    /// Returns the place of the highest bit, not counting the side, in which two keys differ.
    fn highest_difference(self, other: Self) -> Option<u32>;
    /// Returns the place of the lowest bit that is set, not counting the side.
    fn lowest_bit(self) -> u32;
}

impl Key for u64 {
    #[inline]
    fn prepend(self, item: u32, bits: u32, orders: u32) -> Self {
        u64::from(item) << (bits * (orders - 1)) | self >> bits
    }
    #[inline]
    fn with_side(self, side: bool) -> Self {
        self << 1 | u64::from(side)
    }
    #[inline]
    fn side(self) -> usize {
        usize::from(self & 1 == 1)
    }
    #[inline]
    fn highest_difference(self, other: Self) -> Option<u32> {
        ((self ^ other) >> 1).checked_ilog2()
    }
    #[inline]
    fn lowest_bit(self) -> u32 {
        (self >> 1).trailing_zeros()
    }
}

impl Key for u128 {
    fn prepend(self, item: u32, bits: u32, orders: u32) -> Self {
        u128::from(item) << (bits * (orders - 1)) | self >> bits
    }
    fn with_side(self, side: bool) -> Self {
        self << 1 | u128::from(side)
    }
    fn side(self) -> usize {
        usize::from(self & 1 == 1)
    }
    fn highest_difference(self, other: Self) -> Option<u32> {
        ((self ^ other) >> 1).checked_ilog2()
    }
    fn lowest_bit(self) -> u32 {
        (self >> 1).trailing_zeros()
    }
}

/// `BELOW[k]` is 1 for the orders up to `k`, which a suffix of `k` items has.
const BELOW: [Lanes; ORDERS + 1] = below(1);
/// `KEPT[k]` has all bits set for the orders up to `k`, whose groups go on when `k` items are equal.
const KEPT: [Lanes; ORDERS + 1] = below(-1);

const fn below(value: i16) -> [Lanes; ORDERS + 1] {
    let mut table = [[0; ORDERS]; ORDERS + 1];
    let mut k = 0;
    while k <= ORDERS {
        let mut lane = 0;
        while lane < k {
            table[k][lane] = value;
            lane += 1;
        }
        k += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "there are at most eight orders")]
fn count<K: Key>(left: &[u32], right: &[u32], orders: usize, bits: u32, keys: &mut Vec<K>) -> Lanes {
    keys.clear();
    for (side, items) in [(false, left), (true, right)] {
        let mut suffix = K::default();
        for &item in items.iter().rev() {
            suffix = suffix.prepend(item, bits, orders as u32);
            keys.push(suffix.with_side(side));
        }
    }
    keys.sort_unstable();
    // Division by `bits` for numbers below 128.
    let reciprocal = 65_536 / bits + 1;
    let items_in = |place: u32| ((place * reciprocal) >> 16) as usize;
    let mut matches = [0; ORDERS];
    let mut groups = [[0; ORDERS]; 2];
    let mut previous = K::default();
    for &key in keys.iter() {
        let equal = key
            .highest_difference(previous)
            .map_or(orders, |place| orders - 1 - items_in(place));
        close_groups(&mut groups, &KEPT[equal.min(ORDERS)], &mut matches);
        let length = orders - items_in(key.lowest_bit()).min(orders);
        for (size, one) in groups[key.side()].iter_mut().zip(&BELOW[length]) {
            *size += one;
        }
        previous = key;
    }
    close_groups(&mut groups, &KEPT[0], &mut matches);
    matches
}

/// Adds the matches of the groups that are not kept and empties them.
#[inline]
fn close_groups(groups: &mut [Lanes; 2], kept: &Lanes, matches: &mut Lanes) {
    let [left, right] = groups;
    for order in 0..ORDERS {
        matches[order] += left[order].min(right[order]) & !kept[order];
        left[order] &= kept[order];
        right[order] &= kept[order];
    }
}

/// Counts one order by sorting slices, for sequences the integers cannot hold.
fn common_of_order<T: Ord>(left: &[T], right: &[T], order: usize) -> u64 {
    let (left, right) = (sorted_ngrams(left, order), sorted_ngrams(right, order));
    let (mut i, mut j, mut matches) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                matches += 1;
                i += 1;
                j += 1;
            }
        }
    }
    matches
}

fn sorted_ngrams<T: Ord>(items: &[T], order: usize) -> Vec<&[T]> {
    if order == 0 || order > items.len() {
        return Vec::new();
    }
    let mut ngrams: Vec<&[T]> = items.windows(order).collect();
    ngrams.sort_unstable();
    ngrams
}

/// Returns how many n-grams of a sequence occur in any of several others, each clipped by the most often any one
/// of them has it.
pub(crate) fn clipped(items: &[u32], others: &[Vec<u32>], order: usize) -> u64 {
    let ours = sorted_ngrams(items, order);
    let theirs: Vec<Vec<&[u32]>> = others.iter().map(|other| sorted_ngrams(other, order)).collect();
    let occurrences = |sorted: &Vec<&[u32]>, ngram: &[u32]| {
        let start = sorted.partition_point(|other| *other < ngram);
        sorted[start..]
            .iter()
            .take_while(|other| **other == ngram)
            .count()
    };
    let groups = ours.chunk_by(|a, b| a == b);
    groups
        .map(|group| {
            let most = theirs
                .iter()
                .map(|sorted| occurrences(sorted, group[0]))
                .max()
                .unwrap_or(0);
            group.len().min(most) as u64
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of sequences with many repetitions.
    fn sequence(seed: &mut u64, length: usize, largest: u32) -> Vec<u32> {
        (0..length)
            .map(|_| {
                *seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                1 + u32::try_from(*seed >> 33).unwrap() % largest
            })
            .collect()
    }

    #[test]
    fn all_widths_count_what_sorted_slices_count() {
        let mut seed = 1;
        for largest in [1, 2, 3, 5, 30, 1000, 1023, 1024, 40_000, 0x10_ffff, 0x7fff_ffff] {
            for (left, right) in [(0, 0), (0, 5), (5, 0), (1, 1), (3, 9), (40, 37), (200, 3)] {
                let (left, right) = (
                    sequence(&mut seed, left, largest),
                    sequence(&mut seed, right, largest),
                );
                for orders in [1, 2, 4, 6, 8, 11] {
                    let expected: Vec<u64> = (1..=orders)
                        .map(|order| common_of_order(&left, &right, order))
                        .collect();
                    assert_eq!(
                        common(&left, &right, orders, largest),
                        expected,
                        "{left:?} {right:?}"
                    );
                    for order in 1..=orders {
                        assert_eq!(
                            clipped(&left, std::slice::from_ref(&right), order),
                            expected[order - 1]
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_order_has_no_counts() {
        assert!(common(&[1, 2, 3], &[1, 2], 0, 3).is_empty());
    }

    #[test]
    fn long_repetitions_do_not_overflow() {
        for length in [29_000, 40_000] {
            let matches = common(&vec![1; length], &[1; 500], 6, 1);
            assert_eq!(matches, [500, 499, 498, 497, 496, 495], "{length}");
        }
    }

    #[test]
    fn references_clip_each_other_by_the_most_frequent() {
        let others = [vec![1, 1, 2], vec![1, 3, 3]];
        assert_eq!(clipped(&[1, 1, 1, 3, 3, 4], &others, 1), 4);
        assert_eq!(clipped(&[1, 1, 1, 3, 3, 4], &others, 2), 3);
    }
}
