//! BLEU (Papineni et al. 2002) with sacreBLEU's tokenizers and smoothing methods.

mod classes;
mod split;
mod tokenizer;
mod unicode_tables;

use std::cell::RefCell;

use crate::alphabet::Interner;
use crate::metric::{Metric, SignatureField, yes_no};
use crate::ngrams;
use crate::numeric::{Number, Numeric, NumpyFloat};
use crate::overlap::Overlap;
use crate::text::{self, Case};

pub(crate) use tokenizer::unescape;
pub use tokenizer::{Tokenizer, UnknownTokenizer};

/// What the logarithm of a zero precision counts as.
const LOG_OF_ZERO: f64 = -9_999_999_999.0;

/// The options of BLEU.
///
/// ```
/// use lydian_metrics::bleu::{BleuConfig, Smoothing, Tokenizer};
/// let config = BleuConfig { smoothing: Smoothing::Floor(0.1), ..BleuConfig::default() };
/// assert_eq!((config.max_order, config.tokenizer), (4, Tokenizer::Mteval13a));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BleuConfig {
    /// How texts are cut into tokens.
    pub tokenizer: Tokenizer,
    /// Whether case counts.
    pub case: Case,
    /// What an order without matches counts as.
    pub smoothing: Smoothing,
    /// The longest n-gram.
    pub max_order: usize,
    /// Which orders the mean covers.
    pub order: Order,
}

impl Default for BleuConfig {
    fn default() -> Self {
        Self {
            tokenizer: Tokenizer::Mteval13a,
            case: Case::Mixed,
            smoothing: Smoothing::Exponential,
            max_order: 4,
            order: Order::Full,
        }
    }
}

/// Which orders the geometric mean covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// All orders: an output shorter than the longest n-gram scores 0.
    #[default]
    Full,
    /// The orders for which the output is long enough; meant for single segments.
    Effective,
}

/// What an order without matches counts as (Chen and Cherry 2014).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Smoothing {
    /// Nothing: the score is 0.
    None,
    /// This many matches; sacreBLEU's default is 0.1.
    Floor(f64),
    /// Matches and totals are raised by this number from order 2 on; sacreBLEU's default is 1.
    AddK(f64),
    /// Half a match, a quarter at the next such order, and so on (NIST's method).
    #[default]
    Exponential,
}

/// The BLEU metric with its options.
///
/// A row holds the hypothesis length, the closest reference length, the matches of every order and the
/// hypothesis n-grams of every order.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, bleu::Bleu};
/// let bleu = Bleu::for_sentences();
/// let score = bleu.sentence_score("the cat sat on a mat", &["the cat sat on the mat"], Numeric::Exact)?;
/// assert!((score - 53.7285).abs() < 1e-4);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bleu {
    config: BleuConfig,
}

/// A BLEU score with the parts it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct BleuScore {
    /// The score, 0 to 100.
    pub score: f64,
    /// The precision of every order, 0 to 100, after smoothing.
    pub precisions: Vec<f64>,
    /// The brevity penalty.
    pub brevity_penalty: f64,
    /// The number of hypothesis tokens.
    pub hypothesis_length: u64,
    /// The number of reference tokens.
    pub reference_length: u64,
}

impl BleuScore {
    /// Returns the parts as sacreBLEU prints them after the score.
    ///
    /// ```
    /// use lydian_metrics::{Metric, Numeric, bleu::Bleu};
    /// let bleu = Bleu::default();
    /// let row = bleu.stats("the cat sat on the mat", &["the cat sat on a mat"])?;
    /// assert_eq!(
    ///     bleu.detail(&row, Numeric::Sacrebleu).verbose(),
    ///     "83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)"
    /// );
    /// # Ok::<(), lydian_metrics::MetricError>(())
    /// ```
    pub fn verbose(&self) -> String {
        let precisions: Vec<String> = self.precisions.iter().map(|p| format!("{p:.1}")).collect();
        let ratio = match self.reference_length {
            0 => 0.0,
            length => self.hypothesis_length as f64 / length as f64,
        };
        format!(
            "{} (BP = {:.3} ratio = {ratio:.3} hyp_len = {} ref_len = {})",
            precisions.join("/"),
            self.brevity_penalty,
            self.hypothesis_length,
            self.reference_length
        )
    }
}

impl Bleu {
    /// Builds the metric with the given options.
    pub fn new(config: BleuConfig) -> Self {
        Self { config }
    }

    /// Builds the variant for single segments: effective order, otherwise the defaults.
    pub fn for_sentences() -> Self {
        Self::new(BleuConfig {
            order: Order::Effective,
            ..BleuConfig::default()
        })
    }

    /// Returns the options.
    pub fn config(&self) -> &BleuConfig {
        &self.config
    }

    /// Returns the tokens of a text under the metric's options.
    ///
    /// ```
    /// use lydian_metrics::bleu::Bleu;
    /// assert_eq!(Bleu::default().tokens("It's 3.5, isn't it?"), ["It's", "3.5", ",", "isn't", "it", "?"]);
    /// ```
    pub fn tokens(&self, text: &str) -> Vec<String> {
        self.config.tokenizer.tokens(&text::fold(text, self.config.case))
    }

    /// Returns the score of added-up rows with its parts.
    pub fn detail(&self, sums: &[u64], numeric: Numeric) -> BleuScore {
        let values: Vec<f64> = sums.iter().map(|&sum| sum as f64).collect();
        let (precisions, brevity_penalty, score) = self.parts(&values, sums[0], sums[1], numeric);
        BleuScore {
            score,
            precisions,
            brevity_penalty,
            hypothesis_length: sums[0],
            reference_length: sums[1],
        }
    }

    /// Reads a text into numbers of its tokens.
    fn read(&self, text: &str, interner: &mut Interner<u8>, numbers: &mut Vec<u32>) {
        numbers.clear();
        let folded = text::fold(text, self.config.case);
        self.config
            .tokenizer
            .for_each(&folded, |token| numbers.push(interner.number(token.as_bytes())));
    }

    /// Returns precisions, brevity penalty and score of the sums `values`.
    fn parts<N: Number + Into<f64>>(
        &self,
        values: &[N],
        hypothesis_length: u64,
        reference_length: u64,
        numeric: Numeric,
    ) -> (Vec<f64>, f64, f64) {
        let orders = self.config.max_order;
        let (matches, totals) = values[2..].split_at(orders);
        let penalty = brevity_penalty(hypothesis_length, reference_length, numeric);
        let mut precisions = vec![0.0; orders];
        if !matches.iter().any(|matched| matched.is_positive()) {
            return (precisions, penalty, 0.0);
        }
        let mut halvings = 1.0;
        let mut effective = orders;
        for order in 0..orders {
            let (mut matched, mut total) = (matches[order], totals[order]);
            if let Smoothing::AddK(k) = self.config.smoothing
                && order > 0
            {
                matched = matched.plus(N::literal(k));
                total = total.plus(N::literal(k));
            }
            if !total.is_positive() {
                break;
            }
            if self.config.order == Order::Effective {
                effective = order + 1;
            }
            if matched.is_positive() {
                precisions[order] = N::literal(100.0).times(matched).over(total).into();
            } else if self.config.smoothing == Smoothing::Exponential {
                halvings *= 2.0;
                precisions[order] = N::literal(100.0).over(N::literal(halvings).times(total)).into();
            } else if let Smoothing::Floor(floor) = self.config.smoothing {
                precisions[order] = N::literal(100.0).times(N::literal(floor)).over(total).into();
            }
        }
        let logs: Vec<f64> = precisions[..effective]
            .iter()
            .map(|&precision| {
                if precision == 0.0 {
                    LOG_OF_ZERO
                } else {
                    numeric.ln(precision)
                }
            })
            .collect();
        let score = penalty * numeric.exp(numeric.sum(&logs) / effective as f64);
        (precisions, penalty, score)
    }
}

/// Memory that is used again for every segment.
#[derive(Default)]
struct Scratch {
    interner: Interner<u8>,
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

fn brevity_penalty(hypothesis: u64, reference: u64, numeric: Numeric) -> f64 {
    if hypothesis >= reference {
        1.0
    } else if hypothesis == 0 {
        0.0
    } else {
        numeric.exp(1.0 - reference as f64 / hypothesis as f64)
    }
}

/// Returns the reference length nearest to the hypothesis length, the shorter of two equally near ones.
fn closest_length(hypothesis: u64, references: impl Iterator<Item = u64>) -> u64 {
    references
        .min_by_key(|&length| (hypothesis.abs_diff(length), length))
        .unwrap_or(0)
}

impl Metric for Bleu {
    fn name(&self) -> String {
        "BLEU".to_owned()
    }

    fn width(&self) -> usize {
        2 + 2 * self.config.max_order
    }

    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]) {
        SCRATCH.with_borrow_mut(
            |Scratch {
                 interner,
                 hypothesis: ours,
                 references: theirs,
             }| {
                interner.clear();
                self.read(hypothesis, interner, ours);
                theirs.resize_with(references.len(), Vec::new);
                for (text, numbers) in references.iter().zip(theirs.iter_mut()) {
                    self.read(text, interner, numbers);
                }
                let length = ours.len() as u64;
                row[0] = length;
                row[1] = closest_length(length, theirs.iter().map(|numbers| numbers.len() as u64));
                let orders = self.config.max_order;
                let (matches, totals) = row[2..].split_at_mut(orders);
                for (order, total) in totals.iter_mut().enumerate() {
                    *total = ours.len().saturating_sub(order) as u64;
                }
                if let [theirs] = theirs.as_slice() {
                    matches.copy_from_slice(&ngrams::common(ours, theirs, orders, interner.largest()));
                } else {
                    for (order, matched) in matches.iter_mut().enumerate() {
                        *matched = ngrams::clipped(ours, theirs, order + 1);
                    }
                }
            },
        );
    }

    fn score_values(&self, values: &[f64], numeric: Numeric) -> f64 {
        self.parts(values, length(values[0]), length(values[1]), numeric)
            .2
    }

    fn score_singles(&self, values: &[f32]) -> NumpyFloat {
        let lengths = (length(f64::from(values[0])), length(f64::from(values[1])));
        let values: Vec<NumpyFloat> = values.iter().map(|&value| NumpyFloat::Single(value)).collect();
        NumpyFloat::Python(self.parts(&values, lengths.0, lengths.1, Numeric::Sacrebleu).2)
    }

    /// sacreBLEU adds k to rows of integers there, which cuts the fraction off.
    fn score_shuffled(&self, values: &[f64]) -> f64 {
        if let Smoothing::AddK(k) = self.config.smoothing {
            let smoothing = Smoothing::AddK(k.trunc());
            return Self::new(BleuConfig {
                smoothing,
                ..self.config.clone()
            })
            .score_values(values, Numeric::Sacrebleu);
        }
        self.score_values(values, Numeric::Sacrebleu)
    }

    fn column_name(&self, column: usize) -> &'static str {
        match column {
            0 => "hypothesis_length",
            1 => "reference_length",
            _ if column < 2 + self.config.max_order => "matches",
            _ => "totals",
        }
    }

    fn verbose(&self, sums: &[u64], numeric: Numeric) -> Option<String> {
        Some(self.detail(sums, numeric).verbose())
    }

    fn overlaps(&self, hypothesis: &str, references: &[&str]) -> Vec<Overlap> {
        let ours = self.tokens(hypothesis);
        let theirs: Vec<Vec<String>> = references
            .iter()
            .map(|reference| self.tokens(reference))
            .collect();
        (1..=self.config.max_order)
            .map(|order| Overlap::new("token", order, &ours, &theirs))
            .collect()
    }

    fn signature_fields(&self) -> Vec<SignatureField> {
        let config = &self.config;
        let smoothing = match config.smoothing {
            Smoothing::None => "none".to_owned(),
            Smoothing::Floor(value) => format!("floor[{value:.2}]"),
            Smoothing::AddK(value) => format!("add-k[{value:.2}]"),
            Smoothing::Exponential => "exp".to_owned(),
        };
        vec![
            SignatureField::new("case", "c", config.case.as_str()),
            SignatureField::new("eff", "e", yes_no(config.order == Order::Effective)),
            SignatureField::new("tok", "tok", config.tokenizer.as_str()),
            SignatureField::new("smooth", "s", smoothing),
        ]
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a sum of token counts"
)]
fn length(value: f64) -> u64 {
    value as u64
}
