//! The semantic score: recorded answers, calibration, guards and verdicts (decision 32).

use std::collections::BTreeMap;

use lydian_language::{Language, LanguageTag, SemanticCalibration};
use lydian_model::run_card::result::SemanticVerdict::{self, Mismatch, Unknown, Valid};
use lydian_model::semantic::{SemanticAnswer, SemanticAnswers, texts_sha256};
use lydian_model::{Entry, EntryId, Finite, Prediction};
use lydian_scoring::verify::{Sources, verify};
use lydian_scoring::{Scored, ScoringContext, score};

use crate::sample::{self, answers, entries};

const SCORER: &str = "toy#1";

fn calibration() -> SemanticCalibration {
    SemanticCalibration {
        scorer: SCORER.into(),
        corpus_sha256: "0123456789abcdef0123".into(),
        outputs: "a system".into(),
        pairs: 160,
        auc: 0.99,
        chrf_plus_plus_auc: 0.98,
        chance_level: 0.8,
        valid_from: 0.9,
        mismatch_below: 0.85,
    }
}

fn language(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

/// Galician with what a scorer is known to be worth.
fn galician(calibrations: Vec<SemanticCalibration>) -> Language {
    let mut card = language("glg").card;
    card.semantic = calibrations;
    Language::open(card, |_| Err(std::io::ErrorKind::NotFound.into()))
}

/// Returns what a scorer said: `raw` gives its number or its complaint for each entry.
fn said(
    entries: &[Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
    raw: impl Fn(usize) -> Result<f64, &'static str>,
) -> SemanticAnswers {
    let by_entry = entries.iter().enumerate().map(|(index, entry)| {
        let (score, error) = match raw(index) {
            Ok(score) => (Finite::new(score), None),
            Err(error) => (None, Some(error.to_owned())),
        };
        let output = predictions[&entry.id].scored_text();
        let answer = SemanticAnswer {
            entry_id: entry.id.clone(),
            texts_sha256: texts_sha256(&entry.source, output, &entry.reference),
            score,
            error,
        };
        (entry.id.clone(), answer)
    });
    SemanticAnswers {
        scorer: SCORER.to_owned(),
        by_entry: by_entry.collect(),
    }
}

fn judged(
    target: &Language,
    entries: &[Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
    answers: &SemanticAnswers,
) -> Scored {
    let source = language("por");
    let selected: Vec<&Entry> = entries.iter().collect();
    let context = ScoringContext {
        semantic: Some(answers),
        elapsed_seconds: Finite::new(12.5),
        ..ScoringContext::for_languages(&source, target)
    };
    score(&selected, predictions, &context).unwrap()
}

fn reason(scored: &Scored) -> String {
    let status = &scored.scores.metric_availability["semantic_score"];
    status.reason.clone().unwrap_or_default()
}

#[test]
fn the_value_is_what_lies_above_chance() {
    let entries = entries();
    let predictions = sample::honest(&entries);
    let raw = |index: usize| Ok([0.8, 0.9, 0.95, 0.7, 1.0, 0.88][index % 6]);
    let answers = said(&entries, &predictions, raw);
    let scored = judged(&galician(vec![calibration()]), &entries, &predictions, &answers);
    let expected = (0.0 + 0.5 + 0.75 + 0.0 + 1.0 + 0.4) / 6.0;
    assert!((scored.scores.semantic_score.unwrap().get() - expected).abs() < 1e-6);
    assert_eq!(reason(&scored), "");
    assert!((scored.scores.composite_weights["semantic_score"].get()) > 0.2);
    assert!(scored.scores.confidence_intervals.contains_key("semantic_score"));
    let verdicts: Vec<_> = scored.results[..6]
        .iter()
        .map(|result| result.semantic_verdict.unwrap())
        .collect();
    assert_eq!(verdicts, [Mismatch, Valid, Valid, Mismatch, Valid, Unknown]);
    assert!(scored.scores.signatures["semantic_score"].starts_with("scorer:toy#1|chance:0.8|valid:0.9"));
}

#[test]
fn without_a_passed_calibration_there_is_no_score_but_what_was_said_is_shown() {
    let entries = entries();
    let predictions = sample::honest(&entries);
    let answers = said(&entries, &predictions, |_| Ok(0.9));
    let none = judged(&galician(vec![]), &entries, &predictions, &answers);
    assert_eq!(none.scores.semantic_score, None);
    assert!(
        reason(&none).contains("`lydian language calibrate-semantic glg`"),
        "{}",
        reason(&none)
    );
    assert_eq!(none.results[1].semantic_verdict, Some(SemanticVerdict::Unknown));
    assert_eq!(none.results[1].plugin_metrics["semantic_score"]["raw"], 0.9);
    assert!(!none.scores.composite_weights.contains_key("semantic_score"));
    assert!(!none.scores.signatures.contains_key("semantic_score"));
    for (auc, chrf) in [(0.94, 0.5), (0.97, 0.98)] {
        let failed = SemanticCalibration {
            auc,
            chrf_plus_plus_auc: chrf,
            ..calibration()
        };
        let scored = judged(&galician(vec![failed]), &entries, &predictions, &answers);
        assert_eq!(scored.scores.semantic_score, None);
        assert!(reason(&scored).contains("well enough"), "{}", reason(&scored));
    }
    let never_asked = sample::scored(&entries, &predictions);
    assert_eq!(reason(&never_asked), "no semantic scorer is configured");
    assert_eq!(never_asked.results[1].semantic_verdict, None);
}

#[test]
fn an_entry_without_a_score_takes_the_metric_away() {
    let entries = entries();
    let predictions = sample::honest(&entries);
    let raw = |index: usize| if index == 3 { Err("too long") } else { Ok(0.95) };
    let answers = said(&entries, &predictions, raw);
    let scored = judged(&galician(vec![calibration()]), &entries, &predictions, &answers);
    assert_eq!(scored.scores.semantic_score, None);
    assert!(
        reason(&scored).contains("no score for 1 of 12 outputs: too long"),
        "{}",
        reason(&scored)
    );
    assert_eq!(scored.results[3].semantic_verdict, Some(SemanticVerdict::Error));
    assert_eq!(
        scored.results[3].plugin_metrics["semantic_score"]["error"],
        "too long"
    );
    // A scorer that never answered has its error shown before it is asked for a calibration.
    let broken = said(&entries, &predictions, |_| Err("no such model"));
    let scored = judged(&galician(vec![]), &entries, &predictions, &broken);
    assert!(
        reason(&scored).contains("no score for any output: no such model"),
        "{}",
        reason(&scored)
    );
    // An answer about other texts is no answer.
    let other = said(&entries, &answers_of(&entries), |_| Ok(0.95));
    let scored = judged(&galician(vec![calibration()]), &entries, &predictions, &other);
    assert!(
        reason(&scored).contains("no score for any output: it was not asked"),
        "{}",
        reason(&scored)
    );
}

fn answers_of(entries: &[Entry]) -> BTreeMap<EntryId, Prediction> {
    answers(entries, |index, _| format!("outra cousa {index}"))
}

#[test]
fn what_a_scorer_cannot_see_is_guarded() {
    let mut entries = entries();
    entries[6].reference = "Este libro custa 12 euros.".to_owned();
    let outputs = |index: usize, entry: &Entry| match index {
        1 => entry.source.clone(),
        2 => String::new(),
        3 => "Мне очень нравится читать.".to_owned(),
        // A negation lost, and a number changed.
        4 => "A choiva para.".to_owned(),
        6 => "Este libro custa 21 euros.".to_owned(),
        _ => entry.reference.clone(),
    };
    let predictions = answers(&entries, outputs);
    // A scorer that is pleased with everything.
    let pleased = said(&entries, &predictions, |_| Ok(0.99));
    let scored = judged(&galician(vec![calibration()]), &entries, &predictions, &pleased);
    let seen = |index: usize| {
        let details = &scored.results[index].plugin_metrics["semantic_score"];
        let guard = details
            .get("guard")
            .and_then(|guard| guard.as_str().map(str::to_owned));
        (guard, details["millionths"].as_u64().unwrap())
    };
    let guarded = |name: &str, value: u64| (Some(name.to_owned()), value);
    assert_eq!(seen(0), (None, 950_000));
    assert_eq!(seen(1), guarded("source_copy", 0));
    assert_eq!(seen(2), guarded("empty", 0));
    assert_eq!(seen(3), guarded("wrong_script", 0));
    assert_eq!(seen(4), guarded("negation", 250_000));
    assert_eq!(seen(6), guarded("numbers", 250_000));
    for index in [1, 2, 3, 4, 6] {
        assert_eq!(
            scored.results[index].semantic_verdict,
            Some(SemanticVerdict::Mismatch),
            "{index}"
        );
    }
}

#[test]
fn a_card_with_a_semantic_score_is_verified_from_its_results() {
    let entries = entries();
    let predictions = sample::measured(&entries);
    let answers = said(&entries, &predictions, |index| Ok(0.85 + index as f64 / 100.0));
    let (source, target) = (language("por"), galician(vec![calibration()]));
    let context = ScoringContext {
        semantic: Some(&answers),
        elapsed_seconds: Finite::new(12.5),
        ..ScoringContext::for_languages(&source, &target)
    };
    let mut card = sample::card_in(&sample::setup(&entries), &entries, &predictions, &context);
    assert!(card.scores.semantic_score.is_some());
    assert_eq!(verify(&card, &Sources::default()).unwrap().changes, []);
    card.results[2].semantic_verdict = Some(SemanticVerdict::Error);
    card.scores.semantic_score = lydian_model::Score::new(0.99);
    card.seal();
    let found = verify(&card, &Sources::default()).unwrap();
    let pointers: Vec<&str> = found
        .changes
        .iter()
        .map(|change| change.pointer.as_str())
        .collect();
    assert_eq!(
        pointers,
        ["/results/2/semantic_verdict", "/scores/semantic_score"]
    );
}
