//! Excel workbooks: the first sheet with a source column, its first row the header.

use std::io::{self, Cursor};

use calamine::{Data, Range, Reader, Xlsx};
use serde_json::{Number, Value};
use sha2::Digest;

use super::columns::Columns;
use super::{ImportOptions, Intake};
use crate::corpus::read::{Outline, Target};
use crate::diagnostic::Place;
use crate::foreign::foreign;
use crate::json::value::quoted;

/// Reads a workbook. Its rows are held in memory: a sheet has at most a million of them.
pub fn read(bytes: &[u8], options: &ImportOptions, target: &mut Target<'_>) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    intake.hasher.update(bytes);
    let mut workbook: Xlsx<Cursor<&[u8]>> = match calamine::open_workbook_from_rs(Cursor::new(bytes)) {
        Ok(workbook) => workbook,
        Err(error) => {
            let (message, fix) = match foreign(bytes) {
                Some(foreign) if !foreign.what.contains("Excel") => (
                    format!("the file is {}, no Excel workbook", foreign.what),
                    foreign.remedy,
                ),
                _ => (
                    format!("the file is no Excel workbook: {error}"),
                    "save it as .xlsx, or as CSV in UTF-8",
                ),
            };
            intake.error("not_a_workbook", Place::default(), (message, fix));
            return Ok(None);
        }
    };
    let Some(sheet) = choose_sheet(&mut workbook, &mut intake) else {
        return Ok(None);
    };
    read_rows(&sheet, &mut intake);
    Ok((!intake.target.findings.has_errors() || intake.next_index > 0).then(|| intake.finish()))
}

/// A rectangle of more cells than this is not held in memory.
const MOST_CELLS: u64 = 100_000_000;

/// Returns the last row and column of a sheet, counted from 0, where the rectangle up to them is too large.
fn far_cell(workbook: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Option<(u32, u32)> {
    let mut cells = workbook.worksheet_cells_reader(sheet).ok()?;
    let (mut row, mut column) = (0, 0);
    while let Ok(Some(cell)) = cells.next_cell() {
        let (at_row, at_column) = cell.get_position();
        (row, column) = (row.max(at_row), column.max(at_column));
    }
    let area = (u64::from(row) + 1) * (u64::from(column) + 1);
    (area > MOST_CELLS).then_some((row, column))
}

fn choose_sheet(workbook: &mut Xlsx<Cursor<&[u8]>>, intake: &mut Intake<'_, '_>) -> Option<Range<Data>> {
    let names = workbook.sheet_names();
    let shown = || {
        names
            .iter()
            .map(|name| quoted(name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(wanted) = &intake.options.sheet
        && !names.contains(wanted)
    {
        let message = format!(
            "there is no sheet {}; the workbook has {}",
            quoted(wanted),
            shown()
        );
        intake.error("no_sheet", Place::default(), (message, "name one of them"));
        return None;
    }
    let candidates: Vec<String> = match &intake.options.sheet {
        Some(wanted) => vec![wanted.clone()],
        None => names.clone(),
    };
    let mut first = None;
    for name in candidates {
        if let Some((row, column)) = far_cell(workbook, &name) {
            let message = format!(
                "the sheet {} has a cell far from the others: row {}, column {}",
                quoted(&name),
                row + 1,
                column + 1
            );
            let fix = "delete what lies beyond the table, or save the table as CSV";
            intake.error("bad_sheet", Place::default(), (message, fix));
            return None;
        }
        let range = match workbook.worksheet_range(&name) {
            Ok(range) => range,
            Err(error) => {
                let message = format!("the sheet {} cannot be read: {error}", quoted(&name));
                intake.error(
                    "bad_sheet",
                    Place::default(),
                    (message, "save the workbook again, or as CSV"),
                );
                return None;
            }
        };
        if range.rows().next().is_some_and(has_source) {
            return Some(range);
        }
        first = first.or(Some(range));
    }
    match first {
        Some(range) if !range.is_empty() => Some(range),
        _ => {
            let words = (
                "the workbook holds no rows".to_owned(),
                "give a sheet with a header row",
            );
            intake.error("empty_file", Place::default(), words);
            None
        }
    }
}

fn has_source(header: &[Data]) -> bool {
    header
        .iter()
        .any(|cell| matches!(cell, Data::String(name) if ["source", "src"].contains(&name.trim().to_lowercase().as_str())))
}

fn read_rows(sheet: &Range<Data>, intake: &mut Intake<'_, '_>) {
    let top = sheet.start().map_or(0, |(row, _)| row);
    let mut rows = sheet.rows().zip(u64::from(top) + 1..);
    let Some((header, line)) = rows.next() else {
        return;
    };
    let header: Vec<String> = header.iter().map(ToString::to_string).collect();
    let Some(columns) = Columns::read(&header, line, intake) else {
        return;
    };
    for (row, line) in rows {
        let cells: Vec<Value> = row.iter().map(|cell| cell_value(cell, line, intake)).collect();
        columns.row(cells.into_iter(), line, intake);
    }
}

/// Returns a cell as JSON; a formula error or a date is no text and is reported.
fn cell_value(cell: &Data, line: u64, intake: &mut Intake<'_, '_>) -> Value {
    let what = match cell {
        Data::Empty => return Value::Null,
        Data::String(text) => return Value::from(text.as_str()),
        Data::Int(number) => return (*number).into(),
        Data::Bool(value) => return Value::Bool(*value),
        Data::Float(number) => return number_value(*number),
        Data::DateTime(_) | Data::DateTimeIso(_) | Data::DurationIso(_) => "a date".to_owned(),
        Data::Error(error) => format!("the error {error}"),
    };
    let message = format!("a cell holds {what} instead of text");
    intake.error(
        "cell_type",
        Place::line(line),
        (message, "format the column as text and type the value again"),
    );
    Value::Null
}

/// Spreadsheets keep every number as a double: whole ones are integers here.
fn number_value(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and below 2^53"
    )]
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}
