//! `lydian card` and `lydian compare` on cards made for the tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lydian_model::run_card::{Environment, Measured};
use lydian_model::run_setup::{DatasetIdentity, HARNESS_VERSION, MethodConfig, MethodIdentity, Selection};
use lydian_model::{
    DependencyClass, Entry, EntryId, Finite, MethodClass, Prediction, RunCard, RunSetup, Sha256Hex,
};
use lydian_scoring::{ScoringContext, score};

const SENTENCES: [(&str, &str, &str); 4] = [
    ("Bom dia, senhora.", "Bos días, señora.", "Bos dias, señora."),
    (
        "O cão dorme na casa.",
        "O can dorme na casa.",
        "O can dorme na casa.",
    ),
    ("A chuva não para.", "A choiva non para.", "A chuvia non para."),
    ("Temos fome e sede.", "Temos fame e sede.", "Temos fame e sede."),
];

fn setup(entries: &[Entry], method: &str) -> RunSetup {
    RunSetup {
        run_id: format!("00000000-0000-4000-8000-{:0>12}", method.len()),
        harness_version: HARNESS_VERSION.into(),
        timestamp: "2026-11-30T12:00:00Z".into(),
        method: MethodIdentity {
            method_id: method.into(),
            name: method.into(),
            method_class: MethodClass::CustomPlugin,
            dependency_class: DependencyClass::S,
            method_sha256: Sha256Hex::of(method.as_bytes()),
        },
        model_slug: method.into(),
        condition: "baseline".into(),
        temperature: None,
        system_prompt_used: String::new(),
        coaching_data_sha256: None,
        fst_version: None,
        tools_enabled: Vec::new(),
        batch_size: None,
        max_retries: None,
        method_config: MethodConfig::default(),
        parameters: BTreeMap::new(),
        seed: None,
        endpoint: None,
        post_processing: Vec::new(),
        dataset: DatasetIdentity {
            id: "sample".into(),
            version: "1.0.0".into(),
            language_pair: "POR→GLG".into(),
            source_language: "por".into(),
            target_language: "glg".into(),
            license: Some("CC0-1.0".into()),
            sha256: Sha256Hex::of(b"corpus"),
            file_entry_count: entries.len() as u64,
            values_from: BTreeMap::new(),
        },
        selection: Selection {
            entry_ids: entries.iter().map(|entry| entry.id.clone()).collect(),
            complete: true,
            ..Selection::default()
        },
    }
}

/// Returns the card of a method whose output for an entry is `output`; `None` is a failure.
fn card(method: &str, output: impl Fn(usize, &Entry) -> Option<String>) -> RunCard {
    let entries: Vec<Entry> = (1..)
        .zip(SENTENCES)
        .map(|(id, (source, reference, _))| Entry::new(EntryId::integer(id), source, reference))
        .collect();
    let predictions: BTreeMap<EntryId, Prediction> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            let id = entry.id.clone();
            let prediction = match output(index, entry) {
                Some(text) => Prediction::of_text(id.clone(), text),
                None => Prediction::failed(id.clone(), "time-out"),
            };
            (id, prediction)
        })
        .collect();
    let selected: Vec<&Entry> = entries.iter().collect();
    let elapsed_seconds = Finite::new(1.0).unwrap();
    let context = ScoringContext {
        elapsed_seconds: Some(elapsed_seconds),
        ..ScoringContext::default()
    };
    let scored = score(&selected, &predictions, &context).unwrap();
    RunCard::new(
        &setup(&entries, method),
        Measured {
            elapsed_seconds,
            model_id: None,
            scores: scored.scores,
            totals: scored.totals,
            results: scored.results,
            environment: Environment {
                program: "lydian 0.1.0".into(),
                scorer_version: "1".into(),
                language_card: None,
            },
        },
    )
}

fn honest() -> RunCard {
    card("honest", |index, _| Some(SENTENCES[index].2.to_owned()))
}

fn copy() -> RunCard {
    card("copy", |_, entry| Some(entry.source.clone()))
}

fn write(folder: &Path, name: &str, card: &RunCard) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, card.file_bytes()).unwrap();
    path
}

fn lydian(arguments: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(arguments)
        .args(paths)
        .env_clear()
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_card_opens_with_a_sentence_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "run-card.json", &honest());
    for given in [path.as_path(), folder.path()] {
        let output = lydian(&["card"], &[given]);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        assert!(text.starts_with("On 4 sentences this method scores "), "{text}");
        assert!(
            text.lines()
                .next()
                .unwrap()
                .ends_with("No speaker has confirmed this.")
        );
    }
}

#[test]
fn a_changed_card_is_found_even_when_sealed_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut card = honest();
    let path = write(folder.path(), "card.json", &card);
    let intact = lydian(&["card", "verify"], &[&path]);
    assert_eq!(intact.status.code(), Some(0));
    assert!(stdout(&intact).contains("does not mean that the card is honest"));
    let text = stdout(&intact);
    assert!(
        text.contains("file         byte for byte as the card is written"),
        "{text}"
    );
    assert!(text.contains("needs the corpus file (--corpus FILE)"), "{text}");
    assert!(
        text.lines().all(|line| line.len() < 320),
        "a wall of names: {text}"
    );

    card.scores.chrf_plus_plus = lydian_model::Score::new(99.0);
    card.seal();
    let changed = lydian(
        &["card", "verify"],
        &[&write(folder.path(), "changed.json", &card)],
    );
    assert_eq!(changed.status.code(), Some(3));
    assert!(stdout(&changed).contains("/scores/chrf_plus_plus is 99.0, expected "));
    let json = lydian(
        &["card", "verify", "--json"],
        &[&folder.path().join("changed.json")],
    );
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&found["schema"], &found["change_count"]),
        (&"lydian.verification/1".into(), &1.into())
    );
}

#[test]
fn a_citation_names_scores_signatures_and_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let card = honest();
    let output = lydian(&["card", "cite"], &[&write(folder.path(), "card.json", &card)]);
    let text = stdout(&output);
    assert!(
        text.contains("honest (honest) on 4 entries of sample 1.0.0 (por to glg): chrF++ "),
        "{text}"
    );
    assert!(text.contains("nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|norm:nfc"));
    assert!(text.contains(&format!("sha256:{}", card.run_card_hash)));
}

#[test]
fn the_schema_of_cards_is_printed_and_a_card_needs_a_name() {
    let schema: serde_json::Value = serde_json::from_slice(&lydian(&["card", "schema"], &[]).stdout).unwrap();
    assert!(schema["properties"]["run_card_hash"].is_object());
    assert_eq!(lydian(&["card"], &[]).status.code(), Some(2));
    assert_eq!(
        lydian(&["card"], &[Path::new("no-such-card.json")]).status.code(),
        Some(2)
    );
}

#[test]
fn two_runs_are_compared_as_text_markdown_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (
        write(folder.path(), "a.json", &copy()),
        write(folder.path(), "b.json", &honest()),
    );
    let text = lydian(&["compare"], &[&first, &second]);
    assert_eq!(text.status.code(), Some(0));
    // Both ran under the same condition: the names are those that the user gave.
    let legend: Vec<String> = stdout(&text)
        .lines()
        .filter(|line| line.contains("(card "))
        .map(str::to_owned)
        .collect();
    assert!(
        legend[0].starts_with("A  ") && legend[0].contains("a.json"),
        "{legend:?}"
    );
    assert!(
        legend[1].starts_with("B  ") && legend[1].contains("b.json"),
        "{legend:?}"
    );
    assert!(legend.iter().all(|line| !line.contains("baseline")), "{legend:?}");
    assert!(stdout(&text).contains("by sentence chrF++: B better on 4, A better on 0, equal on 0"));
    assert!(
        String::from_utf8_lossy(&text.stderr).contains("too few entries for a test that means anything: 4")
    );
    let markdown = lydian(&["compare", "--format", "markdown"], &[&first, &second]);
    assert!(stdout(&markdown).contains("| chrF++ | "));
    let json = lydian(&["compare", "--json"], &[&first, &second]);
    let comparison: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(comparison["schema"], "lydian.comparison/1");
    assert_eq!(comparison["systems"][0]["entries"]["wins"], 4);
}

#[test]
fn where_two_runs_never_differ_no_detectable_difference_is_stated() {
    let folder = tempfile::tempdir().unwrap();
    let cards = ["a.json", "b.json"].map(|name| write(folder.path(), name, &honest()));
    let markdown = stdout(&lydian(
        &["compare", "--format", "markdown"],
        &[&cards[0], &cards[1]],
    ));
    let rows: Vec<&str> = markdown.lines().filter(|line| line.contains(" +0.00")).collect();
    assert!(!rows.is_empty(), "{markdown}");
    for row in rows {
        assert!(row.ends_with("| – |"), "{row}");
    }
}

#[test]
fn refusals_and_failed_reproductions_have_their_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let failing = card("failing", |index, _| {
        (index > 0).then(|| SENTENCES[index].2.to_owned())
    });
    let mut foreign = honest();
    foreign.dataset.sha256 = Sha256Hex::of(b"other");
    let paths = [
        ("a.json", &honest()),
        ("b.json", &failing),
        ("c.json", &foreign),
        ("d.json", &copy()),
    ]
    .map(|(name, card)| write(folder.path(), name, card));
    let code =
        |arguments: &[&str], second: usize| lydian(arguments, &[&paths[0], &paths[second]]).status.code();
    assert_eq!(code(&["compare"], 1), Some(3));
    assert_eq!(code(&["compare", "--allow-incomplete"], 1), Some(0));
    assert_eq!(code(&["compare"], 2), Some(3));
    assert_eq!(code(&["compare", "--reproduction"], 0), Some(0));
    assert_eq!(code(&["compare", "--reproduction"], 3), Some(10));
}
