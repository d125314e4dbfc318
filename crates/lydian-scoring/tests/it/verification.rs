//! Verification finds every changed value that it says it checks, even in a card that was sealed again.

use std::collections::{BTreeMap, BTreeSet};

use lydian_model::corpus::read::CorpusFile;
use lydian_model::{Entry, EntryId, Prediction, RunCard, RunSetup};
use lydian_scoring::verify::{Basis, JournalSource, Sources, Verification, verify};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::sample;

struct Run {
    setup: RunSetup,
    predictions: BTreeMap<EntryId, Prediction>,
    corpus: CorpusFile,
    card: RunCard,
}

fn run() -> Run {
    let entries: Vec<Entry> = sample::entries()
        .into_iter()
        .take(4)
        .map(|entry| Entry {
            difficulty: Some(2),
            ..entry
        })
        .collect();
    let corpus = sample::corpus_file(&entries);
    let mut setup = sample::setup(&entries);
    setup.dataset = corpus.identity();
    let predictions = sample::measured(&entries);
    let card = sample::card(&setup, &corpus.corpus.entries, &predictions);
    Run {
        setup,
        predictions,
        corpus,
        card,
    }
}

impl Run {
    fn sources(&self, corpus: bool, journal: bool) -> Sources<'_> {
        Sources {
            corpus: corpus.then_some(&self.corpus),
            journal: journal.then_some(JournalSource {
                setup: &self.setup,
                predictions: &self.predictions,
                elapsed_seconds: Some(self.card.elapsed_seconds),
            }),
            languages: None,
            file: None,
        }
    }
}

fn changed_fields(verification: &Verification) -> Vec<&str> {
    let changed = verification.fields.iter().filter(|field| field.changed > 0);
    changed.map(|field| field.field.as_str()).collect()
}

#[test]
fn an_unchanged_card_is_intact_against_all_sources() {
    let run = run();
    for (corpus, journal) in [(false, false), (true, false), (false, true), (true, true)] {
        let found = verify(&run.card, &run.sources(corpus, journal)).unwrap();
        assert_eq!(found.changes, []);
        assert!(found.intact && found.hash_matches);
    }
}

/// Returns the pointers of all values that are neither lists nor objects.
fn leaves(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            leaves(
                value,
                format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
                found,
            );
        }),
        Value::Array(values) => values.iter().enumerate().for_each(|(index, value)| {
            leaves(value, format!("{pointer}/{index}"), found);
        }),
        _ => found.push(pointer),
    }
}

/// Returns other values for a leaf, of which at least one should be a legal value of the field.
fn other_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => vec![
            json!(number.as_f64().unwrap() + 1.0),
            json!(number.as_u64().unwrap_or(0) + 1),
        ],
        Value::Null => vec![
            json!("x"),
            json!(1.0),
            json!(1),
            json!(true),
            json!("a".repeat(64)),
            json!("news"),
            json!("VALID"),
        ],
        Value::String(text) => vec![
            json!(format!("{text}x")),
            json!("f".repeat(64)),
            json!("diagnostic"),
            json!("truncated"),
            json!("user"),
            json!("unvalidated"),
            json!("heuristic"),
            json!("S"),
            json!("pipeline"),
        ],
        _ => Vec::new(),
    }
}

fn altered(card: &Value, pointer: &str) -> Option<RunCard> {
    let found = card.pointer(pointer).unwrap();
    other_values(found)
        .into_iter()
        .filter(|other| other != found)
        .find_map(|other| {
            let mut document = card.clone();
            *document.pointer_mut(pointer).unwrap() = other;
            let mut altered: RunCard = serde_json::from_value(document).ok()?;
            if pointer != "/run_card_hash" {
                altered.seal();
            }
            Some(altered)
        })
}

#[test]
fn every_changed_value_of_a_resealed_card_is_found_or_declared_unchecked() {
    let run = run();
    let document = serde_json::to_value(&run.card).unwrap();
    let mut pointers = Vec::new();
    leaves(&document, String::new(), &mut pointers);
    // One result and one id of four, and two kinds of breakdown of five, stand for all.
    let repeated = |pointer: &str| {
        let of_one = |list: &str, one: &str| pointer.starts_with(list) && !pointer.starts_with(one);
        of_one("/results/", "/results/2/") || of_one("/selection/entry_ids/", "/selection/entry_ids/2")
    };
    pointers.retain(|pointer| !repeated(pointer));
    assert!(pointers.len() > 250);
    let mut wrong = Vec::new();
    for (corpus, journal) in [(false, false), (true, true)] {
        let sources = run.sources(corpus, journal);
        wrong.par_extend(pointers.par_iter().filter_map(|pointer| {
            let Some(altered) = altered(&document, pointer) else {
                return Some(format!("{pointer} has no other legal value"));
            };
            let found = verify(&altered, &sources).unwrap();
            // Free objects are compared as a whole.
            let named = found
                .changes
                .iter()
                .any(|change| pointer.starts_with(&change.pointer));
            let unchecked = unchecked_field(&found, pointer);
            (named == unchecked).then(|| format!("{pointer}: named {named}, declared unchecked {unchecked}"))
        }));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Says whether the report declares the field of a value as not checked.
fn unchecked_field(found: &Verification, pointer: &str) -> bool {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    found.fields.iter().any(|field| {
        let name: Vec<&str> = field.field.split('.').collect();
        let matches = name.iter().enumerate().all(|(depth, name)| {
            let offset = usize::from(parts[0] == "results" && depth > 0);
            parts
                .get(depth + offset)
                .is_some_and(|part| name.trim_end_matches("[]") == *part)
        });
        matches && field.basis == Basis::NotChecked
    })
}

#[test]
fn with_corpus_and_journal_little_is_left_unchecked() {
    let run = run();
    let found = verify(&run.card, &run.sources(true, true)).unwrap();
    let needs: BTreeSet<&str> = found.fields.iter().filter_map(|field| field.needs).collect();
    assert_eq!(
        needs.into_iter().collect::<Vec<_>>(),
        [
            "the card it was made from",
            "the language cards with the analyser, and the corpus",
            "the program that wrote the card",
            "the recorded answers of the semantic scorer"
        ]
    );
}

#[test]
fn a_better_output_with_fitting_scores_is_found_by_the_journal_only() {
    let run = run();
    let mut predictions = run.predictions.clone();
    predictions.get_mut(&EntryId::integer(0)).unwrap().output =
        run.corpus.corpus.entries[0].reference.clone();
    let forged = sample::card(&run.setup, &run.corpus.corpus.entries, &predictions);
    assert!(verify(&forged, &run.sources(true, false)).unwrap().intact);
    let found = verify(&forged, &run.sources(true, true)).unwrap();
    assert!(changed_fields(&found).contains(&"results[].predicted"));
    assert!(changed_fields(&found).contains(&"scores.chrf_plus_plus"));
}

#[test]
fn an_entry_taken_out_of_the_results_is_found() {
    let run = run();
    let mut cut = run.card.clone();
    cut.results.remove(1);
    cut.seal();
    let found = verify(&cut, &Sources::default()).unwrap();
    let fields = changed_fields(&found);
    for field in [
        "selection.entry_ids",
        "dataset.entry_count",
        "scores.total",
        "scores.chrf_plus_plus",
    ] {
        assert!(fields.contains(&field), "{field} of {fields:?}");
    }
}

#[test]
fn a_changed_card_that_was_not_sealed_again_breaks_its_hash() {
    let mut card = run().card;
    card.endpoint = Some("https://elsewhere.example".into());
    let found = verify(&card, &Sources::default()).unwrap();
    assert!(!found.hash_matches && !found.intact);
    assert!(changed_fields(&found).contains(&"run_card_hash"));
}

#[test]
fn a_stated_leak_is_kept_and_a_removed_tier_caveat_is_found() {
    let run = run();
    let mut card = run.card.clone();
    card.scores.caveats.push(lydian_model::run_card::scores::Caveat {
        name: "test_leak".into(),
        reason: "the method was shown evaluated entries: 2 in examples".into(),
    });
    card.scores.quality_tier = "withheld".into();
    card.scores.claimable_tier = "withheld".into();
    card.seal();
    assert!(verify(&card, &Sources::default()).unwrap().intact);
    card.scores.quality_tier = "fluent".into();
    card.seal();
    let found = verify(&card, &Sources::default()).unwrap();
    assert_eq!(changed_fields(&found), ["scores.quality_tier"]);
}

#[test]
fn an_entry_that_the_corpus_does_not_hold_is_found() {
    let run = run();
    let mut other = run.corpus.clone();
    other.corpus.entries.remove(3);
    let sources = Sources {
        corpus: Some(&other),
        ..Sources::default()
    };
    let found = verify(&run.card, &sources).unwrap();
    assert!(changed_fields(&found).contains(&"results[].source"));
    assert!(changed_fields(&found).contains(&"dataset.file_entry_count"));
}
