//! Items built for the tests.

use lydian_model::dialect::{
    Choice, Contrast, DialectItem, DialectItems, DialectLists, Keyword, Letter, Options, PartOfSpeech, Task,
};
use lydian_model::{EntryId, Prediction, Segment};

/// Returns a keyword with the weight of its part of speech.
pub(super) fn keyword(word: &str, lemma: &str, pos: PartOfSpeech, forms: &[&str]) -> Keyword {
    Keyword {
        word: word.to_owned(),
        lemma: lemma.to_owned(),
        pos,
        weight: pos.weight(),
        forms: forms.iter().map(|form| (*form).to_owned()).collect(),
        synonyms: Vec::new(),
    }
}

/// Returns an item without what the scorer does not read.
pub(super) fn item(id: i64, dialect: &str, texts: (&str, &str), task: Task) -> DialectItem {
    DialectItem {
        id: EntryId::integer(id),
        source: texts.0.to_owned(),
        reference: texts.1.to_owned(),
        dialect: dialect.to_owned(),
        orthography: "ad_hoc".to_owned(),
        dialect_evidence: vec!["authored".to_owned()],
        task,
        source_ref: None,
        authored_fields: Vec::new(),
        segment: Segment::Development,
        context: None,
        register: None,
        domain: None,
    }
}

/// The T1 item of the victim that sees its attacker, total weight 3.
pub(super) fn victim(id: i64, dialect: &str) -> DialectItem {
    let keywords = vec![
        keyword("Opfer", "Opfer", PartOfSpeech::Noun, &[]),
        keyword("sah", "sehen", PartOfSpeech::Verb, &["gesehen", "sieht"]),
        keyword("Angreifer", "Angreifer", PartOfSpeech::Noun, &["Täter"]),
    ];
    let texts = (
        "S Opfer hett sin Agriifer nöd gseh.",
        "Das Opfer sah den Angreifer nicht.",
    );
    item(id, dialect, texts, Task::Translation { keywords })
}

/// The T4 item of the protocol: right is C.
pub(super) fn carnival(id: i64, dialect: &str) -> DialectItem {
    let choice = Choice {
        prompt: "Welcher Dialekt ist das?".to_owned(),
        options: Options {
            a: "Zürich".into(),
            b: "Basel".into(),
            c: "Bern".into(),
            d: "Luzern".into(),
        },
        correct_answer: Letter::C,
    };
    let contrasts = Vec::<Contrast>::new();
    let texts = ("Mir heere nid, won d Fasnacht uf de Bärn isch", "Bern");
    item(id, dialect, texts, Task::Identification { choice, contrasts })
}

/// Returns a dataset of the items.
pub(super) fn dataset(items: Vec<DialectItem>) -> DialectItems {
    let lists = DialectLists {
        dialects: vec!["lucerne".to_owned()],
        ..DialectLists::default()
    };
    DialectItems {
        id: "d".to_owned(),
        version: "1.0.0".to_owned(),
        lists,
        items,
    }
}

/// Returns the answer to an item.
pub(super) fn answer(id: i64, output: &str) -> Prediction {
    Prediction::of_text(EntryId::integer(id), output)
}
