//! Runs the commands of the guide as they are printed, each page in a folder with the examples.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages whose commands need nothing but the examples.
const PAGES: [&str; 4] = [
    "getting-started.md",
    "read-a-run-card.md",
    "run-a-method.md",
    "write-a-corpus.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

/// Returns the commands of a page; `cargo run` stands for the program.
fn commands(page: &str) -> Vec<String> {
    page.lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .map(|line| line.replace("cargo run --release --", "lydian"))
        .collect()
}

/// Writes the first JSON block of a page under the name that the page gives it.
fn write_listing(page: &str, folder: &Path) {
    let Some(block) = page
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
    else {
        return;
    };
    let name = page
        .split("Save this as\n`")
        .nth(1)
        .and_then(|rest| rest.split('`').next())
        .expect("the page names its listing");
    std::fs::write(folder.join(name), block).expect("a writable folder");
}

fn run_page(name: &str) -> usize {
    let page = std::fs::read_to_string(root().join("docs/guide").join(name)).expect("a page");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let copied = Command::new("cp")
        .arg("-R")
        .arg(root().join("examples"))
        .arg(scratch.path())
        .status()
        .expect("cp runs");
    assert!(copied.success());
    write_listing(&page, scratch.path());
    let program = PathBuf::from(env!("CARGO_BIN_EXE_lydian"));
    let programs = program.parent().expect("a folder").display();
    let commands = commands(&page);
    for command in &commands {
        let output = Command::new("sh")
            .args(["-c", &format!("PATH='{programs}':\"$PATH\"; {command}")])
            .current_dir(scratch.path())
            .output()
            .expect("a shell");
        assert!(
            output.status.success(),
            "{name}: {command}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    commands.len()
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_guide_work_as_printed() {
    let run: usize = PAGES.map(run_page).iter().sum();
    assert!(run >= 14, "only {run} commands seen");
}

/// A number that a page tabulates must not age: the tiers are those of the program.
#[test]
fn the_guide_states_the_tier_boundaries_of_the_program() {
    let boundaries = lydian_scoring::composite::TierBoundaries::default();
    let page = std::fs::read_to_string(root().join("docs/guide/read-a-run-card.md")).expect("the page");
    for (tier, bound) in boundaries.by_name() {
        let row = format!("| {:.2} | {tier} |", bound.get());
        assert!(page.contains(&row), "the page lacks {row}");
    }
}
