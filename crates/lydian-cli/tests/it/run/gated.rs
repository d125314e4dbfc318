//! A pipeline whose words the analyser of the language card checks, against the fake provider.

use lydian_harness::fake_provider::{FakeProvider, Script};
use serde_json::{Value, json};

use super::workshop::{Workshop, corpus};

const SCRIPT: &str = r#"
[answers]
"O jardim." = ["O xardin.", "O xardin xxxxxxxx.", "O xardín."]
"O mar." = ["O mare xogam.", "O mare.", "O mare non."]
"Em Lisboa." = ["Lisboa na casa."]
"Tudo bem." = ["O mar."]
"#;

const CARD: &str = r#"
schema = "lydian.language-card/1"
language = "glg"
names = { en = "Galician" }
scripts = ["Latn"]
[analyser]
published_at = "https://example.org/galician"
licence = "MIT"
tags = "plus"
excluded_tags = ["+Err/*"]
self_test = { accepts = ["casa"], rejects = ["xyz"] }
"#;

fn shop() -> Workshop {
    let shop = Workshop::new();
    let entries: Vec<Value> = ["O jardim.", "O mar.", "Em Lisboa.", "Tudo bem."]
        .iter()
        .enumerate()
        .map(|(index, source)| {
            json!({"id": index + 1, "source": source, "reference": "O mar.", "segment": "development",
                "difficulty": 1, "provenance": "textbook", "register": "formal", "domain": "edu"})
        })
        .collect();
    shop.write("corpus.json", &corpus(&entries).to_string());
    std::fs::create_dir_all(shop.path("languages/glg")).unwrap();
    shop.write("languages/glg/card.toml", CARD);
    shop.lydian(&["method", "init", "pipeline", "gated", "--fst", "--model", "m-ok"])
        .expect(0);
    // The templates of a pipeline also check terms and lengths; this test is about words.
    let manifest = std::fs::read_to_string(shop.path("gated/method.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    let checks = manifest["entry_point"]["checks"].as_array_mut().unwrap();
    checks.retain(|check| check["type"] == "fst");
    assert_eq!(*checks, [json!({"type": "fst"})]);
    shop.write("gated/method.json", &manifest.to_string());
    shop
}

fn add_analyser(shop: &Workshop) {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../lydian-scoring/tests/fixtures/galician.hfstol"
    );
    shop.lydian(&[
        "language",
        "add-analyser",
        "glg",
        file,
        "--analyser-version",
        "toy-1",
    ])
    .expect(0);
}

#[test]
fn rejected_words_go_back_with_similar_ones_until_none_is_left() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let script = Script::parse(SCRIPT).unwrap();
    let provider = runtime
        .block_on(FakeProvider::start(([127, 0, 0, 1], 0).into(), script))
        .unwrap();
    let shop = shop();
    add_analyser(&shop);
    let url = provider.base_url();
    let run = [
        "run",
        "corpus.json",
        "--method",
        "gated",
        "--base-url",
        &url,
        "--out",
        "r",
    ];
    shop.lydian(&run).expect(0);

    let card = shop.card("r");
    let predicted = |index: usize| card["results"][index]["predicted"].as_str().unwrap().to_owned();
    assert_eq!(predicted(0), "O xardín.");
    // No answer passed: the one with the fewest rejected words is kept, the later one of two.
    assert_eq!(predicted(1), "O mare non.");
    // A name of the source is no word to reject.
    assert_eq!(predicted(2), "Lisboa na casa.");
    let steps = |index: usize| -> Vec<(String, bool)> {
        let steps = card["results"][index]["steps"].as_array().unwrap().iter();
        steps
            .map(|step| {
                (
                    step["name"].as_str().unwrap().to_owned(),
                    step["ok"].as_bool().unwrap(),
                )
            })
            .collect()
    };
    let step = |name: &str, ok| (name.to_owned(), ok);
    assert_eq!(
        steps(0),
        [
            step("translate", true),
            step("check fst", false),
            step("repair", true),
            step("check fst", false),
            step("repair", true),
            step("check fst", true)
        ]
    );
    assert_eq!(steps(3), [step("translate", true), step("check fst", true)]);
    let detail = card["results"][0]["steps"][1]["detail"].as_str().unwrap();
    assert!(
        detail.contains("\"xardin\" is not a word of Galician; words like it: xardín."),
        "{detail}"
    );
    assert_eq!(
        (&card["fst_version"], &card["max_retries"]),
        (&json!("toy-1"), &json!(2))
    );
    assert_eq!(card["parameters"]["analyser_sha256"].as_str().unwrap().len(), 64);
    let notes = card["scores"]["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["name"] == "analyser_in_loop"));
    assert_eq!(provider.stats().requests, 3 + 3 + 1 + 1);

    // What went back to the model is in the journal with every step, and a changed analyser is another setup.
    let journal = std::fs::read_to_string(shop.path("r/journal.jsonl")).unwrap();
    assert_eq!(journal.matches("\"check fst\"").count(), 3 + 3 + 1 + 1);
    let shown = shop.lydian(&["language", "show", "glg"]).expect(0);
    assert!(shown.stdout.contains("toy-1"), "{}", shown.stdout);
}

#[test]
fn a_gate_without_an_analyser_is_refused_before_anything_is_sent() {
    let shop = shop();
    shop.lydian(&["run", "corpus.json", "--method", "gated", "--dry-run"])
        .expect(3)
        .says("lydian language add-analyser glg FILE");
}
