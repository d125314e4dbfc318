//! The search for the paths of a word, on a stack of its own so that no input can exhaust the thread's.
use crate::alphabet::{EPSILON, Token, TokenSymbol};
use crate::flags::{Registers, Undo};
use crate::lookup::{Analysis, Limit, Limits};
use crate::tables::{Arc, TRANSITIONS_FROM};
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
    /// States with arcs that read nothing, since the last token that was read, start here in `run`.
    run_start: u32,
    run_end: u32,
    weight: f32,
}

/// The rows from `row` on that read `symbol` (or nothing, for [`EPSILON`]) are to be followed.
#[derive(Clone, Copy)]
struct Step {
    row: u32,
    symbol: u16,
    after: Place,
}

/// Work that is still to do.
enum Pending {
    Follow(Step),
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
        if self.analyses.len() < 2 {
            return;
        }
        self.analyses.sort_by(Analysis::order);
        self.analyses.dedup();
    }
}

impl Parts<'_> {
    /// Returns a row if it reads `symbol`, or nothing where that is [`EPSILON`].
    #[inline]
    fn arc_for(&self, row: u32, symbol: u16) -> Option<Arc> {
        let arc = self.tables.arc(row)?;
        let reads = arc.input == symbol || (symbol == EPSILON && self.alphabet.flag(arc.input).is_some());
        reads.then_some(arc)
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
        let mut next = self.visit(0, start);
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
            let Step { row, symbol, after } = match next.take() {
                Some(step) => step,
                None => match self.scratch.pending.pop() {
                    None => break,
                    Some(Pending::Restore(undo)) => {
                        self.scratch.registers.undo(undo);
                        continue;
                    }
                    Some(Pending::Follow(step)) => step,
                },
            };
            let Some(arc) = self.parts.arc_for(row, symbol) else {
                continue;
            };
            // The next row lies beside this one: looking at it now is cheaper than coming back for it.
            if self.parts.arc_for(row + 1, symbol).is_some() {
                let row = row + 1;
                self.scratch
                    .pending
                    .push(Pending::Follow(Step { row, symbol, after }));
            }
            steps += 1 + ((after.run_end - after.run_start) as usize >> 4);
            if steps > self.limits.steps {
                self.found.limit = Some(Limit::Steps);
                break;
            }
            next = self.follow(arc, symbol, after);
        }
        self.found.tidy();
        if self.found.analyses.len() > self.limits.analyses {
            self.found.analyses.truncate(self.limits.analyses);
            self.found.limit = Some(Limit::Analyses);
        }
        self.found
    }

    /// Follows one arc; returns what is to be followed first from where it leads.
    fn follow(&mut self, arc: Arc, symbol: u16, mut place: Place) -> Option<Step> {
        if !self.excluded.is_empty() && self.excluded.binary_search(&arc.output).is_ok() {
            return None;
        }
        self.scratch.written.truncate(place.written as usize);
        self.scratch.run.truncate(place.run_end as usize);
        if symbol == EPSILON {
            let undo = match self.parts.alphabet.flag(arc.input) {
                None => None,
                Some(flag) => match self.scratch.registers.apply(flag) {
                    None => return None,
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
                return None;
            }
            if let Some(undo) = undo {
                self.scratch.pending.push(Pending::Restore(undo));
            }
        }
        if self.scratch.run.len() > self.limits.depth {
            self.found.limit = Some(Limit::Depth);
            return None;
        }
        if self.aim == Aim::All {
            self.write(arc.output, place.position);
            place.written = number(self.scratch.written.len());
            place.weight += arc.weight;
        }
        self.visit(arc.target, place)
    }

    fn write(&mut self, output: u16, position: u32) {
        if self.parts.alphabet.is_plain(output) {
            self.scratch.written.push(u32::from(output));
        } else if self.parts.alphabet.stands_for_others(output) && position > 0 {
            self.scratch.written.push(INPUT_TOKEN | (position - 1));
        }
    }

    /// Arrives in a state: notes an analysis where it ends the word, and lists what can be followed; the last of the list
    /// is returned instead, since it would be taken up at once.
    #[expect(
        clippy::inline_always,
        reason = "returned through memory, a step is written in pieces and read as a whole, for which processors wait"
    )]
    #[inline(always)]
    fn visit(&mut self, state: u32, place: Place) -> Option<Step> {
        let Parts { alphabet, tables } = *self.parts;
        let mut here = place;
        let mut next = None;
        if let Some(row) = self.rows(state, EPSILON) {
            // Only states with arcs that read nothing can lie on a loop that reads nothing.
            let mark = (state, self.scratch.registers.fingerprint());
            self.scratch.run.push(mark);
            here.run_end = number(self.scratch.run.len());
            next = Some(Step {
                row,
                symbol: EPSILON,
                after: here,
            });
        }
        let Some(token) = self.scratch.tokens.get(place.position as usize) else {
            if let Some(weight) = tables.final_weight(state) {
                self.found.any = true;
                if self.aim == Aim::All {
                    self.found.analyses.push(self.analysis(
                        &self.scratch.written,
                        &self.scratch.tokens,
                        here.weight + weight,
                    ));
                }
            }
            return next;
        };
        let after = Place {
            position: place.position + 1,
            run_start: here.run_end,
            ..here
        };
        // Spelt out: over a list of optional symbols the compiler makes hundreds of instructions.
        match token.symbol {
            TokenSymbol::Known(symbol) => self.offer(state, symbol, after, &mut next),
            TokenSymbol::Outside => {
                if let Some(symbol) = alphabet.identity {
                    self.offer(state, symbol, after, &mut next);
                }
                if let Some(symbol) = alphabet.unknown {
                    self.offer(state, symbol, after, &mut next);
                }
            }
        }
        if let Some(symbol) = alphabet.default
            && next.is_none()
            && let Some(row) = self.rows(state, symbol)
        {
            next = Some(Step { row, symbol, after });
        }
        next
    }

    /// Makes the rows of a state that read `symbol` the next to be followed, and puts aside what was next before.
    #[inline]
    fn offer(&mut self, state: u32, symbol: u16, after: Place, next: &mut Option<Step>) {
        if let Some(row) = self.rows(state, symbol)
            && let Some(earlier) = next.replace(Step { row, symbol, after })
        {
            self.scratch.pending.push(Pending::Follow(earlier));
        }
    }

    /// The first row of a state that reads `symbol`. The row behind an index is looked at when it is followed.
    #[inline]
    fn rows(&self, state: u32, symbol: u16) -> Option<u32> {
        if state < TRANSITIONS_FROM {
            return self.parts.tables.arcs_of(state, symbol);
        }
        let row = (state - TRANSITIONS_FROM).checked_add(1)?;
        self.parts.arc_for(row, symbol).map(|_| row)
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
