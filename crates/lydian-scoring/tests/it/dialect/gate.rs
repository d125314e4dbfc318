//! The shipped language gate: reproduced from its texts, and measured on texts it has not seen.

use std::fs;
use std::path::PathBuf;

use lydian_model::Sha256Hex;
use lydian_model::dialect::{GateText, GateTexts};
use lydian_scoring::dialect::{GateClass, LanguageGate, TrainingText, gate_text_note, sentences, train_gate};

const FOLDERS: [&str; 3] = [
    "../../../shared/data/dialect/text",
    "../../../shared/data/corpora",
    "../../examples/udhr-gsw-dialect/texts",
];

/// Reads the sentences of every text of a list, or prints which one is absent.
fn read(list: &str) -> Option<(GateTexts, Vec<Vec<String>>)> {
    let list: GateTexts = serde_json::from_str(list).unwrap();
    let read: Option<Vec<Vec<String>>> = list.texts.iter().map(read_text).collect();
    Some((list, read?))
}

#[expect(clippy::print_stdout, reason = "says why a test is skipped")]
fn read_text(text: &GateText) -> Option<Vec<String>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let bytes = FOLDERS
        .iter()
        .find_map(|folder| fs::read(root.join(folder).join(&text.file)).ok());
    let Some(bytes) = bytes else {
        println!("skipped: {} is not there", text.file);
        return None;
    };
    assert_eq!(Sha256Hex::of(&bytes), text.sha256, "{}", text.file);
    let all = sentences(text.format, &String::from_utf8(bytes).unwrap()).unwrap();
    let (first, last) = text.sentences.unwrap_or((1, all.len()));
    Some(all[first - 1..last].to_vec())
}

#[test]
fn the_shipped_table_is_reproduced_to_the_byte_from_its_texts() {
    let Some((list, read)) = read(include_str!("../../../data/language_gate_texts.json")) else {
        return;
    };
    let texts: Vec<TrainingText> = list
        .texts
        .iter()
        .zip(read)
        .map(|(text, sentences)| TrainingText {
            class: GateClass::from_name(&text.class).unwrap(),
            note: gate_text_note(text, sentences.len()),
            sentences,
        })
        .collect();
    let table = train_gate(&texts, &list.table_license).unwrap();
    assert!(
        table == LanguageGate::shipped_table(),
        "the trained table differs from the shipped one"
    );
}

#[test]
fn the_shipped_gate_errs_on_unseen_texts_as_documented() {
    let Some((list, read)) = read(include_str!("../../../data/language_gate_heldout.json")) else {
        return;
    };
    let gate = LanguageGate::shipped();
    let mut measured = Vec::new();
    for (text, sentences) in list.texts.iter().zip(read) {
        let scores: Vec<_> = sentences.iter().map(|sentence| gate.scores(sentence)).collect();
        let judged = scores.iter().filter(|scores| scores.words >= 3).count();
        let dialect = scores.iter().filter(|scores| scores.says_dialect()).count();
        measured.push(format!("{} {} {dialect} of {judged}", text.class, text.file));
    }
    assert_eq!(
        measured,
        [
            "gsw ntrex_newstest2019-ref.gsw-BE.txt 987 of 994",
            "gsw ntrex_newstest2019-ref.gsw-ZH.txt 984 of 997",
            "gsw xsid-0.7_gsw.test.conll 449 of 487",
            "de ntrex_newstest2019-ref.deu.txt 2 of 996",
            "de xsid-0.7_de.test.conll 1 of 493",
            "en ntrex_newstest2019-src.eng.txt 0 of 992",
            "fr fra-ltz-dev-v1.json 2 of 168",
            "it ita-mlt-dev-v1.json 0 of 89",
        ]
    );
}
