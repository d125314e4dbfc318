//! Runs the commands that the pages about dialect items print, and compares what they say with the pages.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The address the pages give the stand-in model; the test uses a free port instead.
const ADDRESS: &str = "http://127.0.0.1:8099";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command of a page and the lines that stand below it.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn commands(page: &str) -> Vec<Shown> {
    let text = std::fs::read_to_string(root().join(page)).expect("the page");
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    let mut continued = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        }
        if !inside || line.starts_with("```") {
            continue;
        }
        if continued {
            let shown = found.last_mut().expect("a command is continued");
            continued = line.ends_with('\\');
            shown.command.push_str(line.trim_end_matches('\\').trim_start());
        } else if let Some(command) = line.strip_prefix("$ ") {
            continued = command.ends_with('\\');
            found.push(Shown {
                command: command.trim_end_matches('\\').to_owned(),
                output: Vec::new(),
            });
        } else if let Some(shown) = found.last_mut() {
            shown.output.push(line.to_owned());
        }
    }
    found
}

/// The stand-in model, ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let ended = self.0.kill().and_then(|()| self.0.wait());
        ended.expect("the stand-in model ends");
    }
}

fn start(command: &str, folder: &Path) -> (Server, String) {
    let arguments = command.trim_end_matches('&').replace("--port 8099", "--port 0");
    let words: Vec<&str> = arguments.split_whitespace().skip(1).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("lydian starts");
    let mut address = String::new();
    let stdout = child.stdout.take().expect("a pipe");
    BufReader::new(stdout)
        .read_line(&mut address)
        .expect("an address");
    (Server(child), address.trim().to_owned())
}

/// Every line of the page must stand in the output, in the same order; `…` stands for any lines.
fn assert_shown(shown: &Shown, printed: &str) {
    let mut lines = printed.lines();
    for wanted in shown.output.iter().filter(|line| *line != "…") {
        assert!(
            lines.any(|line| line.trim_end() == wanted.trim_end()),
            "{}\nprints no line\n{wanted}\nbut\n{printed}",
            shown.command
        );
    }
}

#[expect(clippy::print_stdout, reason = "says which commands are skipped")]
fn run_page(page: &str, least: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["examples", "docs", "fixtures", "crates"] {
        let target = std::fs::canonicalize(root().join(name)).expect("a folder");
        std::os::unix::fs::symlink(target, folder.path().join(name)).expect("a link");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_lydian"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::vars()
            .find_map(|(name, value)| (name == "PATH").then_some(value))
            .unwrap_or_default()
    );
    let outputs = root().join("../shared/data/dialect/text/fhnw_asr_hypotheses.tsv");
    let mut server: Option<(Server, String)> = None;
    let mut ran = 0;
    for shown in commands(page) {
        let mut command = shown.command.clone();
        if command.contains("fake-provider") {
            server = Some(start(&command, folder.path()));
            continue;
        }
        if let Some((_, address)) = &server {
            command = command.replace(ADDRESS, address);
        }
        if command.contains("fhnw_asr_hypotheses.tsv") && outputs.is_file() {
            command = command.replace("fhnw_asr_hypotheses.tsv", &outputs.display().to_string());
        }
        if command.contains("-FOLDER") || command.contains(" fhnw_asr_hypotheses.tsv") {
            println!("skipped: {command}: its texts are not there");
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("a shell");
        let refused = command.contains("validate docs/guide");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(if refused { 3 } else { 0 }),
            "{command}: {errors}"
        );
        assert_shown(&shown, &String::from_utf8_lossy(&output.stdout));
        ran += 1;
    }
    assert!(ran >= least, "{page} has only {ran} commands");
}

#[test]
fn the_guide_runs_as_printed() {
    run_page("docs/guide/dialect.md", 10);
}

#[test]
fn the_reference_and_the_example_run_as_printed() {
    run_page("docs/reference/dialect.md", 3);
    run_page("examples/udhr-gsw-dialect/README.md", 3);
}

#[test]
fn the_guide_prints_its_item_file() {
    let page = std::fs::read_to_string(root().join("docs/guide/dialect.md")).unwrap();
    let file = std::fs::read_to_string(root().join("docs/guide/dialect-items.json")).unwrap();
    assert!(page.contains(&format!("```json\n{file}```")));
}
