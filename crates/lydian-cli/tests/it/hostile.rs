//! Runs hostile and damaged documents through the command: a clear error, the documented exit code, nothing half-written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hostile")
}

fn lydian(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(arguments)
        .output()
        .expect("the command starts")
}

struct Case {
    file: PathBuf,
    kind: String,
    exit: i32,
    word: String,
}

fn cases() -> Vec<Case> {
    let table = fs::read_to_string(fixtures().join("cases.tsv")).expect("cases.tsv");
    table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [file, kind, exit, word] = cells[..] else {
                panic!("cases.tsv: {line}")
            };
            Case {
                file: fixtures().join(file),
                kind: kind.to_owned(),
                exit: exit.parse().expect("an exit code"),
                word: word.to_owned(),
            }
        })
        .collect()
}

/// Returns what is wrong with the way a case ended.
fn complaint(case: &Case, output: &Output) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stderr);
    let name = case
        .file
        .strip_prefix(fixtures())
        .expect("below the fixtures")
        .display();
    let shown = format!("{}{said}", String::from_utf8_lossy(&output.stdout));
    if said.contains("panicked") {
        return Some(format!("{name}: panics: {said}"));
    }
    if output.status.code() != Some(case.exit) {
        return Some(format!(
            "{name}: exit {:?}, not {}: {shown}",
            output.status.code(),
            case.exit
        ));
    }
    if case.exit != 0 && !shown.contains("error") {
        return Some(format!("{name}: no error is shown: {shown}"));
    }
    (!shown.contains(&case.word)).then(|| format!("{name}: does not say {:?}: {shown}", case.word))
}

#[test]
fn hostile_corpora_are_refused_with_a_reason() {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.kind == "corpus").collect();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let complaints: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            complaint(
                case,
                &lydian(&[Path::new("corpus"), Path::new("validate"), &case.file]),
            )
        })
        .collect();
    assert!(
        complaints.is_empty(),
        "{} complaints\n{}",
        complaints.len(),
        complaints.join("\n---\n")
    );
}

#[test]
fn hostile_predictions_are_refused_and_leave_nothing_behind() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let corpus = fixtures().join("good.json");
    let mut complaints = Vec::new();
    for (number, case) in cases()
        .iter()
        .filter(|case| case.kind == "predictions")
        .enumerate()
    {
        let out = scratch.path().join(number.to_string());
        let output = lydian(&[
            Path::new("run"),
            &corpus,
            Path::new("--method"),
            Path::new("replay"),
            Path::new("--predictions"),
            &case.file,
            Path::new("--out"),
            &out,
        ]);
        complaints.extend(complaint(case, &output));
        if out.join("run-card.json").exists() {
            complaints.push(format!("{}: a card was written", case.file.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n---\n"));
}
