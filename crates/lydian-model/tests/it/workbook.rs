//! Writes the smallest workbooks that spreadsheet programs read.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

/// A sheet: its name and rows of cells.
pub(crate) type Sheet<'a> = (&'a str, &'a [&'a [&'a str]]);

/// Returns an XLSX file. A cell `#5` is a number, `!error` a formula error, an empty one is left out, others are text.
pub(crate) fn workbook(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    let numbered = || (1..).zip(sheets);
    let types: String = numbered()
        .map(|(n, _)| format!(r#"<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#))
        .collect();
    add(
        "[Content_Types].xml",
        &format!(
            r#"<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{types}</Types>"#
        ),
    );
    add(
        "_rels/.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    );
    let list: String = numbered()
        .map(|(n, (name, _))| format!(r#"<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>"#))
        .collect();
    add(
        "xl/workbook.xml",
        &format!(
            r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{list}</sheets></workbook>"#
        ),
    );
    let relations: String = numbered()
        .map(|(n, _)| format!(r#"<Relationship Id="r{n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{n}.xml"/>"#))
        .collect();
    add(
        "xl/_rels/workbook.xml.rels",
        &format!(
            r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}</Relationships>"#
        ),
    );
    for (n, (_, rows)) in numbered() {
        let body: String = (1..)
            .zip(*rows)
            .map(|(number, row)| row_xml(number, row))
            .collect();
        add(
            &format!("xl/worksheets/sheet{n}.xml"),
            &format!(
                r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>"#
            ),
        );
    }
    zip.finish().unwrap().into_inner()
}

fn row_xml(number: u32, row: &[&str]) -> String {
    let cells: String = ('A'..)
        .zip(row)
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(column, cell)| match cell.strip_prefix('#') {
            Some(value) => format!(r#"<c r="{column}{number}"><v>{value}</v></c>"#),
            None if *cell == "!error" => format!(r#"<c r="{column}{number}" t="e"><v>#N/A</v></c>"#),
            None => format!(r#"<c r="{column}{number}" t="inlineStr"><is><t>{cell}</t></is></c>"#),
        })
        .collect();
    format!(r#"<row r="{number}">{cells}</row>"#)
}
