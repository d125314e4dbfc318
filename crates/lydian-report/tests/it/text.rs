//! The card as text.

use lydian_report::sentence::opening;
use lydian_report::terminal::{self, Width};

use crate::sample::card;

#[test]
fn the_first_sentence_says_how_much_was_tested_and_that_nobody_confirmed_it() {
    let complete = card("m", &[("one", "um", Some("um"))]);
    let sentence = opening(&complete);
    assert!(
        sentence.starts_with("On 1 sentence this method scores 100.0 chrF++"),
        "{sentence}"
    );
    assert!(sentence.ends_with("No speaker has confirmed this."));
    let incomplete = card(
        "m",
        &[
            ("one", "um", Some("um")),
            ("two", "dois", None),
            ("six", "seis", None),
        ],
    );
    assert!(opening(&incomplete).contains("2 entries have no answer, so the run is incomplete."));
}

#[test]
fn a_metric_without_a_value_shows_a_dash_and_the_reason() {
    let text = terminal::card(&card("m", &[("one", "um", Some("um"))]), Width(120));
    let line = text.lines().find(|line| line.contains("semantic score")).unwrap();
    assert!(
        line.contains('–') && line.contains("no semantic scorer"),
        "{line}"
    );
}

#[test]
fn no_line_is_wider_than_asked() {
    let text = terminal::card(
        &card("m", &[("one", "um", Some("um")), ("two", "dois", None)]),
        Width(80),
    );
    let table: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with(' ') || line.starts_with('─'))
        .collect();
    assert!(table.len() > 10);
    assert!(table.iter().all(|line| line.chars().count() <= 80), "{text}");
}
