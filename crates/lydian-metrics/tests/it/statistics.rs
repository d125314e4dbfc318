//! Intervals and tests against SciPy and statsmodels; the file names their versions.

use lydian_metrics::bootstrap::{Bootstrap, percentile_interval};
use lydian_metrics::calibration::Calibration;
use lydian_metrics::chrf::Chrf;
use lydian_metrics::multiple::holm;
use lydian_metrics::power::Spread;
use lydian_metrics::proportion::{Proportion, mcnemar, mcnemar_chi_squared};
use lydian_metrics::randomization::Randomization;
use lydian_metrics::ranking::Ranking;
use lydian_metrics::{Corpus, Metric, MetricError, StatsTable};
use serde_json::Value;

fn reference() -> Value {
    serde_json::from_str(include_str!("../data/statistics.json")).unwrap()
}

fn rows(document: &Value, name: &str) -> Vec<Value> {
    document[name].as_array().unwrap().clone()
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap()
}

fn count(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap()
}

fn assert_near(ours: f64, theirs: f64, what: &Value) {
    assert!(
        (ours - theirs).abs() <= 1e-10 * theirs.abs().max(1e-12),
        "{ours} instead of {theirs}: {what}"
    );
}

#[test]
fn intervals_of_proportions_are_those_of_statsmodels() {
    for row in rows(&reference(), "proportions") {
        let proportion = Proportion::new(count(&row, "successes"), count(&row, "trials")).unwrap();
        let level = number(&row, "level");
        for (name, (lower, upper)) in [
            ("wilson", proportion.wilson(level)),
            ("clopper_pearson", proportion.clopper_pearson(level)),
        ] {
            assert_near(lower, row[name][0].as_f64().unwrap(), &row);
            assert_near(upper, row[name][1].as_f64().unwrap(), &row);
        }
    }
}

#[test]
fn binomial_and_mcnemar_tests_are_those_of_scipy_and_statsmodels() {
    let document = reference();
    for row in rows(&document, "binomial_tests") {
        let proportion = Proportion::new(count(&row, "successes"), count(&row, "trials")).unwrap();
        assert_near(
            proportion.binomial_test(number(&row, "share")),
            number(&row, "p_value"),
            &row,
        );
    }
    for row in rows(&document, "mcnemar_tests") {
        let (first, second) = (count(&row, "only_first"), count(&row, "only_second"));
        assert_near(mcnemar(first, second), number(&row, "exact"), &row);
        assert_near(
            mcnemar_chi_squared(first, second),
            number(&row, "chi_squared"),
            &row,
        );
    }
}

#[test]
fn holm_correction_is_that_of_statsmodels() {
    for row in rows(&reference(), "holm") {
        let numbers = |name: &str| -> Vec<f64> {
            row[name]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_f64().unwrap())
                .collect()
        };
        for (ours, theirs) in holm(&numbers("raw")).into_iter().zip(numbers("adjusted")) {
            assert_near(ours, theirs, &row);
        }
    }
}

#[test]
fn power_uses_the_normal_quantiles_of_scipy() {
    for row in rows(&reference(), "normal_quantiles") {
        let probability = number(&row, "probability");
        // With a level of 1 the critical value is 0, and what can be detected is the quantile itself.
        let spread = Spread {
            deviation: 1.0,
            segments: 10,
        };
        let ours = spread.detectable(10, 1.0, probability);
        let theirs = number(&row, "value");
        assert!(
            (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1e-6),
            "{ours} instead of {theirs}"
        );
    }
}

fn table(hypotheses: &[String], references: &[String]) -> StatsTable {
    let hypotheses: Vec<&str> = hypotheses.iter().map(String::as_str).collect();
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    Chrf::plus_plus().table(&Corpus::new(&hypotheses, &[references]).unwrap())
}

/// Makes references and outputs in which every `period`-th word is wrong.
fn system(period: usize) -> StatsTable {
    let sentence = |segment: usize, period: usize| {
        let words = (0..8).map(|word| {
            let id = segment * 8 + word;
            if id % period == period - 1 {
                format!("x{id}")
            } else {
                format!("word{id}")
            }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let references: Vec<String> = (0..60).map(|segment| sentence(segment, usize::MAX)).collect();
    let hypotheses: Vec<String> = (0..60).map(|segment| sentence(segment, period)).collect();
    table(&hypotheses, &references)
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let (first, second) = (system(3), system(4));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let sums = Bootstrap::default().sums_of(&[&first, &second]);
            let trials = Randomization::default().sums(&first, &second).unwrap();
            (system(3), sums, trials)
        })
    };
    assert_eq!(run(1), run(7));
}

#[test]
fn an_interval_leaves_a_fortieth_out_on_either_side() {
    let scores: Vec<f64> = (1..=90).rev().map(f64::from).collect();
    let interval = percentile_interval(&scores);
    assert_eq!((interval.mean, interval.lower, interval.upper), (45.5, 3.0, 88.0));
}

#[test]
fn statistics_of_ones_own_see_the_resamples_of_the_table() {
    let system = system(3);
    let bootstrap = Bootstrap::default();
    let sums = bootstrap.sums(&system);
    let own = bootstrap.map(system.len(), |drawn| {
        let rows = drawn.iter().zip(system.rows());
        rows.map(|(&times, row)| u64::from(times) * row[0]).sum::<u64>()
    });
    let of_table: Vec<u64> = sums.rows().map(|row| row[0]).collect();
    assert_eq!(own, of_table);
}

#[test]
fn without_a_difference_every_test_claims_one_seldom_but_sometimes() {
    let calibration = Calibration {
        trials: 300,
        segments: 40,
        resamples: 200,
        ..Calibration::default()
    };
    let shares = calibration
        .paired(&Chrf::plus_plus(), &system(3), &system(5))
        .unwrap();
    for share in [
        shares.randomization,
        shares.difference_interval,
        shares.score_interval,
        shares.sacrebleu_bootstrap,
    ] {
        assert!((0.01..0.2).contains(&share), "{shares:?}");
    }
}

#[test]
fn tables_of_different_corpora_are_not_paired() {
    let mut longer = system(3);
    longer.push(&vec![0; longer.width()]);
    let expected = MetricError::TableMismatch { left: 60, right: 61 };
    let chrf = Chrf::plus_plus();
    assert_eq!(
        Randomization::default().test(&chrf, &system(3), &longer),
        Err(expected.clone())
    );
    assert_eq!(
        Bootstrap::default().differences(&chrf, &system(3), &longer),
        Err(expected)
    );
}

#[test]
fn systems_that_differ_by_a_test_have_separate_ranks() {
    let tables = [system(4), system(20), system(2), system(20)];
    let tables: Vec<&StatsTable> = tables.iter().collect();
    let ranking = Ranking::new(&Chrf::plus_plus(), &tables, Randomization::default(), 0.05).unwrap();
    let rows: Vec<(usize, usize, usize, usize)> = ranking
        .standings
        .iter()
        .map(|row| (row.system, row.best_rank, row.worst_rank, row.cluster))
        .collect();
    assert_eq!(rows, [(1, 1, 2, 1), (3, 1, 2, 1), (0, 3, 3, 2), (2, 4, 4, 3)]);
    let same = ranking
        .pairs
        .iter()
        .find(|pair| (pair.first, pair.second) == (1, 3))
        .unwrap();
    assert_eq!(
        (same.test.difference, same.test.p_value, same.corrected),
        (0.0, 1.0, 1.0)
    );
}

#[test]
fn spread_shrinks_with_the_root_of_the_corpus() {
    let spread = Spread::estimate(&Chrf::plus_plus(), &system(3), &system(4), Bootstrap::default()).unwrap();
    assert_eq!(spread.segments, 60);
    assert!(spread.deviation > 0.1 && spread.deviation < 10.0, "{spread:?}");
    let difference = spread.detectable(60, 0.05, 0.8);
    assert!((spread.power(difference, 60, 0.05) - 0.8).abs() < 1e-4);
    assert_eq!(spread.segments_needed(difference / 2.0, 0.05, 0.8), 240);
}

#[test]
fn a_detectable_difference_is_found_with_the_power_asked_for() {
    let spread = Spread::estimate(&Chrf::plus_plus(), &system(3), &system(4), Bootstrap::default()).unwrap();
    for segments in [30, 60, 500] {
        let difference = spread.detectable(segments, 0.05, 0.8);
        let power = spread.power(difference, segments, 0.05);
        assert!((power - 0.8).abs() < 1e-3, "{power} at {segments}");
    }
    // The quantiles of 0.975 and 0.8 together.
    let ratio = spread.detectable(60, 0.05, 0.8) / spread.deviation;
    assert!((ratio - 2.801_585).abs() < 1e-5, "{ratio}");
}
