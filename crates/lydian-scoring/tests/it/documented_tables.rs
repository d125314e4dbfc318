//! The tables of the documentation and those of the code are the same (decision 19).

use std::collections::BTreeMap;

use lydian_model::Score;
use lydian_model::run_card::scores::MetricValidation;
use lydian_scoring::composite::{self, CompositeMetric, Profile, TierBoundaries};

const PAGE: &str = include_str!("../../../../docs/specification/scoring.md");

/// Returns the rows of the table whose heading starts with `heading`.
fn table(heading: &str) -> Vec<Vec<String>> {
    let mut lines = PAGE.lines().skip_while(|line| !line.starts_with(heading));
    assert!(lines.next().is_some(), "the page has no table {heading:?}");
    lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().trim_matches('`').to_owned())
                .collect()
        })
        .collect()
}

#[test]
fn weights_are_the_documented_ones() {
    let mut documented = BTreeMap::new();
    for row in table("| metric | profile A |") {
        for (profile, cell) in [(Profile::A, &row[1]), (Profile::B, &row[2])] {
            if cell != "–" {
                documented.insert((profile.name(), row[0].clone()), cell.parse::<f64>().unwrap());
            }
        }
    }
    let mut implemented = BTreeMap::new();
    for profile in [Profile::A, Profile::B] {
        for (name, weight) in composite::used_weights(profile, |_| true) {
            implemented.insert((profile.name(), name), weight.get());
        }
    }
    assert_eq!(documented.len(), 17);
    assert_eq!(documented, implemented);
}

#[test]
fn a_metric_alone_makes_the_composite_with_its_documented_direction() {
    for row in table("| metric | what it measures |") {
        let Some(metric) = CompositeMetric::all().find(|metric| metric.name() == row[0]) else {
            continue;
        };
        let (worst, best) = match row[2].as_str() {
            "0–100" => (0.0, 100.0),
            "0–1" => (0.0, 1.0),
            "0–1, lower is better" => (1.0, 0.0),
            range => panic!("{range} has no known direction"),
        };
        let profile = [Profile::A, Profile::B]
            .into_iter()
            .find(|profile| profile.uses(metric))
            .unwrap();
        let alone = |value| composite::composite(profile, |other| (other == metric).then_some(value));
        assert_eq!(
            (alone(worst), alone(best)),
            (Some(0.0), Some(1.0)),
            "{}",
            metric.name()
        );
    }
}

#[test]
fn tiers_are_the_documented_ones() {
    let documented: BTreeMap<String, Score> = table("| composite at least |")
        .into_iter()
        .map(|row| (row[1].clone(), Score::new(row[0].parse().unwrap()).unwrap()))
        .collect();
    assert_eq!(documented.len(), 5);
    assert_eq!(TierBoundaries::default().by_name(), &documented);
    for (name, bound) in &documented {
        assert_eq!(TierBoundaries::default().tier(Some(*bound)), name);
    }
}

#[test]
fn validation_statuses_are_the_documented_ones() {
    let rows = table("| status | metrics |");
    let documented = |status: &str| {
        let row = rows.iter().find(|row| row[0] == status).unwrap();
        row[1].to_lowercase()
    };
    for (status, value) in [
        ("external", MetricValidation::External),
        ("heuristic", MetricValidation::Heuristic),
        ("unvalidated", MetricValidation::Unvalidated),
    ] {
        for (words, metric) in [
            ("chrf++", "chrf_plus_plus"),
            ("bleu", "bleu"),
            ("fst acceptance", "fst_acceptance_rate"),
            ("equivalent match", "equivalent_match_rate"),
            ("semantic score", "semantic_score"),
            ("code-switching", "code_switching_rate"),
            ("hallucination", "hallucination_rate"),
            ("terminology", "terminology_adherence"),
            ("morphological", "morphological_accuracy"),
            ("orthographic", "orthographic_accuracy"),
        ] {
            assert_eq!(
                documented(status).contains(words),
                composite::validation(metric) == value,
                "{metric} {status}"
            );
        }
    }
}

#[test]
fn boundaries_that_do_not_rise_with_the_tiers_are_refused() {
    let mut declared = TierBoundaries::default().by_name().clone();
    assert!(TierBoundaries::declared(declared.clone()).is_some());
    declared.insert("emerging".into(), Score::new(0.9).unwrap());
    assert!(TierBoundaries::declared(declared.clone()).is_none());
    declared.remove("emerging");
    assert!(TierBoundaries::declared(declared).is_none());
}
