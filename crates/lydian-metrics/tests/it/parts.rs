//! The parts that metrics are explained by, and the metrics that sacreBLEU does not have.

use lydian_metrics::bleu::{Bleu, BleuConfig, Order};
use lydian_metrics::chrf::{Chrf, ChrfConfig, Whitespace};
use lydian_metrics::edit_rate::{EditRate, Unit};
use lydian_metrics::exact::ExactMatch;
use lydian_metrics::length::{mean_ratio, ratio};
use lydian_metrics::parity::shifted_p_value;
use lydian_metrics::ter::Ter;
use lydian_metrics::{Metric, Numeric};

#[test]
fn columns_have_the_names_of_what_they_count() {
    let names = |metric: &dyn Metric| -> Vec<&str> {
        (0..metric.width())
            .map(|column| metric.column_name(column))
            .collect()
    };
    let bleu = Bleu::new(BleuConfig {
        max_order: 2,
        order: Order::Effective,
        ..BleuConfig::default()
    });
    assert_eq!(
        names(&bleu),
        [
            "hypothesis_length",
            "reference_length",
            "matches",
            "matches",
            "totals",
            "totals"
        ]
    );
    let chrf = Chrf::default();
    assert_eq!(
        names(&chrf)[..4],
        ["hypothesis", "reference", "matches", "hypothesis"]
    );
    assert_eq!(names(&ExactMatch), ["matches", "segments"]);
    for metric in [&Ter::default() as &dyn Metric, &EditRate::new(Unit::Word)] {
        assert_eq!(names(metric), ["edits", "reference_length"]);
    }
}

#[test]
fn edit_rates_count_words_and_single_spaces_between_them() {
    let score = |unit, hypothesis, reference| {
        let rate = EditRate::new(unit);
        let score = rate.sentence_score(hypothesis, &[reference], Numeric::Exact);
        score.unwrap().to_string()
    };
    assert_eq!(score(Unit::Word, "a x c d", "a b c d"), "25");
    assert_eq!(score(Unit::Character, "  ab   cd ", "ab cd"), "0");
    assert_eq!(score(Unit::Character, "abcd", "ab cd"), "20");
    assert_eq!(score(Unit::Character, "", "abcde"), "100");
    let best_of = EditRate::new(Unit::Word).stats("a b", &["x y", "a c"]).unwrap();
    assert_eq!(best_of, [1, 2]);
}

#[test]
fn overlaps_of_characters_hold_white_space_only_where_it_counts() {
    let keys = |whitespace| -> Vec<String> {
        let chrf = Chrf::new(ChrfConfig {
            whitespace,
            ..ChrfConfig::default()
        });
        let overlaps = chrf.overlaps("a b", &["a b"]);
        overlaps[1].matched.keys().cloned().collect()
    };
    assert_eq!(keys(Whitespace::Removed), ["ab"]);
    assert_eq!(keys(Whitespace::Kept), [" b", "a "]);
}

#[test]
fn overlaps_say_how_often_an_ngram_matches() {
    let overlap = Bleu::default().overlaps("a a a b", &["a a c", "a"]).remove(0);
    assert_eq!(
        overlap.matched.into_iter().collect::<Vec<_>>(),
        [("a".to_owned(), 2)]
    );
    assert_eq!(
        overlap.extra.into_iter().collect::<Vec<_>>(),
        [("a".to_owned(), 1), ("b".to_owned(), 1)]
    );
    assert_eq!(
        overlap.missing.into_iter().collect::<Vec<_>>(),
        [("c".to_owned(), 1)]
    );
}

#[test]
fn lengths_are_those_of_visible_characters() {
    assert_eq!(ratio("e\u{301}a", "ea"), Some(1.0));
    assert_eq!(ratio("abcd", "ab"), Some(2.0));
    assert_eq!(ratio("abc", ""), None);
    assert_eq!(
        mean_ratio([("ab", "abcd"), ("x", ""), ("abcd", "ab")]),
        Some(1.25)
    );
    assert_eq!(mean_ratio([("x", "")]), None);
}

#[test]
fn a_bootstrap_p_value_counts_itself_among_the_resamples() {
    assert_eq!(shifted_p_value(&[1.0, -2.0, 3.0], 0.5).to_string(), "0.5");
    assert_eq!(shifted_p_value(&[1.0, 1.0, 1.0], 0.5).to_string(), "0.25");
}
