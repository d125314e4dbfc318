//! `lydian score` on texts and options that go wrong, or would take too long.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn score(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .arg("score")
        .args(arguments)
        .env("SACREBLEU", folder)
        .env_remove("SACREBLEU_SEED")
        .env_remove("SACREBLEU_FORMAT")
        .current_dir(folder)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn small_model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lydian-metrics/tests/data/unigram.model")
}

const FRENCH: (&str, &str) = (
    "Tous les êtres humains naissent libres\nChacun a droit à la vie\n",
    "Tous les êtres naissent libres\nChacun a le droit à la vie\n",
);

#[test]
fn texts_of_two_hundred_thousand_words_are_scored_at_once() {
    let words: Vec<String> = (0..200_000).map(|i| format!("w{}", i * 7919 % 5003)).collect();
    let same = words.join(" ");
    let mut moved = words;
    for block in (0..199_000).step_by(997) {
        moved.swap(block, block + 13);
    }
    moved.reverse();
    let folder = folder(&[("ref", &same), ("same", &same), ("moved", &moved.join(" "))]);
    for metric in ["ter", "cer", "wer"] {
        let output = score(folder.path(), &["ref", "-i", "same", "-m", metric, "-b"]);
        assert_eq!(stdout(&output), "0.0\n");
    }
    let output = score(folder.path(), &["ref", "-i", "moved", "-m", "ter", "-b"]);
    let ter: f64 = stdout(&output).trim().parse().unwrap();
    assert!(ter > 90.0, "{ter}");
}

#[test]
fn texts_whose_edit_distance_would_take_minutes_are_refused_with_the_segment() {
    let one = "ab".repeat(400_000);
    let other = "b a c".repeat(200_000);
    let folder = folder(&[("ref", &format!("a\n{one}\n")), ("hyp", &format!("a\n{other}\n"))]);
    let output = score(folder.path(), &["ref", "-i", "hyp", "-m", "cer"]);
    assert_eq!(output.status.code(), Some(3));
    let message = stderr(&output);
    assert!(message.contains("segment 2 is too long for CER"), "{message}");
    assert!(message.contains("cut the texts into segments"), "{message}");
}

#[test]
fn a_sentence_piece_model_comes_from_the_user_or_from_where_sacrebleu_put_it() {
    let folder = folder(&[("ref", FRENCH.0), ("hyp", FRENCH.1)]);
    let model = small_model();
    let model = model.to_str().unwrap();
    let signature = |arguments: &[&str]| {
        let output = score(folder.path(), &[&["ref", "-i", "hyp"], arguments].concat());
        let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
        document["signature"].as_str().unwrap().to_owned()
    };
    let named = signature(&["-tok", "flores200", "--spm-model", model]);
    assert_eq!(
        named,
        "nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp|version:2.6.0"
    );
    // A model without a published name is told apart by the beginning of its SHA-256.
    let own = signature(&["-tok", "spm", "--spm-model", model]);
    assert!(own.contains("|tok:spm-") && own.contains("|smooth:exp"), "{own}");

    let missing = score(folder.path(), &["ref", "-i", "hyp", "-tok", "flores101"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("lydian does not download"),
        "{}",
        stderr(&missing)
    );
    let models = folder.path().join("models");
    std::fs::create_dir(&models).unwrap();
    std::fs::copy(model, models.join("sacrebleu_tokenizer_spm.model")).unwrap();
    assert!(signature(&["-tok", "spm"]).contains("tok:flores101"));
}

#[test]
fn a_file_that_is_no_model_is_named() {
    let folder = folder(&[("ref", FRENCH.0), ("hyp", FRENCH.1)]);
    let output = score(
        folder.path(),
        &["ref", "-i", "hyp", "-tok", "spm", "--spm-model", "ref"],
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("not a SentencePiece model"),
        "{}",
        stderr(&output)
    );
    let output = score(folder.path(), &["ref", "-i", "hyp", "--spm-model", "ref"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--tokenize spm"), "{}", stderr(&output));
}

#[test]
fn calibration_needs_two_systems_and_tells_error_rates() {
    let lines = |word: &str| -> String {
        (0..60)
            .map(|i| format!("{word} {} b{} c\n", i % 7, i % 5))
            .collect()
    };
    let (one, two) = (lines("a"), lines("x"));
    let folder = folder(&[("ref", &lines("a 3")), ("one", &one), ("two", &two)]);
    let arguments = [
        "ref",
        "-i",
        "one",
        "two",
        "-m",
        "chrf",
        "exact",
        "--calibrate",
        "100",
        "--json",
    ];
    let document: Value = serde_json::from_str(&stdout(&score(folder.path(), &arguments))).unwrap();
    assert_eq!(document["schema"], "lydian.calibration/1");
    assert_eq!(
        (&document["segments"], &document["trials"]),
        (&60.into(), &100.into())
    );
    let rate = document["paired"][0]["randomization"].as_f64().unwrap();
    assert!(rate < 0.15, "{rate}");
    assert!(document["shares"][0]["mcnemar"].as_f64().unwrap() <= 0.05);
    let alone = score(folder.path(), &["ref", "-i", "one", "--calibrate", "100"]);
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn a_gate_on_chrf_with_words_says_which_option_computes_it() {
    let texts = folder(&[("ref.txt", "the cat\n"), ("hyp.txt", "the cat\n")]);
    let gate = [
        "ref.txt",
        "-i",
        "hyp.txt",
        "-m",
        "chrf",
        "--fail-under",
        "chrf_plus_plus=50",
    ];
    let refused = score(texts.path(), &gate);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("--chrf-word-order 2"),
        "{}",
        stderr(&refused)
    );
    let followed = [&gate[..], &["--chrf-word-order", "2"]].concat();
    assert_eq!(score(texts.path(), &followed).status.code(), Some(0));
}
