//! Lines that end at LF or CRLF and nowhere else (decision 4).

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use super::decode::{DecodedRead, Learnt, TextProblem};
use crate::corpus::read::MAX_TEXT_BYTES;

/// Longest line: a source, a reference and some fields.
const MAX_LINE_BYTES: usize = 4 * MAX_TEXT_BYTES;

/// The lines of a file in any encoding.
pub(super) struct Lines<R> {
    source: BufReader<DecodedRead<R>>,
    learnt: Rc<RefCell<Learnt>>,
    buffer: Vec<u8>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(source: R, encoding: Option<&str>) -> Self {
        let (decoded, learnt) = DecodedRead::new(source, encoding);
        Self {
            source: BufReader::new(decoded),
            learnt,
            buffer: Vec::new(),
            number: 0,
        }
    }

    /// Returns the next line without its end and its one-based number.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, &str)>> {
        self.buffer.clear();
        let limit = MAX_LINE_BYTES as u64;
        let read = (&mut self.source)
            .take(limit)
            .read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            if self.buffer.last() == Some(&b'\r') {
                self.buffer.pop();
            }
        } else if read as u64 == limit {
            self.learnt.borrow_mut().problem = Some(TextProblem::TooLong {
                line: self.number,
                limit: MAX_LINE_BYTES,
            });
            return Err(io::Error::other("the line is too long"));
        }
        let line = std::str::from_utf8(&self.buffer).map_err(io::Error::other)?;
        Ok(Some((self.number, line)))
    }

    /// Returns why reading stopped, if the text was to blame.
    pub(super) fn take_problem(&self) -> Option<TextProblem> {
        self.learnt.borrow_mut().problem.take()
    }

    /// Returns the digest state over the raw bytes.
    pub(super) fn hasher(&self) -> sha2::Sha256 {
        self.learnt.borrow().hasher.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes, None);
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next().unwrap() {
            all.push(format!("{number}:{line}"));
        }
        all
    }

    #[test]
    fn only_line_feeds_end_lines() {
        assert_eq!(
            lines("a\r\nb\u{2028}c\u{85}d\u{B}e\u{C}f\rg\n\nh".as_bytes()),
            ["1:a", "2:b\u{2028}c\u{85}d\u{B}e\u{C}f\rg", "3:", "4:h"]
        );
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), ["1:"]);
    }

    #[test]
    fn an_endless_line_stops() {
        let mut lines = Lines::new(io::repeat(b'x'), None);
        assert!(lines.next().is_err());
        assert!(matches!(
            lines.take_problem(),
            Some(TextProblem::TooLong { line: 1, .. })
        ));
    }
}
