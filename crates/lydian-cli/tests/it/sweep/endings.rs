//! How sweeps end that a full disk or a signal cuts short, and that the same command goes on.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stage::{assert_same_cards, cards};
use crate::run::workshop::{Ended, Workshop, corpus};

const RUN: [&str; 5] = ["sweep", "run", "sweep.toml", "--out", "s"];

/// A plan of local methods: the source as it stands, and a program that writes it back.
fn write_local_plan(shop: &Workshop) {
    shop.write(
        "sweep.toml",
        "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\n\
         [[method]]\nid = \"floor\"\nmethod = \"copy\"\n\
         [[method]]\nid = \"cat\"\nmethod = \"command:cat\"\n",
    );
}

fn journals(shop: &Workshop) -> Vec<PathBuf> {
    let Ok(runs) = std::fs::read_dir(shop.path("s/runs")) else {
        return Vec::new();
    };
    runs.map(|run| run.expect("a folder").path().join("journal.jsonl"))
        .filter(|journal| journal.is_file())
        .collect()
}

fn has_ended(journal: &Path) -> bool {
    std::fs::read_to_string(journal).is_ok_and(|text| text.contains("\"type\":\"ended\""))
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
fn a_signal_while_a_run_is_scored_ends_the_sweep_and_the_same_command_goes_on() {
    let shop = Workshop::new();
    write_long_corpus(&shop);
    write_local_plan(&shop);
    let child = shop
        .command(&RUN)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lydian starts");
    let began = Instant::now();
    while !journals(&shop).iter().any(|journal| has_ended(journal)) {
        assert!(began.elapsed() < Duration::from_secs(120), "no run ends");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(sent.success());
    Ended::from(child.wait_with_output().expect("it ends"))
        .expect(130)
        .says("interrupted while a run was scored")
        .says("the same command goes on");
    assert!(
        cards(&shop, "s").is_empty(),
        "nothing was scored after the signal"
    );
    assert_eq!(journals(&shop).len(), 1, "no further run begins");
    shop.lydian(&RUN).expect(0);
    assert_eq!(cards(&shop, "s").len(), 2);
}

#[test]
fn a_partial_card_is_gone_before_its_run_goes_on() {
    let shop = Workshop::new();
    shop.write_corpus(30);
    write_local_plan(&shop);
    // The second half of the corpus is answered slowly.
    shop.write(
        "half.sh",
        "while IFS= read -r line; do test -e go || { sleep 1000; }; printf '%s\\n' \"$line\"; done\n",
    );
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write("sweep.toml", &plan.replace("command:cat", "command:sh half.sh"));
    shop.write("go", "");
    shop.lydian(&RUN).expect(0);
    let whole = cards(&shop, "s");
    // One run as an interruption leaves it: some answers, and a card of them.
    let of_program = |journal: &PathBuf| std::fs::read_to_string(journal).unwrap().contains("half.sh");
    let journal = journals(&shop).into_iter().find(of_program).unwrap();
    let text = std::fs::read_to_string(&journal).unwrap();
    let some: Vec<&str> = text.lines().take(text.lines().count() / 2).collect();
    std::fs::write(&journal, format!("{}\n", some.join("\n"))).unwrap();
    let card = journal.with_file_name("run-card.json");

    std::fs::remove_file(shop.path("go")).unwrap();
    let mut child = shop
        .command(&RUN)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lydian starts");
    let began = Instant::now();
    // Killed while it goes on, it leaves no card that could pass for that of the whole run.
    while card.exists() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the partial card stays"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("it ended");
    shop.write("go", "");
    shop.lydian(&RUN).expect(0);
    assert_same_cards(&cards(&shop, "s"), &whole);
}

#[test]
fn a_full_disk_stops_the_sweep_and_the_same_command_goes_on() {
    let whole = Workshop::new();
    whole.write_corpus(120);
    write_local_plan(&whole);
    whole.lydian(&RUN).expect(0);
    let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
    let journal = journals(&whole)
        .iter()
        .map(|journal| size(journal))
        .max()
        .unwrap();
    // The first limit cuts the journals, the second lets them pass and cuts the cards; a block is 512 or 1,024 bytes.
    for blocks in [journal / 4096, journal / 512 + 2] {
        let shop = Workshop::new();
        shop.write_corpus(120);
        write_local_plan(&shop);
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_lydian")])
            .args(RUN)
            .current_dir(&shop.folder)
            .output()
            .expect("sh starts");
        Ended::from(output)
            .expect(1)
            .says("the same command goes on")
            .never_says("panicked");
        assert!(!journals(&shop).is_empty());
        shop.lydian(&RUN).expect(0);
        assert_same_cards(&cards(&shop, "s"), &cards(&whole, "s"));
    }
}

#[test]
fn a_sweep_that_a_full_disk_stopped_at_its_beginning_goes_on() {
    let shop = Workshop::new();
    shop.write_corpus(5);
    write_local_plan(&shop);
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 0; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_lydian"),
        ])
        .args(RUN)
        .current_dir(&shop.folder)
        .output()
        .expect("sh starts");
    Ended::from(output).expect(1);
    assert!(shop.path("s").exists() && !shop.path("s/sweep.json").exists());
    // A stranger's file is no beginning of a sweep.
    shop.write("s/notes.txt", "mine");
    shop.lydian(&RUN).expect(2).says("holds no sweep");
    std::fs::remove_file(shop.path("s/notes.txt")).unwrap();
    shop.lydian(&RUN).expect(0);
    assert_eq!(cards(&shop, "s").len(), 2);
}
