//! Holds the shape of the tree: file heads, lengths, names, forbidden patterns.

use std::path::{Path, PathBuf};

const LINES_BEFORE_TESTS: usize = 500;

/// Names that say nothing about what a file holds.
const VAGUE_NAMES: &[&str] = &[
    "utils.rs",
    "util.rs",
    "helpers.rs",
    "helper.rs",
    "common.rs",
    "types.rs",
    "misc.rs",
];

/// Folders without sources of ours: build output, version control, run results.
const SKIPPED: &[&str] = &["target", ".git", "runs", "node_modules", "artifacts", "coverage"];

/// Text that must not stand in the tree. Split so that this file passes its own test.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "finish it, or leave it out"),
    (concat!("FIX", "ME"), "finish it, or leave it out"),
    (concat!("todo", "!("), "finish it, or leave it out"),
    (concat!("unimplemented", "!("), "finish it, or leave it out"),
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("/ho", "me/"), "a path of one machine"),
    (
        concat!("registry.npm", "js.org"),
        "package clients know their registry",
    ),
    (concat!("py", "pi.org"), "package clients know their registry"),
    (
        concat!("pythonho", "sted.org"),
        "package clients know their registry",
    ),
    (
        concat!("index.crates", ".io"),
        "package clients know their registry",
    ),
    (
        concat!("static.crates", ".io"),
        "package clients know their registry",
    ),
    (
        concat!("deb.deb", "ian.org"),
        "package clients know their registry",
    ),
];

/// Attributes that hide what a type reads and writes.
const FORBIDDEN_IN_RUST: &[(&str, &str)] = &[
    (concat!("serde(fla", "tten"), "write the fields out"),
    (concat!("serde(unt", "agged"), "write the (de)serialiser out"),
    (concat!("#[al", "low("), "use #[expect(lint, reason = \"…\")]"),
    (concat!("#![al", "low("), "use #[expect(lint, reason = \"…\")]"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(&folder).expect("a readable folder") {
            let item = item.expect("a readable folder");
            let name = item.file_name();
            if SKIPPED.iter().any(|skipped| name == *skipped) {
                continue;
            }
            let kind = item.file_type().expect("a file type");
            if kind.is_dir() {
                folders.push(item.path());
            } else if kind.is_file() {
                found.push(item.path());
            }
        }
    }
    found.sort();
    found
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn has_extension(file: &Path, wanted: &[&str]) -> bool {
    file.extension()
        .is_some_and(|extension| wanted.iter().any(|one| extension == *one))
}

fn rust_files() -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|file| has_extension(file, &["rs"]))
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("Rust sources are UTF-8");
            (file, text)
        })
        .collect()
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn rust_files_open_with_one_line_of_documentation() {
    let files = rust_files();
    assert!(files.len() > 10, "only {} Rust files seen", files.len());
    let problems: Vec<String> = files
        .iter()
        .filter(|(_, text)| {
            !text
                .lines()
                .next()
                .is_some_and(|line| line.starts_with("//! ") && line.len() > 8)
        })
        .map(|(file, _)| {
            format!(
                "{}: the first line must say `//! what the file is for`",
                shown(file)
            )
        })
        .collect();
    assert_none(&problems);
}

#[test]
fn rust_files_stay_short() {
    let problems: Vec<String> = rust_files()
        .iter()
        .map(|(file, text)| {
            (
                file,
                text.lines()
                    .take_while(|line| !line.starts_with("#[cfg(test)]"))
                    .count(),
            )
        })
        .filter(|(_, lines)| *lines > LINES_BEFORE_TESTS)
        .map(|(file, lines)| {
            format!(
                "{}: {lines} lines before the tests, limit {LINES_BEFORE_TESTS}",
                shown(file)
            )
        })
        .collect();
    assert_none(&problems);
}

#[test]
fn files_are_named_after_what_they_hold() {
    let problems: Vec<String> = files()
        .iter()
        .filter(|file| {
            VAGUE_NAMES
                .iter()
                .any(|vague| file.file_name().is_some_and(|name| name == *vague))
        })
        .map(|file| format!("{}: name it after the thing it holds", shown(file)))
        .collect();
    assert_none(&problems);
}

#[test]
fn the_tree_speaks_of_no_machine_and_leaves_nothing_unfinished() {
    let mut problems = Vec::new();
    let wanted = [
        "rs", "toml", "md", "sh", "py", "json", "yml", "yaml", "html", "css", "js", "txt", "",
    ];
    for file in files() {
        let named = file.file_name().is_some_and(|name| name == "Cargo.lock");
        if named || !(has_extension(&file, &wanted) || file.extension().is_none()) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        for (pattern, advice) in FORBIDDEN {
            for (number, _) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains(pattern))
            {
                problems.push(format!("{}:{}: {pattern}: {advice}", shown(&file), number + 1));
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn rust_files_use_no_hiding_attributes() {
    let mut problems = Vec::new();
    for (file, text) in rust_files() {
        for (pattern, advice) in FORBIDDEN_IN_RUST {
            for (number, _) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains(pattern))
            {
                problems.push(format!("{}:{}: {pattern}: {advice}", shown(&file), number + 1));
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn skipped_tests_say_why() {
    let pattern = concat!("#[", "ignore]");
    let problems: Vec<String> = rust_files()
        .iter()
        .filter(|(_, text)| text.lines().any(|line| line.trim() == pattern))
        .map(|(file, _)| format!("{}: {pattern} needs a reason", shown(file)))
        .collect();
    assert_none(&problems);
}

#[test]
fn crates_share_the_lints_and_forbid_unsafe_code() {
    let mut problems = Vec::new();
    let crates = std::fs::read_dir(root().join("crates")).expect("crates/");
    for folder in crates.map(|item| item.expect("a readable folder").path()) {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        if !manifest.contains("[lints]\nworkspace = true") {
            problems.push(format!(
                "{}: `[lints] workspace = true` is missing",
                shown(&folder)
            ));
        }
        let head = ["src/lib.rs", "src/main.rs"]
            .iter()
            .filter_map(|file| std::fs::read_to_string(folder.join(file)).ok())
            .collect::<Vec<_>>();
        let node = folder.ends_with("lydian-node");
        if !node && !head.iter().all(|text| text.contains("#![forbid(unsafe_code)]")) {
            problems.push(format!(
                "{}: `#![forbid(unsafe_code)]` is missing",
                shown(&folder)
            ));
        }
    }
    assert_none(&problems);
}

#[test]
fn each_crate_has_one_integration_binary() {
    let problems: Vec<String> = files()
        .iter()
        .filter(|file| has_extension(file, &["rs"]))
        .filter(|file| file.parent().is_some_and(|folder| folder.ends_with("tests")))
        .map(|file| format!("{}: belongs into tests/it/", shown(file)))
        .collect();
    assert_none(&problems);
}
