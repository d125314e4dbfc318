//! The card as text.

use lydian_model::Score;
use lydian_report::html::{Report, render};
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
fn the_opening_says_how_many_answers_hold_no_text() {
    let silent = card(
        "m",
        &[
            ("one", "um", Some("um")),
            ("two", "dois", Some("")),
            ("six", "seis", Some("")),
        ],
    );
    assert_eq!(silent.scores.errors, 0, "an empty answer is an answer");
    let sentence = opening(&silent);
    assert!(
        sentence.contains("chrF++ (") && sentence.contains("). For 2 of the 3 it gave no text. No speaker"),
        "{sentence}"
    );
    let mute = card("m", &[("one", "um", Some("")), ("two", "dois", Some(""))]);
    assert!(opening(&mute).contains("Not one of its answers holds any text."));
}

#[test]
fn the_opening_points_to_caveats() {
    let copied = card("m", &[("one", "um", Some("one")), ("two", "dois", Some("dois"))]);
    assert_eq!(copied.scores.caveats.len(), 1);
    assert!(opening(&copied).ends_with("No speaker has confirmed this. Read the caveat below."));
}

#[test]
fn metrics_without_a_value_are_listed_once_with_their_reason() {
    let text = terminal::card(&card("m", &[("one", "um", Some("um"))]), None, Width(120));
    let rest = text.split("not measured\n").nth(1).unwrap();
    let line = rest.lines().find(|line| line.contains("semantic score")).unwrap();
    assert!(
        line.contains('–') && line.contains("no semantic scorer"),
        "{line}"
    );
    let analyser = rest.lines().find(|line| line.contains("FST acceptance")).unwrap();
    assert!(
        analyser.contains("morphological accuracy"),
        "one line per reason: {analyser}"
    );
    assert!(
        !text
            .split("not measured")
            .next()
            .unwrap()
            .contains("semantic score")
    );
}

#[test]
fn a_single_entry_shows_a_dash_in_place_of_an_interval() {
    let one = card("m", &[("one", "um", Some("um"))]);
    assert!(!opening(&one).contains('('), "{}", opening(&one));
    let text = terminal::card(&one, None, Width(120));
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with("chrF++"))
        .unwrap();
    assert!(line.contains("100.0") && line.contains(" – "), "{line}");
}

#[test]
fn the_floor_stands_beside_the_scores() {
    let run = card("m", &[("one", "um", Some("um")), ("two", "dois", Some("dois"))]);
    let floor = card(
        "copy",
        &[("one", "um", Some("one")), ("two", "dois", Some("two"))],
    )
    .scores;
    let text = terminal::card(&run, Some(&floor), Width(120));
    assert!(text.contains("floor (copy)"), "{text}");
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with("chrF++"))
        .unwrap();
    let shown = format!("{:.1}", floor.chrf_plus_plus.unwrap().get());
    assert!(line.contains(&shown), "{line} lacks {shown}");
    assert!(!terminal::card(&run, None, Width(120)).contains("floor"));
}

#[test]
fn no_line_is_wider_than_asked() {
    let text = terminal::card(
        &card("m", &[("one", "um", Some("um")), ("two", "dois", None)]),
        None,
        Width(80),
    );
    let table: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with(' ') || line.starts_with('─'))
        .collect();
    assert!(table.len() > 10);
    assert!(table.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(table.iter().any(|line| line.contains("semantic score")), "{text}");
}

#[test]
fn the_acceptance_of_the_references_stands_below_that_of_the_outputs() {
    let mut run = card("m", &[("one", "um", Some("um")), ("two", "dois", Some("dois"))]);
    run.scores.fst_acceptance_rate = Score::new(0.52);
    run.scores.fst_reference_rate = Score::new(0.654);
    let text = terminal::card(&run, None, Width(120));
    let lines: Vec<&str> = text.lines().collect();
    let of_outputs = lines.iter().position(|line| line.contains("52.0 %")).unwrap();
    let below = lines[of_outputs + 1];
    assert!(
        below.contains("FST acceptance of references") && below.contains("65.4 %"),
        "{text}"
    );
    let cards = [run];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert!(
        page.contains("FST acceptance of references</th><td class=\"n\">65.4 %</td>"),
        "the page lacks the rate of the references"
    );
}
