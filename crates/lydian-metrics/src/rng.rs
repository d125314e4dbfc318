//! NumPy's default random generator, so that resamples are those of published scores.

/// PCG64 (XSL-RR 128/64) seeded through `SeedSequence`: the stream of `numpy.random.default_rng(seed)`.
///
/// ```
/// use lydian_metrics::rng::Pcg64;
/// // numpy.random.default_rng(12345).choice(7, size=5)
/// let mut rng = Pcg64::seeded(12345);
/// let draws: Vec<u32> = (0..5).map(|_| rng.below(7)).collect();
/// assert_eq!(draws, [4, 1, 5, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The high half of the last 64-bit output, waiting to be the next 32-bit one.
    half: Option<u32>,
}

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

impl Pcg64 {
    /// Starts the stream of a seed.
    pub fn seeded(seed: u64) -> Self {
        let words = seed_words(seed);
        let pair = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let increment = pair(words[2], words[3]) << 1 | 1;
        let mut rng = Self {
            state: increment,
            increment,
            half: None,
        };
        rng.state = rng.state.wrapping_add(pair(words[0], words[1]));
        rng.step();
        rng
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        self.output()
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the output function folds 128 bits to 64"
    )]
    fn output(&self) -> u64 {
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Returns the next 32 random bits; every 64-bit output serves two, its low half first.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are wanted")]
    pub fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let bits = self.next_u64();
        self.half = Some((bits >> 32) as u32);
        bits as u32
    }

    /// Returns a number below `bound` by Lemire's method; 0 for a bound of 0 or 1, without a draw.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low and high halves are wanted"
    )]
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Fills a slice with the next 32-bit outputs.
    ///
    /// Four steps are computed from one state, so that the machine need not wait for one to begin the next.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the output function folds 128 bits to 64; the two halves are wanted"
    )]
    pub(crate) fn fill_u32(&mut self, outputs: &mut [u32]) {
        let waiting = usize::from(self.half.is_some()).min(outputs.len());
        let (first, rest) = outputs.split_at_mut(waiting);
        first.fill_with(|| self.next_u32());
        let mut leaps = [(MULTIPLIER, self.increment); 4];
        for steps in 1..4 {
            let (multiplier, increment) = leaps[steps - 1];
            leaps[steps] = (
                multiplier.wrapping_mul(MULTIPLIER),
                increment.wrapping_mul(MULTIPLIER).wrapping_add(self.increment),
            );
        }
        let (blocks, rest) = rest.as_chunks_mut::<8>();
        for block in blocks {
            let start = self.state;
            for (pair, (multiplier, increment)) in block.as_chunks_mut::<2>().0.iter_mut().zip(leaps) {
                self.state = start.wrapping_mul(multiplier).wrapping_add(increment);
                let bits = self.output();
                *pair = [bits as u32, (bits >> 32) as u32];
            }
        }
        rest.fill_with(|| self.next_u32());
    }

    /// Appends the next `count` numbers below `bound`, those that [`below`](Self::below) returns.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low and high halves are wanted"
    )]
    pub(crate) fn extend_below(&mut self, bound: u32, count: usize, numbers: &mut Vec<u32>) {
        let end = numbers.len() + count;
        if bound <= 1 {
            numbers.resize(end, 0);
            return;
        }
        let threshold = bound.wrapping_neg() % bound;
        let mut outputs = [0; 256];
        let mut filled = numbers.len();
        numbers.resize(end, 0);
        while filled < end {
            // Every number takes an output at least, so none is drawn in vain.
            let outputs = &mut outputs[..(end - filled).min(256)];
            self.fill_u32(outputs);
            for &output in &*outputs {
                let product = u64::from(output) * u64::from(bound);
                numbers[filled] = (product >> 32) as u32;
                filled += usize::from(product as u32 >= threshold);
            }
        }
    }

    /// Moves a fresh stream forward by this many 32-bit outputs, in logarithmic time.
    pub(crate) fn skip_u32(&mut self, outputs: u64) {
        let (mut steps, mut multiplier, mut increment) = (outputs / 2, MULTIPLIER, self.increment);
        let (mut total_multiplier, mut total_increment) = (1_u128, 0_u128);
        while steps > 0 {
            if steps & 1 == 1 {
                total_multiplier = total_multiplier.wrapping_mul(multiplier);
                total_increment = total_increment.wrapping_mul(multiplier).wrapping_add(increment);
            }
            increment = multiplier.wrapping_add(1).wrapping_mul(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            steps >>= 1;
        }
        self.state = self
            .state
            .wrapping_mul(total_multiplier)
            .wrapping_add(total_increment);
        self.half = None;
        if outputs % 2 == 1 {
            self.next_u32();
        }
    }
}

/// Spreads a seed over four 64-bit words as NumPy's `SeedSequence` does.
fn seed_words(seed: u64) -> [u64; 4] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the seed is cut into 32-bit words"
    )]
    let entropy = [seed as u32, (seed >> 32) as u32, 0, 0];
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| {
        let mixed = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let mixed = mixed.wrapping_mul(constant);
        mixed ^ mixed >> 16
    };
    let mut pool = entropy.map(&mut hash);
    for source in 0..4 {
        for target in 0..4 {
            if source != target {
                let mixed = pool[target]
                    .wrapping_mul(0xca01_f9dd)
                    .wrapping_sub(hash(pool[source]).wrapping_mul(0x4973_f715));
                pool[target] = mixed ^ mixed >> 16;
            }
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut next = |word: u32| {
        let mixed = word ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let mixed = mixed.wrapping_mul(constant);
        u64::from(mixed ^ mixed >> 16)
    };
    let mut words = [0; 4];
    for (index, word) in words.iter_mut().enumerate() {
        let low = next(pool[2 * index % 4]);
        *word = low | next(pool[(2 * index + 1) % 4]) << 32;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    // All expected values: NumPy 2.5.5 on Python 3.13.0.

    #[test]
    fn outputs_are_those_of_numpy_for_small_and_large_seeds() {
        let two = |seed| {
            let mut rng = Pcg64::seeded(seed);
            [rng.next_u64(), rng.next_u64()]
        };
        assert_eq!(two(12345), [4_193_609_425_186_963_869, 5_843_160_025_838_961_886]);
        assert_eq!(two(0), [11_749_869_230_777_074_271, 4_976_686_463_289_251_617]);
        assert_eq!(
            two((1 << 32) + 5),
            [14_281_546_376_153_053_393, 8_683_300_866_460_616_067]
        );
        assert_eq!(
            two(u64::MAX),
            [12_544_278_110_101_001_871, 15_593_249_672_699_323_225]
        );
    }

    fn fingerprint(draws: impl Iterator<Item = u32>) -> u64 {
        draws.fold(0xcbf2_9ce4_8422_2325, |hash, draw| {
            (hash ^ u64::from(draw)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    #[test]
    fn draws_are_those_of_numpy_choice() {
        let many = |bound| {
            let mut rng = Pcg64::seeded(12345);
            fingerprint((0..20_000).map(|_| rng.below(bound)))
        };
        assert_eq!(many(47), 0xe250_c2d4_81e5_389d);
        assert_eq!(many(1170), 0x0b9d_e313_4e5d_05ae);
        assert_eq!(many(100_000), 0x4007_7801_afe3_e9c0);
        // A bound with many rejected draws.
        let mut rng = Pcg64::seeded(12345);
        let draws: Vec<u32> = (0..6).map(|_| rng.below(3_000_000_000)).collect();
        assert_eq!(
            draws,
            [
                2_097_645_094,
                682_008_066,
                2_365_940_964,
                950_275_018,
                2_392_096_371,
                2_028_764_011
            ]
        );
    }

    #[test]
    fn numbers_drawn_together_are_those_drawn_one_by_one() {
        for bound in [1, 2, 47, 100_000, 3_000_000_000, u32::MAX] {
            let (mut together, mut single) = (Pcg64::seeded(12345), Pcg64::seeded(12345));
            let mut numbers = Vec::new();
            for count in [0, 1, 2, 3, 7, 8, 9, 255, 256, 257, 1000] {
                numbers.clear();
                together.extend_below(bound, count, &mut numbers);
                let expected: Vec<u32> = (0..count).map(|_| single.below(bound)).collect();
                assert_eq!(numbers, expected, "{count} below {bound}");
                assert_eq!(together.next_u32(), single.next_u32());
            }
        }
    }

    #[test]
    fn one_item_needs_no_draw() {
        let mut rng = Pcg64::seeded(12345);
        assert_eq!((rng.below(1), rng.below(0)), (0, 0));
        assert_eq!(rng.next_u64(), 4_193_609_425_186_963_869);
    }

    #[test]
    fn skipping_lands_where_stepping_does() {
        for outputs in [0, 1, 2, 7, 100, 12_345] {
            let (mut skipped, mut stepped) = (Pcg64::seeded(9), Pcg64::seeded(9));
            skipped.skip_u32(outputs);
            for _ in 0..outputs {
                stepped.next_u32();
            }
            assert_eq!(skipped.next_u32(), stepped.next_u32(), "after {outputs}");
            assert_eq!(skipped.next_u32(), stepped.next_u32(), "after {outputs}");
        }
    }
}
