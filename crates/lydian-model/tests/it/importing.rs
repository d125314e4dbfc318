//! Reading corpora from other formats.

use lydian_model::corpus::import::{ImportOptions, aligned, delimited, json_lines, spreadsheet, tmx};
use lydian_model::corpus::read::{CorpusFile, EnvelopeDefaults, ReadError, ReadOptions, read_with};
use lydian_model::{Domain, Entry, EntryId, Segment, Severity};
use serde_json::json;

use crate::workbook::workbook;

fn options() -> ImportOptions {
    ImportOptions {
        read: ReadOptions {
            file_name: Some("toy.tsv".into()),
            defaults: EnvelopeDefaults {
                source_language: Some("en".into()),
                target_language: Some("fr".into()),
                ..EnvelopeDefaults::default()
            },
        },
        ..ImportOptions::default()
    }
}

fn tsv(bytes: &[u8]) -> Result<CorpusFile, ReadError> {
    read_with(|target| delimited::read_tsv(bytes, &options(), target))
}

fn csv(bytes: &[u8]) -> Result<CorpusFile, ReadError> {
    read_with(|target| delimited::read_csv(bytes, &options(), target))
}

fn jsonl(text: &str) -> Result<CorpusFile, ReadError> {
    read_with(|target| json_lines::read(text.as_bytes(), &options(), target))
}

fn memory(text: &str, options: &ImportOptions) -> Result<CorpusFile, ReadError> {
    read_with(|target| tmx::read(text.as_bytes(), options, target))
}

fn lines(source: &[u8], references: &[&[u8]]) -> Result<CorpusFile, ReadError> {
    read_with(|target| aligned::read(source, references.to_vec(), &options(), target))
}

fn errors(result: Result<CorpusFile, ReadError>) -> Vec<String> {
    result
        .expect_err("the file has errors")
        .diagnostics()
        .into_iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{}@{}: {}", d.check, d.place.line.unwrap_or_default(), d.message))
        .collect()
}

fn warnings(file: &CorpusFile) -> Vec<String> {
    let own = ["missing_", "small_", "assumed_", "license_", "defaulted_"];
    file.diagnostics
        .iter()
        .filter(|d| !own.iter().any(|prefix| d.check.starts_with(prefix)))
        .map(|d| format!("{}@{}: {}", d.check, d.place.line.unwrap_or_default(), d.message))
        .collect()
}

fn texts(file: &CorpusFile) -> Vec<(String, &str, &str)> {
    let text = |entry: &Entry| serde_json::to_string(&entry.id).unwrap();
    file.corpus
        .entries
        .iter()
        .map(|entry| (text(entry), &*entry.source, &*entry.reference))
        .collect()
}

fn some(id: &str, source: &'static str, reference: &'static str) -> (String, &'static str, &'static str) {
    (id.to_owned(), source, reference)
}

#[test]
fn a_table_is_read_with_all_its_fields() {
    let file = tsv(
        b"id\tSource\treference\tdomain\tdifficulty\tsegment\tvariants\tspeaker\n\
        1\tThe dog.\tLe chien.\tconv\t2\tdiagnostic\tUn chien. | Le clebs.\tA\n\
        b7\tThe cat.\tLe chat.\t\t\t\t\t\n\n",
    )
    .unwrap();
    assert_eq!(
        texts(&file),
        [
            some("1", "The dog.", "Le chien."),
            some("\"b7\"", "The cat.", "Le chat.")
        ]
    );
    let first = &file.corpus.entries[0];
    assert_eq!(
        (first.domain, first.difficulty, first.segment),
        (Some(Domain::Conv), Some(2), Some(Segment::Diagnostic))
    );
    assert_eq!(first.variants, ["Un chien.", "Le clebs."]);
    assert_eq!(first.extra["speaker"], "A");
    assert_eq!(file.corpus.entries[1].domain, None);
    assert_eq!(file.corpus.dataset.target_language, "fr");
}

#[test]
fn excel_semicolons_utf16_marks_and_the_sep_line_are_understood() {
    let table = "id;source;reference\r\n1;\"The dog; \"\"Rex\"\"\nsleeps.\";Le chien dort.\r\n2;b;c\r\n";
    let expected = [
        some("1", "The dog; \"Rex\"\nsleeps.", "Le chien dort."),
        some("2", "b", "c"),
    ];
    let marked = format!("\u{FEFF}{table}");
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { marked.encode_utf16().flat_map(bytes).collect() };
    for bytes in [
        table.as_bytes().to_vec(),
        marked.clone().into_bytes(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        format!("sep=;\r\n{table}").into_bytes(),
    ] {
        assert_eq!(texts(&csv(&bytes).unwrap()), expected);
    }
    // Excel's "Unicode text" is UTF-16 with tabs.
    let tabs = "\u{FEFF}id\tsource\treference\r\n1\ta\tb\r\n";
    let tabs: Vec<u8> = tabs.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(texts(&tsv(&tabs).unwrap()), [some("1", "a", "b")]);
}

#[test]
fn tsv_keeps_quotation_marks_and_strange_separators() {
    let file =
        tsv("id\tsource\treference\n1\t\"Hi\"\ta\u{2028}b\u{85}c\u{B}d\n2\t\"x \"\"y\"\"\"\tz\n".as_bytes())
            .unwrap();
    assert_eq!(file.corpus.entries[0].source, "\"Hi\"");
    assert_eq!(file.corpus.entries[0].reference, "a\u{2028}b\u{85}c\u{B}d");
    assert!(
        warnings(&file).contains(&"quoted_cells@3: 1 row holds cells quoted as spreadsheets do".to_owned())
    );
}

#[test]
fn other_names_of_columns_are_read_and_said() {
    let file = csv(b"src,target\na,b\nc,d\n").unwrap();
    assert_eq!(texts(&file), [some("1", "a", "b"), some("2", "c", "d")]);
    assert_eq!(
        warnings(&file),
        [
            "renamed_column@1: the column \"src\" is read as source",
            "renamed_column@1: the column \"target\" is read as reference",
            "numbered_entries@1: there is no column id: entries are numbered in file order",
        ]
    );
    let by_language = csv(b"id,eng,fr,target\n1,a,b,t\n").unwrap();
    assert_eq!(texts(&by_language), [some("1", "a", "b")]);
    assert_eq!(by_language.corpus.entries[0].extra["target"], "t");
}

#[test]
fn tables_that_do_not_fit_say_where() {
    assert_eq!(
        errors(csv(b"one,two\na,b\n")),
        [
            "missing_column@1: there is no column source and no column reference; the first line holds \"one\", \"two\""
        ]
    );
    assert_eq!(
        errors(csv(b"id,source,source,reference\n")),
        ["duplicate_column@1: the column \"source\" stands twice"]
    );
    assert_eq!(
        errors(csv(b"id,source,reference\n1,a,b,c\n2,d\n1,e,f\n")),
        [
            "too_many_cells@2: the row has 4 cells, the header 3",
            "missing_field@3: reference is missing",
            "duplicate_id@4: the id 1 already stands at line 2",
        ]
    );
    assert_eq!(
        errors(csv(b"id,source,reference\n1,a,b\n2,\"open,c\n3,d,e\n"))[0],
        "missing_field@3: reference is missing"
    );
    assert!(
        errors(csv(b"id,source,reference\n1,a,b\n2,\"open,c\n3,d,e\n"))[1].starts_with("open_quotation@3")
    );
    assert_eq!(errors(csv(b"")), ["empty_file@0: the file is empty"]);
    assert_eq!(
        errors(csv(b"id,source,reference\n")),
        ["no_entries@0: the corpus has no entries"]
    );
    assert_eq!(
        errors(tsv(b"id\tsource\treference\n1\ta\t\xE4\n")),
        ["not_text@2: the bytes are not valid UTF-8"]
    );
    assert!(errors(csv(b"PK\x03\x04"))[0].contains("ZIP"));
    assert_eq!(
        errors(csv(b"id,source,reference,difficulty\n1,a,b,easy\n")).len(),
        1
    );
}

#[test]
fn a_quotation_that_never_closes_does_not_swallow_memory() {
    let endless = std::io::Read::chain(&b"source,reference\n\""[..], std::io::repeat(b'x'));
    let result = read_with(|target| delimited::read_csv(endless, &options(), target));
    assert!(errors(result)[0].starts_with("line_too_long@2"));
}

#[test]
fn older_encodings_are_read_when_they_are_named() {
    let options = ImportOptions {
        encoding: Some("windows-1252".into()),
        ..options()
    };
    let bytes = b"id,source,reference\n1,a,\xE9t\xE9\n";
    let file = read_with(|target| delimited::read_csv(&bytes[..], &options, target)).unwrap();
    assert_eq!(file.corpus.entries[0].reference, "été");
}

#[test]
fn json_lines_hold_entries_or_an_envelope_first() {
    let file = jsonl(
        "{\"id\": 1, \"source\": \"a\", \"reference\": \"b\", \"x\": {\"y\": 1}}\n\n\
         {\"id\": \"2\", \"src\": \"c\", \"tgt\": \"d\"}\r\n{\"translation\": {\"en\": \"e\", \"fr\": \"f\"}}\n",
    )
    .unwrap();
    assert_eq!(
        texts(&file),
        [some("1", "a", "b"), some("\"2\"", "c", "d"), some("4", "e", "f")]
    );
    assert_eq!(file.corpus.entries[0].extra["x"], json!({"y": 1}));
    let with_header = jsonl(
        "{\"dataset\": {\"id\": \"toy\", \"version\": \"1.0.0\", \"language_pair\": \"EN→FR\", \"source_language\": \"en\", \
         \"target_language\": \"fr\", \"created\": \"2026-05-01\", \"license\": \"MIT\", \"provenance\": []}}\n\
         {\"id\": 1, \"source\": \"a\", \"reference\": \"b\"}\n",
    )
    .unwrap();
    assert_eq!(with_header.corpus.dataset.license, "MIT");
    assert!(with_header.values_from.is_empty());
}

#[test]
fn bad_json_lines_are_all_named() {
    assert_eq!(
        errors(jsonl(
            "{\"id\": 1, \"source\": \"a\"\n[1]\n{\"id\": 3, \"source\": \"\", \"reference\": \"b\", \"id\": 4}\nnull\n"
        )),
        [
            "cut_off@1: the file ends before its JSON does",
            "wrong_type@2: a line must be an object, found array of 1",
            "duplicate_key@3: the key \"id\" stands twice in one object",
            "empty_text@3: source is empty",
            "wrong_type@4: a line must be an object, found null",
        ]
    );
}

#[test]
fn aligned_lines_become_entries_and_further_references_variants() {
    let file = lines(b"a\r\nb\n\nd", &[b"A\nB\n\nD\n", b"AA\n\n\nDD"]).unwrap();
    assert_eq!(
        texts(&file),
        [some("1", "a", "A"), some("2", "b", "B"), some("4", "d", "D")]
    );
    assert_eq!(file.corpus.entries[0].variants, ["AA"]);
    assert!(file.corpus.entries[1].variants.is_empty());
    assert_eq!(
        warnings(&file),
        ["blank_lines@3: 1 line is blank in every file and left out"]
    );
}

#[test]
fn separators_inside_a_sentence_do_not_shift_the_alignment() {
    let file = lines(
        "one\u{2028}two\nthree\n".as_bytes(),
        &["un\u{85}\u{B}deux\ntrois\n".as_bytes()],
    )
    .unwrap();
    assert_eq!(file.corpus.entries.len(), 2);
    assert_eq!(file.corpus.entries[1].reference, "trois");
}

#[test]
fn different_numbers_of_lines_are_an_error_with_both_counts() {
    assert_eq!(
        errors(lines(b"a\nb\nc\nd\n", &[b"A\nB\n"])),
        ["line_counts@3: the files have different numbers of lines: source file 4, reference file 2"]
    );
    assert_eq!(
        errors(lines(b"a\nb\n", &[b"A\n\xFF\n"])),
        ["not_text@2: reference file: the bytes are not valid UTF-8"]
    );
    assert_eq!(
        errors(lines(b"a\n\n", &[b"A\nB\n"])),
        ["empty_text@2: source is empty"]
    );
}

const MEMORY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="EN-US" creationdate="20260501T120000Z" datatype="plaintext"/><body>
<tu tuid="u1"><note>checked</note><prop type="domain">law</prop>
  <tuv xml:lang="EN-US"><seg>Fish &amp; chips &#8211; &lt;hot&gt;</seg></tuv>
  <tuv xml:lang="fr"><seg>Poisson <bpt i="1">&lt;b&gt;</bpt>frit<ept i="1">&lt;/b&gt;</ept></seg></tuv>
  <tuv xml:lang="fr-CA"><seg><![CDATA[Poisson & frites]]></seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>Non</seg></tuv><tuv xml:lang="en-GB"><seg>No</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Alone</seg></tuv></tu>
</body></tmx>"#;

#[test]
fn translation_memories_give_units_notes_and_variants() {
    let file = memory(MEMORY, &options()).unwrap();
    assert_eq!(
        texts(&file),
        [
            some("\"u1\"", "Fish & chips – <hot>", "Poisson frit"),
            some("2", "No", "Non")
        ]
    );
    let first = &file.corpus.entries[0];
    assert_eq!(first.variants, ["Poisson & frites"]);
    assert_eq!(first.notes.as_deref(), Some("checked"));
    assert_eq!(first.extra["properties"], json!({"domain": "law"}));
    assert_eq!(
        warnings(&file),
        [
            "inline_markup@4: 1 unit holds inline markup, which is left out",
            "incomplete_units@9: 1 unit lacks en or fr and is left out",
        ]
    );
    assert_eq!(file.corpus.dataset.created, "2026-05-01");
}

#[test]
fn a_translation_memory_states_its_languages_itself() {
    let options = ImportOptions::default();
    let two = MEMORY.replace(
        r#"<tuv xml:lang="fr-CA"><seg><![CDATA[Poisson & frites]]></seg></tuv>"#,
        "",
    );
    let error = memory(&two, &options).unwrap_err();
    assert_eq!(error.diagnostics()[0].message, "id is missing");
    let named = ImportOptions {
        read: ReadOptions {
            file_name: Some("menu.tmx".into()),
            ..ReadOptions::default()
        },
        ..options
    };
    let file = memory(&two, &named).unwrap();
    assert_eq!(file.corpus.dataset.source_language, "EN-US");
    assert_eq!(file.values_from["target_language"], "file header");
}

#[test]
fn broken_translation_memories_are_located() {
    let problem = |text: &str| errors(memory(text, &options()))[0].clone();
    assert!(problem(&MEMORY.replace("&amp;", "&bomb;")).starts_with("not_xml@5: the entity &bomb;"));
    assert!(problem(&MEMORY[..MEMORY.len() / 2]).contains('@'));
    assert!(problem("<html></html>").starts_with("not_tmx"));
    assert!(problem(&MEMORY.replace("</note>", "</nte>")).starts_with("not_xml@4"));
    assert!(problem(&format!("<tmx>{}", "<a>".repeat(100))).contains("deeper than 64"));
    assert!(problem("").starts_with("not_tmx"));
    let endless = std::io::Read::chain(&b"<tmx><tu><tuv><seg>"[..], std::io::repeat(b'x'));
    let result = read_with(|target| tmx::read(endless, &options(), target));
    assert!(errors(result)[0].starts_with("line_too_long"));
}

#[test]
fn a_declared_latin_1_memory_is_decoded() {
    let text = MEMORY.replace("UTF-8", "ISO-8859-1").replace("frit<", "frité<");
    let bytes: Vec<u8> = text
        .replace('–', "-")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let file = read_with(|target| tmx::read(&bytes[..], &options(), target)).unwrap();
    assert_eq!(file.corpus.entries[0].reference, "Poisson frité");
}

#[test]
fn workbooks_are_read_from_the_sheet_with_a_source_column() {
    let book = workbook(&[
        ("About", &[&["made by hand"]]),
        (
            "Texts",
            &[
                &["id", "source", "reference", "difficulty"],
                &["#1", "The dog", "Le chien", "#2"],
                &["", "", "", ""],
                &["x", "42", "#43", ""],
            ],
        ),
    ]);
    let file = read_with(|target| spreadsheet::read(&book, &options(), target)).unwrap();
    assert_eq!(
        texts(&file),
        [some("1", "The dog", "Le chien"), some("\"x\"", "42", "43")]
    );
    assert_eq!(file.corpus.entries[0].difficulty, Some(2));
    let options = ImportOptions {
        sheet: Some("Text".into()),
        ..options()
    };
    assert_eq!(
        errors(read_with(|target| spreadsheet::read(&book, &options, target))),
        ["no_sheet@0: there is no sheet \"Text\"; the workbook has \"About\", \"Texts\""]
    );
}

#[test]
fn what_is_no_workbook_is_refused() {
    for bytes in [&b""[..], b"id,source", b"PK\x03\x04\x00", b"\xD0\xCF\x11\xE0old"] {
        let result = read_with(|target| spreadsheet::read(bytes, &options(), target));
        assert!(errors(result)[0].starts_with("not_a_workbook"), "{bytes:?}");
    }
    let book = workbook(&[("Texts", &[&["id", "source", "reference"], &["#1", "a", "!error"]])]);
    let result = read_with(|target| spreadsheet::read(&book, &options(), target));
    assert!(errors(result)[0].starts_with("cell_type@2: a cell holds the error"));
}

#[test]
fn entry_defaults_fill_what_entries_lack() {
    let options = ImportOptions {
        entry_defaults: serde_json::from_value(
            json!({"domain": "news", "provenance": "corpus", "segment": "development"}),
        )
        .unwrap(),
        ..options()
    };
    let bytes = b"id,source,reference,domain\n1,a,b,legal\n2,c,d,\n";
    let file = read_with(|target| delimited::read_csv(&bytes[..], &options, target)).unwrap();
    let domains: Vec<_> = file.corpus.entries.iter().map(|entry| entry.domain).collect();
    assert_eq!(domains, [Some(Domain::Legal), Some(Domain::News)]);
    assert_eq!(file.corpus.dataset.provenance, ["corpus"]);
    assert_eq!(file.corpus.entries[1].id, EntryId::integer(2));
}
