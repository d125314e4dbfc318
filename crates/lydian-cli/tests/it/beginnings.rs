//! `lydian init` and `lydian config explain`: what a newcomer meets first.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn lydian(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lydian"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("LYDIAN_LANGUAGE_CARDS");
    command
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    let output = lydian(arguments, folder).output().expect("the command starts");
    assert!(
        output.status.success(),
        "{arguments:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[cfg(unix)]
#[test]
fn the_folder_of_init_validates_and_runs_as_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = stdout(&run(
        &["init", "My First", "--target-language", "crk"],
        folder.path(),
    ));
    for file in [
        "README.md",
        "corpus.json",
        "example.toml",
        "method/method.json",
        "method/translate.sh",
    ] {
        assert!(made.contains(&format!("My First/{file}\n")), "{made}");
    }
    run(&["corpus", "validate", "My First/corpus.json"], folder.path());
    run(&["method", "check", "My First/method"], folder.path());
    run(&["run", "My First", "--out", "r"], folder.path());
    let card = std::fs::read_to_string(folder.path().join("r/run-card.json")).expect("a card");
    let card: Value = serde_json::from_str(&card).expect("JSON");
    assert_eq!(card["dataset"]["id"], "my-first");
    assert_eq!(card["dataset"]["target_language"], "crk");
    assert_eq!(card["results"][0]["predicted"], "Hello");
    assert_eq!(card["scores"]["coverage"], 1.0);
    run(&["init", "undecided"], folder.path());
    run(&["run", "undecided", "--out", "u"], folder.path());
}

#[test]
fn init_overwrites_nothing_and_refuses_what_is_no_language() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("taken")).expect("a folder");
    std::fs::write(folder.path().join("taken/corpus.json"), "mine").expect("a file");
    for arguments in [
        ["init", "taken", "--target-language", "crk"],
        ["init", "new", "--target-language", "cree language"],
    ] {
        let output = lydian(&arguments, folder.path())
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("taken/corpus.json")).expect("the file"),
        "mine"
    );
    assert!(!folder.path().join("new").exists());
}

#[cfg(unix)]
#[test]
fn what_cannot_be_made_whole_is_not_left_in_part() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("taken"), "mine").expect("a file");
    // README.md of init fits into 1,536 bytes, corpus.json does not.
    for (command, blocks) in [
        ("init", 3),
        ("method init raw-llm", 0),
        ("method init custom-plugin", 0),
    ] {
        let limited = format!("ulimit -f {blocks}; exec \"$0\" {command} new/folder");
        let output = Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_lydian")])
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        assert!(
            said.contains("cannot write new/folder/") && !said.contains(".lydian-"),
            "{command}: {said}"
        );
        assert!(said.contains("nothing was made"), "{command}: {said}");
        assert!(!folder.path().join("new").exists(), "{command}");

        let arguments: Vec<&str> = command.split(' ').chain(["taken"]).collect();
        let output = lydian(&arguments, folder.path())
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(
            said.contains("taken is a file, expected a folder"),
            "{command}: {said}"
        );
    }
}

/// Returns value and origin of a setting of the run, as JSON.
fn setting(document: &Value, part: &str, name: &str) -> (String, Value) {
    let found = document[part]
        .as_array()
        .expect("settings")
        .iter()
        .find(|setting| setting["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {document}"));
    (
        found["value"].as_str().expect("text").to_owned(),
        found["from"].clone(),
    )
}

#[cfg(unix)]
#[test]
fn config_explain_says_where_each_setting_comes_from() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(&["init", "b", "--target-language", "crk"], folder.path());
    let explained = |arguments: &[&str]| -> Value {
        let all = [&["config", "explain", "--json"], arguments].concat();
        let output = lydian(&all, folder.path())
            .env("LYDIAN_LANGUAGE_CARDS", "my-cards")
            .output()
            .expect("the command starts");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let alone = explained(&[]);
    assert_eq!(alone["schema"], "lydian.settings/1");
    assert!(alone["run"].is_null());
    let (value, from) = setting(&alone, "program", "language cards");
    assert_eq!(
        (value.as_str(), &from["kind"]),
        ("my-cards", &"environment".into())
    );
    let (value, from) = setting(&alone, "program", "colours");
    assert_eq!((value.as_str(), &from["name"]), ("never", &"NO_COLOR".into()));

    let from_folder = explained(&["b"]);
    let (_, from) = setting(&from_folder, "run", "method");
    assert_eq!(
        from,
        serde_json::json!({"kind": "file", "name": "b/example.toml"})
    );
    let (value, from) = setting(&from_folder, "run", "most entries");
    assert_eq!((value.as_str(), &from["kind"]), ("all", &"default".into()));

    let flags = explained(&["b", "--method", "copy", "--limit", "3", "--concurrency", "2"]);
    for (name, value, flag) in [
        ("method", "copy", "--method"),
        ("most entries", "3", "--limit"),
        ("calls at a time", "2", "--concurrency"),
    ] {
        let found = setting(&flags, "run", name);
        assert_eq!(found.0, value);
        assert_eq!(found.1, serde_json::json!({"kind": "command_line", "name": flag}));
    }
}

#[test]
fn config_explain_shows_where_a_key_is_and_never_the_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(
        &["method", "init", "raw-llm", "m", "--key", "env:TEST_KEY"],
        folder.path(),
    );
    std::fs::write(
        folder.path().join("c.json"),
        r#"{"entries": [{"id": 1, "source": "a", "reference": "b"}]}"#,
    )
    .expect("a file");
    let output = lydian(&["config", "explain", "c.json", "--method", "m"], folder.path())
        .env("TEST_KEY", "sk-very-secret")
        .output()
        .expect("the command starts");
    let text = stdout(&output);
    assert!(text.contains("env:TEST_KEY (set)"), "{text}");
    assert!(text.contains("m/method.json"), "{text}");
    assert!(!text.contains("very-secret"), "{text}");
}
