//! The report: rows, counters, what it never holds, and comparisons.

use lydian_model::{EntryId, Prediction, Sha256Hex};
use lydian_scoring::dialect::{
    AnswersError, AnswersNote, ComparisonError, DialectReport, LanguageGate, Measure, compare, report,
};
use serde_json::Value;

use super::items::{answer, carnival, dataset, victim};

fn scored(answers: &[Prediction]) -> Result<DialectReport, AnswersError> {
    let items = dataset(vec![
        victim(1, "zurich"),
        victim(2, "zürich"),
        victim(3, "bern"),
        carnival(4, "bern"),
        carnival(5, "valais"),
        carnival(6, "uncertain"),
        victim(7, "thurgau"),
    ]);
    report(
        &items,
        Sha256Hex::of(b"items"),
        answers,
        AnswersNote::default(),
        LanguageGate::shipped(),
    )
}

fn answers() -> Vec<Prediction> {
    vec![
        answer(1, "Das Opfer sah den Angreifer nicht."),
        answer(2, "Ich kann diesen Satz nicht übersetzen."),
        answer(3, "Das Opfer sah den Mann nicht."),
        answer(4, "C"),
        answer(5, "Das weiss ich leider nicht."),
        answer(6, "A oder B"),
        answer(99, "C"),
    ]
}

#[test]
fn rows_stand_in_the_fixed_order_with_further_dialects_after_them_and_uncertain_apart() {
    let report = scored(&answers()).unwrap();
    let rows: Vec<(&str, u64)> = report
        .rows
        .iter()
        .map(|row| (row.dialect.as_str(), row.items))
        .collect();
    let expected = [
        ("basel", 0),
        ("zurich", 2),
        ("bern", 2),
        ("walser_valais", 1),
        ("lucerne", 0),
        ("thurgau", 1),
    ];
    assert_eq!(rows, expected);
    assert_eq!(
        report
            .uncertain
            .as_ref()
            .map(|row| (row.items, row.counters.ambiguous)),
        Some((1, 1))
    );
}

#[test]
fn refusals_count_over_all_items_and_missing_answers_score_zero() {
    let report = scored(&answers()).unwrap();
    assert_eq!((report.refusals.count, report.refusals.of), (2, 7));
    assert_eq!(report.answers.missing, 1);
    assert_eq!(report.answers.unknown_ids, [EntryId::integer(99)]);
    let thurgau = report.rows.iter().find(|row| row.dialect == "thurgau").unwrap();
    assert_eq!(
        (thurgau.counters.missing, thurgau.t1.as_ref().unwrap().counts),
        (1, [1, 0, 0])
    );
}

#[test]
fn a_dialect_without_items_has_no_value_rather_than_zero() {
    let report = scored(&answers()).unwrap();
    let basel = &report.rows[0];
    assert!(basel.t1.is_none() && basel.t4.is_none() && basel.refusals.share.is_none());
    let zurich = &report.rows[1];
    assert!(
        zurich.t1.as_ref().unwrap().interval.is_none(),
        "two items have no interval of their mean"
    );
}

#[test]
fn a_right_letter_out_of_one_is_not_above_chance() {
    let report = scored(&answers()).unwrap();
    let cell = report.rows[2].t4.as_ref().unwrap();
    assert_eq!(
        (cell.correct.count, cell.correct.of, cell.above_chance),
        (1, 1, false)
    );
    assert_eq!(cell.best_constant.correct, 1);
    // For k = n = 1 the lower bound is 1 / (1 + z²) with z = 1.959964.
    assert_eq!(
        cell.correct
            .interval
            .map(|[lower, upper]| (lower.get(), upper.get())),
        Some((0.206_549, 1.0))
    );
}

#[test]
fn the_order_of_answers_does_not_change_a_byte() {
    let forwards = serde_json::to_vec(&scored(&answers()).unwrap()).unwrap();
    let mut turned = answers();
    turned.reverse();
    turned.swap(1, 4);
    assert_eq!(serde_json::to_vec(&scored(&turned).unwrap()).unwrap(), forwards);
}

#[test]
fn two_answers_for_one_item_are_refused() {
    let mut twice = answers();
    twice.push(answer(4, "D"));
    assert_eq!(
        scored(&twice),
        Err(AnswersError::Repeated {
            id: EntryId::integer(4)
        })
    );
}

#[test]
fn no_number_but_the_refusal_rate_stands_above_the_dialects() {
    let report = serde_json::to_value(scored(&answers()).unwrap()).unwrap();
    let mut numbers = Vec::new();
    for (key, value) in report.as_object().unwrap() {
        if !matches!(key.as_str(), "rows" | "uncertain" | "items") {
            collect_numbers(key, value, &mut numbers);
        }
    }
    numbers.sort();
    let expected = [
        "answers.missing",
        "bootstrap.least_items",
        "bootstrap.resamples",
        "bootstrap.seed",
        "dataset.items",
        "refusals.count",
        "refusals.interval",
        "refusals.interval",
        "refusals.of",
        "refusals.share",
    ];
    assert_eq!(numbers, expected);
}

fn collect_numbers(path: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Number(_) if !path.ends_with("unknown_ids") => found.push(path.to_owned()),
        Value::Array(values) => values
            .iter()
            .for_each(|value| collect_numbers(path, value, found)),
        Value::Object(map) => map
            .iter()
            .for_each(|(key, value)| collect_numbers(&format!("{path}.{key}"), value, found)),
        _ => {}
    }
}

#[test]
fn two_methods_are_compared_per_dialect_and_never_pooled() {
    let mut better = answers();
    better[1] = answer(2, "Das Opfer sah den Angreifer nicht.");
    let comparison = compare(&scored(&better).unwrap(), &scored(&answers()).unwrap()).unwrap();
    let zurich: Vec<_> = comparison
        .tests
        .iter()
        .filter(|test| test.dialect == "zurich")
        .collect();
    assert_eq!(
        zurich.iter().map(|test| test.measure).collect::<Vec<_>>(),
        [Measure::Refusals, Measure::T1]
    );
    assert_eq!(
        (
            zurich[1].first_higher,
            zurich[1].second_higher,
            zurich[1].p_value.get().to_bits()
        ),
        (1, 0, 1.0_f64.to_bits())
    );
    assert!(
        comparison
            .tests
            .iter()
            .all(|test| test.p_holm >= test.p_value && test.items > 0)
    );
}

#[test]
fn reports_on_different_files_are_not_compared() {
    let first = scored(&answers()).unwrap();
    let mut second = first.clone();
    second.dataset.sha256 = Sha256Hex::of(b"other items");
    assert!(matches!(
        compare(&first, &second),
        Err(ComparisonError::OtherDataset { .. })
    ));
}
