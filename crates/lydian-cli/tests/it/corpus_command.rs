//! `lydian corpus` from the outside: files in, files out, exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/por-glg/corpus.json")
}

fn lydian(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(["corpus"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("lydian starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

/// Files of a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_sound_corpus_is_valid_and_a_broken_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = example();
    let sound = lydian(folder.path(), &["validate", "--strict", path.to_str().unwrap()]);
    assert_eq!(code(&sound), 0, "{}", stdout(&sound));
    assert!(stdout(&sound).ends_with("corpus.json: valid, 58 entries\n"));

    let broken =
        fs::read_to_string(&path)
            .unwrap()
            .replacen("\"domain\": \"legal\"", "\"domain\": \"law\"", 1);
    let name = "größe und maß.json";
    fs::write(folder.path().join(name), broken).unwrap();
    let output = lydian(folder.path(), &["validate", name]);
    assert_eq!(code(&output), 3);
    assert_eq!(
        stdout(&output),
        format!(
            "{name}: not valid, 58 entries, 1 error\n  error line 15, entry 1, /entries/0/domain: unknown domain \"law\"\n      \
             did you mean legal? [unknown_domain; B §2.7]\n"
        )
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn warnings_count_only_with_strict_and_json_holds_everything() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(example())
        .unwrap()
        .replacen("\"formal\"", "\"solemn\"", 1);
    fs::write(folder.path().join("c.json"), text).unwrap();
    assert_eq!(code(&lydian(folder.path(), &["validate", "c.json"])), 0);
    let strict = lydian(folder.path(), &["validate", "--strict", "--json", "c.json"]);
    assert_eq!(code(&strict), 3);
    let report = json(&strict);
    assert_eq!(report["schema"], "lydian.corpus-validation/1");
    assert_eq!(report["valid"], false);
    let file = &report["files"][0];
    assert_eq!(
        (&file["layout"], &file["entries"]),
        (&"dataset".into(), &58.into())
    );
    assert_eq!(file["findings"][0]["check"], "unknown_register");
    assert_eq!(file["findings"][0]["place"]["pointer"], "/entries/0/register");
    assert_eq!(file["counts"][0]["count"], 1);
}

#[test]
fn onboarding_asks_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let output = lydian(
        folder.path(),
        &["validate", "--onboarding", "--json", example().to_str().unwrap()],
    );
    assert_eq!(code(&output), 3);
    let checks: Vec<_> = json(&output)["files"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["check"].as_str().unwrap().to_owned())
        .collect();
    assert!(checks.contains(&"onboarding_consent".to_owned()), "{checks:?}");
}

#[test]
fn many_findings_are_shortened_unless_all_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(example())
        .unwrap()
        .replace("\"formal\"", "\"solemn\"");
    fs::write(folder.path().join("c.json"), text).unwrap();
    let short = stdout(&lydian(folder.path(), &["validate", "c.json"]));
    assert!(
        short.ends_with("… and 38 more of warning unknown_register\n"),
        "{short}"
    );
    let all = stdout(&lydian(folder.path(), &["validate", "--all", "c.json"]));
    assert_eq!(all.matches("unknown_register").count(), 58);
}

#[test]
fn a_corpus_goes_through_every_format_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let original: Value = serde_json::from_slice(&fs::read(example()).unwrap()).unwrap();
    let envelope = [
        "--dataset-id",
        "udhr-por-glg",
        "--dataset-version",
        "1.0.0",
        "--language-pair",
        "PT→GL",
        "--source-language",
        "pt",
        "--target-language",
        "gl",
        "--created",
        "2026-11-30",
        "--license",
        "MIT",
        "--provenance",
        "corpus",
    ];
    for (file, whole) in [
        ("a.jsonl", true),
        ("a.csv", true),
        ("a.tsv", true),
        ("a.tmx", false),
    ] {
        let converted = lydian(here, &["convert", example().to_str().unwrap(), "-o", file]);
        assert_eq!(code(&converted), 0, "{}", stderr(&converted));
        let back = format!("{file}.json");
        let imported = lydian(here, &[&["import", file, "-o", &back][..], &envelope].concat());
        assert_eq!(code(&imported), 0, "{}", stderr(&imported));
        let read: Value = serde_json::from_slice(&fs::read(here.join(&back)).unwrap()).unwrap();
        assert_eq!(read["dataset"], original["dataset"], "{file}");
        if whole {
            assert_eq!(read["entries"], original["entries"], "{file}");
        }
        assert_eq!(
            read["entries"][57]["reference"], original["entries"][57]["reference"],
            "{file}"
        );
    }
    assert_eq!(
        fs::read(here.join("a.jsonl.json")).unwrap(),
        fs::read(example()).unwrap()
    );
}

#[test]
fn line_aligned_files_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let written = lydian(
        here,
        &[
            "convert",
            example().to_str().unwrap(),
            "--to",
            "text",
            "-o",
            "dev.pt",
            "-o",
            "dev.gl",
        ],
    );
    assert_eq!(code(&written), 0);
    assert!(
        stderr(&written).contains("text leaves out: the dataset block except the languages, id, segment")
    );
    let imported = lydian(
        here,
        &[
            "import", "dev.pt", "dev.gl", "--domain", "legal", "-o", "c.json", "--json",
        ],
    );
    assert_eq!(code(&imported), 0, "{}", stderr(&imported));
    assert_eq!(json(&imported)["values_from"]["target_language"], "flag");
    let corpus: Value = serde_json::from_slice(&fs::read(here.join("c.json")).unwrap()).unwrap();
    assert_eq!(corpus["dataset"]["target_language"], "gl");
    assert_eq!(corpus["entries"][3]["domain"], "legal");
    fs::write(here.join("short.gl"), "uma\n").unwrap();
    let refused = lydian(here, &["import", "dev.pt", "short.gl", "-o", "d.json"]);
    assert_eq!(code(&refused), 3);
    assert!(
        stderr(&refused).contains("source file 58, reference file 1"),
        "{}",
        stderr(&refused)
    );
    assert!(!here.join("d.json").exists());
}

#[test]
fn nothing_is_replaced_without_being_asked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("c.json"), "mine").unwrap();
    let arguments = ["import", example().to_str().unwrap(), "-o", "c.json"].map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(code(&lydian(folder.path(), &arguments)), 2);
    assert_eq!(fs::read(folder.path().join("c.json")).unwrap(), b"mine");
    assert_eq!(
        code(&lydian(folder.path(), &[&arguments[..], &["--force"]].concat())),
        0
    );
    assert_eq!(
        fs::read(folder.path().join("c.json")).unwrap(),
        fs::read(example()).unwrap()
    );
}

/// A corpus large enough to be split.
fn large_corpus(folder: &Path) -> PathBuf {
    let mut corpus: Value = serde_json::from_slice(&fs::read(example()).unwrap()).unwrap();
    let entries: Vec<Value> = (0..250)
        .map(|number| {
            let mut entry = corpus["entries"][number % 58].clone();
            entry["id"] = number.into();
            for field in ["source", "reference"] {
                entry[field] = format!("{} {number}", entry[field].as_str().unwrap()).into();
            }
            entry
        })
        .collect();
    corpus["entries"] = entries.into();
    let path = folder.join("large.json");
    fs::write(&path, serde_json::to_vec(&corpus).unwrap()).unwrap();
    path
}

#[test]
fn a_split_is_reproducible_and_keeps_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    large_corpus(here);
    let first = lydian(
        here,
        &[
            "split",
            "large.json",
            "--seed",
            "7",
            "--new-key",
            "k",
            "--out",
            "a",
            "--json",
        ],
    );
    assert_eq!(code(&first), 0, "{}", stderr(&first));
    let second = lydian(
        here,
        &[
            "split",
            "large.json",
            "--seed",
            "7",
            "--key",
            "k",
            "--out",
            "b",
            "--json",
        ],
    );
    assert_eq!(first.stdout, second.stdout);
    let manifest = json(&first);
    assert_eq!(manifest["schema"], "lydian.corpus-split/1");
    let gold = &manifest["files"][1];
    assert_eq!(
        (&gold["segment"], &gold["secret"]),
        (&"gold_standard".into(), &true.into())
    );
    assert_eq!(
        gold["commitments"].as_array().unwrap().len() as u64,
        gold["entries"].as_u64().unwrap()
    );
    assert_eq!(
        names(&here.join("a")),
        ["manifest.json", "secret", "udhr-por-glg-development.json"]
    );
    let public = fs::read_to_string(here.join("a/manifest.json")).unwrap();
    let secret_path = here.join("a/secret").join(gold["file"].as_str().unwrap());
    let secret: Value = serde_json::from_slice(&fs::read(&secret_path).unwrap()).unwrap();
    assert!(secret["canary"].as_str().unwrap().starts_with("LYDIAN CANARY "));
    for entry in secret["entries"].as_array().unwrap() {
        assert!(!public.contains(entry["source"].as_str().unwrap()));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&secret_path), mode(&here.join("k"))), (0o600, 0o600));
        assert_eq!(mode(&here.join("a/secret")), 0o700);
    }
    let again = lydian(
        here,
        &[
            "split",
            "large.json",
            "--seed",
            "7",
            "--new-key",
            "k",
            "--out",
            "c",
        ],
    );
    assert_eq!(code(&again), 2, "an existing key is never replaced");
    let valid = lydian(here, &["validate", secret_path.to_str().unwrap()]);
    assert_eq!(code(&valid), 0, "{}", stdout(&valid));
}

#[test]
fn statistics_are_printed_for_people_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = example();
    let text = stdout(&lydian(folder.path(), &["stats", path.to_str().unwrap()]));
    assert!(
        text.starts_with("udhr-por-glg 1.0.0 (PT→GL): 58 entries\n"),
        "{text}"
    );
    let report = json(&lydian(
        folder.path(),
        &["stats", "--json", path.to_str().unwrap()],
    ));
    assert_eq!(report["statistics"]["domains"]["legal"], 58);
    assert_eq!(report["statistics"]["source"]["characters"]["most"], 599);
}

#[cfg(unix)]
#[test]
fn files_that_are_no_files_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::os::unix::fs::symlink("loop.json", here.join("loop.json")).unwrap();
    fs::create_dir(here.join("folder.json")).unwrap();
    fs::write(here.join("corpus.json"), "{}").unwrap();
    for (name, message) in [
        ("loop.json", "symbolic link"),
        ("folder.json", "is a folder"),
        ("missing.json", "No such file"),
        ("corpsu.json", "did you mean corpus.json?"),
        ("corpus.json/x.json", "Not a directory"),
    ] {
        let output = lydian(here, &["validate", name]);
        assert_eq!(code(&output), 2, "{name}");
        assert!(stderr(&output).contains(message), "{name}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(name) || message.starts_with("did"),
            "{name}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let full = Command::new("sh")
        .arg("-c")
        .arg(r#""$0" corpus stats --json "$1" > /dev/full"#)
        .args([env!("CARGO_BIN_EXE_lydian"), example().to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(code(&full), 1, "{}", stderr(&full));
    assert!(stderr(&full).contains("No space left"), "{}", stderr(&full));
    // A limit on file size stops the writing of the corpus in the middle.
    let limited = Command::new("sh")
        .arg("-c")
        .arg(r#"trap '' XFSZ; ulimit -f 4; "$0" corpus import "$1" -o c.json"#)
        .args([env!("CARGO_BIN_EXE_lydian"), example().to_str().unwrap()])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(code(&limited), 1, "{}", stderr(&limited));
    assert!(
        stderr(&limited).contains("cannot write c.json"),
        "{}",
        stderr(&limited)
    );
    assert_eq!(names(folder.path()), [""; 0]);
}
