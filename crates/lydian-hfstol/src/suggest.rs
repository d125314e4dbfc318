//! Accepted words a few edits away from a given one, found by walking word and transducer together.
use crate::alphabet::{EPSILON, Token, TokenSymbol};
use crate::flags::{Flag, Undo};
use crate::tables::TRANSITIONS_FROM;
use crate::transducer::Searcher;
use std::collections::BTreeMap;

/// An accepted word and its distance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suggestion {
    /// Symbols inserted, left out or exchanged.
    pub distance: u8,
    /// The accepted word.
    pub word: String,
}

/// Bounds of a search for similar words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestLimits {
    /// Most edits.
    pub distance: u8,
    /// Most words.
    pub words: usize,
    /// Most steps of the search; with fewer the nearest words may be missed, never wrong ones given.
    pub steps: usize,
}

impl Default for SuggestLimits {
    fn default() -> Self {
        Self {
            distance: 2,
            words: 5,
            steps: 400_000,
        }
    }
}

/// Where the walk stands.
#[derive(Clone, Copy)]
struct Place {
    state: u32,
    position: u32,
    edits: u8,
    written: u32,
    /// States since the last symbol of the form, so that a loop that reads nothing ends.
    idle: u32,
}

enum Pending {
    Visit { place: Place, add: Option<u16> },
    Apply { flag: Flag, place: Place },
    Restore(Undo),
}

/// At most so many states are passed without a symbol.
const LONGEST_IDLE: u32 = 40;

impl Searcher<'_> {
    /// Returns accepted words within the distance, nearest first; exact matches are left out.
    ///
    /// ```
    /// let bytes = include_bytes!("../tests/fixtures/plain.olw.hfstol");
    /// let transducer = lydian_hfstol::Transducer::new(&bytes[..])?;
    /// let near = transducer.searcher().suggest("wapamêw", &Default::default());
    /// assert_eq!((near[0].word.as_str(), near[0].distance), ("wâpamêw", 1));
    /// # Ok::<(), lydian_hfstol::ReadError>(())
    /// ```
    pub fn suggest(&mut self, word: &str, limits: &SuggestLimits) -> Vec<Suggestion> {
        if !self
            .parts
            .alphabet
            .tokenise(word, self.limits.word_symbols, &mut self.scratch.tokens)
        {
            return Vec::new();
        }
        let tokens = std::mem::take(&mut self.scratch.tokens);
        let mut found: BTreeMap<String, u8> = BTreeMap::new();
        // One edit first: the walk with more edits is far longer and may hit its limit.
        for distance in 1..=limits.distance {
            self.walk(&tokens, distance, limits.steps, &mut found);
            if found.len() >= limits.words {
                break;
            }
        }
        self.scratch.tokens = tokens;
        found.remove(word);
        let mut list: Vec<Suggestion> = found
            .into_iter()
            .map(|(word, distance)| Suggestion { distance, word })
            .collect();
        list.sort();
        list.truncate(limits.words);
        list
    }

    fn walk(&mut self, tokens: &[Token], distance: u8, steps: usize, found: &mut BTreeMap<String, u8>) {
        let mut written: Vec<u16> = Vec::new();
        self.scratch.registers.reset(self.parts.alphabet.features());
        let start = Place {
            state: 0,
            position: 0,
            edits: 0,
            written: 0,
            idle: 0,
        };
        let mut pending = vec![Pending::Visit {
            place: start,
            add: None,
        }];
        let mut left = steps;
        while let Some(next) = pending.pop() {
            match next {
                Pending::Restore(undo) => self.scratch.registers.undo(undo),
                Pending::Apply { flag, place } => {
                    if let Some(undo) = self.scratch.registers.apply(flag) {
                        pending.push(Pending::Restore(undo));
                        pending.push(Pending::Visit { place, add: None });
                    }
                }
                Pending::Visit { mut place, add } => {
                    written.truncate(place.written as usize);
                    if let Some(symbol) = add {
                        written.push(symbol);
                        place.written += 1;
                    }
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    self.arrive(place, tokens, &written, found);
                    self.list_moves(place, tokens, distance, &mut pending);
                }
            }
        }
    }

    fn arrive(&self, place: Place, tokens: &[Token], written: &[u16], found: &mut BTreeMap<String, u8>) {
        let ends = place.position as usize == tokens.len();
        if ends && self.parts.tables.final_weight(place.state).is_some() {
            let word: String = written
                .iter()
                .map(|symbol| self.parts.alphabet.printed(*symbol))
                .collect();
            let known = found.entry(word).or_insert(place.edits);
            *known = place.edits.min(*known);
        }
    }

    /// Lists every way on from a place: arcs that read nothing, the right symbol, and one edit more.
    fn list_moves(&self, place: Place, tokens: &[Token], distance: u8, pending: &mut Vec<Pending>) {
        let wanted = tokens.get(place.position as usize).map(|t| t.symbol);
        let may_edit = place.edits < distance;
        let on = Place {
            position: place.position + 1,
            idle: 0,
            ..place
        };
        if may_edit && wanted.is_some() {
            let edits = place.edits + 1;
            pending.push(Pending::Visit {
                place: Place { edits, ..on },
                add: None,
            });
        }
        self.each_arc(place.state, |input, output, target| {
            if self.excluded.binary_search(&output).is_ok() {
                return;
            }
            if self.parts.alphabet.consumes_nothing(input) {
                if place.idle < LONGEST_IDLE {
                    let idle = Place {
                        state: target,
                        idle: place.idle + 1,
                        ..place
                    };
                    pending.push(match self.parts.alphabet.flag(input) {
                        Some(flag) => Pending::Apply { flag, place: idle },
                        None => Pending::Visit {
                            place: idle,
                            add: None,
                        },
                    });
                }
                return;
            }
            if !self.parts.alphabet.is_plain(input) {
                return;
            }
            let add = Some(input);
            if wanted == Some(TokenSymbol::Known(input)) {
                pending.push(Pending::Visit {
                    place: Place { state: target, ..on },
                    add,
                });
            } else if may_edit && wanted.is_some() {
                let edits = place.edits + 1;
                pending.push(Pending::Visit {
                    place: Place {
                        state: target,
                        edits,
                        ..on
                    },
                    add,
                });
            }
            if may_edit {
                let edits = place.edits + 1;
                pending.push(Pending::Visit {
                    place: Place {
                        state: target,
                        edits,
                        idle: 0,
                        ..place
                    },
                    add,
                });
            }
        });
    }

    fn each_arc(&self, state: u32, mut arc: impl FnMut(u16, u16, u32)) {
        let parts = self.parts;
        let mut follow = |first: u32, only: Option<u16>| {
            for row in first.. {
                let Some(found) = parts.tables.arc(row) else {
                    return;
                };
                let belongs = match only {
                    Some(EPSILON) => parts.alphabet.consumes_nothing(found.input),
                    Some(symbol) => found.input == symbol,
                    None => true,
                };
                if found.input == crate::tables::NO_SYMBOL || !belongs {
                    return;
                }
                arc(found.input, found.output, found.target);
            }
        };
        if state >= TRANSITIONS_FROM {
            follow((state - TRANSITIONS_FROM).saturating_add(1), None);
            return;
        }
        for symbol in 0..parts.alphabet.input_symbols() {
            if let Some(first) = parts.tables.arcs_of(state, symbol) {
                follow(first, Some(symbol));
            }
        }
    }
}
