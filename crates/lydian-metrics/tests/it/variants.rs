//! The metric variants of the reference tables, by the names the tables use.

use lydian_metrics::Metric;
use lydian_metrics::bleu::{Bleu, BleuConfig, Order, Smoothing, Tokenizer};
use lydian_metrics::chrf::{Averaging, Chrf, ChrfConfig, Whitespace};
use lydian_metrics::ter::{AsianSupport, Normalization, Punctuation, Ter, TerConfig};
use lydian_metrics::text::Case;

fn chrf(word_order: usize) -> ChrfConfig {
    ChrfConfig {
        word_order,
        ..ChrfConfig::default()
    }
}

fn bleu(tokenizer: Tokenizer, order: Order) -> BleuConfig {
    BleuConfig {
        tokenizer,
        order,
        ..BleuConfig::default()
    }
}

fn smoothed(smoothing: Smoothing, order: Order) -> BleuConfig {
    BleuConfig {
        smoothing,
        ..bleu(Tokenizer::Mteval13a, order)
    }
}

fn ter(normalization: Normalization, punctuation: Punctuation, asian_support: AsianSupport) -> Ter {
    Ter::new(TerConfig {
        normalization,
        punctuation,
        asian_support,
        case: Case::Lower,
    })
}

/// Returns the variants of the sentence tables.
pub(crate) fn sentence_variants() -> Vec<(&'static str, Box<dyn Metric>)> {
    use {AsianSupport as A, Normalization as N, Order::Effective, Punctuation as P, Tokenizer as T};
    let sentence = |smoothing| Bleu::new(smoothed(smoothing, Effective));
    vec![
        ("chrf2", Box::new(Chrf::default())),
        ("chrf2pp", Box::new(Chrf::plus_plus())),
        (
            "chrf2pp_ws",
            Box::new(Chrf::new(ChrfConfig {
                whitespace: Whitespace::Kept,
                ..chrf(2)
            })),
        ),
        (
            "chrf2pp_lc",
            Box::new(Chrf::new(ChrfConfig {
                case: Case::Lower,
                ..chrf(2)
            })),
        ),
        (
            "chrf2pp_eps",
            Box::new(Chrf::new(ChrfConfig {
                averaging: Averaging::Epsilon,
                ..chrf(2)
            })),
        ),
        ("bleu_13a", Box::new(Bleu::new(bleu(T::Mteval13a, Effective)))),
        (
            "bleu_intl",
            Box::new(Bleu::new(bleu(T::International, Effective))),
        ),
        ("bleu_char", Box::new(Bleu::new(bleu(T::Character, Effective)))),
        ("bleu_zh", Box::new(Bleu::new(bleu(T::Chinese, Effective)))),
        ("bleu_none", Box::new(Bleu::new(bleu(T::None, Effective)))),
        (
            "bleu_13a_lc",
            Box::new(Bleu::new(BleuConfig {
                case: Case::Lower,
                ..bleu(T::Mteval13a, Effective)
            })),
        ),
        ("bleu_13a_noeff", Box::new(Bleu::default())),
        ("bleu_13a_floor", Box::new(sentence(Smoothing::Floor(0.1)))),
        ("bleu_13a_addk", Box::new(sentence(Smoothing::AddK(1.0)))),
        ("bleu_13a_nosmooth", Box::new(sentence(Smoothing::None))),
        ("ter", Box::new(Ter::default())),
        ("ter_norm", Box::new(ter(N::On, P::Kept, A::Off))),
        ("ter_nopunct", Box::new(ter(N::Off, P::Removed, A::Off))),
        ("ter_norm_asian", Box::new(ter(N::On, P::Kept, A::On))),
        ("ter_asian_nopunct", Box::new(ter(N::Off, P::Removed, A::On))),
        ("ter_all", Box::new(ter(N::On, P::Removed, A::On))),
        (
            "ter_cs",
            Box::new(Ter::new(TerConfig {
                case: Case::Mixed,
                ..TerConfig::default()
            })),
        ),
    ]
}

/// Returns the configurations of the corpus tables.
pub(crate) fn corpus_variants() -> Vec<(&'static str, Box<dyn Metric>)> {
    use {AsianSupport as A, Normalization as N, Order::Full, Punctuation as P, Tokenizer as T};
    vec![
        ("chrF2", Box::new(Chrf::default())),
        ("chrF2++", Box::new(Chrf::plus_plus())),
        (
            "chrF2++ws",
            Box::new(Chrf::new(ChrfConfig {
                whitespace: Whitespace::Kept,
                ..chrf(2)
            })),
        ),
        (
            "chrF2++lc",
            Box::new(Chrf::new(ChrfConfig {
                case: Case::Lower,
                ..chrf(2)
            })),
        ),
        (
            "chrF2++eps",
            Box::new(Chrf::new(ChrfConfig {
                averaging: Averaging::Epsilon,
                ..chrf(2)
            })),
        ),
        ("chrF3", Box::new(Chrf::new(ChrfConfig { beta: 3, ..chrf(0) }))),
        ("BLEU-13a", Box::new(Bleu::default())),
        (
            "BLEU-13a-lc",
            Box::new(Bleu::new(BleuConfig {
                case: Case::Lower,
                ..bleu(T::Mteval13a, Full)
            })),
        ),
        ("BLEU-13a-eff", Box::new(Bleu::for_sentences())),
        ("BLEU-intl", Box::new(Bleu::new(bleu(T::International, Full)))),
        ("BLEU-char", Box::new(Bleu::new(bleu(T::Character, Full)))),
        ("BLEU-zh", Box::new(Bleu::new(bleu(T::Chinese, Full)))),
        (
            "BLEU-none-floor",
            Box::new(Bleu::new(BleuConfig {
                smoothing: Smoothing::Floor(0.1),
                ..bleu(T::None, Full)
            })),
        ),
        (
            "BLEU-13a-addk",
            Box::new(Bleu::new(smoothed(Smoothing::AddK(1.0), Full))),
        ),
        ("TER", Box::new(Ter::default())),
        ("TER-norm", Box::new(ter(N::On, P::Kept, A::Off))),
        ("TER-norm-asian", Box::new(ter(N::On, P::Kept, A::On))),
        ("TER-nopunct", Box::new(ter(N::Off, P::Removed, A::Off))),
        (
            "TER-cs",
            Box::new(Ter::new(TerConfig {
                case: Case::Mixed,
                ..TerConfig::default()
            })),
        ),
    ]
}
