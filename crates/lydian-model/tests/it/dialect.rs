//! Dialect items: a valid set, and every way to break it.

use lydian_model::corpus::{Corpus, Dataset, Entry};
use lydian_model::diagnostic::{Diagnostic, Severity};
use lydian_model::dialect::{DialectItems, Strictness, Task, check_items, read_items};
use lydian_model::{EntryId, SourceEntry};
use serde_json::{Map, Value, json};

/// One item of each type, all authored.
fn valid() -> Value {
    let common = |id: i64, item_type: &str, source: &str, reference: &str| {
        json!({
            "id": id, "item_type": item_type, "source": source, "reference": reference, "dialect": "basel",
            "orthography": "alemannic_wikipedia_house", "dialect_evidence": ["authored"],
            "source_ref": {"license": "CC0-1.0", "attribution": "the authors"}, "authored_fields": ["all"]
        })
    };
    let mut t1 = common(1, "T1", "D Katz schlooft.", "Die Katze schläft.");
    t1["keywords"] = json!([
        {"word": "Katze", "lemma": "Katze", "pos": "NOUN", "weight": 1.0, "forms": [], "synonyms": []},
        {"word": "schläft", "lemma": "schlafen", "pos": "VERB", "weight": 1, "forms": ["schlief"]}
    ]);
    let choice = |mut item: Value, options: [&str; 4], right: &str| {
        item["prompt"] = json!("Was stimmt?");
        item["options"] = json!({"A": options[0], "B": options[1], "C": options[2], "D": options[3]});
        item["correct_answer"] = json!(right);
        item
    };
    let t2 = choice(
        common(2, "T2", "D Katz schlooft.", "Sie schläft."),
        ["Sie isst.", "Sie schläft.", "Sie geht.", "Sie ruft."],
        "B",
    );
    let mut t3 = choice(
        common(3, "T3", "D Schwiiz het siibe Bundesröt.", "sieben"),
        ["fünf", "sechs", "sieben", "acht"],
        "C",
    );
    t3["fact_id"] = json!("S001");
    let mut t4 = choice(
        common(4, "T4", "Si hänn gsunge.", "Basel"),
        ["Basel", "Bern", "Zürich", "Luzern"],
        "A",
    );
    t4["contrasts"] =
        json!([{"form": "hänn", "seen_in": {"basel": "7 of 9"}, "not_in": {"bern": "0 of 520"}}]);
    json!({
        "dataset": {
            "kind": "dialect_items", "dialects": ["basel", "bern", "uncertain"],
            "facts": [{"id": "S001", "statement": "seven members"}],
            "refuted_contrasts": [{"form": "ischt", "reason": "seen in Zürich too"}],
            "limitations": ["Written, not spoken."]
        },
        "entries": [t1, t2, t3, t4]
    })
}

fn corpus(document: &Value) -> Corpus {
    let entries = document["entries"].as_array().unwrap().iter().map(|value| {
        let mut extra: Map<String, Value> = value.as_object().unwrap().clone();
        let mut text = |key: &str| {
            extra
                .remove(key)
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        let (source, reference) = (text("source"), text("reference"));
        let id = extra.remove("id").and_then(|id| id.as_i64()).unwrap();
        Entry {
            extra,
            ..Entry::new(EntryId::integer(id), source, reference)
        }
    });
    let dataset = Dataset {
        id: "d".into(),
        extra: document["dataset"].as_object().unwrap().clone(),
        ..Dataset::default()
    };
    Corpus {
        dataset,
        entries: entries.collect(),
        extra: Map::new(),
    }
}

fn findings(document: &Value, strictness: Strictness) -> (Option<DialectItems>, Vec<Diagnostic>) {
    let (items, mut found) = read_items(&corpus(document));
    if let Some(items) = &items {
        found.extend(check_items(items, strictness));
    }
    (items, found)
}

/// Sets the value at a JSON pointer, or removes it when the new value is null.
fn change(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap();
    match parent {
        Value::Object(map) if value.is_null() => drop(map.remove(key)),
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        other => panic!("{pointer} leads into {other}"),
    }
}

#[test]
fn a_valid_set_has_no_findings_and_four_typed_items() {
    let (items, found) = findings(&valid(), Strictness::Strict);
    assert_eq!(found, []);
    let items = items.unwrap();
    assert_eq!(
        items
            .items
            .iter()
            .map(|item| item.item_type().name())
            .collect::<Vec<_>>(),
        ["T1", "T2", "T3", "T4"]
    );
    assert_eq!(items.items[0].task.keywords()[1].forms, ["schlief"]);
}

#[test]
fn a_method_sees_the_question_and_never_the_answer() {
    let items = findings(&valid(), Strictness::Strict).0.unwrap();
    let seen: Vec<SourceEntry> = items.items.iter().map(SourceEntry::from).collect();
    assert_eq!(seen[0].options, Vec::<String>::new());
    assert_eq!(seen[3].options, ["Basel", "Bern", "Zürich", "Luzern"]);
    let shown = serde_json::to_string(&seen[0]).unwrap();
    assert!(!shown.contains("Katze") && !shown.contains("schläft"), "{shown}");
}

#[test]
fn every_broken_item_is_refused_at_its_place_with_its_check() {
    let cases: &[(&str, Value, &str)] = &[
        ("/dataset/kind", json!("corpus"), "not_dialect_items"),
        ("/dataset/kind", Value::Null, "not_dialect_items"),
        ("/dataset/dialects", json!("basel"), "wrong_type"),
        ("/entries/0/item_type", json!("T5"), "unknown_item_type"),
        ("/entries/0/item_type", Value::Null, "missing_field"),
        ("/entries/0/dialect", json!("basle"), "undeclared_dialect"),
        ("/entries/0/dialect", json!(7), "wrong_type"),
        ("/entries/0/orthography", json!(" "), "empty_field"),
        ("/entries/0/dialect_evidence", json!([]), "no_dialect_evidence"),
        ("/entries/0/dialect_evidence", json!([""]), "wrong_type"),
        ("/entries/0/options", json!({}), "field_of_another_type"),
        ("/entries/0/keywords", json!([]), "no_keywords"),
        ("/entries/0/keywords", Value::Null, "no_keywords"),
        ("/entries/0/keywords/0", json!("Katze"), "wrong_type"),
        ("/entries/0/keywords/0/word", json!("!?"), "no_word"),
        ("/entries/0/keywords/0/pos", json!("ADV"), "unknown_pos"),
        ("/entries/0/keywords/0/weight", json!(0.5), "wrong_weight"),
        ("/entries/0/keywords/0/weight", json!(-1), "wrong_weight"),
        ("/entries/0/keywords/0/weight", json!("1.0"), "wrong_type"),
        ("/entries/0/keywords/0/weight", Value::Null, "missing_field"),
        ("/entries/0/keywords/0/synonym", json!([]), "unknown_field"),
        (
            "/entries/0/keywords/1",
            json!({"word": "Katzen", "lemma": "katze", "pos": "NOUN", "weight": 1.0}),
            "repeated_keyword",
        ),
        (
            "/entries/0/keywords/1",
            json!({"word": "Katze", "lemma": "Kater", "pos": "NOUN", "weight": 1.0}),
            "repeated_keyword",
        ),
        ("/entries/0/keywords/0/synonyms", json!(["Tier", "…"]), "no_word"),
        ("/entries/0/keywords/1/forms", json!(["\u{200B}"]), "no_word"),
        ("/entries/1/options/D", Value::Null, "missing_field"),
        ("/entries/1/options/E", json!("Sie rennt."), "unknown_field"),
        ("/entries/1/options/C", json!("sie  ISST."), "repeated_option"),
        ("/entries/1/options", json!(["a", "b"]), "wrong_type"),
        ("/entries/1/correct_answer", json!("E"), "unknown_answer_key"),
        ("/entries/1/prompt", Value::Null, "missing_field"),
        ("/entries/2/fact_id", Value::Null, "missing_field"),
        ("/entries/2/fact_id", json!("S-TBD"), "unknown_fact"),
        ("/entries/3/contrasts", json!([]), "no_contrast"),
        ("/entries/3/contrasts/0/not_in", json!({}), "one_sided_contrast"),
        (
            "/entries/3/contrasts/0/not_in",
            json!({"bern": ""}),
            "one_sided_contrast",
        ),
        (
            "/entries/3/contrasts/0/not_in",
            json!({"basel": "0"}),
            "contradicting_contrast",
        ),
        (
            "/entries/3/contrasts/0/seen_in",
            json!({"bern": "1"}),
            "foreign_contrast",
        ),
        ("/entries/3/contrasts/0/form", json!("Ischt"), "refuted_contrast"),
        ("/entries/3/dialect", json!("uncertain"), "uncertain_in_t4"),
        ("/dataset/verified_contrasts", json!([]), "unverified_contrast"),
        (
            "/entries/3/source_ref",
            json!({"license": "CC0-1.0"}),
            "missing_field",
        ),
    ];
    for (pointer, value, check) in cases {
        let mut document = valid();
        change(&mut document, pointer, value.clone());
        let (_, found) = findings(&document, Strictness::Strict);
        let errors: Vec<&Diagnostic> = found
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        assert!(
            errors.iter().any(|finding| finding.check == *check),
            "{pointer} = {value}: {found:#?}"
        );
        for finding in errors {
            assert!(
                finding.place.pointer.is_some() && !finding.fix.is_empty(),
                "{finding}"
            );
            assert!(!finding.message.ends_with('.'), "{finding}");
        }
    }
}

#[test]
fn a_draft_may_name_a_fact_that_is_not_listed_yet() {
    let mut document = valid();
    change(&mut document, "/entries/2/fact_id", json!("S-TBD"));
    let (items, found) = findings(&document, Strictness::Draft);
    assert!(matches!(&items.unwrap().items[2].task, Task::Culture { fact_id, .. } if fact_id == "S-TBD"));
    assert_eq!(
        found
            .iter()
            .map(|finding| (finding.check, finding.severity))
            .collect::<Vec<_>>(),
        [("unknown_fact", Severity::Warning)]
    );
}

#[test]
fn doubtful_items_are_warned_about_and_stay_usable() {
    let cases: &[(&str, Value, &str)] = &[
        ("/dataset/dialects", Value::Null, "no_dialect_list"),
        ("/dataset/limitations", json!([]), "no_limitations"),
        ("/entries/0/source_ref", Value::Null, "no_source_ref"),
        ("/entries/0/authored_fields", Value::Null, "nothing_authored"),
        ("/entries/0/dialekt", json!("x"), "misspelt_field"),
        (
            "/entries/1/reference",
            json!("Sie isst."),
            "reference_is_not_the_answer",
        ),
        (
            "/entries/1/options/B",
            json!("Sie schläft tief und fest, wie jeden Tag."),
            "telling_length",
        ),
    ];
    for (pointer, value, check) in cases {
        let mut document = valid();
        change(&mut document, pointer, value.clone());
        let (items, found) = findings(&document, Strictness::Draft);
        assert!(items.is_some(), "{pointer}");
        assert!(
            found.iter().any(|finding| finding.check == *check),
            "{pointer}: {found:#?}"
        );
        assert!(
            found.iter().all(|finding| finding.severity != Severity::Error),
            "{pointer}: {found:#?}"
        );
    }
}

#[test]
fn an_unbalanced_answer_key_is_warned_about_per_type_and_over_the_set() {
    let mut document = valid();
    let item = document["entries"][1].clone();
    for id in 10..14 {
        let mut copy = item.clone();
        copy["id"] = json!(id);
        document["entries"].as_array_mut().unwrap().push(copy);
    }
    let (_, found) = findings(&document, Strictness::Strict);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the right letters of T2 are A 0, B 5, C 0, D 0",
            "the right letters of all multiple-choice items are A 1, B 5, C 1, D 0",
        ]
    );
}
