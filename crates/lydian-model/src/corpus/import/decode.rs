//! Text of any encoding as UTF-8: byte order marks decide, a label may say more, bad bytes stop with their place.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use sha2::{Digest, Sha256};

use super::RULE;
use crate::diagnostic::{Diagnostic, Place};
use crate::foreign::{Foreign, foreign};

const CHUNK_BYTES: usize = 32 * 1024;

/// Why text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextProblem {
    /// Nobody knows an encoding of this name.
    UnknownEncoding(String),
    /// The bytes do not fit the encoding.
    BadBytes {
        encoding: &'static str,
        line: u64,
        column: u64,
    },
    /// The file is something else.
    Foreign(Foreign),
    /// A line or value is longer than any text.
    TooLong { line: u64, limit: usize },
}

impl TextProblem {
    pub(super) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::UnknownEncoding(label) => Diagnostic::error(
                "unknown_encoding",
                RULE,
                Place::default(),
                format!("there is no encoding {label:?}"),
                "use a name such as utf-8, utf-16le or windows-1252",
            ),
            Self::BadBytes {
                encoding,
                line,
                column,
            } => Diagnostic::error(
                "not_text",
                RULE,
                Place {
                    line: Some(*line),
                    column: Some(*column),
                    ..Place::default()
                },
                format!("the bytes are not valid {encoding}"),
                "save the file as UTF-8, or name its encoding with --encoding",
            ),
            Self::Foreign(foreign) => Diagnostic::error(
                "not_text",
                RULE,
                Place::line(1),
                format!("the file is {}", foreign.what),
                foreign.remedy,
            ),
            Self::TooLong { line, limit } => Diagnostic::error(
                "line_too_long",
                RULE,
                Place::line(*line),
                format!("the line is longer than {limit} bytes"),
                "check that lines end with line feeds and quotation marks are closed",
            ),
        }
    }
}

/// What a [`DecodedRead`] learnt, shared with its owner while a parser has the reader.
#[derive(Default)]
pub(super) struct Learnt {
    /// Why reading stopped early.
    pub(super) problem: Option<TextProblem>,
    /// Digest state over the raw bytes.
    pub(super) hasher: Sha256,
    /// Line of the byte a parser consumed last, for parsers that do not count lines.
    pub(super) line: u64,
}

/// Hands out UTF-8.
pub(super) struct DecodedRead<R> {
    source: R,
    decoder: Option<Decoder>,
    label: Option<String>,
    raw: Vec<u8>,
    raw_start: usize,
    ended: bool,
    finished: bool,
    out: Vec<u8>,
    out_start: usize,
    out_end: usize,
    line: u64,
    column: u64,
    learnt: Rc<RefCell<Learnt>>,
}

impl<R: Read> DecodedRead<R> {
    pub(super) fn new(source: R, label: Option<&str>) -> (Self, Rc<RefCell<Learnt>>) {
        let learnt = Rc::new(RefCell::new(Learnt::default()));
        let reader = Self {
            source,
            decoder: None,
            label: label.map(str::to_owned),
            raw: Vec::new(),
            raw_start: 0,
            ended: false,
            finished: false,
            // Three bytes of UTF-8 for two of UTF-16.
            out: vec![0; 2 * CHUNK_BYTES],
            out_start: 0,
            out_end: 0,
            line: 1,
            column: 0,
            learnt: Rc::clone(&learnt),
        };
        (reader, learnt)
    }

    fn stop<T>(&self, problem: TextProblem) -> io::Result<T> {
        self.learnt.borrow_mut().problem = Some(problem);
        Err(io::Error::other("the file is not text"))
    }

    fn read_raw(&mut self) -> io::Result<()> {
        self.raw.drain(..self.raw_start);
        self.raw_start = 0;
        let filled = self.raw.len();
        self.raw.resize(filled + CHUNK_BYTES, 0);
        let read = loop {
            match self.source.read(&mut self.raw[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        self.raw.truncate(filled + *read.as_ref().unwrap_or(&0));
        let read = read?;
        self.learnt.borrow_mut().hasher.update(&self.raw[filled..]);
        self.ended = read == 0;
        Ok(())
    }

    /// Chooses the encoding from the first bytes.
    fn start(&mut self) -> io::Result<()> {
        // Four bytes tell the Unicode forms apart; an XML declaration is waited for.
        while !self.ended && (self.raw.len() < 5 || (self.raw.starts_with(b"<?xml") && self.raw.len() < 200))
        {
            self.read_raw()?;
        }
        let (encoding, mark) = match &self.label {
            Some(label) => match Encoding::for_label(label.trim().as_bytes()) {
                Some(encoding) => (
                    encoding,
                    Encoding::for_bom(&self.raw).map_or(0, |(_, length)| length),
                ),
                None => return self.stop(TextProblem::UnknownEncoding(label.clone())),
            },
            None => match (Encoding::for_bom(&self.raw), &self.raw[..]) {
                (Some((encoding, length)), _) => (encoding, length),
                (None, [first, 0, ..]) if *first != 0 => (UTF_16LE, 0),
                (None, [0, second, ..]) if *second != 0 => (UTF_16BE, 0),
                (None, bytes) => {
                    if let Some(foreign) = foreign(bytes) {
                        return self.stop(TextProblem::Foreign(foreign));
                    }
                    (declared_encoding(bytes).unwrap_or(UTF_8), 0)
                }
            },
        };
        self.raw_start = mark;
        self.decoder = Some(encoding.new_decoder_without_bom_handling());
        Ok(())
    }

    /// Decodes the next piece into `out`; leaves it empty at the end.
    fn refill(&mut self) -> io::Result<()> {
        if self.decoder.is_none() {
            self.start()?;
        }
        (self.out_start, self.out_end) = (0, 0);
        while self.out_end == 0 && !self.finished {
            if self.raw_start == self.raw.len() && !self.ended {
                self.read_raw()?;
            }
            let decoder = self.decoder.as_mut().expect("start() sets the decoder or fails");
            let encoding = decoder.encoding().name();
            let raw = &self.raw[self.raw_start..];
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(raw, &mut self.out, self.ended);
            self.raw_start += read;
            self.out_end = written;
            self.count(written);
            match result {
                DecoderResult::Malformed(..) => {
                    return self.stop(TextProblem::BadBytes {
                        encoding,
                        line: self.line,
                        column: self.column + 1,
                    });
                }
                DecoderResult::InputEmpty => self.finished = self.ended,
                DecoderResult::OutputFull => {}
            }
        }
        Ok(())
    }

    fn count(&mut self, written: usize) {
        let bytes = &self.out[..written];
        let characters = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |sum, &byte| sum + u64::from(byte & 0xC0 != 0x80))
        };
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => {
                self.line += bytes.iter().fold(0, |sum, &byte| sum + u64::from(byte == b'\n'));
                self.column = characters(&bytes[last + 1..]);
            }
            None => self.column += characters(bytes),
        }
    }
}

/// Returns the encoding that an XML declaration names, if its bytes can be of that encoding.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let end = declaration.windows(2).position(|pair| pair == b"?>")?;
    let declaration = std::str::from_utf8(&declaration[..end]).ok()?;
    let value = declaration
        .split_once("encoding")?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|mark| ['"', '\''].contains(mark))?;
    let label = value[1..].split(quote).next()?;
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

impl<R: Read> Read for DecodedRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.out_start == self.out_end {
            self.refill()?;
        }
        let length = buffer.len().min(self.out_end - self.out_start);
        buffer[..length].copy_from_slice(&self.out[self.out_start..self.out_start + length]);
        self.out_start += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sha256Hex;

    /// Hands out one byte per call.
    struct Drip(Vec<u8>, usize);

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let byte = self.0.get(self.1).copied();
            self.1 += 1;
            Ok(byte.map_or(0, |byte| {
                buffer[0] = byte;
                1
            }))
        }
    }

    fn decode(bytes: &[u8], label: Option<&str>) -> Result<String, TextProblem> {
        let (mut reader, learnt) = DecodedRead::new(Drip(bytes.to_vec(), 0), label);
        let mut text = String::new();
        match reader.read_to_string(&mut text) {
            Ok(_) => {
                assert_eq!(
                    Sha256Hex::from_digest(&learnt.borrow().hasher.clone().finalize()),
                    Sha256Hex::of(bytes)
                );
                Ok(text)
            }
            Err(_) => Err(learnt.borrow_mut().problem.take().expect("a problem")),
        }
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn every_unicode_form_reads_the_same() {
        let text = "id\tsource\r\n1\tolá 漢 😀\n";
        assert_eq!(decode(text.as_bytes(), None).unwrap(), text);
        assert_eq!(decode(format!("\u{FEFF}{text}").as_bytes(), None).unwrap(), text);
        let marked = format!("\u{FEFF}{text}");
        assert_eq!(decode(&utf16(&marked, u16::to_le_bytes), None).unwrap(), text);
        assert_eq!(decode(&utf16(&marked, u16::to_be_bytes), None).unwrap(), text);
        assert_eq!(decode(&utf16(text, u16::to_le_bytes), None).unwrap(), text);
        assert_eq!(decode(&utf16(text, u16::to_be_bytes), None).unwrap(), text);
        assert_eq!(decode(b"", None).unwrap(), "");
        assert_eq!(decode(b"a", None).unwrap(), "a");
    }

    #[test]
    fn a_label_reads_older_encodings() {
        assert_eq!(decode(b"ol\xE1", Some("windows-1252")).unwrap(), "olá");
        assert_eq!(
            decode(b"x", Some("martian")),
            Err(TextProblem::UnknownEncoding("martian".into()))
        );
    }

    #[test]
    fn bad_bytes_are_located() {
        let problem = decode(b"a\nb\xC3\xA4\xE1c", None).unwrap_err();
        let place = TextProblem::BadBytes {
            encoding: "UTF-8",
            line: 2,
            column: 3,
        };
        assert_eq!(problem, place);
        assert!(matches!(decode(b"\xC3", None), Err(TextProblem::BadBytes { .. })));
        assert!(matches!(
            decode(b"PK\x03\x04....", None),
            Err(TextProblem::Foreign(foreign)) if foreign.what.contains("ZIP")
        ));
    }
}
