//! The search for the paths of a word, on a stack of its own so that no input can exhaust the thread's.
use crate::alphabet::{EPSILON, Token, TokenSymbol};
use crate::flags::{Registers, Undo};
use crate::lookup::{Analysis, Limit, Limits};
use crate::tables::TRANSITIONS_FROM;
use crate::transducer::Parts;

/// Marks an entry of the output tape as the number of an input token.
const INPUT_TOKEN: u32 = 0x8000_0000;

/// Where a path stands.
#[derive(Clone, Copy)]
struct Place {
    /// Tokens read so far.
    position: u32,
    /// Symbols written so far.
    written: u32,
    /// States since the last token that was read start here in `run`.
    run_start: u32,
    run_end: u32,
    weight: f32,
}

/// Work that is still to do.
enum Pending {
    /// Follow the rows from `row` on that read `symbol` (or nothing, for `EPSILON`).
    Rows { row: u32, symbol: u16, after: Place },
    /// Take back the effect of a flag.
    Restore(Undo),
}

/// Buffers that are reused from word to word.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) tokens: Vec<Token>,
    pending: Vec<Pending>,
    pub(crate) registers: Registers,
    written: Vec<u32>,
    run: Vec<(u32, u64)>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Every analysis.
    All,
    /// Whether there is one.
    First,
}

/// One search of one word.
pub(crate) struct Search<'s> {
    pub(crate) parts: &'s Parts<'s>,
    pub(crate) word: &'s str,
    pub(crate) limits: &'s Limits,
    /// Paths that write one of these symbols do not count; sorted.
    pub(crate) excluded: &'s [u16],
    pub(crate) aim: Aim,
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) found: Found,
}

/// What a search found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) any: bool,
    pub(crate) analyses: Vec<Analysis>,
    pub(crate) limit: Option<Limit>,
}

impl Found {
    /// Sorts the analyses, lightest first, and keeps each once.
    fn tidy(&mut self) {
        self.analyses.sort_by(Analysis::order);
        self.analyses.dedup();
    }
}

impl Search<'_> {
    pub(crate) fn run(mut self) -> Found {
        let scratch = &mut *self.scratch;
        scratch.pending.clear();
        scratch.written.clear();
        scratch.run.clear();
        scratch.registers.reset(self.parts.alphabet.features());
        let mut steps = 0;
        let start = Place {
            position: 0,
            written: 0,
            run_start: 0,
            run_end: 0,
            weight: 0.0,
        };
        self.visit(0, start);
        loop {
            if self.found.any && self.aim == Aim::First {
                break;
            }
            if self.found.analyses.len() > 2 * self.limits.analyses {
                // Many paths can write the same analysis: only different ones count.
                self.found.tidy();
                if self.found.analyses.len() > self.limits.analyses {
                    break;
                }
            }
            let Some(top) = self.scratch.pending.last_mut() else {
                break;
            };
            let (row, symbol, after) = match top {
                Pending::Restore(undo) => {
                    self.scratch.registers.undo(*undo);
                    self.scratch.pending.pop();
                    continue;
                }
                Pending::Rows { row, symbol, after } => {
                    let current = *row;
                    *row += 1;
                    (current, *symbol, *after)
                }
            };
            steps += 1 + ((after.run_end - after.run_start) as usize >> 4);
            if steps > self.limits.steps {
                self.found.limit = Some(Limit::Steps);
                break;
            }
            self.follow(row, symbol, after);
        }
        self.found.tidy();
        if self.found.analyses.len() > self.limits.analyses {
            self.found.analyses.truncate(self.limits.analyses);
            self.found.limit = Some(Limit::Analyses);
        }
        self.found
    }

    /// Follows one row, or gives up its list where the row belongs to another symbol.
    fn follow(&mut self, row: u32, symbol: u16, mut place: Place) {
        let arc = match self.parts.tables.arc(self.parts.bytes, row) {
            Some(arc) if arc.input == symbol => arc,
            Some(arc) if symbol == EPSILON && self.parts.alphabet.flag(arc.input).is_some() => arc,
            _ => {
                self.scratch.pending.pop();
                return;
            }
        };
        if self.excluded.binary_search(&arc.output).is_ok() {
            return;
        }
        self.scratch.written.truncate(place.written as usize);
        self.scratch.run.truncate(place.run_end as usize);
        if symbol == EPSILON {
            let undo = match self.parts.alphabet.flag(arc.input) {
                None => None,
                Some(flag) => match self.scratch.registers.apply(flag) {
                    None => return,
                    undo => undo,
                },
            };
            // The same state with the same registers before the next token: a loop that reads nothing.
            let here = (arc.target, self.scratch.registers.fingerprint());
            if self.scratch.run[place.run_start as usize..].contains(&here) {
                self.found.limit.get_or_insert(Limit::Cycle);
                if let Some(undo) = undo {
                    self.scratch.registers.undo(undo);
                }
                return;
            }
            self.scratch.pending.extend(undo.map(Pending::Restore));
        }
        if self.scratch.run.len() > self.limits.depth {
            self.found.limit = Some(Limit::Depth);
            return;
        }
        if self.aim == Aim::All {
            self.write(arc.output, place.position);
            place.written = number(self.scratch.written.len());
            place.weight += arc.weight;
        }
        self.visit(arc.target, place);
    }

    fn write(&mut self, output: u16, position: u32) {
        if self.parts.alphabet.is_plain(output) {
            self.scratch.written.push(u32::from(output));
        } else if self.parts.alphabet.stands_for_others(output) && position > 0 {
            self.scratch.written.push(INPUT_TOKEN | (position - 1));
        }
    }

    /// Arrives in a state: notes an analysis where it ends the word, and lists what can be followed.
    fn visit(&mut self, state: u32, place: Place) {
        let Parts { bytes, tables, .. } = *self.parts;
        self.scratch
            .run
            .push((state, self.scratch.registers.fingerprint()));
        let here = Place {
            run_end: number(self.scratch.run.len()),
            ..place
        };
        let mut followed = false;
        if let Some(row) = self.rows(state, EPSILON) {
            let leads_on = tables.arc(bytes, row);
            if leads_on.is_some_and(|arc| self.parts.alphabet.consumes_nothing(arc.input)) {
                self.scratch.pending.push(Pending::Rows {
                    row,
                    symbol: EPSILON,
                    after: here,
                });
                followed = true;
            }
        }
        let Some(token) = self.scratch.tokens.get(place.position as usize) else {
            if let Some(weight) = tables.final_weight(bytes, state) {
                self.found.any = true;
                if self.aim == Aim::All {
                    self.found.analyses.push(self.analysis(
                        &self.scratch.written,
                        &self.scratch.tokens,
                        here.weight + weight,
                    ));
                }
            }
            return;
        };
        let after = Place {
            position: place.position + 1,
            run_start: here.run_end,
            ..here
        };
        let alphabet = self.parts.alphabet;
        let readers = match token.symbol {
            TokenSymbol::Known(symbol) => [Some(symbol), None],
            TokenSymbol::Outside => [alphabet.identity, alphabet.unknown],
        };
        for symbol in readers.into_iter().flatten() {
            if let Some(row) = self.rows(state, symbol)
                && tables.arc(bytes, row).is_some_and(|arc| arc.input == symbol)
            {
                self.scratch.pending.push(Pending::Rows { row, symbol, after });
                followed = true;
            }
        }
        if let Some(symbol) = alphabet.default
            && !followed
            && let Some(row) = self.rows(state, symbol)
        {
            self.scratch.pending.push(Pending::Rows { row, symbol, after });
        }
    }

    /// The row from which the arcs of a state that read `symbol` are listed.
    fn rows(&self, state: u32, symbol: u16) -> Option<u32> {
        if state >= TRANSITIONS_FROM {
            (state - TRANSITIONS_FROM).checked_add(1)
        } else {
            self.parts.tables.arcs_of(self.parts.bytes, state, symbol)
        }
    }

    fn analysis(&self, written: &[u32], tokens: &[Token], weight: f32) -> Analysis {
        let symbols = written.iter().map(|entry| {
            if entry & INPUT_TOKEN == 0 {
                return self.parts.alphabet.printed((entry & 0xffff) as u16);
            }
            let number = (entry & !INPUT_TOKEN) as usize;
            let start = if number == 0 {
                0
            } else {
                tokens[number - 1].end as usize
            };
            &self.word[start..tokens[number].end as usize]
        });
        Analysis::new(symbols, weight)
    }
}

/// Lengths of buffers stay far below 2^32: each step adds at most one item, and steps are limited.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
