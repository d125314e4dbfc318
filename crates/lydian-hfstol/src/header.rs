//! The header of a file: which format it is, and how large its tables are.
use crate::error::ReadError;

/// Largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 512 * 1024 * 1024;

const MAGIC: &[u8] = b"HFST\0";
const COUNTS: usize = 2 * 2 + 4 * 4;
const PROPERTIES: usize = 9;

/// The counts that precede symbols and tables, and where the symbols start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) input_symbols: u16,
    pub(crate) symbols: u16,
    pub(crate) index_rows: u32,
    pub(crate) transition_rows: u32,
    pub(crate) weighted: bool,
    /// Offset of the first symbol.
    pub(crate) symbols_at: usize,
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Reads the optional HFST3 header and the counts.
pub(crate) fn parse(bytes: &[u8]) -> Result<Header, ReadError> {
    refuse_other_formats(bytes)?;
    let mut at = 0;
    let mut declared = None;
    if bytes.starts_with(MAGIC) {
        let (weighted, end) = hfst3(bytes)?;
        declared = Some(weighted);
        at = end;
    }
    let end = at + COUNTS + PROPERTIES * 4;
    if bytes.len() < end {
        return Err(match declared {
            None => ReadError::Unrecognised,
            Some(_) => truncated("the table of counts", end - at, bytes.len() - at),
        });
    }
    let half = |offset| u16_at(bytes, at + offset).unwrap_or(0);
    let full = |offset| u32_at(bytes, at + offset).unwrap_or(0);
    let properties: Vec<u32> = (0..PROPERTIES).map(|i| full(COUNTS + i * 4)).collect();
    let header = Header {
        input_symbols: half(0),
        symbols: half(2),
        index_rows: full(4),
        transition_rows: full(8),
        weighted: properties[0] == 1,
        symbols_at: end,
    };
    if let Some(problem) = implausible(&header, &properties) {
        return Err(match declared {
            None => ReadError::Unrecognised,
            Some(_) => ReadError::Damaged(problem.to_owned()),
        });
    }
    match declared {
        Some(weighted) if weighted != header.weighted => Err(ReadError::Damaged(
            "the type in the header and the weight flag contradict each other".to_owned(),
        )),
        _ => Ok(header),
    }
}

pub(crate) fn truncated(part: &'static str, needed: usize, available: usize) -> ReadError {
    ReadError::Truncated {
        part,
        needed: needed as u64,
        available: available as u64,
    }
}

fn implausible(header: &Header, properties: &[u32]) -> Option<&'static str> {
    if properties.iter().any(|p| *p > 1) {
        return Some("a property is neither 0 nor 1");
    }
    if header.symbols == 0 || header.input_symbols > header.symbols {
        return Some("the symbol counts contradict each other");
    }
    (header.index_rows == 0 && header.transition_rows == 0).then_some("both tables are empty")
}

/// Returns whether the type is the weighted one, and the offset after the header.
fn hfst3(bytes: &[u8]) -> Result<(bool, usize), ReadError> {
    let length = usize::from(u16_at(bytes, MAGIC.len()).ok_or(truncated("the header", 8, bytes.len()))?);
    let start = MAGIC.len() + 3;
    let block = bytes
        .get(start..start + length)
        .ok_or_else(|| truncated("the header", length, bytes.len().saturating_sub(start)))?;
    let mut fields = block.split(|b| *b == 0);
    let mut kind: &[u8] = b"";
    while let (Some(key), Some(value)) = (fields.next(), fields.next()) {
        if key == b"type" {
            kind = value;
        }
    }
    match kind {
        b"HFST_OL" => Ok((false, start + length)),
        b"HFST_OLW" => Ok((true, start + length)),
        b"" => Err(ReadError::Damaged(
            "the header names no transducer type".to_owned(),
        )),
        _ => Err(ReadError::OtherFormat {
            format: "an HFST transducer that is not optimised for lookup",
            instead: "convert it with `hfst-fst2fst --format=optimized-lookup-weighted`",
        }),
    }
}

fn refuse_other_formats(bytes: &[u8]) -> Result<(), ReadError> {
    let other = |format, instead| Err(ReadError::OtherFormat { format, instead });
    if crate::archive::is_archive(bytes) {
        return Err(ReadError::SpellerArchive);
    }
    if bytes.starts_with(b"\xffBOX") {
        return other(
            "a box archive (.bhfst)",
            "use the .zhfst or .hfstol file of the same speller",
        );
    }
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return other(
            "a gzip file (a foma transducer or a compressed ATT file)",
            "unpack it and convert it with `hfst-fst2fst --format=optimized-lookup-weighted`",
        );
    }
    if bytes.starts_with(b"##foma-net") {
        return other(
            "a foma transducer",
            "compress it with gzip and convert it with `hfst-fst2fst --format=optimized-lookup-weighted`",
        );
    }
    if looks_like_att(bytes) {
        return other(
            "an ATT text file",
            "compile it with `hfst-txt2fst` and `hfst-fst2fst --format=optimized-lookup-weighted`",
        );
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let what = "the file".to_owned();
        return Err(ReadError::TooLarge {
            what,
            size: bytes.len() as u64,
            limit: MAX_FILE_BYTES,
        });
    }
    Ok(())
}

/// An ATT file starts with a line of state numbers and symbols that tabs separate.
fn looks_like_att(bytes: &[u8]) -> bool {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or(b"");
    let mut fields = line.split(|b| *b == b'\t');
    let is_number = |field: Option<&[u8]>| {
        field.is_some_and(|f| !f.is_empty() && f.len() < 11 && f.iter().all(u8::is_ascii_digit))
    };
    is_number(fields.next()) && is_number(fields.next()) && fields.next().is_some()
}

/// Refuses files whose symbols or rest say that they are more than one plain transducer.
pub(crate) fn refuse_pmatch_and_rest<'s>(
    mut symbols: impl Iterator<Item = &'s str>,
    rest: &[u8],
) -> Result<(), ReadError> {
    if symbols.any(|s| s.starts_with("@PMATCH_")) {
        return Err(ReadError::OtherFormat {
            format: "a pmatch tokeniser (.pmhfst)",
            instead: "use the analyser (.hfstol) it was built from",
        });
    }
    if rest.starts_with(MAGIC) {
        return Err(ReadError::OtherFormat {
            format: "a file of several transducers",
            instead: "split it with `hfst-split` and use the analyser",
        });
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(ReadError::Damaged(format!(
            "{} bytes follow the last table",
            rest.len()
        )))
    }
}
