//! Reading corpora: what is kept, what is filled in, what is refused and how it is said.

use lydian_model::corpus::read::{CorpusFile, EnvelopeDefaults, Layout, ReadError, ReadOptions, read_corpus};
use lydian_model::{EntryId, Segment, Severity, canonical_bytes};

fn options() -> ReadOptions {
    ReadOptions {
        file_name: Some("eng-crk-dev.json".into()),
        ..ReadOptions::default()
    }
}

fn read(json: &str) -> Result<CorpusFile, ReadError> {
    read_corpus(json.as_bytes(), &options())
}

fn corpus_of(entries: &str) -> String {
    format!(
        r#"{{"dataset": {{"id": "toy", "version": "1.0.0", "language_pair": "EN→CRK", "source_language": "en",
            "target_language": "crk", "created": "2026-05-01", "license": "CC0-1.0", "provenance": ["textbook"]}},
            "entries": [{entries}]}}"#
    )
}

/// Errors of a document as `check pointer: message`.
fn errors(json: &str) -> Vec<String> {
    read(json)
        .expect_err("the document has errors")
        .diagnostics()
        .into_iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let pointer = diagnostic.place.pointer.unwrap_or_default();
            format!("{} {pointer}: {}", diagnostic.check, diagnostic.message)
        })
        .collect()
}

const FULL: &str = r#"{"id": 42, "source": "I see the dog", "reference": "niwâpamâw atim",
    "segment": "diagnostic", "difficulty": 2, "provenance": "gold_standard", "register": "conversational",
    "context": "declaration", "domain": "conv", "morphological_analysis": "ni-wâpam-âw atim",
    "notes": "animate", "variant_class": "simple-ta-direct", "variants": ["atim niwâpamâw"],
    "speaker": {"age": 71, "consent": true}, "weight": 0.1}"#;

#[test]
fn every_field_and_every_further_field_survives_a_round_trip() {
    let json = corpus_of(FULL).replacen("{\"dataset\"", "{\"review\": [1, null], \"dataset\"", 1);
    let file = read(&json).unwrap();
    let written = serde_json::to_vec(&file.corpus).unwrap();
    let again = read_corpus(&written[..], &options()).unwrap();
    assert_eq!(again.corpus, file.corpus);
    let original: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(canonical_bytes(&file.corpus), canonical_bytes(&original));
}

#[test]
fn without_a_dataset_block_values_come_from_flags_then_from_the_file_name() {
    let options = ReadOptions {
        defaults: EnvelopeDefaults {
            license: Some("CC0-1.0".into()),
            source_language: Some("en-CA".into()),
            ..EnvelopeDefaults::default()
        },
        ..options()
    };
    let json = br#"{"entries": [{"id": 1, "source": "a", "reference": "b"}]}"#;
    let file = read_corpus(&json[..], &options).unwrap();
    let dataset = &file.corpus.dataset;
    assert_eq!(file.layout, Layout::NoDataset);
    assert_eq!(
        [
            &*dataset.id,
            &*dataset.version,
            &*dataset.source_language,
            &*dataset.target_language,
            &*dataset.license
        ],
        ["eng-crk-dev", "0.0.0", "en-CA", "crk", "CC0-1.0"]
    );
    let origins: Vec<_> = file.values_from.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(
        origins,
        [
            "created=default",
            "id=file name",
            "language_pair=language tags",
            "license=flag",
            "source_language=flag",
            "target_language=file name",
            "version=default"
        ]
    );
    assert_eq!(file.identity().license.as_deref(), Some("CC0-1.0"));
}

#[test]
fn an_unstated_licence_is_no_licence_in_the_identity() {
    let file = read(r#"[{"id": 1, "source": "a", "reference": "b"}]"#).unwrap();
    assert_eq!(file.layout, Layout::EntryList);
    assert_eq!(file.identity().license, None);
}

#[test]
fn languages_that_nothing_states_are_asked_for() {
    let json = r#"{"entries": [{"id": 1, "source": "a", "reference": "b"}]}"#;
    let error = read_corpus(json.as_bytes(), &ReadOptions::default()).unwrap_err();
    let errors = error
        .diagnostics()
        .into_iter()
        .filter(|d| d.severity == Severity::Error);
    let fixes: Vec<_> = errors.map(|d| d.fix).collect();
    assert_eq!(
        fixes,
        [
            "give --dataset-id, or add a `dataset` block to the file",
            "give --source-language, or add a `dataset` block to the file",
            "give --target-language, or add a `dataset` block to the file"
        ]
    );
}

#[test]
fn a_dataset_block_must_be_complete() {
    let json = corpus_of(FULL).replace(r#""license": "CC0-1.0", "#, "");
    assert_eq!(
        errors(&json),
        ["missing_field /dataset/license: license is missing"]
    );
}

#[test]
fn a_segment_of_the_whole_file_is_set_on_each_entry_even_after_the_entries() {
    let json = r#"{"entries": [{"id": 1, "source": "a", "reference": "b"},
        {"id": 2, "source": "c", "reference": "d", "segment": "diagnostic"}], "segment": "gold_standard"}"#;
    let entries = read(json).unwrap().corpus.entries;
    assert_eq!(entries[0].segment, Some(Segment::GoldStandard));
    assert_eq!(entries[1].segment, Some(Segment::Diagnostic));
    assert_eq!(
        errors(r#"{"segment": "gold", "entries": [{"id": 1, "source": "a", "reference": "b"}]}"#),
        [r#"unknown_segment /segment: segment is string "gold""#]
    );
}

#[test]
fn all_problems_are_reported_at_once() {
    let json = corpus_of(
        r#"{"id": 1, "source": "a", "reference": "b", "domain": "medicin", "difficulty": 9},
           {"id": 2, "source": " ", "reference": ""},
           {"source": "a", "reference": 3},
           {"id": 4, "source": "a", "refrence": "b"},
           {"id": 5, "source": "a", "reference": "b", "segment": "test", "difficulty": "hard", "variants": ["", 1]},
           7"#,
    );
    assert_eq!(
        errors(&json),
        [
            "difficulty_range /entries/0/difficulty: difficulty is 9",
            r#"unknown_domain /entries/0/domain: unknown domain "medicin""#,
            "empty_text /entries/1/source: source is empty",
            "empty_text /entries/1/reference: reference is empty",
            "missing_field /entries/2/id: id is missing",
            "wrong_type /entries/2/reference: reference must be a string, found number 3",
            "missing_field /entries/3/reference: reference is missing",
            r#"unknown_segment /entries/4/segment: unknown segment "test""#,
            r#"wrong_type /entries/4/difficulty: difficulty must be an integer from 1 to 5, found string "hard""#,
            "wrong_type /entries/4/variants: variants must be an array of non-empty strings, found array of 2",
            "wrong_type /entries/5: an entry must be an object, found number 7",
        ]
    );
    let error = read(&json).unwrap_err();
    let fixes: Vec<_> = error.diagnostics().into_iter().map(|d| d.fix).collect();
    assert!(fixes.contains(&"did you mean medical?".to_owned()), "{fixes:?}");
    assert!(
        fixes.contains(&"rename \"refrence\" to reference".to_owned()),
        "{fixes:?}"
    );
}

#[test]
fn one_and_text_one_are_the_same_id_and_both_places_are_named() {
    let json = corpus_of(
        "{\"id\": 1, \"source\": \"a\", \"reference\": \"b\"},\n{\"id\": \"1\", \"source\": \"c\", \"reference\": \"d\"}",
    );
    let diagnostics = read(&json).unwrap_err().diagnostics();
    let duplicate = &diagnostics[0];
    assert_eq!(diagnostics[1].severity, Severity::Warning);
    assert_eq!(
        duplicate.message,
        "the id 1 already stands at /entries/0 (line 3)"
    );
    assert_eq!(duplicate.place.pointer.as_deref(), Some("/entries/1/id"));
    assert_eq!(duplicate.place.line, Some(4));
    assert_eq!(duplicate.place.entry_id, Some(EntryId::text("1")));
}

#[test]
fn duplicate_keys_are_errors_at_every_level() {
    let json =
        corpus_of(r#"{"id": 1, "source": "a", "reference": "b", "reference": "c", "x": {"k": 1, "k": 2}}"#)
            .replace(
                r#""version": "1.0.0","#,
                r#""version": "1.0.0", "version": "2.0.0","#,
            );
    assert_eq!(
        errors(&json),
        [
            r#"duplicate_key /dataset/version: the key "version" stands twice in one object"#,
            r#"duplicate_key /entries/0/reference: the key "reference" stands twice in one object"#,
            r#"duplicate_key /entries/0/x/k: the key "k" stands twice in one object"#,
        ]
    );
    assert_eq!(
        errors(r#"{"entries": [], "entries": []}"#)[0],
        r#"duplicate_key /entries: the key "entries" stands twice in one object"#
    );
}

#[test]
fn a_byte_order_mark_is_only_a_warning() {
    let json = format!("\u{FEFF}{}", corpus_of(FULL));
    let file = read(&json).unwrap();
    assert_eq!(file.diagnostics[0].check, "byte_order_mark");
    assert_eq!(file.sha256, lydian_model::Sha256Hex::of(json.as_bytes()));
}

fn only_diagnostic(bytes: &[u8]) -> String {
    let diagnostics = read_corpus(bytes, &options()).unwrap_err().diagnostics();
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics[0].to_string()
}

#[test]
fn broken_text_is_located_by_line_and_column() {
    let json = corpus_of(FULL);
    let cut = &json.as_bytes()[..json.find("niw").unwrap()];
    assert_eq!(
        only_diagnostic(cut),
        "error[cut_off] line 3:76: the file ends inside a string (RFC 8259); copy or download the file again"
    );
    let bad = [cut, b"\xFF"].concat();
    assert_eq!(
        only_diagnostic(&bad),
        "error[not_utf8] line 3:77: byte 0xFF is not valid UTF-8 (RFC 8259); \
         save the file as UTF-8, or convert it with `iconv -f ENCODING -t UTF-8`"
    );
    let nan = json.replace("0.1", "NaN");
    assert!(only_diagnostic(nan.as_bytes()).contains("NaN is not a JSON number"));
    assert!(only_diagnostic(b"").contains("the file is empty"));
    assert!(only_diagnostic(b"\xFF\xFE{\0").contains("UTF-16"));
    assert!(only_diagnostic(b"[[[").contains("ends before"));
    assert!(only_diagnostic(&b"[".repeat(100_000)).contains("nested deeper than 64 levels"));
}

#[test]
fn a_wrong_entry_count_means_the_file_is_not_complete() {
    let json = r#"{"entry_count": 2, "entries": [{"id": 1, "source": "a", "reference": "b"}]}"#;
    assert_eq!(
        errors(json),
        ["entry_count /entry_count: entry_count is 2, but the file holds 1 entry"]
    );
}

#[test]
fn no_entries_is_an_error() {
    assert_eq!(errors(&corpus_of("")), ["no_entries : the corpus has no entries"]);
    assert_eq!(errors("{}"), ["no_entries : the file has no `entries` field"]);
    assert_eq!(
        errors("{\"entries\": {}}"),
        ["wrong_type /entries: entries must be an array, found object"]
    );
    assert!(errors("\"text\"")[0].contains("a corpus is an object"));
}
