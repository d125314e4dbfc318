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

/// Runs `corpus validate` on a path and returns the exit code and what was said.
fn validate(path: &Path) -> (Option<i32>, String) {
    let output = lydian(&[Path::new("corpus"), Path::new("validate"), path]);
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn what_is_not_a_readable_file_is_named() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (exit, said) = validate(scratch.path());
    assert!(exit == Some(2) && said.contains("folder"), "{exit:?} {said}");
    let (exit, said) = validate(&scratch.path().join("none.json"));
    assert!(exit == Some(2) && said.contains("none.json"), "{exit:?} {said}");
}

#[test]
fn paths_with_spaces_and_letters_of_any_script_are_fine() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("a folder ñ").join("корпус \u{1F33F}.json");
    fs::create_dir(path.parent().expect("a folder")).expect("a writable scratch folder");
    fs::copy(fixtures().join("good.json"), &path).expect("a writable scratch folder");
    assert_eq!(validate(&path).0, Some(0));
}

#[cfg(unix)]
#[test]
fn link_loops_endless_input_and_full_disks_end_with_a_reason() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let link = scratch.path().join("loop.json");
    std::os::unix::fs::symlink("loop.json", &link).expect("a writable scratch folder");
    let (exit, said) = validate(&link);
    assert!(exit == Some(2) && said.contains("loop.json"), "{exit:?} {said}");
    if Path::new("/dev/zero").exists() {
        assert_eq!(validate(Path::new("/dev/zero")).0, Some(3));
    }
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
            .args(["corpus", "validate"])
            .arg(fixtures().join("good.json"))
            .stdout(full)
            .output()
            .expect("the command starts");
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn options_of_score_beyond_every_measure_are_refused_before_memory_is_taken() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let text = scratch.path().join("text");
    fs::write(&text, "a b c\nd e f\n").expect("a writable scratch folder");
    for (option, value) in [
        ("--width", "99999999999"),
        ("--num-refs", "99999999"),
        ("--confidence-n", "99999999999"),
        ("--paired-ar-n", "99999999999"),
        ("--paired-bs-n", "99999999999"),
        ("--chrf-char-order", "99999999"),
        ("--chrf-word-order", "99999999999"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
            .arg("score")
            .arg(&text)
            .args(["-m", "chrf", "--confidence", option, value, "-i"])
            .arg(&text)
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(
            said.contains(option) && said.contains("expected"),
            "{option}: {said}"
        );
    }
}

#[test]
fn a_calibration_that_would_not_end_is_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let text = scratch.path().join("text");
    fs::write(&text, "a b c\nd e f\n").expect("a writable scratch folder");
    let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .arg("score")
        .arg(&text)
        .args(["-m", "chrf", "--calibrate", "99999999999", "-i"])
        .args([&text, &text])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("expected a number from 0 to 20000"), "{said}");
}

#[test]
fn days_that_the_calendar_does_not_have_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let write = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        fs::write(&path, text).expect("a writable scratch folder");
        path.display().to_string()
    };
    let printed = lydian(&[Path::new("cost"), Path::new("--assumptions")]);
    let assumptions = String::from_utf8(printed.stdout).expect("UTF-8");
    let costs = write("costs.toml", &assumptions.replace("2026-06-07", "2026-99-99"));
    let prices = write(
        "prices.toml",
        "schema = \"lydian/prices@1\"\nas_of = \"2026-99-99\"\nprice = []\n",
    );
    let table = write("c.csv", "source,reference\na,b\n");
    let corpus = fixtures().join("good.json").display().to_string();
    for arguments in [
        &["cost", "language", "--from", &costs][..],
        &[
            "run",
            &corpus,
            "--method",
            "copy",
            "--prices",
            &prices,
            "--dry-run",
        ],
        &["corpus", "import", &table, "--created", "2026-99-99"],
    ] {
        let arguments: Vec<&Path> = arguments.iter().map(Path::new).collect();
        let output = lydian(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(2 | 3)),
            "{arguments:?}: {said}"
        );
        assert!(
            said.contains("2026-99-99") && said.contains("of the calendar"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn damaged_cards_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let run = scratch.path().join("run");
    let corpus = fixtures().join("good.json");
    let made = lydian(&[
        Path::new("run"),
        &corpus,
        Path::new("--method"),
        Path::new("copy"),
        Path::new("--out"),
        &run,
    ]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let card = fs::read_to_string(run.join("run-card.json")).expect("the card");
    let damage: [(&str, String); 9] = [
        ("empty", String::new()),
        ("cut", card[..card.len() / 2].to_owned()),
        ("list", format!("[{card}]")),
        ("twice", format!("{card}{card}")),
        (
            "not a number",
            card.replacen("\"elapsed_seconds\":", "\"elapsed_seconds\":NaN,\"x\":", 1),
        ),
        (
            "two values",
            card.replacen("\"condition\":", "\"condition\":\"b\",\"condition\":", 1),
        ),
        ("deep", format!("{}{}", "[".repeat(50_000), "]".repeat(50_000))),
        (
            "newer",
            card.replacen("lydian.run-card/1", "lydian.run-card/999", 1),
        ),
        (
            "without hash",
            card.replacen("\"run_card_hash\":", "\"run_card_hush\":", 1),
        ),
    ];
    for (name, text) in damage {
        assert_ne!(text, card, "{name} changes nothing");
        let file = scratch.path().join("damaged.json");
        fs::write(&file, text).expect("a writable scratch folder");
        let output = lydian(&[Path::new("card"), Path::new("verify"), &file]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(!said.contains("panicked"), "{name}: {said}");
    }
}
