//! Metrics that need the language, on a toy analyser, and the attacks on the composite.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use lydian_language::{Card, Language, LanguageTag};
use lydian_model::run_card::Scores;
use lydian_model::{Entry, EntryId, Outcome, Prediction};
use lydian_scoring::composite::compare_for_ranking;
use lydian_scoring::verify::{Sources, verify};
use lydian_scoring::{Scored, ScoringContext, score};

use crate::sample::{self, SENTENCES, answers, entries, honest};

const CARD: &str = r#"
schema = "lydian.language-card/1"
language = "glg"
names = { en = "Galician" }
scripts = ["Latn"]
close_relatives = ["por"]
[analyser]
file = "galician.hfstol"
sha256 = "SHA256"
published_at = "tests/fixtures/galician.lexc"
licence = "MIT OR Apache-2.0"
tags = "plus"
excluded_tags = ["+Err/*"]
self_test = { accepts = ["casa"], rejects = ["xyz"] }
[glossary]
file = "glossary.tsv"
source_language = "por"
[equivalence]
free_word_order = true
[[orthography]]
id = "gl"
script = "Latn"
scored = true
exemplars = "gl"
"#;

const GLOSSARY: &str =
    "source\ttarget\tforbidden\ncão\tcan|cadelo\tcao\nlivro\tlibro\nchuva\tchoiva\tchuvia\nsede\tsede\n";

fn transducer() -> Vec<u8> {
    std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/galician.hfstol"
    ))
    .unwrap()
}

fn galician() -> Language {
    let card = CARD.replace("SHA256", &lydian_language::hex_sha256(&transducer()));
    let mut card = Card::parse("card.toml", &card).unwrap();
    card.lexicon = builtin("glg").card.lexicon;
    Language::open(card, |name| match name {
        "galician.hfstol" => Ok(transducer()),
        "glossary.tsv" => Ok(GLOSSARY.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    })
}

fn portuguese() -> Language {
    builtin("por")
}

fn builtin(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

fn judged(entries: &[Entry], predictions: &BTreeMap<EntryId, Prediction>) -> Scored {
    let (source, target) = (portuguese(), galician());
    let selected: Vec<&Entry> = entries.iter().collect();
    score(
        &selected,
        predictions,
        &ScoringContext::for_languages(&source, &target),
    )
    .unwrap()
}

fn of(output: impl Fn(usize, &Entry) -> String) -> Scored {
    let entries = entries();
    judged(&entries, &answers(&entries, output))
}

fn references() -> Scored {
    of(|_, entry| entry.reference.clone())
}

#[test]
fn every_word_of_the_references_is_counted_once() {
    let scores = references().scores;
    assert_eq!(
        (scores.fst_words_accepted, scores.fst_words_checked),
        (Some(51), Some(51))
    );
    assert_eq!(scores.fst_acceptance_rate.unwrap().get(), 1.0);
    assert_eq!(scores.fst_reference_rate.unwrap().get(), 1.0);
    assert_eq!(scores.fst_acceptance_rate_macro.unwrap().get(), 1.0);
    assert_eq!(scores.fst_accepted, Some(12));
    assert_eq!(scores.composite_profile, "A");
}

#[test]
fn a_rejected_word_is_shown_and_an_error_tag_does_not_accept() {
    let scored = of(|index, entry| match index {
        5 => "Os nenos xogan no xardin.".to_owned(),
        6 => "Canto costa iste libro?".to_owned(),
        _ => entry.reference.clone(),
    });
    let scores = &scored.scores;
    assert_eq!(
        (scores.fst_words_accepted, scores.fst_words_checked),
        (Some(48), Some(51))
    );
    assert_eq!(scores.fst_accepted, Some(10));
    let macro_mean = (10.0 + 0.8 + 0.5) / 12.0;
    assert!((scores.fst_acceptance_rate_macro.unwrap().get() - macro_mean).abs() < 1e-6);
    let rejected =
        |index: usize| scored.results[index].plugin_metrics["fst_acceptance_rate"]["rejected"].clone();
    assert_eq!(
        rejected(5),
        serde_json::json!([{ "word": "xardin", "excluded_tag": "+Err/Orth", "similar": ["xardín"] }])
    );
    assert_eq!(
        rejected(6),
        serde_json::json!([
            { "word": "costa", "similar": ["custa", "casa"] },
            { "word": "iste", "similar": ["este"] }
        ])
    );
    assert_eq!(
        (scored.results[5].fst_valid, scored.results[4].fst_valid),
        (Some(false), Some(true))
    );
}

#[test]
fn an_entry_without_output_counts_one_rejected_word_per_reference_word() {
    let scored = of(|index, entry| {
        if index == 1 {
            String::new()
        } else {
            entry.reference.clone()
        }
    });
    let scores = &scored.scores;
    assert_eq!(
        (scores.fst_words_accepted, scores.fst_words_checked),
        (Some(46), Some(51))
    );
    assert_eq!(scored.results[1].fst_valid, None);
    assert_eq!(scored.results[1].code_switching_detected, None);
    // Silence counts as flagged (decision 8).
    assert_eq!(scores.code_switching_rate.unwrap().get(), 0.083_333);
    assert_eq!(scores.hallucination_rate.unwrap().get(), 0.083_333);
    // Digits alone are silence as well.
    let digits = of(|index, entry| {
        if index == 1 {
            "5".to_owned()
        } else {
            entry.reference.clone()
        }
    });
    assert_eq!(digits.scores.fst_words_checked, Some(51));
}

#[test]
fn leaving_out_words_lowers_the_composite_by_their_share() {
    let first_words = |_: usize, entry: &Entry| {
        let words: Vec<&str> = entry.reference.split(' ').collect();
        words[..words.len() - 1].join(" ")
    };
    let scores = of(first_words).scores;
    assert_eq!(scores.fst_acceptance_rate.unwrap().get(), 1.0);
    assert_eq!(scores.fst_words_checked, Some(39));
    let without = |name: &str| scores.composite_weights[name].get();
    let parts = [
        ("fst_acceptance_rate", 39.0 / 51.0),
        ("chrf_plus_plus", scores.chrf_plus_plus.unwrap().get() / 100.0),
        (
            "equivalent_match_rate",
            scores.equivalent_match_rate.unwrap().get(),
        ),
        ("exact_match_rate", scores.exact_match_rate.unwrap().get()),
        (
            "code_switching_rate",
            1.0 - scores.code_switching_rate.unwrap().get(),
        ),
        (
            "terminology_adherence",
            scores.terminology_adherence.unwrap().get(),
        ),
        (
            "hallucination_rate",
            1.0 - scores.hallucination_rate.unwrap().get(),
        ),
    ];
    let expected: f64 = parts.iter().map(|(name, value)| without(name) * value).sum();
    assert!((scores.composite.unwrap().get() - expected).abs() < 1e-5);
    assert_eq!(scores.composite_weights.len(), parts.len());
}

#[test]
fn an_analyser_that_cannot_judge_the_text_gives_no_rate() {
    let foreign: Vec<Entry> = entries()
        .into_iter()
        .map(|entry| Entry {
            reference: "This sentence is not written in the language at all.".to_owned(),
            ..entry
        })
        .collect();
    let scores = judged(&foreign, &answers(&foreign, |_, entry| entry.reference.clone())).scores;
    assert_eq!(scores.fst_acceptance_rate, None);
    assert!(scores.fst_reference_rate.unwrap().get() < 0.5);
    let reason = scores.metric_availability["fst_acceptance_rate"]
        .reason
        .clone()
        .unwrap();
    assert!(reason.starts_with("the analyser accepts only "), "{reason}");

    let few: Vec<Entry> = entries().into_iter().take(3).collect();
    let scores = judged(&few, &answers(&few, |_, entry| entry.reference.clone())).scores;
    assert_eq!(scores.fst_acceptance_rate, None);
    let reason = scores.metric_availability["fst_acceptance_rate"]
        .reason
        .clone()
        .unwrap();
    assert_eq!(
        reason,
        "only 12 words of the references could be checked; 20 are needed"
    );
}

#[test]
fn equivalence_names_the_rule_that_matched() {
    let mut entries = entries();
    entries[1].variants = vec!["O cadelo dorme na casa.".to_owned()];
    let outputs = |index: usize, entry: &Entry| match index {
        1 => "O cadelo dorme na casa.".to_owned(),
        8 => "Por favor, pecha a xanela.".to_owned(),
        9 => "Fame e sede temos.".to_owned(),
        _ => entry.reference.clone(),
    };
    let scored = judged(&entries, &answers(&entries, outputs));
    assert_eq!(
        (scored.scores.exact_matches, scored.scores.equivalent_matches),
        (9, Some(12))
    );
    let details = |index: usize| scored.results[index].plugin_metrics["equivalent_match_rate"].clone();
    assert_eq!(details(1)["to"], "variant 1");
    assert!(
        details(9)["rules"]
            .as_array()
            .unwrap()
            .contains(&"word_order".into())
    );
    assert_eq!(scored.results[9].equivalent_match, Some(true));
    // Each rule reports how often it was needed; the listed variant needed none.
    let fired = &scored.scores.equivalent_matches_by_rule;
    assert_eq!(*fired, BTreeMap::from([("word_order".to_owned(), 2)]));
}

#[test]
fn forms_that_helped_and_words_that_do_not_count_are_shown() {
    let mut entries = entries();
    entries[1].source = "O cão de Carlota dorme na casa.".to_owned();
    let scored = judged(
        &entries,
        &answers(&entries, |index, entry| match index {
            1 => "O CAN de Carlota dorme na casa.".to_owned(),
            _ => entry.reference.clone(),
        }),
    );
    let details = &scored.results[1].plugin_metrics["fst_acceptance_rate"];
    assert_eq!(details["found_as"], serde_json::json!({ "case": 2 }));
    assert_eq!(details["not_counted"], serde_json::json!(["Carlota"]));
    assert_eq!(
        details["rejected"],
        serde_json::json!([{ "word": "de", "similar": ["e"] }])
    );
}

#[test]
fn terminology_is_counted_by_occurrence_and_forbidden_terms_take_one_away() {
    let scored = of(|index, entry| match index {
        1 => "O can dorme na casa.".to_owned(),
        4 => "A chuvia non para.".to_owned(),
        _ => entry.reference.clone(),
    });
    assert_eq!(scored.scores.terminology_adherence.unwrap().get(), 0.75);
    let missed = &scored.results[4].plugin_metrics["terminology_adherence"]["missed"];
    assert_eq!(
        *missed,
        serde_json::json!([{ "term": "chuva", "forbidden": ["chuvia"] }])
    );
}

#[test]
fn source_words_are_detected_and_shown() {
    let scored = of(|index, entry| match index {
        5 => "Os meninos brincam no jardim.".to_owned(),
        _ => entry.reference.clone(),
    });
    assert_eq!(scored.results[5].code_switching_detected, Some(true));
    assert!(scored.results[5].plugin_metrics["code_switching_rate"]["findings"][0]["kind"].is_string());
    assert_eq!(scored.scores.code_switching_rate.unwrap().get(), 0.083_333);
}

#[test]
fn a_repeated_source_shows_consistency_without_any_language_card() {
    let mut entries = entries();
    entries[2].source = entries[0].source.clone();
    let predictions = answers(&entries, |_, entry| entry.reference.clone());
    let scores = sample::scored(&entries, &predictions).scores;
    assert_eq!(scores.consistency.unwrap().get(), 0.5);
    assert_eq!(
        sample::scored(&self::entries(), &honest(&self::entries()))
            .scores
            .consistency,
        None
    );
}

#[test]
fn a_card_with_language_metrics_is_verified_from_its_results() {
    let (source, target) = (portuguese(), galician());
    let entries = entries();
    let mut predictions = sample::measured(&entries);
    predictions.get_mut(&entries[3].id).unwrap().outcome = Outcome::Refused;
    let context = ScoringContext {
        elapsed_seconds: lydian_model::Finite::new(12.5),
        ..ScoringContext::for_languages(&source, &target)
    };
    let mut card = sample::card_in(&sample::setup(&entries), &entries, &predictions, &context);
    let found = verify(&card, &Sources::default()).unwrap();
    assert_eq!(found.changes, []);
    card.results[1].plugin_metrics["fst_acceptance_rate"]["words_accepted"] = 1.into();
    card.seal();
    let fields: Vec<String> = verify(&card, &Sources::default())
        .unwrap()
        .changes
        .into_iter()
        .map(|c| c.pointer)
        .collect();
    assert!(
        fields.contains(&"/scores/fst_words_accepted".to_owned()),
        "{fields:?}"
    );
    assert!(fields.contains(&"/scores/composite".to_owned()));
    assert!(fields.contains(&"/results/1/fst_valid".to_owned()), "{fields:?}");
}

#[test]
fn with_the_languages_and_the_corpus_every_language_metric_is_computed_again() {
    let (source, target) = (portuguese(), galician());
    let file = sample::corpus_file(&entries());
    let entries = file.corpus.entries.clone();
    let mut predictions = sample::measured(&entries);
    predictions.get_mut(&entries[3].id).unwrap().outcome = Outcome::Refused;
    let context = ScoringContext {
        elapsed_seconds: lydian_model::Finite::new(12.5),
        ..ScoringContext::for_languages(&source, &target)
    };
    let mut setup = sample::setup(&entries);
    setup.dataset = file.identity();
    let mut card = sample::card_in(&setup, &entries, &predictions, &context);
    let sources = Sources {
        corpus: Some(&file),
        languages: Some(lydian_scoring::Languages {
            source: &source,
            target: &target,
        }),
        ..Sources::default()
    };
    let found = verify(&card, &sources).unwrap();
    assert_eq!(found.changes, []);
    let basis = |name: &str| {
        found
            .fields
            .iter()
            .find(|field| field.field == name)
            .unwrap()
            .basis
    };
    for field in [
        "results[].plugin_metrics",
        "results[].fst_valid",
        "scores.fst_acceptance_rate",
    ] {
        assert_eq!(basis(field), lydian_scoring::verify::Basis::Recomputed, "{field}");
    }
    // Counts that were changed together, so that they add up, are found by asking the analyser again.
    let counts = card.results[1].plugin_metrics["fst_acceptance_rate"].clone();
    card.results[1].plugin_metrics["fst_acceptance_rate"]["words_accepted"] = 4.into();
    assert_ne!(card.results[1].plugin_metrics["fst_acceptance_rate"], counts);
    card.seal();
    let found = verify(&card, &sources).unwrap();
    let pointers: Vec<&str> = found
        .changes
        .iter()
        .map(|change| change.pointer.as_str())
        .collect();
    assert!(pointers.contains(&"/results/1/plugin_metrics"), "{pointers:?}");
}

/// A poor but honest system: it translates every sentence, rarely well.
const WEAK: [&str; 12] = [
    "Bon día señora.",
    "O cadelo dorme na vivenda.",
    "Onde é a parada?",
    "Eu gusto moito ler.",
    "Chover non para.",
    "Os rapaces xogan no horto.",
    "Canto é este libro?",
    "Ela veu onte noite.",
    "Pechar xanela, por favor.",
    "Temos fame, sede.",
    "Mar está calmado hoxe.",
    "Non sei dicir.",
];

fn attacks() -> Vec<(&'static str, Scores)> {
    vec![
        (
            "one valid sentence for everything",
            of(|_, _| "O mar está calmo hoxe.".to_owned()).scores,
        ),
        (
            "two valid sentences in turn",
            of(|index, _| SENTENCES[index % 2].1.to_owned()).scores,
        ),
        ("the source", of(|_, entry| entry.source.clone()).scores),
        (
            "the source, louder",
            of(|_, entry| entry.source.to_uppercase()).scores,
        ),
        (
            "padding with valid words",
            of(|index, _| format!("{} {}", WEAK[index], "casa e tamén moitas cousas ".repeat(2))).scores,
        ),
        (
            "one valid word of each",
            of(|_, entry| entry.reference.split(' ').next().unwrap_or_default().to_owned()).scores,
        ),
        (
            "glossary terms only",
            of(|index, _| ["can", "libro", "choiva", "sede"][index % 4].to_owned()).scores,
        ),
        ("nothing", of(|_, _| String::new()).scores),
        ("digits", of(|index, _| index.to_string()).scores),
    ]
}

#[test]
fn no_attack_gets_a_tier_or_outranks_an_honest_weak_system() {
    let weak = of(|index, _| WEAK[index].to_owned()).scores;
    assert_eq!(weak.caveats, []);
    for (name, scores) in attacks() {
        assert_eq!(scores.quality_tier, "withheld", "{name}");
        assert!(scores.composite < weak.composite, "{name}");
        assert_eq!(compare_for_ranking(&scores, &weak), Ordering::Less, "{name}");
    }
    // Whoever translates so badly that an attack has the higher composite still ranks before it.
    let worse = of(|index, _| WEAK[index].replace('a', "ai")).scores;
    let (_, repeated) = &attacks()[0];
    assert!(repeated.composite > worse.composite);
    assert_eq!(compare_for_ranking(repeated, &worse), Ordering::Less);
}

#[test]
fn outputs_that_fit_any_reference_are_noted() {
    let unrelated = |index: usize| SENTENCES[(index + 5) % SENTENCES.len()].1.to_owned();
    let scores = of(|index, _| unrelated(index)).scores;
    assert!(scores.notes.iter().any(|note| note.name == "unrelated_output"));
    let weak = of(|index, _| WEAK[index].to_owned()).scores;
    assert!(weak.notes.iter().all(|note| note.name != "unrelated_output"));
}

#[test]
fn hitting_the_very_reference_where_variants_are_as_good_is_noted() {
    let entries: Vec<Entry> = entries()
        .into_iter()
        .map(|entry| Entry {
            variants: vec!["Outra tradución.".to_owned()],
            ..entry
        })
        .collect();
    let noted = |predictions| {
        let scores = sample::scored(&entries, &predictions).scores;
        scores.notes.iter().any(|note| note.name == "suspicious_matches")
    };
    assert!(noted(answers(&entries, |_, entry| entry.reference.clone())));
    assert!(!noted(honest(&entries)));
}
