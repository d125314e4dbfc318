//! The table of a comparison.

use lydian_scoring::dialect::{DialectComparison, ExactTest, Measure, PairedTest};

use super::plain::{Document, PlainTable};
use super::tables::{items, probability, some_ids};
use crate::tame::tame;

/// Returns the document of a comparison.
pub(super) fn document(compared: &DialectComparison) -> Document {
    let (first, second) = (tame(&compared.first), tame(&compared.second));
    let header = [
        "dialect",
        "measure",
        "items",
        "first",
        "second",
        "first higher",
        "second higher",
        "p",
        "p (Holm)",
        "test",
    ];
    let mut table = PlainTable::new("Paired comparison per dialect; no test pools dialects", &header);
    table.rows = compared.tests.iter().map(row).collect();
    let smallest = compared
        .tests
        .iter()
        .filter(|test| test.p_holm.get() < 0.05)
        .count();
    let mut facts = vec![
        format!(
            "dataset  {} {}, {}, sha256 {}",
            tame(&compared.dataset.id),
            tame(&compared.dataset.version),
            items(compared.dataset.items),
            compared.dataset.sha256
        ),
        format!("first    {first}"),
        format!("second   {second}"),
    ];
    if !compared.left_out.is_empty() {
        facts.push(format!(
            "unpaired {}: only one of the two was asked, left out",
            some_ids(&compared.left_out)
        ));
    }
    Document {
        title: format!("Comparison on {}", tame(&compared.dataset.id)),
        headline: format!("{smallest} of {} comparisons differ at 5 % after Holm's correction", compared.tests.len()),
        facts,
        tables: vec![table],
        limitations: vec!["A difference that is not significant is not a proof of equality; with few items hardly any is found.".to_owned()],
    }
}

fn row(test: &PairedTest) -> Vec<String> {
    let value = |value: f64| match test.measure {
        Measure::T1 => format!("{value:.2}"),
        Measure::Refusals | Measure::T2 | Measure::T3 | Measure::T4 => format!("{:.1} %", value * 100.0),
    };
    vec![
        tame(&test.dialect),
        measure(test.measure).to_owned(),
        test.items.to_string(),
        value(test.first.get()),
        value(test.second.get()),
        test.first_higher.to_string(),
        test.second_higher.to_string(),
        probability(Some(test.p_value)),
        probability(Some(test.p_holm)),
        match test.test {
            ExactTest::McnemarExact => "McNemar, exact".to_owned(),
            ExactTest::SignFlipExact => "sign changes, exact".to_owned(),
        },
    ]
}

/// Returns the name of a measure.
pub(super) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::Refusals => "refusals",
        Measure::T1 => "T1 mean",
        Measure::T2 => "T2 accuracy",
        Measure::T3 => "T3 accuracy",
        Measure::T4 => "T4 accuracy",
    }
}
