//! How runs end that a full disk, a signal or a broken program cuts short.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::workshop::{Ended, Workshop, comparable, corpus};

fn run_under(shop: &Workshop, limit_blocks: u64, arguments: &[&str]) -> Ended {
    let script = format!("ulimit -f {limit_blocks}; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_lydian")])
        .args(arguments)
        .current_dir(&shop.folder)
        .output()
        .expect("sh starts")
        .into()
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// Names of what stands in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|item| item.expect("an item").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

const COPY: [&str; 6] = ["run", "corpus.json", "--method", "copy", "--out", "r"];

#[test]
fn a_card_that_does_not_fit_on_the_disk_leaves_the_journal_and_says_how_to_go_on() {
    let whole = Workshop::new();
    whole.write_corpus(120);
    whole.lydian(&COPY).expect(0);
    let (journal, card) = (
        size(&whole.path("r/journal.jsonl")),
        size(&whole.path("r/run-card.json")),
    );
    // A block is 512 bytes in some shells and 1,024 in others: the limit is above the journal and below the card in both.
    let blocks = journal / 512 + 2;
    assert!(blocks * 1024 < card, "journal {journal}, card {card}");

    let shop = Workshop::new();
    shop.write_corpus(120);
    run_under(&shop, blocks, &COPY)
        .expect(1)
        .says("cannot write r/run-card.json")
        .says("every answer is in the journal")
        .says("`lydian resume r`")
        .never_says("nothing was changed");
    assert_eq!(names(&shop.path("r")), ["journal.jsonl", "journal.lock"]);
    shop.lydian(&["resume", "r"]).expect(0);
    assert_eq!(comparable(shop.card("r")), comparable(whole.card("r")));
}

#[test]
fn a_run_folder_that_cannot_be_made_is_named_as_the_user_named_it() {
    let shop = Workshop::new();
    shop.write_corpus(200);
    run_under(&shop, 2, &COPY)
        .expect(1)
        .says("cannot make the run folder r: ")
        .says("nothing was run")
        .never_says(".new")
        .never_says("resume");
    assert_eq!(names(&shop.folder), ["corpus.json"]);
}

#[test]
fn a_program_that_fails_every_time_leaves_an_incomplete_card() {
    let shop = Workshop::new();
    for count in [3, 12] {
        let out = format!("r{count}");
        shop.write_corpus(count);
        shop.lydian(&["run", "corpus.json", "--method", "command:false", "--out", &out])
            .expect(5)
            .says("lydian resume");
        let card = shop.card(&out);
        assert_eq!(card["scores"]["coverage"], 0.0);
        assert_eq!(card["scores"]["errors"], count);
        assert_eq!(card["scores"]["quality_tier"], "withheld");
    }
}

#[test]
fn a_program_that_does_not_exist_is_a_wrong_name_and_leaves_no_card() {
    let shop = Workshop::new();
    shop.write_corpus(3);
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "command:no-such-program-here",
        "--out",
        "r",
    ])
    .expect(2)
    .says("no-such-program-here");
    assert!(!shop.path("r/run-card.json").exists());
}

/// A corpus whose texts take seconds to score.
fn write_long_corpus(shop: &Workshop) {
    let entries: Vec<Value> = (0..500)
        .map(|n| {
            let words: Vec<String> = (0..60).map(|k| format!("w{}", (n * 31 + k * 17) % 997)).collect();
            let mut reference = words.clone();
            reference.rotate_left(20);
            json!({"id": n, "source": words.join(" "), "reference": reference.join(" "), "segment": "development"})
        })
        .collect();
    shop.write("corpus.json", &corpus(&entries).to_string());
}

#[test]
fn a_signal_while_scoring_ends_the_process_and_resume_makes_the_card() {
    for name in ["-INT", "-TERM"] {
        let shop = Workshop::new();
        write_long_corpus(&shop);
        let child = shop
            .command(&COPY)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lydian starts");
        let journal = shop.path("r/journal.jsonl");
        let began = Instant::now();
        while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("\"type\":\"ended\"")) {
            assert!(
                began.elapsed() < Duration::from_secs(120),
                "the loop does not end"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill")
            .args([name, &child.id().to_string()])
            .status()
            .expect("kill");
        assert!(sent.success());
        let signalled = Instant::now();
        Ended::from(child.wait_with_output().expect("it ends"))
            .expect(130)
            .says("interrupted before the card was written; the journal is complete")
            .says("`lydian resume r`");
        assert!(
            signalled.elapsed() < Duration::from_secs(5),
            "{:?}",
            signalled.elapsed()
        );
        assert_eq!(names(&shop.path("r")), ["journal.jsonl", "journal.lock"]);
        if name == "-TERM" {
            let ended = shop.lydian(&["resume", "r", "--quiet"]).expect(0);
            assert!(ended.stdout.starts_with("On 500 sentences"), "{}", ended.stdout);
            assert_eq!(shop.card("r")["scores"]["coverage"], 1.0);
        }
    }
}

#[test]
fn a_failure_is_a_document_when_json_was_asked_for() {
    let shop = Workshop::new();
    shop.write(
        "twice.json",
        &corpus(&vec![json!({"id": 1, "source": "s", "reference": "r"}); 40]).to_string(),
    );
    let ended = shop
        .lydian(&["run", "twice.json", "--method", "copy", "--out", "r", "--json"])
        .expect(3)
        .says("39 errors")
        .says("… and 19 more of error duplicate_id");
    let document: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!(document["schema"], "lydian.error/1");
    assert_eq!(document["exit_code"], 3);
    let findings = document["findings"].as_array().expect("findings");
    assert_eq!(
        findings
            .iter()
            .filter(|finding| finding["check"] == "duplicate_id")
            .count(),
        39,
        "all of them"
    );
}

#[test]
fn output_that_cannot_be_written_is_an_error_and_a_closed_pipe_is_not() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    let shop = Workshop::new();
    shop.write_corpus(3);
    let commands: [&[&str]; 7] = [
        &["--help"],
        &["--version"],
        &["run", "--help"],
        &["explain"],
        &["completions", "bash"],
        &["corpus", "schema"],
        &["corpus", "import", "corpus.json"],
    ];
    for arguments in commands {
        let mut command = shop.command(arguments);
        command.stdout(full.try_clone().expect("a handle"));
        let ended = Ended::from(command.output().expect("lydian starts"));
        assert_eq!(ended.code, Some(1), "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("cannot write to standard output"),
            "{arguments:?}"
        );

        let mut child = shop
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lydian starts");
        drop(child.stdout.take());
        let ended = Ended::from(child.wait_with_output().expect("it ends"));
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
        assert!(!ended.stderr.contains("error"), "{arguments:?}: {}", ended.stderr);
    }
}
