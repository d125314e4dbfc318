//! Holds the pages of the specification to the documents the program writes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Collects the names of all properties a schema describes, at any depth.
fn properties(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(named) = schema.get("properties").and_then(Value::as_object) {
        found.extend(named.keys().cloned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|member| properties(member, found)),
        Value::Array(items) => items.iter().for_each(|item| properties(item, found)),
        _ => {}
    }
}

/// Returns every word that a page sets as code, without a path in front of it.
fn words_set_as_code(text: &str) -> BTreeSet<String> {
    let code = text.split('`').skip(1).step_by(2);
    code.map(|word| word.rsplit('.').next().unwrap_or(word).to_owned())
        .collect()
}

#[test]
fn the_run_card_page_names_every_field_of_a_card() {
    let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(["card", "schema"])
        .output()
        .expect("it starts");
    let schema: Value = serde_json::from_slice(&output.stdout).expect("a JSON schema");
    let mut fields = BTreeSet::new();
    properties(&schema, &mut fields);
    assert!(fields.len() > 100, "only {} fields seen", fields.len());
    let named = words_set_as_code(&page("specification/run-card.md"));
    let missing: Vec<&String> = fields.difference(&named).collect();
    assert!(
        missing.is_empty(),
        "docs/specification/run-card.md does not name {missing:?}"
    );
}

#[test]
fn the_committed_schema_is_the_one_the_program_prints() {
    let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .args(["card", "schema"])
        .output()
        .expect("it starts");
    assert_eq!(
        page("reference/run-card.schema.json"),
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn the_index_of_decisions_has_a_row_for_each() {
    let text = page("decisions/index.md");
    let numbers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .collect();
    for number in (1..=39)
        .map(|number: u32| number.to_string())
        .chain(["29a".into(), "29b".into()])
    {
        assert_eq!(
            numbers.iter().filter(|one| **one == number).count(),
            1,
            "decision {number}"
        );
    }
}
