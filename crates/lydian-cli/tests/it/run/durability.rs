//! Killed, interrupted and starved runs, and what `resume` makes of them.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::workshop::{Workshop, comparable};

/// Answers slowly enough to be caught in the middle.
const SLOW: &str = "while IFS= read -r line; do sleep 0.01; printf '%s\\n' \"${line%% *}\"; done\n";
const ENTRIES: usize = 120;

fn shop() -> Workshop {
    let shop = Workshop::new();
    shop.write_corpus(ENTRIES);
    shop.write("slow.sh", SLOW);
    shop
}

const RUN: [&str; 6] = [
    "run",
    "corpus.json",
    "--method",
    "command:sh slow.sh",
    "--out",
    "r",
];

fn start(shop: &Workshop, arguments: &[&str]) -> Child {
    shop.command(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lydian starts")
}

fn answers(journal: &Path) -> usize {
    let text = std::fs::read_to_string(journal).unwrap_or_default();
    text.matches("\"type\":\"answer\"").count()
}

/// Waits until the journal holds `count` answers.
fn wait_for(shop: &Workshop, count: usize) {
    let journal = shop.path("r/journal.jsonl");
    let began = Instant::now();
    while answers(&journal) < count {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "only {} answers",
            answers(&journal)
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(sent.success());
}

fn uninterrupted() -> serde_json::Value {
    let shop = shop();
    shop.lydian(&RUN).expect(0);
    comparable(shop.card("r"))
}

#[test]
fn a_run_killed_three_times_ends_in_the_card_of_an_uninterrupted_one() {
    let shop = shop();
    for (round, count) in [7, 41, 90].into_iter().enumerate() {
        let arguments: &[&str] = if round == 0 { &RUN } else { &["resume", "r"] };
        let mut child = start(&shop, arguments);
        wait_for(&shop, count);
        child.kill().expect("SIGKILL");
        child.wait().expect("it ended");
        // A power cut may also leave half a record.
        let journal = shop.path("r/journal.jsonl");
        let mut bytes = std::fs::read(&journal).unwrap();
        bytes.extend_from_slice(b"{\"check\":\"0000");
        std::fs::write(&journal, bytes).unwrap();
    }
    shop.lydian(&["resume", "r"])
        .expect(0)
        .says("an unfinished record of 14 bytes was cut off");
    assert_eq!(comparable(shop.card("r")), uninterrupted());
    let journal = shop.path("r/journal.jsonl");
    let asked = answers(&journal);
    assert_eq!(asked, ENTRIES, "no entry is asked for twice");
}

#[test]
fn ctrl_c_pauses_and_resume_goes_on() {
    let shop = shop();
    let child = start(&shop, &RUN);
    wait_for(&shop, 10);
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("`lydian resume r` goes on"), "{stderr}");
    let partial = shop.card("r");
    assert_eq!(partial["scores"]["quality_tier"], "withheld");
    shop.lydian(&["resume", "r"]).expect(0);
    assert_eq!(comparable(shop.card("r")), uninterrupted());
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let shop = Workshop::new();
    shop.write_corpus(5);
    let hang = [
        "run",
        "corpus.json",
        "--method",
        "command:sleep 1000",
        "--out",
        "r",
    ];
    let mut child = start(&shop, &hang);
    let began = Instant::now();
    while !shop.path("r/journal.jsonl").exists() {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(200));
    assert!(
        child.try_wait().unwrap().is_none(),
        "the first Ctrl-C waits for the call in flight"
    );
    signal(&child, "-INT");
    let second = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(second.elapsed() < Duration::from_secs(5));
}

#[test]
fn two_processes_do_not_write_to_one_run() {
    let shop = shop();
    let mut child = start(&shop, &RUN);
    wait_for(&shop, 5);
    let pid = child.id().to_string();
    shop.lydian(&["resume", "r"])
        .expect(2)
        .says("in use by another process")
        .says(&pid);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_finished_run_resumes_to_the_same_card() {
    let shop = shop();
    shop.lydian(&RUN).expect(0);
    let before = std::fs::read(shop.path("r/run-card.json")).unwrap();
    let began = Instant::now();
    shop.lydian(&["resume", "r"]).expect(0);
    assert!(began.elapsed() < Duration::from_secs(20));
    let after = shop.card("r");
    let mut before: serde_json::Value = serde_json::from_slice(&before).unwrap();
    let (mut a, mut b) = (comparable(after), comparable(before.take()));
    assert_eq!(a.take(), b.take());
}

/// `ulimit -f` counts blocks of 1,024 bytes in bash and 512 in other shells; either way the journal hits it.
#[test]
fn a_file_size_limit_stops_the_run_and_resume_finishes_it() {
    let shop = shop();
    let script = "ulimit -f 24; exec \"$0\" \"$@\"";
    let mut arguments = vec!["-c", script, env!("CARGO_BIN_EXE_lydian")];
    arguments.extend(RUN);
    let output = Command::new("sh")
        .args(arguments)
        .current_dir(&shop.folder)
        .output()
        .expect("sh starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("lydian resume"), "{stderr}");
    let kept = answers(&shop.path("r/journal.jsonl"));
    assert!(kept > 5 && kept < ENTRIES, "{kept}");
    shop.lydian(&["resume", "r"]).expect(0);
    assert_eq!(comparable(shop.card("r")), uninterrupted());
}

#[test]
fn damage_in_the_middle_of_the_journal_is_named_and_left_alone() {
    let shop = Workshop::new();
    shop.write_corpus(5);
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "r"])
        .expect(0);
    let journal = shop.path("r/journal.jsonl");
    let damaged = std::fs::read_to_string(&journal)
        .unwrap()
        .replace("word3", "word4");
    std::fs::write(&journal, &damaged).unwrap();
    shop.lydian(&["resume", "r"]).expect(3).says("line 5 is damaged");
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), damaged);
}
