//! Small numbers for characters and words, so that comparing texts is comparing integers.

use rustc_hash::FxHashMap;

use crate::text;

/// Characters keep their numbers from segment to segment; above this many the numbers start again.
const FORGET_ABOVE: u32 = 800;

/// The numbers of the characters seen so far.
pub(crate) struct Alphabet {
    /// By code point, for the first plane; 0 is a character without a number.
    plane: Vec<u16>,
    others: FxHashMap<char, u32>,
    /// The number given last.
    last: u32,
    /// Whether the character with a number is a punctuation mark of ASCII.
    punctuation: Vec<bool>,
}

impl Default for Alphabet {
    fn default() -> Self {
        Self {
            plane: vec![0; 1 << 16],
            others: FxHashMap::default(),
            last: 0,
            punctuation: vec![false],
        }
    }
}

impl Alphabet {
    /// Prepares for the texts of a new segment; numbers given before may not be used with later ones.
    pub(crate) fn start_segment(&mut self) {
        if self.last > FORGET_ABOVE {
            self.plane.fill(0);
            self.others.clear();
            self.punctuation.truncate(1);
            self.last = 0;
        }
    }

    /// Returns the largest number in use.
    pub(crate) fn largest(&self) -> u32 {
        self.last
    }

    #[inline]
    fn number(&mut self, c: char) -> u32 {
        match self.plane.get(c as usize) {
            Some(&known) if known > 0 => u32::from(known),
            _ => self.number_of_new(c),
        }
    }

    #[cold]
    fn number_of_new(&mut self, c: char) -> u32 {
        if let Some(&known) = self.others.get(&c) {
            return known;
        }
        self.last += 1;
        self.punctuation.push(c.is_ascii_punctuation());
        match (self.plane.get_mut(c as usize), u16::try_from(self.last)) {
            (Some(place), Ok(number)) => *place = number,
            _ => drop(self.others.insert(c, self.last)),
        }
        self.last
    }

    /// Writes the numbers of all characters, white space included.
    pub(crate) fn read(&mut self, text: &str, chars: &mut Vec<u32>) {
        chars.clear();
        chars.extend(text.chars().map(|c| self.number(c)));
    }

    /// Writes the numbers of all characters but white space, and where words end among them.
    pub(crate) fn read_words(&mut self, text: &str, chars: &mut Vec<u32>, ends: &mut Vec<usize>) {
        chars.clear();
        ends.clear();
        for c in text.chars() {
            if text::is_space(c) {
                if chars.len() > ends.last().copied().unwrap_or(0) {
                    ends.push(chars.len());
                }
            } else {
                chars.push(self.number(c));
            }
        }
        if chars.len() > ends.last().copied().unwrap_or(0) {
            ends.push(chars.len());
        }
    }

    /// Returns whether the character with this number is an ASCII punctuation mark.
    pub(crate) fn is_punctuation(&self, number: u32) -> bool {
        self.punctuation[number as usize]
    }
}

/// Gives equal sequences equal numbers, from 1.
pub(crate) struct Interner<T> {
    /// Positions in `entries` plus 1, by hash; 0 is free.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    items: Vec<T>,
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    start: usize,
    end: usize,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            slots: vec![0; 64],
            entries: Vec::new(),
            items: Vec::new(),
        }
    }
}

/// What sequences are made of.
pub(crate) trait Item: Copy + Eq {
    /// Returns a hash of a sequence.
    fn hash(sequence: &[Self]) -> u64;
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

impl Item for u8 {
    #[inline]
    fn hash(sequence: &[Self]) -> u64 {
        let (words, rest) = sequence.as_chunks::<8>();
        let hash = words.iter().fold(sequence.len() as u64, |hash, word| {
            mix(hash, u64::from_le_bytes(*word))
        });
        mix(
            hash,
            rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        )
    }
}

impl Item for u32 {
    #[inline]
    fn hash(sequence: &[Self]) -> u64 {
        sequence
            .iter()
            .fold(sequence.len() as u64, |hash, &item| mix(hash, u64::from(item)))
    }
}

impl<T: Item> Interner<T> {
    /// Forgets all sequences.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
        self.entries.clear();
        self.items.clear();
    }

    /// Returns how many different sequences there are, which is the largest number.
    pub(crate) fn largest(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number of a sequence.
    #[inline]
    pub(crate) fn number(&mut self, sequence: &[T]) -> u32 {
        let hash = T::hash(sequence);
        let mask = self.slots.len() - 1;
        let mut slot = Self::home(hash, mask);
        loop {
            let number = self.slots[slot];
            if number == 0 {
                return self.insert(sequence, hash, slot);
            }
            let entry = self.entries[number as usize - 1];
            if entry.hash == hash && self.items[entry.start..entry.end] == *sequence {
                return number;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn home(hash: u64, mask: usize) -> usize {
        (hash >> 32) as usize & mask
    }

    fn insert(&mut self, sequence: &[T], hash: u64, slot: usize) -> u32 {
        let start = self.items.len();
        self.items.extend_from_slice(sequence);
        self.entries.push(Entry {
            hash,
            start,
            end: self.items.len(),
        });
        let number = self.largest();
        self.slots[slot] = number;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut slot = Self::home(entry.hash, mask);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_equal_numbers_also_when_the_table_grows() {
        let mut interner = Interner::<u32>::default();
        let words: Vec<Vec<u32>> = (0..500).map(|i| vec![i % 7, i / 7, 3]).collect();
        let first: Vec<u32> = words.iter().map(|word| interner.number(word)).collect();
        let second: Vec<u32> = words.iter().map(|word| interner.number(word)).collect();
        assert_eq!(first, (1..=500).collect::<Vec<u32>>());
        assert_eq!(first, second);
        assert_eq!(interner.largest(), 500);
        interner.clear();
        assert_eq!(interner.number(&[1]), 1);
    }

    #[test]
    fn numbers_start_again_once_there_are_many() {
        let mut alphabet = Alphabet::default();
        let mut chars = Vec::new();
        let many: String = ('\u{4e00}'..).take(FORGET_ABOVE as usize).collect();
        alphabet.read(&many, &mut chars);
        alphabet.start_segment();
        assert_eq!(alphabet.largest(), FORGET_ABOVE);
        alphabet.read("a", &mut chars);
        alphabet.start_segment();
        assert_eq!(alphabet.largest(), 0);
        alphabet.read("a", &mut chars);
        assert_eq!(chars, [1]);
    }

    #[test]
    fn a_segment_with_more_characters_than_one_forgets_still_tells_them_apart() {
        let mut alphabet = Alphabet::default();
        let text: String = ('\u{4e00}'..'\u{5800}').chain(['😀', 'a', '😀']).collect();
        let mut chars = Vec::new();
        for _ in 0..2 {
            alphabet.start_segment();
            alphabet.read(&text, &mut chars);
            assert_eq!(alphabet.largest(), 0xa00 + 2);
            assert_eq!(chars[0xa00], chars[0xa00 + 2]);
            assert_ne!(chars[0xa00], chars[0xa00 + 1]);
        }
    }
}
