//! Every name that a card, a report or a message prints has an explanation.

use std::collections::BTreeSet;
use std::path::Path;

use lydian_language::{FaultKind, FindingKind, Rule};
use lydian_model::RunCard;
use lydian_model::run_card::Scores;
use lydian_model::run_card::result::SemanticVerdict;
use lydian_model::sweep::SweepIndex;
use lydian_scoring::SemanticGuard;
use lydian_scoring::composite::{CompositeMetric, Profile, TierBoundaries};
use lydian_scoring::dialect::DialectReport;
use lydian_scoring::sweep::SweepMatrix;
use lydian_scoring::verify::Verification;
use serde_json::Value;

use super::*;
use crate::sweep::progress::Stage;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

fn assert_explained(names: impl IntoIterator<Item = String>) {
    let names: BTreeSet<String> = names.into_iter().collect();
    assert!(!names.is_empty(), "no name was found");
    let missing: Vec<&String> = names.iter().filter(|name| !explains(name)).collect();
    assert!(missing.is_empty(), "not in explain/topics.txt: {missing:?}");
}

/// Returns the values that a schema's closed lists allow.
fn listed_values(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("const", Value::String(name)) => {
                        found.insert(name.clone());
                    }
                    ("enum", Value::Array(names)) => {
                        found.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    _ => listed_values(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| listed_values(item, found)),
        _ => {}
    }
}

fn values_of(schema: &schemars::Schema) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    listed_values(schema.as_value(), &mut found);
    found
}

#[test]
fn every_closed_list_of_a_sweep_is_explained() {
    assert_explained(values_of(&schemars::schema_for!(SweepIndex)));
    assert_explained(values_of(&schemars::schema_for!(SweepMatrix)));
    let stages = [
        Stage::NotBegun,
        Stage::Open,
        Stage::Complete,
        Stage::Elsewhere,
        Stage::Damaged,
    ];
    assert_explained(stages.map(|stage| stage.name().to_owned()));
}

#[test]
fn every_closed_list_of_a_run_card_is_explained() {
    assert_explained(values_of(&schemars::schema_for!(RunCard)));
}

#[test]
fn every_way_of_checking_a_card_is_explained() {
    assert_explained(values_of(&schemars::schema_for!(Verification)));
}

#[test]
fn every_label_and_flag_of_dialect_answers_is_explained() {
    let types_and_letters = ["T1", "T2", "T3", "T4", "A", "B", "C", "D"];
    let names = values_of(&schemars::schema_for!(DialectReport));
    assert_explained(
        names
            .into_iter()
            .filter(|name| !types_and_letters.contains(&name.as_str())),
    );
}

#[test]
fn every_metric_profile_and_tier_is_explained() {
    assert_explained(CompositeMetric::all().map(|metric| metric.name().to_owned()));
    assert_explained([Profile::A, Profile::B].map(|profile| profile.name().to_owned()));
    let boundaries = TierBoundaries::default();
    for (tier, bound) in boundaries.by_name() {
        let topic = TOPICS
            .iter()
            .find(|topic| topic.name == tier)
            .unwrap_or_else(|| panic!("no explanation of {tier}"));
        let stated = if bound.get() == 0.0 { 0.30 } else { bound.get() };
        assert!(
            topic.text.contains(&format!("{stated:.2}")),
            "{tier}: {}",
            topic.text
        );
    }
    let card: BTreeSet<String> = schemars::schema_for!(Scores).as_value()["properties"]
        .as_object()
        .expect("fields")
        .keys()
        .cloned()
        .collect();
    for metric in [
        "chrf",
        "bleu",
        "ter",
        "length_ratio",
        "consistency",
        "composite",
        "cost_adjusted_score",
    ] {
        assert!(card.contains(metric), "the card has no field {metric}");
        assert_explained([metric.to_owned()]);
    }
}

#[test]
fn every_finding_and_planted_fault_of_the_detectors_is_explained() {
    assert_explained(FindingKind::ALL.map(|kind| kind.name().to_owned()));
    assert_explained(FaultKind::ALL.map(|kind| kind.name().to_owned()));
    assert_explained(Rule::ALL.map(|rule| rule.name().to_owned()));
}

#[test]
fn every_verdict_and_guard_of_the_semantic_score_is_explained() {
    let in_group = |group: &str| -> BTreeSet<&str> {
        let topics = TOPICS.iter().filter(|topic| topic.group == group);
        topics.map(|topic| topic.name).collect()
    };
    let verdicts = values_of(&schemars::schema_for!(SemanticVerdict));
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
    let explained_verdicts = in_group("verdict of a semantic scorer");
    assert!(
        verdicts
            .iter()
            .all(|name| explained_verdicts.contains(name.as_str()))
    );
    let guards = in_group("guard of the semantic score");
    assert!(
        SemanticGuard::ALL
            .iter()
            .all(|guard| guards.contains(guard.name()))
    );
    assert!(explained("guards").unwrap().contains("negation"));
}

#[test]
fn every_caveat_note_and_flag_of_scoring_is_explained() {
    let folder = root().join("crates/lydian-scoring/src");
    let mut names = BTreeSet::new();
    for (file, before) in [("caveat.rs", "finding("), ("result.rs", "flags.insert(")] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a source file");
        for part in text.split(before).skip(1) {
            let argument = part.trim_start();
            if let Some(name) = argument.strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                names.insert(name.to_owned());
            }
        }
    }
    assert!(
        names.contains("source_copy") && names.contains("thin_metrics"),
        "{names:?}"
    );
    assert_explained(names);
}

/// The tables of the reference pages name the checks; a check in no table is found where it is printed.
#[test]
fn every_documented_check_is_explained() {
    for page in ["corpus-validation.md", "dialect.md"] {
        let text = std::fs::read_to_string(root().join("docs/reference").join(page)).expect("a page");
        let mut checks = BTreeSet::new();
        let mut in_table = false;
        for line in text.lines() {
            in_table = line.starts_with("| check |") || (in_table && line.starts_with('|'));
            if let Some(cell) = line.strip_prefix("| `").filter(|_| in_table) {
                let names = cell.split('|').next().unwrap_or_default();
                checks.extend(
                    names
                        .split(['`', ',', ' '])
                        .filter(|name| !name.is_empty())
                        .map(str::to_owned),
                );
            }
        }
        assert!(checks.len() > 20, "{page}: {} checks seen", checks.len());
        assert_explained(checks);
    }
}

#[test]
fn exit_codes_are_those_of_the_reference() {
    let page = std::fs::read_to_string(root().join("docs/reference/exit-codes.md")).expect("the page");
    let documented: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .filter(|code| code.parse::<u8>().is_ok())
        .collect();
    let explained: Vec<&str> = TOPICS
        .iter()
        .filter(|topic| topic.group == "exit code")
        .map(|topic| topic.name)
        .collect();
    assert_eq!(documented, explained);
}

#[test]
fn names_stand_once_in_a_group_and_lines_have_a_name() {
    let mut seen = BTreeSet::new();
    for topic in TOPICS.iter() {
        assert!(seen.insert((topic.group, topic.name)), "{topic:?} stands twice");
        assert!(!topic.group.is_empty() && !topic.text.is_empty(), "{topic:?}");
    }
    let lines = include_str!("topics.txt").lines();
    let entries = lines
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .count();
    assert_eq!(entries, TOPICS.len(), "a line has no name before a colon");
}

#[test]
fn a_name_is_found_in_every_group_and_a_group_by_its_name() {
    let text = explained("Truncated").unwrap();
    assert!(
        text.contains("truncated (outcome of an entry)") && text.contains("second half"),
        "{text}"
    );
    assert!(explained("tiers").unwrap().contains("deployable"));
    assert!(
        explained("chrF++")
            .unwrap()
            .starts_with("chrf_plus_plus (metric): ")
    );
    assert!(
        explained("source copy")
            .unwrap()
            .contains("source_copy (caveat): ")
    );
}

#[test]
fn an_unknown_name_gets_the_nearest_one() {
    let error = explained("sorce_copy").unwrap_err();
    assert_eq!(error.exit(), Exit::Usage);
    assert_eq!(
        error.hint(),
        Some("did you mean source_copy? `lydian explain` lists everything")
    );
}

#[test]
fn a_word_that_is_like_no_name_gets_no_guess() {
    for word in ["banana", "beauty", "q", "elegance", "foo", "Zürich"] {
        let error = explained(word).unwrap_err();
        assert_eq!(error.hint(), Some("`lydian explain` lists everything"), "{word}");
    }
    let close = explained("latancy").unwrap_err();
    assert!(close.hint().unwrap().contains("did you mean latency?"));
}

/// Returns the texts in quotation marks of the arrays that begin behind a mark in a source file.
fn quoted_after(text: &str, mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split(mark).skip(1) {
        let array = part.split(']').next().unwrap_or_default();
        found.extend(array.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

#[test]
fn every_heading_of_a_table_is_explained() {
    let folder = root().join("crates");
    let read = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).expect("a source file");
        text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
    };
    let mut labels = BTreeSet::new();
    for file in [
        "lydian-report/src/terminal.rs",
        "lydian-report/src/terminal/scores.rs",
        "lydian-report/src/sweep/tables.rs",
        "lydian-report/src/dialect/tables.rs",
        "lydian-report/src/dialect/comparison.rs",
        "lydian-cli/src/commands/sweep/plan.rs",
        "lydian-cli/src/commands/sweep/status.rs",
    ] {
        let text = read(file);
        let before = labels.len();
        for mark in [
            "header = [",
            "header = vec![",
            "header.extend([",
            "header.push(",
            "set_header([",
        ] {
            labels.extend(quoted_after(&text, mark));
        }
        assert!(
            labels.len() > before || file.ends_with("status.rs"),
            "{file} has no heading of its own"
        );
    }
    let page = read("lydian-report/src/html/score_table.rs");
    labels.extend(page.lines().filter_map(|line| {
        line.trim()
            .strip_prefix("(\"")?
            .split('"')
            .next()
            .map(str::to_owned)
    }));
    let page = read("lydian-report/src/html/entries.rs");
    labels.extend(page.lines().filter_map(|line| {
        line.trim()
            .strip_prefix("name: \"")?
            .split('"')
            .next()
            .map(str::to_owned)
    }));
    let page = read("lydian-report/src/html/summary.rs");
    labels.extend(["Method", "Corpus", "Took"].map(str::to_owned));
    assert!(
        ["\"Method\"", "\"Corpus\"", "\"Took\""]
            .iter()
            .all(|label| page.contains(label))
    );
    for known in [
        "range",
        "latency",
        "front",
        "remarks",
        "median latency per entry",
        "exact",
    ] {
        assert!(labels.contains(known), "{known} is not among {labels:?}");
    }
    let missing: Vec<&String> = labels.iter().filter(|label| explained(label).is_err()).collect();
    assert!(missing.is_empty(), "not in explain/topics.txt: {missing:?}");
    for title in ["difficulty", "domain", "register", "segment", "provenance"] {
        assert!(explained(title).is_ok(), "{title}");
    }
}

#[test]
fn a_label_that_is_also_a_group_is_explained_beside_it() {
    let text = explained("segment").unwrap();
    assert!(
        text.contains("which part of the corpus") && text.contains("gold_standard"),
        "{text}"
    );
    assert!(
        explained("exact match")
            .unwrap()
            .contains("exact_match_rate (metric)")
    );
    assert!(
        explained("floor (copy)")
            .unwrap()
            .contains("nobody translates it")
    );
}

#[test]
fn no_line_is_wider_than_the_screen() {
    let text = listed(&TOPICS.iter().copied().collect::<Vec<_>>());
    assert!(
        text.lines()
            .all(|line| line.chars().count() <= usize::from(WIDTH.0))
    );
}

#[test]
fn words_of_statistics_running_and_analysers_are_explained() {
    assert_explained(
        [
            "Holm",
            "bootstrap",
            "approximate randomisation",
            "seed",
            "temperature",
            "axis",
            "repeats",
            "budget",
            "journal",
            "replay",
            "profile A",
            "profile B",
            "may be claimed",
            "fst",
            "fst_reference_rate",
            "fst_valid",
            "semantic_verdict",
            "misspelt",
        ]
        .map(str::to_owned),
    );
    assert!(explained("dependency class").unwrap().contains("self-contained"));
}

/// An entry without text counts as flagged, and a copy is a finding of both kinds.
#[test]
fn rates_of_flagged_entries_say_that_copies_and_unanswered_entries_count() {
    for rate in ["code_switching_rate", "hallucination_rate"] {
        let topic = TOPICS.iter().find(|topic| topic.name == rate).unwrap();
        assert!(
            topic
                .text
                .contains("Copies of the source and entries without text"),
            "{rate}"
        );
    }
}
