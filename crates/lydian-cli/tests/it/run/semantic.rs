//! A semantic scorer beside a run: an embeddings server and a program, recorded, calibrated, and scored again.

use lydian_harness::fake_provider::{FakeProvider, Script};
use serde_json::{Value, json};

use super::workshop::{Workshop, examples};

fn server() -> (tokio::runtime::Runtime, FakeProvider) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let started = FakeProvider::start(([127, 0, 0, 1], 0).into(), Script::parse("").unwrap());
    let provider = runtime.block_on(started).unwrap();
    (runtime, provider)
}

fn embeddings(base_url: &str) -> String {
    json!({"schema": "lydian.semantic-scorer/1", "scorer_id": "fake",
        "entry_point": {"type": "embeddings", "base_url": base_url, "model": "any", "prefix": "query: "}})
    .to_string()
}

fn por_glg() -> String {
    examples().join("por-glg").display().to_string()
}

#[test]
fn a_scorer_is_recorded_calibrated_and_counts_once_it_has_passed() {
    let (_runtime, provider) = server();
    let shop = Workshop::new();
    shop.write("scorer.json", &embeddings(&provider.base_url()));
    let example = por_glg();
    shop.lydian(&["run", &example, "--semantic", "scorer.json", "--out", "r"])
        .expect(0);
    let card = shop.card("r");
    assert!(card["scores"]["semantic_score"].is_null());
    let reason = |card: &Value| card["scores"]["metric_availability"]["semantic_score"]["reason"].clone();
    assert!(
        reason(&card).as_str().unwrap().contains("is not calibrated for"),
        "{}",
        reason(&card)
    );
    assert_eq!(card["results"][0]["semantic_verdict"], "UNKNOWN");
    let record = std::fs::read_to_string(shop.path("r/semantic.jsonl")).unwrap();
    assert_eq!(
        record.lines().count(),
        1 + card["results"].as_array().unwrap().len()
    );

    let corpus = format!("{example}/corpus.json");
    let calibrate = [
        "language",
        "calibrate-semantic",
        "glg",
        &corpus,
        "--scorer",
        "scorer.json",
        "--run",
        "r",
        "--json",
    ];
    let dry = shop.lydian(&[&calibrate[..], &["--dry-run"]].concat()).expect(0);
    assert!(!shop.path("languages").exists());
    let found = shop
        .lydian(&[&calibrate[..], &["--cards", "languages"]].concat())
        .expect(0);
    let (dry, found): (Value, Value) = (
        serde_json::from_str(&dry.stdout).unwrap(),
        serde_json::from_str(&found.stdout).unwrap(),
    );
    assert_eq!(dry["calibration"], found["calibration"]);
    let passes = found["passes"].as_bool().unwrap();

    // The answers are in the run folder: scoring again asks nobody.
    drop(provider);
    shop.lydian(&["runs", "rescore", "r", "--out", "again.json"])
        .expect(0);
    let again: Value = serde_json::from_slice(&std::fs::read(shop.path("again.json")).unwrap()).unwrap();
    assert_eq!(again["scores"]["semantic_score"].is_number(), passes, "{found}");
    assert_eq!(reason(&again).is_null(), passes, "{}", reason(&again));
    shop.lydian(&["card", "verify", "again.json"]).expect(0);
    let language = [
        "card",
        "verify",
        "again.json",
        "--corpus",
        &corpus,
        "--language",
        "--cards",
        "languages",
    ];
    shop.lydian(&language).expect(0);
    shop.lydian(&[
        "card",
        "verify",
        "r",
        "--corpus",
        &corpus,
        "--language",
        "--cards",
        "languages",
    ])
    .expect(3)
    .says("the run was scored with");
}

#[test]
fn a_program_scores_over_the_plugin_protocol() {
    let shop = Workshop::new();
    let scorer = examples().join("scorers/python").display().to_string();
    shop.lydian(&["run", &por_glg(), "--semantic", &scorer, "--out", "r"])
        .expect(0);
    let card = shop.card("r");
    let raw = |index: usize| {
        card["results"][index]["plugin_metrics"]["semantic_score"]["raw"]
            .as_f64()
            .unwrap()
    };
    assert!((0..5).all(|index| (0.0..=1.0).contains(&raw(index))));
    assert!((0..5).any(|index| raw(index) > 0.2));
    // A method that only translates is no scorer, and the run is not lost with it.
    let translator = json!({"schema": "lydian.semantic-scorer/1", "scorer_id": "x", "entry_point":
        {"type": "process", "sends_text_away": false,
         "command": ["python3", examples().join("plugins/python/dictionary.py")]}});
    std::fs::create_dir(shop.path("x")).unwrap();
    shop.write("x/scorer.json", &translator.to_string());
    shop.lydian(&["run", &por_glg(), "--semantic", "x", "--out", "r2"])
        .expect(0)
        .says("does not say that it scores");
    assert!(shop.card("r2")["scores"]["semantic_score"].is_null());
}

/// Writes a scorer that is a shell command.
fn shell_scorer(shop: &Workshop, script: &str) {
    let scorer = json!({"schema": "lydian.semantic-scorer/1", "scorer_id": "shell", "entry_point":
        {"type": "process", "command": ["sh", "-c", script], "sends_text_away": false}});
    shop.write("scorer.json", &scorer.to_string());
}

#[test]
fn a_scorer_that_always_fails_is_reported_with_its_error() {
    let shop = Workshop::new();
    let reason = |run: &str| {
        let card = shop.card(run);
        assert_eq!(card["results"][0]["semantic_verdict"], "ERROR");
        assert!(card["scores"]["semantic_score"].is_null());
        let reason = &card["scores"]["metric_availability"]["semantic_score"]["reason"];
        reason.as_str().unwrap().to_owned()
    };
    shell_scorer(&shop, "echo 'model weights not found' >&2; echo more >&2; exit 3");
    let run = [
        "run",
        &por_glg(),
        "--limit",
        "3",
        "--semantic",
        "scorer.json",
        "--out",
    ];
    shop.lydian(&[&run[..], &["started"]].concat())
        .expect(0)
        .says("ended before it said hello (exit status: 3); it wrote: model weights not found");
    let not_started = reason("started");
    assert!(
        not_started.contains("has no score for any output")
            && not_started.contains("model weights not found"),
        "{not_started}"
    );

    let hello = r#"{"type":"hello","protocol":1,"method":{"id":"x","version":"1"},"capabilities":{"max_batch":9,"scores":true}}"#;
    let refusing = format!(
        "echo '{hello}'; read hello; read pairs; for id in 0 1 2; do \
         echo '{{\"type\":\"score\",\"req\":1,\"id\":\"'$id'\",\"error\":\"no such language\"}}'; done; \
         echo '{{\"type\":\"done\",\"req\":1}}'; read end"
    );
    shell_scorer(&shop, &refusing);
    shop.lydian(&[&run[..], &["refused"]].concat())
        .expect(0)
        .says("no score for 3 of 3 outputs, the first because: no such language");
    assert!(
        reason("refused").contains("no such language"),
        "{}",
        reason("refused")
    );

    // What failed is asked for again, and then has a score.
    let working = examples().join("scorers/python/word_overlap.py");
    shell_scorer(&shop, &format!("exec python3 {}", working.display()));
    std::fs::remove_file(shop.path("started/semantic.jsonl")).unwrap();
    shop.lydian(&[
        "runs",
        "rescore",
        "started",
        "--semantic",
        "scorer.json",
        "--out",
        "again.json",
    ])
    .expect(0);
    let again: Value = serde_json::from_slice(&std::fs::read(shop.path("again.json")).unwrap()).unwrap();
    assert_eq!(again["results"][0]["semantic_verdict"], "UNKNOWN");
}

#[test]
fn the_time_limit_binds_the_scorer() {
    let shop = Workshop::new();
    shell_scorer(&shop, "exec sleep 600");
    let example = por_glg();
    let run = [
        "run",
        &example,
        "--limit",
        "3",
        "--semantic",
        "scorer.json",
        "--timeout",
        "1",
        "--out",
        "r",
    ];
    shop.lydian(&run).expect(0).says("did not say hello within 1 s");
    let hello = r#"{"type":"hello","protocol":1,"method":{"id":"x","version":"1"},"capabilities":{"max_batch":9,"scores":true}}"#;
    shell_scorer(&shop, &format!("echo '{hello}'; exec sleep 600"));
    std::fs::remove_file(shop.path("r/semantic.jsonl")).unwrap();
    let rescore = [
        "runs",
        "rescore",
        "r",
        "--semantic",
        "scorer.json",
        "--timeout",
        "1",
        "--out",
        "again.json",
    ];
    shop.lydian(&rescore).expect(7).says("no score within 1 s");
    let corpus = format!("{example}/corpus.json");
    shop.lydian(&["run", &example, "--out", "whole"]).expect(0);
    let calibrate = [
        "language",
        "calibrate-semantic",
        "glg",
        &corpus,
        "--scorer",
        "scorer.json",
        "--run",
        "whole",
        "--timeout",
        "1",
        "--dry-run",
    ];
    shop.lydian(&calibrate).expect(7).says("no score within 1 s");
}

#[test]
fn a_verdict_needs_a_card_to_be_written_into() {
    let shop = Workshop::new();
    shop.write("scorer.json", &embeddings("http://127.0.0.1:9/v1"));
    let corpus = format!("{}/corpus.json", por_glg());
    let calibrate = [
        "language",
        "calibrate-semantic",
        "epo",
        &corpus,
        "--scorer",
        "scorer.json",
    ];
    shop.lydian(&calibrate)
        .expect(2)
        .says("epo has no language card")
        .says("make languages/epo/card.toml with schema");
    assert!(!shop.path("languages").exists());
    shop.lydian(&[&calibrate[..], &["--dry-run"]].concat())
        .expect(2)
        .says("not into epo");
}

#[test]
fn what_may_be_secret_is_not_sent_to_a_scorer_elsewhere() {
    let shop = Workshop::new();
    shop.write("scorer.json", &embeddings("https://embeddings.example.org/v1"));
    shop.write_corpus(3);
    let text = std::fs::read_to_string(shop.path("corpus.json")).unwrap();
    shop.write("corpus.json", &text.replace("\"segment\":\"development\",", ""));
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "copy",
        "--semantic",
        "scorer.json",
    ])
    .expect(2)
    .says("the semantic scorer sends its text to another machine");
    assert!(!shop.path("runs").exists());
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "copy",
        "--semantic",
        "nowhere.json",
    ])
    .expect(2)
    .says("nowhere.json");
}

/// A scorer that hangs does not outlive the run that a signal ends.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_scorer_too() {
    let shop = Workshop::new();
    let command = ["sh", "-c", "echo $$ > scorer.pid; exec sleep 600"];
    let scorer = json!({"schema": "lydian.semantic-scorer/1", "scorer_id": "hangs",
        "entry_point": {"type": "process", "command": command, "sends_text_away": false}});
    shop.write("scorer.json", &scorer.to_string());
    let mut child = shop
        .command(&["run", &por_glg(), "--semantic", "scorer.json", "--out", "r"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let scorer = loop {
        let written = std::fs::read_to_string(shop.path("scorer.pid")).unwrap_or_default();
        if written.ends_with('\n') {
            break written.trim().to_owned();
        }
        assert!(std::time::Instant::now() < deadline, "the scorer was not started");
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let kill = |arguments: &[&str]| {
        let mut kill = std::process::Command::new("kill");
        kill.args(arguments).stderr(std::process::Stdio::null());
        kill.status().unwrap().success()
    };
    assert!(kill(&["-TERM", &child.id().to_string()]));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    while kill(&["-0", &scorer]) {
        assert!(std::time::Instant::now() < deadline, "the scorer lives on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
