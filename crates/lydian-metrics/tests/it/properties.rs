//! What holds for every metric, whatever the texts.

use lydian_metrics::bleu::{Bleu, Tokenizer};
use lydian_metrics::chrf::Chrf;
use lydian_metrics::edit_rate::{EditRate, Unit, levenshtein};
use lydian_metrics::exact::ExactMatch;
use lydian_metrics::ter::Ter;
use lydian_metrics::text::{is_space, split};
use lydian_metrics::{Corpus, Metric, Numeric, StatsTable};
use proptest::prelude::*;

use super::variants::{corpus_variants, sentence_variants};

fn all_metrics() -> Vec<Box<dyn Metric>> {
    let named = sentence_variants().into_iter().chain(corpus_variants());
    let mut metrics: Vec<Box<dyn Metric>> = named.map(|(_, metric)| metric).collect();
    metrics.push(Box::new(ExactMatch));
    metrics.push(Box::new(EditRate::new(Unit::Character)));
    metrics.push(Box::new(EditRate::new(Unit::Word)));
    metrics
}

/// Texts of few words, so that n-grams repeat, with punctuation, digits, white space and other scripts between.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "the",
        "cat",
        "sat",
        "12",
        ".",
        ",",
        "-",
        "(",
        "&amp;",
        "é",
        "e\u{301}",
        "中",
        "。",
        "क्षि",
        "😀",
        " ",
        "  ",
        "\t",
        "\u{a0}",
        "\u{1c}",
        "\u{200b}",
        "X",
        "ß",
    ]);
    let spaced = (piece, prop::bool::ANY)
        .prop_map(|(piece, space)| format!("{piece}{}", if space { " " } else { "" }));
    prop::collection::vec(spaced, 0..25).prop_map(|pieces| pieces.concat())
}

fn corpus() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((text(), text()), 1..8)
}

fn table(metric: &dyn Metric, pairs: &[(String, String)]) -> StatsTable {
    let hypotheses: Vec<&str> = pairs.iter().map(|(hypothesis, _)| hypothesis.as_str()).collect();
    let references: Vec<&str> = pairs.iter().map(|(_, reference)| reference.as_str()).collect();
    metric.table(&Corpus::new(&hypotheses, &[references]).unwrap())
}

fn sentence(metric: &dyn Metric, hypothesis: &str, reference: &str) -> f64 {
    metric
        .sentence_score(hypothesis, &[reference], Numeric::Exact)
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_perfect_output_scores_best(text in text()) {
        prop_assume!(split(&text).next().is_some());
        for metric in [&Chrf::default() as &dyn Metric, &Chrf::plus_plus(), &ExactMatch] {
            prop_assert!((sentence(metric, &text, &text) - 100.0).abs() < 1e-9, "{}", metric.name());
        }
        let bleu = Bleu::for_sentences();
        prop_assume!(!bleu.tokens(&text).is_empty());
        prop_assert!((sentence(&bleu, &text, &text) - 100.0).abs() < 1e-9);
        for metric in [&Ter::default() as &dyn Metric, &EditRate::new(Unit::Character), &EditRate::new(Unit::Word)] {
            prop_assert_eq!(sentence(metric, &text, &text).to_bits(), 0.0_f64.to_bits());
        }
    }

    #[test]
    fn scores_stay_on_their_scale(hypothesis in text(), reference in text()) {
        for metric in all_metrics() {
            let score = sentence(&*metric, &hypothesis, &reference);
            prop_assert!(score >= 0.0 && score.is_finite(), "{} {score}", metric.name());
            if metric.higher_is_better() {
                prop_assert!(score <= 100.0 + 1e-9, "{} {score}", metric.name());
            }
        }
    }

    #[test]
    fn edit_distance_is_symmetric_and_a_distance(a in text(), b in text(), c in text()) {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        let (a, b, c) = (chars(&a), chars(&b), chars(&c));
        let distance = levenshtein(&a, &b);
        prop_assert_eq!(distance, levenshtein(&b, &a));
        prop_assert_eq!(distance == 0, a == b);
        prop_assert!(levenshtein(&a, &c) <= distance + levenshtein(&b, &c));
        prop_assert!(distance >= a.len().abs_diff(b.len()) as u64);
        prop_assert!(distance <= a.len().max(b.len()) as u64);
    }

    #[test]
    fn ter_makes_no_more_edits_than_the_edit_distance(hypothesis in text(), reference in text()) {
        let ter = Ter::default();
        let edits = ter.stats(&hypothesis, &[&reference]).unwrap()[0];
        prop_assert!(edits <= levenshtein(&ter.tokens(&hypothesis), &ter.tokens(&reference)));
    }

    #[test]
    fn exchanged_sides_have_the_same_matches(one in text(), other in text()) {
        for metric in [&Chrf::plus_plus() as &dyn Metric, &Bleu::default()] {
            let (forth, back) = (metric.stats(&one, &[&other]).unwrap(), metric.stats(&other, &[&one]).unwrap());
            for column in (0..metric.width()).filter(|&column| metric.column_name(column) == "matches") {
                prop_assert_eq!(forth[column], back[column], "{} column {}", metric.name(), column);
            }
        }
    }

    #[test]
    fn the_order_of_segments_does_not_matter(pairs in corpus()) {
        let reversed: Vec<_> = pairs.iter().rev().cloned().collect();
        for metric in all_metrics() {
            let (forth, back) = (table(&*metric, &pairs), table(&*metric, &reversed));
            prop_assert_eq!(forth.sum(), back.sum());
            let score = |table| metric.table_score(table, Numeric::Exact).to_bits();
            prop_assert_eq!(score(&forth), score(&back));
        }
    }

    #[test]
    fn statistics_of_parts_add_up_to_those_of_the_whole(pairs in corpus(), cut in 0_usize..8) {
        let cut = cut.min(pairs.len());
        for metric in all_metrics() {
            let whole = table(&*metric, &pairs);
            let mut sums = vec![0; metric.width()];
            for part in [&pairs[..cut], &pairs[cut..]] {
                if part.is_empty() {
                    continue;
                }
                for (sum, value) in sums.iter_mut().zip(table(&*metric, part).sum()) {
                    *sum += value;
                }
            }
            prop_assert_eq!(&sums, &whole.sum());
            let score = metric.score(&sums, Numeric::Exact);
            prop_assert_eq!(score.to_bits(), metric.table_score(&whole, Numeric::Exact).to_bits());
        }
    }

    #[test]
    fn more_matches_never_lower_a_score(pairs in corpus()) {
        for metric in [&Chrf::plus_plus() as &dyn Metric, &Bleu::for_sentences()] {
            let mut row = table(metric, &pairs).sum();
            let before = metric.score(&row, Numeric::Exact);
            for column in (0..metric.width()).filter(|&column| metric.column_name(column) == "matches") {
                // A match more than the n-grams of either side cannot be.
                let most = match metric.width() {
                    24 => row[column - 1].min(row[column - 2]),
                    _ => row[column + 4],
                };
                row[column] = most.min(row[column] + 1);
            }
            prop_assert!(metric.score(&row, Numeric::Exact) >= before - 1e-9, "{}", metric.name());
        }
    }

    #[test]
    fn one_more_reference_never_hurts_the_segment(hypothesis in text(), first in text(), second in text()) {
        let both = [first.as_str(), second.as_str()];
        let chrf = Chrf::plus_plus();
        let with = chrf.sentence_score(&hypothesis, &both, Numeric::Exact).unwrap();
        prop_assert!(with >= sentence(&chrf, &hypothesis, &first));
        for rate in [EditRate::new(Unit::Character), EditRate::new(Unit::Word)] {
            let with = rate.sentence_score(&hypothesis, &both, Numeric::Exact).unwrap();
            prop_assert!(with <= sentence(&rate, &hypothesis, &first));
        }
        let edits = |references: &[&str]| Ter::default().stats(&hypothesis, references).unwrap()[0];
        prop_assert!(edits(&both) <= edits(&both[..1]));
    }

    #[test]
    fn tokenizers_lose_only_white_space(text in text()) {
        let kept = |text: &str| text.chars().filter(|&c| !is_space(c)).collect::<String>();
        for tokenizer in Tokenizer::ALL {
            // 13a resolves entities and joins lines.
            if tokenizer == Tokenizer::Mteval13a && text.contains(['&', '<', '\n']) {
                continue;
            }
            prop_assert_eq!(kept(&tokenizer.tokens(&text).concat()), kept(&text), "{}", tokenizer.as_str());
        }
    }
}
