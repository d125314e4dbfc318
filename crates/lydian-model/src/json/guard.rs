//! Bytes on their way to the JSON parser: hashed, counted, and checked for encoding, string length and depth.

use std::cell::RefCell;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::Sha256Hex;
use crate::foreign::{Foreign, foreign};

const CHUNK_BYTES: usize = 64 * 1024;
/// Longest incomplete UTF-8 sequence that waits for its rest.
const MAX_TAIL: usize = 3;

/// What a document may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Deepest nesting.
    pub(crate) depth: usize,
    /// Longest string literal in bytes.
    pub(crate) string_bytes: usize,
}

/// Why no more bytes were handed to the parser.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The source failed.
    Io(io::Error),
    /// A byte that is no UTF-8.
    NotUtf8 {
        /// The byte.
        byte: u8,
    },
    /// The file ends inside a character.
    CutCharacter,
    /// The file is something else, such as UTF-16.
    Foreign(Foreign),
    /// A string literal is longer than the limit.
    StringTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// Arrays and objects are nested deeper than the limit.
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

/// One-based line and column (in characters) of a byte; column 0 is the line break before the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Line.
    pub(crate) line: u64,
    /// Column.
    pub(crate) column: u64,
}

/// A reader whose state can be asked while a parser owns the reading end.
pub(crate) struct Guard<R> {
    state: RefCell<State<R>>,
}

/// The end of a [`Guard`] that the parser reads from.
pub(crate) struct GuardedRead<'guard, R>(&'guard RefCell<State<R>>);

struct State<R> {
    source: R,
    chunk: Vec<u8>,
    /// Next byte to hand out.
    next: usize,
    /// End of the checked bytes.
    checked: usize,
    /// End of the bytes that were read.
    filled: usize,
    hasher: Sha256,
    started: bool,
    ended: bool,
    byte_order_mark: bool,
    stop: Option<Stop>,
    lexer: Lexer,
    limits: Limits,
    counter: Counter,
}

#[derive(Default)]
struct Lexer {
    in_string: bool,
    escaped: bool,
    string_bytes: usize,
    depth: usize,
}

/// Counts lines and columns up to `mark`, an offset in the chunk.
struct Counter {
    mark: usize,
    line: u64,
    column: u64,
}

impl<R: Read> Guard<R> {
    pub(crate) fn new(source: R, limits: Limits) -> Self {
        Self::with_chunk(source, limits, CHUNK_BYTES)
    }

    fn with_chunk(source: R, limits: Limits, chunk_bytes: usize) -> Self {
        Self {
            state: RefCell::new(State {
                source,
                chunk: vec![0; chunk_bytes],
                next: 0,
                checked: 0,
                filled: 0,
                hasher: Sha256::new(),
                started: false,
                ended: false,
                byte_order_mark: false,
                stop: None,
                lexer: Lexer::default(),
                limits,
                counter: Counter {
                    mark: 0,
                    line: 1,
                    column: 0,
                },
            }),
        }
    }

    /// Returns the end to parse from.
    pub(crate) fn reader(&self) -> GuardedRead<'_, R> {
        GuardedRead(&self.state)
    }

    /// Returns the place of the byte handed out last.
    pub(crate) fn position(&self) -> Position {
        let mut state = self.state.borrow_mut();
        let next = state.next;
        state.count_to(next);
        Position {
            line: state.counter.line,
            column: state.counter.column,
        }
    }

    /// Says whether the file starts with a byte order mark.
    pub(crate) fn has_byte_order_mark(&self) -> bool {
        self.state.borrow().byte_order_mark
    }

    /// Returns why reading stopped, if it did so before the end.
    pub(crate) fn take_stop(&self) -> Option<Stop> {
        self.state.borrow_mut().stop.take()
    }

    /// Says whether the bytes handed out so far end inside a string literal.
    pub(crate) fn ends_in_string(&self) -> bool {
        self.state.borrow().lexer.in_string
    }

    /// Returns the word around the byte handed out last, such as `NaN`.
    pub(crate) fn word_here(&self) -> String {
        let state = self.state.borrow();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._'/#".contains(byte);
        let at = state.next.saturating_sub(1).min(state.checked);
        let before = state.chunk[..at]
            .iter()
            .rev()
            .take(24)
            .take_while(|b| is_word(b))
            .count();
        let after = state.chunk[at..state.checked]
            .iter()
            .take(24)
            .take_while(|b| is_word(b))
            .count();
        String::from_utf8_lossy(&state.chunk[at - before..at + after]).into_owned()
    }

    /// Returns the line around the byte handed out last, as far as it is at hand.
    pub(crate) fn line_here(&self) -> String {
        const MOST: usize = 2_000;
        let state = self.state.borrow();
        let at = state.next.saturating_sub(1).min(state.checked);
        let begin = state.chunk[..at]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |line_feed| line_feed + 1)
            .max(at.saturating_sub(MOST));
        let rest = &state.chunk[at..state.checked.min(at + MOST)];
        let end = at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        String::from_utf8_lossy(&state.chunk[begin..end]).into_owned()
    }

    /// Returns the digest of all bytes; call it after the parser has reached the end.
    pub(crate) fn sha256(&self) -> Sha256Hex {
        Sha256Hex::from_digest(&self.state.borrow().hasher.clone().finalize())
    }
}

impl<'bytes> Guard<&'bytes [u8]> {
    /// Returns a guard over bytes in memory, with a buffer no larger than they need.
    pub(crate) fn over(bytes: &'bytes [u8], limits: Limits) -> Self {
        let needed = bytes.len() + MAX_TAIL + 1;
        Self::with_chunk(bytes, limits, needed.min(CHUNK_BYTES))
    }
}

impl<R: Read> State<R> {
    fn count_to(&mut self, offset: usize) {
        let bytes = &self.chunk[self.counter.mark..offset];
        let counter = &mut self.counter;
        if let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n') {
            counter.line += bytes[..=last]
                .iter()
                .fold(0, |sum, &byte| sum + u64::from(byte == b'\n'));
            counter.column = characters(&bytes[last + 1..]);
        } else {
            counter.column += characters(bytes);
        }
        counter.mark = offset;
    }

    /// Reads and checks more bytes, all of which have been handed out.
    fn refill(&mut self) {
        let checked = self.checked;
        self.count_to(checked);
        let tail = self.filled - self.checked;
        self.chunk.copy_within(self.checked..self.filled, 0);
        (self.next, self.checked, self.filled, self.counter.mark) = (0, 0, tail, 0);
        let read = match self.read_some() {
            Ok(read) => read,
            Err(error) => {
                self.stop = Some(Stop::Io(error));
                return;
            }
        };
        self.hasher.update(&self.chunk[tail..tail + read]);
        self.filled += read;
        self.ended = read == 0;
        if !self.started && !self.start() {
            return;
        }
        self.check_encoding();
        self.check_lexically();
    }

    /// Returns the number of bytes read; the first bytes decide about the encoding and are waited for.
    fn read_some(&mut self) -> io::Result<usize> {
        let mut total = 0;
        loop {
            match self.source.read(&mut self.chunk[self.filled + total..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(0) => return Ok(total),
                Ok(read) => {
                    total += read;
                    if self.started || total >= 4 {
                        return Ok(total);
                    }
                }
            }
        }
    }

    fn start(&mut self) -> bool {
        self.started = true;
        let bytes = &self.chunk[..self.filled];
        if let Some(foreign) = foreign(bytes) {
            self.stop = Some(Stop::Foreign(foreign));
            return false;
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            self.byte_order_mark = true;
            self.next = 3;
            self.counter.mark = 3;
        }
        true
    }

    fn check_encoding(&mut self) {
        let from = self.next;
        match std::str::from_utf8(&self.chunk[from..self.filled]) {
            Ok(_) => self.checked = self.filled,
            Err(error) => {
                self.checked = from + error.valid_up_to();
                if error.error_len().is_some() || self.filled - self.checked > MAX_TAIL {
                    self.stop = Some(Stop::NotUtf8 {
                        byte: self.chunk[self.checked],
                    });
                } else if self.ended {
                    self.stop = Some(Stop::CutCharacter);
                }
            }
        }
    }

    fn check_lexically(&mut self) {
        for offset in self.next..self.checked {
            if let Some(stop) = self.lexer.step(self.chunk[offset], self.limits) {
                self.checked = offset;
                self.stop = Some(stop);
                return;
            }
        }
    }
}

impl Lexer {
    fn step(&mut self, byte: u8, limits: Limits) -> Option<Stop> {
        if self.in_string {
            self.string_bytes += 1;
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
            } else if self.string_bytes > limits.string_bytes {
                return Some(Stop::StringTooLong {
                    limit: limits.string_bytes,
                });
            }
            return None;
        }
        match byte {
            b'"' => (self.in_string, self.string_bytes) = (true, 0),
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth > limits.depth {
                    return Some(Stop::TooDeep { limit: limits.depth });
                }
            }
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        None
    }
}

impl<R: Read> Read for GuardedRead<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.borrow_mut();
        if state.next == state.checked {
            while state.next == state.checked && state.stop.is_none() && !state.ended {
                state.refill();
            }
            if state.next == state.checked {
                return match state.stop {
                    Some(_) => Err(io::Error::other("reading stopped")),
                    None => Ok(0),
                };
            }
        }
        let length = buffer.len().min(state.checked - state.next);
        let from = state.next;
        buffer[..length].copy_from_slice(&state.chunk[from..from + length]);
        state.next += length;
        Ok(length)
    }
}

fn characters(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |sum, &byte| sum + u64::from(byte & 0xC0 != 0x80))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        depth: 4,
        string_bytes: 10,
    };

    /// Hands out one byte per call, the worst case of a pipe.
    struct Drip<'bytes>(&'bytes [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            buffer[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn drain(bytes: &[u8]) -> (Vec<u8>, Option<Stop>, Position) {
        let guard = Guard::new(Drip(bytes), LIMITS);
        let mut out = Vec::new();
        let mut reader = guard.reader();
        let mut one = [0];
        while let Ok(1) = reader.read(&mut one) {
            out.push(one[0]);
        }
        let stop = guard.take_stop();
        (out, stop, guard.position())
    }

    #[test]
    fn characters_cut_by_the_chunk_border_pass() {
        let text = "{\"ä\": \"漢字😀\"}";
        let (out, stop, _) = drain(text.as_bytes());
        assert_eq!(out, text.as_bytes());
        assert!(stop.is_none());
    }

    #[test]
    fn the_byte_that_is_not_utf8_is_named_with_line_and_column() {
        let (out, stop, position) = drain(b"{\n\"\xC3\xA4\xC3\xA4\xFF\"}");
        assert_eq!(out, "{\n\"ää".as_bytes());
        assert!(matches!(stop, Some(Stop::NotUtf8 { byte: 0xFF })));
        assert_eq!(position, Position { line: 2, column: 3 });
    }

    #[test]
    fn a_file_that_ends_inside_a_character_is_cut() {
        assert!(matches!(drain(b"\"\xE6\xBC").1, Some(Stop::CutCharacter)));
    }

    #[test]
    fn limits_stop_long_strings_and_deep_nesting() {
        assert!(matches!(
            drain(b"\"0123456789A\"").1,
            Some(Stop::StringTooLong { limit: 10 })
        ));
        assert!(drain(b"\"0123456789\"").1.is_none());
        assert!(matches!(drain(b"[[[[[").1, Some(Stop::TooDeep { limit: 4 })));
        assert!(drain(b"[[[[]]]]\"[[[[[\"").1.is_none());
    }

    #[test]
    fn the_mark_is_hashed_but_not_handed_out() {
        let bytes = b"\xEF\xBB\xBF[]";
        let guard = Guard::new(&bytes[..], LIMITS);
        let mut out = String::new();
        guard.reader().read_to_string(&mut out).unwrap();
        assert_eq!(out, "[]");
        assert!(guard.has_byte_order_mark());
        assert_eq!(guard.sha256(), Sha256Hex::of(bytes));
    }
}
