//! Reading predictions files.

use lydian_model::EntryId;
use lydian_model::predictions::{PredictionsFile, read_predictions};

fn problems(text: &[u8]) -> Vec<String> {
    read_predictions(text)
        .expect_err("the file has errors")
        .diagnostics()
        .iter()
        .map(|d| format!("{}@{}: {}", d.check, d.place.line.unwrap_or_default(), d.message))
        .collect()
}

fn read(text: &str) -> PredictionsFile {
    read_predictions(text.as_bytes()).unwrap()
}

#[test]
fn further_fields_blank_lines_and_crlf_are_tolerated() {
    let file = read(
        "\u{FEFF}{\"id\": 1, \"output\": \"a\", \"model\": \"m\"}\r\n\r\n{\"id\": \"x\", \"output\": \"\"}",
    );
    let lines: Vec<_> = file
        .lines
        .iter()
        .map(|l| (l.id.as_str(), &*l.output, l.line))
        .collect();
    assert_eq!(lines, [("1", "a", 1), ("x", "", 3)]);
    assert_eq!(file.diagnostics[0].check, "byte_order_mark");
}

#[test]
fn line_separators_inside_an_output_do_not_end_the_line() {
    let file = read("{\"id\": 1, \"output\": \"a\u{2028}b\u{85}c\"}\n");
    assert_eq!(file.lines[0].output, "a\u{2028}b\u{85}c");
}

#[test]
fn every_bad_line_is_named() {
    let text = b"{\"id\": 1, \"output\": \"a\"}\n{\"id\": \"1\", \"output\": \"b\"}\n{\"output\": \"c\"}\n{\"id\": 4, \
        \"predicted\": \"d\"}\n{\"id\": 5, \"output\": null}\nhello\n{\"id\": 7, \"output\": \"\xFF\"}\n[1]\n\
        {\"id\": 9, \"id\": 9, \"output\": \"x\"}\n{\"id\": 10, \"output\": NaN}\n{\"id\": 11, \"output\": \"cut\n";
    assert_eq!(
        problems(text),
        [
            "duplicate_id@2: the id 1 already stands on line 1",
            "missing_field@3: id is missing",
            "missing_field@4: output is missing; there is \"predicted\"",
            "wrong_type@5: output must be a string, found null",
            "not_json@6: expected value",
            "not_utf8@7: byte 0xFF is not valid UTF-8",
            "wrong_type@8: a line must be an object, found array of 1",
            "duplicate_key@9: the key \"id\" stands twice in one object",
            "not_json@10: NaN is not a JSON number",
            "not_json@11: control character (\\u0000-\\u001F) found while parsing a string",
        ]
    );
}

#[test]
fn ids_that_the_corpus_does_not_know_are_named_with_their_line() {
    let file = read("{\"id\": 1, \"output\": \"a\"}\n{\"id\": 2, \"output\": \"b\"}\n");
    let error = file.unknown_ids(|id| *id == EntryId::text("1")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "error[unknown_id] line 2 (entry 2): the corpus has no entry 2 (predictions format); \
         check that the predictions belong to this corpus"
    );
    assert!(file.unknown_ids(|_| true).is_ok());
}

#[test]
fn other_files_are_refused_by_what_they_are() {
    assert_eq!(problems(b""), ["no_predictions@0: the file has no predictions"]);
    assert!(problems(b"\xFF\xFE{\0")[0].contains("UTF-16"));
    assert!(problems(b"PK\x03\x04rest")[0].contains("ZIP"));
}

#[test]
fn a_line_without_end_stops_reading() {
    let endless = std::io::BufReader::new(std::io::repeat(b'a'));
    let error = read_predictions(endless).unwrap_err();
    assert_eq!(error.diagnostics()[0].check, "line_too_long");
}
