//! Translation memories (TMX 1.4): one unit per entry, inline markup left out.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::decode::{DecodedRead, Learnt, TextProblem};
use super::{ImportOptions, Intake};
use crate::corpus::read::{MAX_TEXT_BYTES, Outline, Target};
use crate::diagnostic::{Diagnostic, Place};

mod languages;
mod unit;

use unit::Parser;

/// Rule cited for what is no well-formed XML.
const XML: &str = "XML 1.0";
/// Deepest nesting of elements.
const MAX_DEPTH: usize = 64;

/// Reads a translation memory; the header and the first unit decide about languages that nothing else states.
pub fn read<R: Read>(
    source: R,
    options: &ImportOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    let (decoded, learnt) = DecodedRead::new(source, options.encoding.as_deref());
    let pieces = Pieces::new(BufReader::new(decoded), Rc::clone(&learnt));
    let mut reader = Reader::from_reader(pieces);
    let mut parser = Parser::default();
    let mut buffer = Vec::new();
    let mut depth = 0_usize;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let line = reader_line(&learnt);
        let step = match event {
            Ok(Event::Eof) => break,
            Ok(event) => {
                match &event {
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth > MAX_DEPTH {
                    Err(format!("elements are nested deeper than {MAX_DEPTH} levels"))
                } else {
                    parser.step(&event, line, &mut intake)
                }
            }
            Err(quick_xml::Error::Io(error)) => {
                let problem = learnt.borrow_mut().problem.take();
                let problem = problem.ok_or_else(|| io::Error::new(error.kind(), error.to_string()))?;
                intake.target.findings.push(problem.diagnostic());
                return Ok(None);
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(message) = step {
            let fix = "correct the file at this place, or export it again";
            let diagnostic = Diagnostic::error("not_xml", XML, Place::line(line), message, fix);
            intake.target.findings.push(diagnostic);
            return Ok(None);
        }
    }
    if depth > 0 || !parser.saw_root() {
        let (check, message) = if parser.saw_root() {
            ("cut_off", "the file ends before its XML does")
        } else {
            (
                "not_tmx",
                "the file is no translation memory: there is no <tmx> element",
            )
        };
        let line = reader_line(&learnt);
        let fix = "copy or export the file again";
        intake
            .target
            .findings
            .push(Diagnostic::error(check, XML, Place::line(line), message, fix));
        return Ok(None);
    }
    parser.finish(&mut intake);
    intake.hasher = learnt.borrow().hasher.clone();
    Ok(Some(intake.finish()))
}

fn reader_line(learnt: &Rc<RefCell<Learnt>>) -> u64 {
    learnt.borrow().line
}

/// Passes decoded bytes on, counts lines as they are consumed and stops at a piece longer than any text.
struct Pieces<R> {
    source: BufReader<DecodedRead<R>>,
    learnt: Rc<RefCell<Learnt>>,
    piece_bytes: usize,
}

/// Longest run of bytes without the start of a tag.
const MAX_PIECE_BYTES: usize = 2 * MAX_TEXT_BYTES;

impl<R: Read> Pieces<R> {
    fn new(source: BufReader<DecodedRead<R>>, learnt: Rc<RefCell<Learnt>>) -> Self {
        learnt.borrow_mut().line = 1;
        Self {
            source,
            learnt,
            piece_bytes: 0,
        }
    }
}

impl<R: Read> Read for Pieces<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Pieces<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.piece_bytes > MAX_PIECE_BYTES {
            let mut learnt = self.learnt.borrow_mut();
            learnt.problem = Some(TextProblem::TooLong {
                line: learnt.line,
                limit: MAX_PIECE_BYTES,
            });
            return Err(io::Error::other("a piece of text is too long"));
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        let consumed = &self.source.buffer()[..amount];
        let lines = consumed
            .iter()
            .fold(0, |sum, &byte| sum + u64::from(byte == b'\n'));
        self.learnt.borrow_mut().line += lines;
        self.piece_bytes = match consumed.iter().rposition(|&byte| byte == b'<') {
            Some(last) => amount - last,
            None => self.piece_bytes + amount,
        };
        self.source.consume(amount);
    }
}
