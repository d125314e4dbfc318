//! What validation says about sound and unsound corpora.

use lydian_model::corpus::read::ReadOptions;
use lydian_model::corpus::validate::{Purpose, Validated, validate_json};
use lydian_model::{Diagnostic, Severity};
use serde_json::{Value, json};

/// A corpus of `count` sound entries.
fn corpus(count: usize) -> Value {
    let entries: Vec<Value> = (1..=count)
        .map(|number| {
            json!({
                "id": number,
                "source": format!("The dog number {number} sleeps."),
                "reference": format!("Le chien numéro {number} dort."),
                "segment": "development",
                "difficulty": 2 + number % 3,
                "provenance": "elicited",
                "register": if number % 2 == 0 { "formal" } else { "conversational" },
                "context": "declaration",
                "domain": "edu",
            })
        })
        .collect();
    json!({
        "dataset": {
            "id": "toy", "version": "1.0.0", "language_pair": "EN→FR", "source_language": "en",
            "target_language": "fr", "created": "2026-05-01", "license": "CC0-1.0", "provenance": ["elicited"]
        },
        "entries": entries
    })
}

fn validate(corpus: &Value, purpose: Purpose) -> Validated {
    let json = serde_json::to_vec(corpus).unwrap();
    validate_json(&json[..], &ReadOptions::default(), purpose).unwrap()
}

fn named(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "hint",
            };
            format!("{severity} {}", diagnostic.check)
        })
        .collect()
}

/// What is found after `value` is put at `pointer` into a sound corpus.
fn with(pointer: &str, value: impl Into<Value>) -> Vec<Diagnostic> {
    let mut corpus = corpus(40);
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    corpus.pointer_mut(parent).unwrap()[field] = value.into();
    validate(&corpus, Purpose::Use).findings.kept().to_vec()
}

#[test]
fn a_sound_corpus_draws_no_remark() {
    let validated = validate(&corpus(40), Purpose::Use);
    assert_eq!(named(validated.findings.kept()), [""; 0]);
    assert_eq!(validated.tally.unwrap().entries, 40);
}

#[test]
fn each_problem_is_found_by_its_check() {
    for (pointer, value, expected) in [
        ("/dataset/source_language", json!("English"), "error language_tag"),
        ("/dataset/target_language", json!("fr_FR"), "error language_tag"),
        (
            "/dataset/target_language",
            json!("fre"),
            "warning bibliographic_code",
        ),
        ("/dataset/target_language", json!("eng"), "warning same_language"),
        ("/dataset/version", json!("1"), "error version"),
        ("/dataset/created", json!("May 2026"), "error date"),
        ("/dataset/license", json!("CC BY 4.0"), "error license"),
        (
            "/dataset/license",
            json!("NOASSERTION"),
            "warning license_unstated",
        ),
        ("/dataset/license", json!("GPL-2.0"), "warning license_deprecated"),
        (
            "/dataset/provenance",
            json!(["elicited", "textbook"]),
            "warning provenance_list",
        ),
        ("/dataset/provenance", json!("elicited"), "error wrong_type"),
        ("/dataset/language_pair", json!(""), "error missing_field"),
        ("/entries/3/id", json!("1"), "error duplicate_id"),
        ("/entries/3/id", json!(1.5), "error wrong_type"),
        ("/entries/3/id", json!(""), "error empty_id"),
        ("/entries/3/source", json!("\u{3000}"), "error empty_text"),
        (
            "/entries/3/reference",
            json!("The dog number 4 sleeps. "),
            "warning source_equals_reference",
        ),
        (
            "/entries/3/source",
            json!("The dog number 1 sleeps."),
            "warning source_repeats",
        ),
        ("/entries/3/domain", json!("health"), "error unknown_domain"),
        ("/entries/3/difficulty", json!(0), "error difficulty_range"),
        ("/entries/3/difficulty", json!(2.5), "error difficulty_range"),
        ("/entries/3/segment", json!("gold"), "error unknown_segment"),
        (
            "/entries/3/register",
            json!("informal"),
            "warning unknown_register",
        ),
        ("/entries/3/context", json!("order"), "warning unknown_context"),
        (
            "/entries/3/provenance",
            json!("LLM"),
            "error machine_made_reference",
        ),
        ("/entries/3/provenance", json!(7), "error wrong_type"),
        (
            "/entries/3/reference",
            json!("Le chien\u{0007}"),
            "warning control_character",
        ),
        (
            "/entries/3/reference",
            json!("Le chien numÃ©ro"),
            "warning mojibake",
        ),
        (
            "/entries/3/reference",
            json!("Le chien nume\u{301}ro"),
            "warning mixed_normalisation",
        ),
        ("/entries/3/refernce", json!("x"), "warning look_alike_field"),
        ("/entries/3/size", json!(1e300), "warning inexact_number"),
        ("/entries/3/domain", json!("religious"), "hint religious_domain"),
    ] {
        let found = with(pointer, value.clone());
        let names = named(&found);
        assert!(
            names.contains(&expected.to_owned()),
            "{pointer} = {value}: {names:?}"
        );
        // A wrong value may also unbalance the provenance list; nothing else follows from it.
        let unrelated: Vec<_> = names
            .iter()
            .filter(|name| *name != expected && !name.ends_with("provenance_list"))
            .collect();
        assert!(unrelated.len() <= 1, "{pointer} = {value}: {names:?}");
        for diagnostic in found {
            assert!(!diagnostic.fix.is_empty() && !diagnostic.rule.is_empty());
            assert!(!diagnostic.message.ends_with('.'), "{}", diagnostic.message);
        }
    }
}

#[test]
fn the_words_lead_to_the_remedy() {
    let one = |pointer, value: Value| with(pointer, value)[0].to_string();
    assert_eq!(
        one("/entries/3/domain", json!("health")),
        "error[unknown_domain] line 1 /entries/3/domain (entry 4): unknown domain \"health\" (B §2.7); did you mean medical?"
    );
    assert_eq!(
        one("/dataset/license", json!("cc-by-4.0")),
        "error[license] /dataset/license: license \"cc-by-4.0\" is not an SPDX expression: unknown term (B §2.1); \
         did you mean CC-BY-4.0?"
    );
    assert_eq!(
        one("/dataset/target_language", json!("fr_FR")),
        "error[language_tag] /dataset/target_language: target_language \"fr_FR\" is not a BCP 47 tag: \
         subtags are separated by hyphens (decision 1); write fr-FR"
    );
    assert_eq!(
        one("/entries/3/source", json!("The dog number 1 sleeps.")),
        "warning[source_repeats] line 1 /entries/3/source (entry 4): the source already stands at /entries/0 (line 1) \
         with another reference (B §2.2); make one entry of both and put the further reference into `variants`"
    );
}

#[test]
fn missing_recommended_fields_are_counted_not_listed() {
    let mut corpus = corpus(40);
    for entry in corpus["entries"].as_array_mut().unwrap() {
        let entry = entry.as_object_mut().unwrap();
        for field in ["provenance", "difficulty", "register", "domain", "segment"] {
            entry.remove(field);
        }
    }
    let found = validate(&corpus, Purpose::Use).findings;
    assert_eq!(
        named(found.kept()),
        [
            "warning missing_provenance",
            "warning missing_difficulty",
            "warning missing_register",
            "warning missing_domain",
            "hint defaulted_segment",
        ]
    );
    assert_eq!(
        found.kept()[0].message,
        "40 of 40 entries without provenance (1, 2, 3, …)"
    );
}

#[test]
fn a_corpus_as_a_whole_is_judged() {
    let mut small = corpus(40);
    small["entries"][0]["segment"] = json!("gold_standard");
    assert_eq!(
        named(validate(&small, Purpose::Use).findings.kept()),
        ["warning small_segment"]
    );
    let mut easy = corpus(40);
    for entry in easy["entries"].as_array_mut().unwrap() {
        entry["difficulty"] = json!(1);
        entry["domain"] = json!("religious");
    }
    assert_eq!(
        named(validate(&easy, Purpose::Use).findings.kept()),
        ["warning difficulty_weight", "warning religious_domain"]
    );
}

#[test]
fn onboarding_asks_for_everything_a_benchmark_needs() {
    let names = named(validate(&corpus(40), Purpose::Onboarding).findings.kept());
    assert_eq!(
        names,
        [
            "error onboarding_segment",
            "error onboarding_segment",
            "error onboarding_consent",
            "hint no_analyses",
            "hint no_variants",
            "hint no_analyser",
            "hint no_dictionary",
            "hint no_governance",
        ]
    );
}

#[test]
fn a_complete_benchmark_passes_onboarding() {
    let mut corpus = corpus(100);
    for (index, entry) in corpus["entries"].as_array_mut().unwrap().iter_mut().enumerate() {
        match index {
            0..50 => entry["segment"] = json!("gold_standard"),
            50..60 => {
                entry["segment"] = json!("diagnostic");
                entry["phenomenon"] = json!("obviation");
            }
            _ => {}
        }
        entry["morphological_analysis"] = json!("dog.AN sleep.AI-3");
        entry["variant_class"] = json!("simple");
    }
    for field in ["consent", "analyser", "dictionary", "governance"] {
        corpus["dataset"][field] = json!("named");
    }
    let validated = validate(&corpus, Purpose::Onboarding);
    assert_eq!(named(validated.findings.kept()), [""; 0]);
    corpus["entries"][7].as_object_mut().unwrap().remove("provenance");
    corpus["entries"][55]
        .as_object_mut()
        .unwrap()
        .remove("phenomenon");
    corpus["entries"][55]
        .as_object_mut()
        .unwrap()
        .remove("variant_class");
    let names = named(validate(&corpus, Purpose::Onboarding).findings.kept());
    assert_eq!(names, ["error missing_provenance", "error onboarding_phenomenon"]);
}
