//! Holds the crates to the edges that ARCHITECTURE.md allows.
//!
//! The table of ARCHITECTURE.md is the authority: this test reads it, so the document cannot drift from the code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Dependencies that would break what a crate promises ("must not contain"), whatever they are used for.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "lydian-metrics",
        &[
            "serde",
            "serde_json",
            "tokio",
            "reqwest",
            "jiff",
            "rand",
            "uuid",
            "getrandom",
        ],
    ),
    (
        "lydian-hfstol",
        &["serde", "serde_json", "tokio", "reqwest", "rayon", "flate2"],
    ),
    (
        "lydian-model",
        &[
            "tokio",
            "reqwest",
            "jiff",
            "chrono",
            "time",
            "rand",
            "getrandom",
            "uuid",
            "tempfile",
        ],
    ),
    ("lydian-language", &["tokio", "reqwest", "jiff", "rand", "uuid"]),
    (
        "lydian-scoring",
        &[
            "tokio", "reqwest", "jiff", "rand", "uuid", "tempfile", "csv", "calamine",
        ],
    ),
    (
        "lydian-report",
        &["tokio", "reqwest", "jiff", "rand", "uuid", "tempfile"],
    ),
];

struct Crate {
    name: String,
    dependencies: BTreeSet<String>,
}

fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

/// Returns the workspace's crates with their normal and build dependencies; tests may use what they like.
fn crates() -> Vec<Crate> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace_root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages.iter().map(read_crate).collect()
}

fn read_crate(package: &Value) -> Crate {
    let dependencies = package["dependencies"].as_array().expect("dependencies");
    Crate {
        name: package["name"].as_str().expect("name").to_owned(),
        dependencies: dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .map(|dependency| dependency["name"].as_str().expect("name").to_owned())
            .collect(),
    }
}

/// Returns, for each crate in the table of ARCHITECTURE.md, the crates it may use.
fn allowed_edges() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(workspace_root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `lydian-"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let every: BTreeSet<String> = rows
        .iter()
        .map(|row| row[0].trim_matches('`').to_owned())
        .collect();
    rows.iter()
        .map(|row| (row[0].trim_matches('`').to_owned(), edges(row[2], &every)))
        .collect()
}

fn edges(cell: &str, every: &BTreeSet<String>) -> BTreeSet<String> {
    match cell {
        "all" => every.clone(),
        "–" => BTreeSet::new(),
        list => list
            .split(',')
            .map(|name| format!("lydian-{}", name.trim()))
            .collect(),
    }
}

#[test]
fn every_crate_stands_in_the_table() {
    let allowed = allowed_edges();
    for found in crates() {
        assert!(
            allowed.contains_key(&found.name),
            "{} has no row in the table of ARCHITECTURE.md",
            found.name
        );
    }
}

#[test]
fn the_table_names_only_known_crates() {
    let allowed = allowed_edges();
    assert!(
        allowed.len() >= 8,
        "the table of ARCHITECTURE.md was not found: {} rows",
        allowed.len()
    );
    for (name, uses) in &allowed {
        for used in uses {
            assert!(
                allowed.contains_key(used),
                "{name} may use {used}, which has no row of its own"
            );
        }
    }
}

#[test]
fn crates_depend_only_along_allowed_edges() {
    let allowed = allowed_edges();
    let mut edges = 0;
    for found in crates() {
        let may_use = &allowed[&found.name];
        for used in found
            .dependencies
            .iter()
            .filter(|name| name.starts_with("lydian-"))
        {
            assert!(
                may_use.contains(used),
                "{} must not depend on {used}: see ARCHITECTURE.md",
                found.name
            );
            edges += 1;
        }
    }
    assert!(
        edges > 10,
        "only {edges} edges seen: is this the whole workspace?"
    );
}

#[test]
fn pure_crates_pull_in_no_clock_network_or_randomness() {
    let crates = crates();
    for (name, forbidden) in FORBIDDEN {
        let found = crates
            .iter()
            .find(|found| found.name == *name)
            .expect("a crate of the workspace");
        for dependency in *forbidden {
            assert!(
                !found.dependencies.contains(*dependency),
                "{name} must not depend on {dependency}"
            );
        }
    }
}
