//! Answers to dialect items from a file: JSON Lines or CSV with `id`, `output` and, if known, `outcome`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::corpus::read::ReadError;
use crate::diagnostic::{Diagnostic, Findings, Place};
use crate::predictions::read_predictions;
use crate::{EntryId, Outcome, Prediction, Sha256Hex};

const RULE: &str = "predictions format";

/// How an answers file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswersFormat {
    /// One JSON object per line.
    JsonLines,
    /// Values separated by commas, semicolons or tabs, with a header that names `id` and `output`.
    Csv,
}

/// The answers of a file; ids are unique.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswersFile {
    /// The answers in file order.
    pub answers: Vec<Prediction>,
    /// The digest of the file's bytes.
    pub sha256: Sha256Hex,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads answers. An `outcome` such as `refused` or `failed` is taken over, other fields are ignored.
pub fn read_answers(bytes: &[u8], format: AnswersFormat) -> Result<AnswersFile, ReadError> {
    match format {
        AnswersFormat::JsonLines => read_json_lines(bytes),
        AnswersFormat::Csv => read_csv(bytes),
    }
}

fn read_json_lines(bytes: &[u8]) -> Result<AnswersFile, ReadError> {
    #[derive(Deserialize)]
    struct Stated {
        outcome: Option<serde_json::Value>,
    }

    let file = read_predictions(bytes)?;
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let mut findings = Findings::default();
    let mut answers = Vec::with_capacity(file.lines.len());
    for line in file.lines {
        let at = usize::try_from(line.line).unwrap_or(usize::MAX).saturating_sub(1);
        let text = lines.get(at).copied().unwrap_or_default();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let stated = serde_json::from_slice::<Stated>(text)
            .ok()
            .and_then(|stated| stated.outcome);
        let named = match stated {
            None | Some(serde_json::Value::Null) => None,
            Some(serde_json::Value::String(name)) => Some(name),
            Some(other) => Some(other.to_string()),
        };
        let outcome = named.and_then(|name| outcome_of(&name, line.line, &line.id, &mut findings));
        answers.push(answer(line.id, line.output, outcome));
    }
    finished(answers, file.sha256, file.diagnostics, findings)
}

fn read_csv(bytes: &[u8]) -> Result<AnswersFile, ReadError> {
    let mut findings = Findings::default();
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .from_reader(text);
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(|name| name.trim().to_lowercase()).collect(),
        Err(error) => {
            findings.push(not_csv(&error));
            Vec::new()
        }
    };
    note_faults(&header, text, &mut findings);
    let column = |name: &str| header.iter().position(|known| known == name);
    let (Some(id_column), Some(output_column)) = (column("id"), column("output")) else {
        let message = format!(
            "the header has no columns `id` and `output`, found {}",
            header.join(", ")
        );
        let fix = "name the columns in the first line";
        findings.push(Diagnostic::error(
            "missing_column",
            RULE,
            Place::line(1),
            message,
            fix,
        ));
        return Err(ReadError::Invalid(Box::new(findings)));
    };
    let mut first: BTreeMap<EntryId, u64> = BTreeMap::new();
    let mut answers = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                findings.push(not_csv(&error));
                break;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let id = EntryId::text(cell(id_column).trim());
        if id.as_str().is_empty() {
            let fix = "write the id of the item";
            findings.push(Diagnostic::error(
                "missing_field",
                RULE,
                Place::line(line),
                "id is empty",
                fix,
            ));
            continue;
        }
        if let Some(before) = first.get(&id) {
            let place = Place {
                entry_id: Some(id.clone()),
                ..Place::line(line)
            };
            let message = format!("the id {id} already stands on line {before}");
            findings.push(Diagnostic::error(
                "duplicate_id",
                "decision 2",
                place,
                message,
                "keep one line per item",
            ));
            continue;
        }
        first.insert(id.clone(), line);
        let stated = column("outcome").map(cell).filter(|name| !name.is_empty());
        let outcome = stated.and_then(|name| outcome_of(name, line, &id, &mut findings));
        answers.push(answer(id, cell(output_column).to_owned(), outcome));
    }
    if answers.is_empty() && !findings.has_errors() {
        let fix = "write one line per answer";
        findings.push(Diagnostic::error(
            "no_predictions",
            RULE,
            Place::default(),
            "the file has no answers",
            fix,
        ));
    }
    finished(answers, Sha256Hex::of(bytes), Vec::new(), findings)
}

/// Notes what makes the cells of a table uncertain as a whole.
fn note_faults(header: &[String], text: &[u8], findings: &mut Findings) {
    for name in ["id", "output", "outcome"] {
        if header.iter().filter(|known| *known == name).count() > 1 {
            let message = format!("the header names `{name}` twice");
            let fix = "keep one column of each name";
            let place = Place::line(1);
            findings.push(Diagnostic::error("repeated_column", RULE, place, message, fix));
        }
    }
    if let Some(line) = unclosed_quote(text) {
        let fix =
            "close it, and double every quotation mark inside quotation marks; perhaps the file was cut off";
        findings.push(Diagnostic::error(
            "not_csv",
            RULE,
            Place::line(line),
            "a quotation mark is opened and never closed",
            fix,
        ));
    }
}

/// Returns the line of the last quotation mark when they do not pair; the reader would take all that follows for text.
fn unclosed_quote(text: &[u8]) -> Option<u64> {
    let places = |of: &[u8], wanted: u8| of.split(|byte| *byte == wanted).count() - 1;
    let last = text.iter().rposition(|byte| *byte == b'"')?;
    let line = 1 + places(&text[..last], b'\n');
    (places(text, b'"') % 2 == 1).then_some(line as u64)
}

/// Spreadsheets of many countries write semicolons; the header says which separator a file has.
fn delimiter(text: &[u8]) -> u8 {
    let header = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let separators = [b',', b';', b'\t'];
    let used = separators
        .into_iter()
        .find(|separator| header.contains(separator));
    used.unwrap_or(b',')
}

fn finished(
    answers: Vec<Prediction>,
    sha256: Sha256Hex,
    mut diagnostics: Vec<Diagnostic>,
    findings: Findings,
) -> Result<AnswersFile, ReadError> {
    if findings.has_errors() {
        return Err(ReadError::Invalid(Box::new(findings)));
    }
    diagnostics.extend(findings.into_sorted());
    Ok(AnswersFile {
        answers,
        sha256,
        diagnostics,
    })
}

fn answer(id: EntryId, output: String, outcome: Option<Outcome>) -> Prediction {
    let plain = Prediction::of_text(id, output);
    Prediction {
        outcome: outcome.unwrap_or(plain.outcome),
        ..plain
    }
}

fn outcome_of(name: &str, line: u64, id: &EntryId, findings: &mut Findings) -> Option<Outcome> {
    let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.name() == name);
    if outcome.is_none() {
        let place = Place {
            entry_id: Some(id.clone()),
            ..Place::line(line)
        };
        let names: Vec<&str> = Outcome::ALL.iter().map(|outcome| outcome.name()).collect();
        let message = format!("`{}` is no outcome", name.chars().take(40).collect::<String>());
        findings.push(Diagnostic::error(
            "unknown_outcome",
            "decision 7",
            place,
            message,
            format!("use one of {}", names.join(", ")),
        ));
    }
    outcome
}

fn not_csv(error: &csv::Error) -> Diagnostic {
    let line = error.position().map(csv::Position::line);
    let place = Place {
        line,
        ..Place::default()
    };
    Diagnostic::error(
        "not_csv",
        RULE,
        place,
        format!("the file is no CSV: {error}"),
        "quote cells with commas, quotes or line ends",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(text: &str, format: AnswersFormat) -> Vec<(String, Outcome)> {
        let file = read_answers(text.as_bytes(), format).unwrap();
        file.answers
            .into_iter()
            .map(|answer| (answer.output, answer.outcome))
            .collect()
    }

    fn checks(text: &str, format: AnswersFormat) -> Vec<(&'static str, Option<u64>)> {
        let error = read_answers(text.as_bytes(), format).unwrap_err();
        error
            .diagnostics()
            .iter()
            .map(|finding| (finding.check, finding.place.line))
            .collect()
    }

    #[test]
    fn json_lines_and_csv_give_the_same_answers() {
        let json = "{\"id\":1,\"output\":\"C\"}\n\n{\"id\":\"x\",\"output\":\"\",\"outcome\":\"refused\"}\n{\"id\":3,\"output\":\" \"}";
        let csv = "Output,id,outcome\r\nC,1,\r\n,x,refused\r\n\" \",3,\r\n";
        let expected = [
            ("C".to_owned(), Outcome::Ok),
            (String::new(), Outcome::Refused),
            (" ".to_owned(), Outcome::Empty),
        ];
        assert_eq!(outcomes(json, AnswersFormat::JsonLines), expected);
        assert_eq!(outcomes(csv, AnswersFormat::Csv), expected);
    }

    #[test]
    fn a_spreadsheets_mark_separator_and_quotes_are_understood() {
        let expected = [("a; \"b\", c".to_owned(), Outcome::Ok)];
        for text in [
            "\u{FEFF}id,output\r\n1,\"a; \"\"b\"\", c\"\r\n",
            "\u{FEFF}id;output\r\n1;\"a; \"\"b\"\", c\"\r\n",
            "id\toutput\n1\t\"a; \"\"b\"\", c\"\n",
            "\"id\",\"output\"\n\"1\",\"a; \"\"b\"\", c\"",
        ] {
            assert_eq!(outcomes(text, AnswersFormat::Csv), expected, "{text}");
        }
    }

    #[test]
    fn line_ends_inside_a_csv_cell_belong_to_the_output() {
        assert_eq!(
            outcomes("id,output\n1,\"a\nb\"\n", AnswersFormat::Csv)[0].0,
            "a\nb"
        );
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        assert_eq!(
            checks("id,output\n1,a\n1,b\n", AnswersFormat::Csv),
            [("duplicate_id", Some(3))]
        );
        assert_eq!(
            checks("id,text\n1,a\n", AnswersFormat::Csv),
            [("missing_column", Some(1))]
        );
        assert_eq!(
            checks("id,output\n1,a,b\n", AnswersFormat::Csv),
            [("not_csv", Some(2))]
        );
        assert_eq!(
            checks("id,output\n1,a\n2,\"b\n3,c\n", AnswersFormat::Csv),
            [("not_csv", Some(3))]
        );
        assert_eq!(
            checks("id,output,Output\n1,a,b\n", AnswersFormat::Csv),
            [("repeated_column", Some(1))]
        );
        assert_eq!(
            checks("id,output\n", AnswersFormat::Csv),
            [("no_predictions", None)]
        );
        assert_eq!(
            checks("id,output,outcome\n1,a,fine\n", AnswersFormat::Csv),
            [("unknown_outcome", Some(2))]
        );
        assert_eq!(
            checks(
                "{\"id\":1,\"output\":\"a\",\"outcome\":7}",
                AnswersFormat::JsonLines
            ),
            [("unknown_outcome", Some(1))]
        );
        assert!(read_answers(b"id,output\n1,\xff\n", AnswersFormat::Csv).is_err());
    }
}
