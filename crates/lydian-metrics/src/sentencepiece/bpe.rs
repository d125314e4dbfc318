//! BPE models: neighbours are joined, the pair with the best score first, as long as the result is a piece.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::vocabulary::{Kind, Vocabulary};
use super::{Segment, char_length};

/// A part of the text that may still be joined with its neighbours.
#[derive(Clone, Copy)]
struct Symbol {
    previous: Option<usize>,
    next: Option<usize>,
    start: usize,
    /// As `start` once the symbol has become part of the one before it.
    end: usize,
    joinable: bool,
}

/// Two neighbours that make a piece.
#[derive(PartialEq)]
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    length: usize,
}

impl Eq for Pair {}

impl Ord for Pair {
    /// The highest score first, the leftmost of equals.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then_with(|| other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The state of cutting one text.
struct Joining<'a> {
    vocabulary: &'a Vocabulary,
    text: &'a [u8],
    symbols: Vec<Symbol>,
    agenda: BinaryHeap<Pair>,
    /// Where pieces that are not to be used are cut again.
    cuts: FxHashMap<&'a [u8], usize>,
}

/// Cuts a normalized text.
pub(super) fn encode(vocabulary: &Vocabulary, text: &[u8]) -> Vec<Segment> {
    let mut joining = Joining {
        vocabulary,
        text,
        symbols: symbols(vocabulary, text),
        agenda: BinaryHeap::new(),
        cuts: FxHashMap::default(),
    };
    for right in 1..joining.symbols.len() {
        joining.consider(right - 1, right);
    }
    while let Some(pair) = joining.agenda.pop() {
        joining.join(&pair);
    }
    joining.segments()
}

fn symbols(vocabulary: &Vocabulary, text: &[u8]) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let whole = vocabulary.user_defined_prefix(&text[start..]);
        let end = start + whole.unwrap_or_else(|| char_length(&text[start..]));
        symbols.push(Symbol {
            previous: symbols.len().checked_sub(1),
            next: (end < text.len()).then_some(symbols.len() + 1),
            start,
            end,
            joinable: whole.is_none(),
        });
        start = end;
    }
    symbols
}

impl Joining<'_> {
    /// Puts a pair on the agenda if it makes a piece.
    fn consider(&mut self, left: usize, right: usize) {
        let (first, second) = (self.symbols[left], self.symbols[right]);
        if !first.joinable || !second.joinable {
            return;
        }
        let joined = &self.text[first.start..second.end];
        let Some(piece) = self.vocabulary.in_texts(joined) else {
            return;
        };
        self.agenda.push(Pair {
            score: self.vocabulary.score(piece),
            left,
            right,
            length: joined.len(),
        });
        if self.vocabulary.kind(piece) == Kind::Unused {
            self.cuts.insert(joined, first.end - first.start);
        }
    }

    fn join(&mut self, pair: &Pair) {
        let (left, right) = (self.symbols[pair.left], self.symbols[pair.right]);
        let lengths = (left.end - left.start, right.end - right.start);
        // One of the two may have been joined with another since.
        if lengths.0 == 0 || lengths.1 == 0 || lengths.0 + lengths.1 != pair.length {
            return;
        }
        self.symbols[pair.left].end = right.end;
        self.symbols[pair.left].next = right.next;
        self.symbols[pair.right].end = right.start;
        if let Some(next) = right.next {
            self.symbols[next].previous = Some(pair.left);
        }
        if let Some(previous) = left.previous {
            self.consider(previous, pair.left);
        }
        if let Some(next) = right.next {
            self.consider(pair.left, next);
        }
    }

    /// Returns the symbols that are left; those that are not to be used are cut where they were joined.
    fn segments(&self) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut current = (!self.symbols.is_empty()).then_some(0);
        let mut waiting = Vec::new();
        while let Some(index) = current {
            let symbol = self.symbols[index];
            waiting.push((symbol.start, symbol.end));
            while let Some((start, end)) = waiting.pop() {
                let text = &self.text[start..end];
                let mut piece = self.vocabulary.find(text);
                if self.vocabulary.kind(piece) == Kind::Unused {
                    if let Some(&cut) = self.cuts.get(text) {
                        waiting.push((start + cut, end));
                        waiting.push((start, start + cut));
                        continue;
                    }
                    piece = self.vocabulary.unknown();
                }
                segments.push(Segment { piece, start, end });
            }
            current = symbol.next;
        }
        segments
    }
}
