//! Tables in text: CSV as spreadsheets write it (comma or semicolon, quoted), TSV line by line without quoting.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use super::columns::Columns;
use super::decode::{DecodedRead, TextProblem};
use super::lines::Lines;
use super::{ImportOptions, Intake};
use crate::corpus::read::{MAX_TEXT_BYTES, Outline, Target};
use crate::counted;
use crate::diagnostic::Place;

/// Columns of the widest table.
const MAX_COLUMNS: usize = 1_000;
/// Longest row, line breaks inside quoted cells included.
const MAX_ROW_BYTES: usize = 4 * MAX_TEXT_BYTES;

/// Reads tab-separated lines: quotation marks are text, and nothing but LF and CRLF ends a row (decision 4).
pub fn read_tsv<R: Read>(
    source: R,
    options: &ImportOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    let mut lines = Lines::new(source, options.encoding.as_deref());
    let mut columns: Option<Columns> = None;
    let mut quoted_rows = (0_u64, 0_u64);
    loop {
        let (number, line) = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                let problem = lines.take_problem().ok_or(error)?;
                intake.target.findings.push(problem.diagnostic());
                return Ok(None);
            }
        };
        if line.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').take(MAX_COLUMNS).collect();
        let Some(columns) = &columns else {
            let header: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
            columns = Columns::read(&header, number, &mut intake);
            if columns.is_none() {
                return Ok(None);
            }
            continue;
        };
        if cells.iter().any(|cell| {
            cell.len() > 2 && cell.starts_with('"') && cell.ends_with('"') && cell.contains("\"\"")
        }) {
            quoted_rows = (
                quoted_rows.0 + 1,
                if quoted_rows.0 == 0 { number } else { quoted_rows.1 },
            );
        }
        check_width(cells.len(), columns, number, &mut intake);
        columns.row(cells.into_iter().map(Value::from), number, &mut intake);
    }
    if quoted_rows.0 > 0 {
        let rows = counted(quoted_rows.0, "row holds", "rows hold");
        let message = format!("{rows} cells quoted as spreadsheets do");
        let fix = "TSV has no quoting here: save as CSV if the quotation marks are not part of the text";
        intake.warning("quoted_cells", Place::line(quoted_rows.1), (message, fix));
    }
    if columns.is_none() {
        intake.error(
            "empty_file",
            Place::default(),
            ("the file is empty".to_owned(), "give a file with a header line"),
        );
    }
    intake.hasher = lines.hasher();
    Ok(Some(intake.finish()))
}

fn check_width(cells: usize, columns: &Columns, line: u64, intake: &mut Intake<'_, '_>) {
    if cells > columns.len() {
        let cells = counted(cells as u64, "cell", "cells");
        let message = format!("the row has {cells}, the header {}", columns.len());
        let fix = "remove the separator inside a text, or quote the text in CSV";
        intake.error("too_many_cells", Place::line(line), (message, fix));
    }
}

/// Reads comma- or semicolon-separated values; the header decides which, and Excel's `sep=;` line is understood.
pub fn read_csv<R: Read>(
    source: R,
    options: &ImportOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    let (decoded, learnt) = DecodedRead::new(source, options.encoding.as_deref());
    let mut decoded = BufReader::new(decoded);
    let mut head = Vec::new();
    let sniffed = (&mut decoded)
        .take(MAX_ROW_BYTES as u64)
        .read_until(b'\n', &mut head);
    let mut reader = sniffed.map(|_| {
        let (delimiter, first_line) = delimiter(&mut head);
        let reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(Rows::new(io::Cursor::new(head).chain(decoded)));
        (reader, first_line)
    });
    let read = match &mut reader {
        Ok((reader, first_line)) => read_records(reader, *first_line, &mut intake),
        Err(error) => Err(io::Error::other(error.to_string())),
    };
    let last_line = match read {
        Ok(Some(last_line)) => last_line,
        Ok(None) => return Ok(None),
        Err(error) => {
            let rows = reader.ok().and_then(|(reader, _)| reader.into_inner().problem);
            let problem = learnt.borrow_mut().problem.take().or(rows).ok_or(error)?;
            intake.target.findings.push(problem.diagnostic());
            return Ok(None);
        }
    };
    if reader.is_ok_and(|(reader, _)| reader.into_inner().open) {
        let message =
            "a quotation mark is never closed: the last row swallows the rest of the file".to_owned();
        let fix = "close it, and double quotation marks inside a quoted cell";
        intake.error("open_quotation", Place::line(last_line), (message, fix));
    }
    intake.hasher = learnt.borrow().hasher.clone();
    Ok(Some(intake.finish()))
}

/// Reads header and rows; returns the line of the last row, or `None` if the header is unusable.
fn read_records<R: Read>(
    reader: &mut csv::Reader<R>,
    first_line: u64,
    intake: &mut Intake<'_, '_>,
) -> io::Result<Option<u64>> {
    let mut record = csv::StringRecord::new();
    let mut columns: Option<Columns> = None;
    let mut line = 0;
    while reader.read_record(&mut record).map_err(io::Error::other)? {
        line = record.position().map_or(0, csv::Position::line) + first_line - 1;
        let Some(columns) = &columns else {
            let header: Vec<String> = record.iter().take(MAX_COLUMNS).map(str::to_owned).collect();
            columns = Columns::read(&header, line, intake);
            if columns.is_none() {
                return Ok(None);
            }
            continue;
        };
        check_width(record.len(), columns, line, intake);
        columns.row(record.iter().map(Value::from), line, intake);
    }
    if columns.is_none() {
        intake.error(
            "empty_file",
            Place::default(),
            ("the file is empty".to_owned(), "give a file with a header line"),
        );
    }
    Ok(Some(line))
}

/// Returns the delimiter of a file by its first line and the number of the line its header stands on.
fn delimiter(first: &mut Vec<u8>) -> (u8, u64) {
    let line = first.trim_ascii();
    if let Some(&[mark]) = line.strip_prefix(b"sep=") {
        first.clear();
        return (mark, 2);
    }
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for &byte in line {
        if byte == b'"' {
            quoted = !quoted;
        }
        for (mark, count) in &mut counts {
            *count += u32::from(!quoted && byte == *mark);
        }
    }
    let best = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    (best.map_or(b',', |(mark, _)| mark), 1)
}

/// Passes bytes on and watches the quotation marks: a row longer than any text ends the reading.
struct Rows<R> {
    source: R,
    open: bool,
    row_bytes: usize,
    line: u64,
    problem: Option<TextProblem>,
}

impl<R> Rows<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            open: false,
            row_bytes: 0,
            line: 1,
            problem: None,
        }
    }
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        for &byte in &buffer[..read] {
            match byte {
                b'"' => self.open = !self.open,
                b'\n' if !self.open => (self.row_bytes, self.line) = (0, self.line + 1),
                b'\n' => self.line += 1,
                _ => {}
            }
            self.row_bytes += 1;
            if self.row_bytes > MAX_ROW_BYTES {
                self.problem = Some(TextProblem::TooLong {
                    line: self.line,
                    limit: MAX_ROW_BYTES,
                });
                return Err(io::Error::other("the row is too long"));
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_decides_about_the_delimiter() {
        let find = |line: &str| delimiter(&mut line.as_bytes().to_vec());
        assert_eq!(find("id;source;reference\r\n"), (b';', 1));
        assert_eq!(find("id,source,reference"), (b',', 1));
        assert_eq!(find("\"a;b;c\",d"), (b',', 1));
        assert_eq!(find("id\tsource,x\treference"), (b'\t', 1));
        assert_eq!(find("sep=;\r\n"), (b';', 2));
        assert_eq!(find("source"), (b',', 1));
    }
}
