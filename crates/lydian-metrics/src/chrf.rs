//! chrF, chrF+ and chrF++: the F score of character and word n-grams (Popović 2015, 2017).

use std::cell::RefCell;

use crate::alphabet::{Alphabet, Interner};
use crate::metric::{Metric, SignatureField, yes_no};
use crate::ngrams;
use crate::numeric::{Number, Numeric, NumpyFloat};
use crate::overlap::Overlap;
use crate::text::{self, Case};

/// Stands in for a missing precision or recall when smoothing by epsilon.
const EPSILON: f64 = 1e-16;

/// The options of chrF.
///
/// ```
/// use lydian_metrics::chrf::ChrfConfig;
/// let config = ChrfConfig { word_order: 2, ..ChrfConfig::default() };
/// assert_eq!((config.char_order, config.beta), (6, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChrfConfig {
    /// The longest character n-gram.
    pub char_order: usize,
    /// The longest word n-gram; 0 is chrF, 1 chrF+, 2 chrF++.
    pub word_order: usize,
    /// How much recall weighs against precision.
    pub beta: u32,
    /// Whether case counts.
    pub case: Case,
    /// Whether white space belongs to the character n-grams.
    pub whitespace: Whitespace,
    /// How orders without n-grams enter the average.
    pub averaging: Averaging,
}

/// Whether white space belongs to the character n-grams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whitespace {
    /// White space is removed first.
    #[default]
    Removed,
    /// White space counts like any other character.
    Kept,
}

/// How orders without n-grams enter the average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Averaging {
    /// Precision and recall are averaged over the orders both sides have (sacreBLEU's default).
    #[default]
    EffectiveOrder,
    /// F is averaged over all orders, with a tiny value for what is missing (chrF++.py, Moses, NLTK).
    Epsilon,
}

impl Default for ChrfConfig {
    fn default() -> Self {
        Self {
            char_order: 6,
            word_order: 0,
            beta: 2,
            case: Case::Mixed,
            whitespace: Whitespace::Removed,
            averaging: Averaging::EffectiveOrder,
        }
    }
}

/// The chrF metric with its options.
///
/// A row holds for every order, characters first, the n-grams of the hypothesis, of the reference, and the
/// matches.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, chrf::Chrf};
/// let chrf = Chrf::plus_plus();
/// let score = chrf.sentence_score("The cat sits on the mat.", &["The cat sat on the mat."], Numeric::Exact)?;
/// assert!((score - 71.113_966).abs() < 1e-6);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chrf {
    config: ChrfConfig,
}

impl Chrf {
    /// Builds the metric with the given options.
    pub fn new(config: ChrfConfig) -> Self {
        Self { config }
    }

    /// Builds chrF++: character n-grams to 6, word n-grams to 2, beta 2.
    pub fn plus_plus() -> Self {
        Self::new(ChrfConfig {
            word_order: 2,
            ..ChrfConfig::default()
        })
    }

    /// Returns the options.
    pub fn config(&self) -> &ChrfConfig {
        &self.config
    }

    fn orders(&self) -> usize {
        self.config.char_order + self.config.word_order
    }

    fn f_score<N: Number>(&self, values: &[N]) -> N {
        let factor = N::literal(f64::from(self.config.beta).powi(2));
        let one_plus_factor = N::literal(1.0 + f64::from(self.config.beta).powi(2));
        let mut smoothed = N::literal(0.0);
        let (mut precision_sum, mut recall_sum, mut effective) = (N::literal(0.0), N::literal(0.0), 0.0);
        for order in values.chunks_exact(3) {
            let (hypothesis, reference, matched) = (order[0], order[1], order[2]);
            let share = |total: N| {
                if total.is_positive() {
                    matched.over(total)
                } else {
                    N::literal(EPSILON)
                }
            };
            let (precision, recall) = (share(hypothesis), share(reference));
            let denominator = factor.times(precision).plus(recall);
            smoothed = smoothed.plus(if denominator.is_positive() {
                one_plus_factor.times(precision).times(recall).over(denominator)
            } else {
                N::literal(EPSILON)
            });
            if hypothesis.is_positive() && reference.is_positive() {
                precision_sum = precision_sum.plus(precision);
                recall_sum = recall_sum.plus(recall);
                effective += 1.0;
            }
        }
        if self.config.averaging == Averaging::Epsilon {
            return N::literal(100.0)
                .times(smoothed)
                .over(N::literal(self.orders().max(1) as f64));
        }
        if effective == 0.0 {
            return N::literal(0.0);
        }
        let precision = precision_sum.over(N::literal(effective));
        let recall = recall_sum.over(N::literal(effective));
        if !precision.plus(recall).is_positive() {
            return N::literal(0.0);
        }
        let numerator = one_plus_factor.times(precision).times(recall);
        N::literal(100.0).times(numerator.over(factor.times(precision).plus(recall)))
    }

    /// Reads a text into numbers of its characters and words.
    fn read(&self, text: &str, scratch: &mut Scratch) -> Numbered {
        let folded = text::fold(text, self.config.case);
        let mut numbered = scratch.unused.pop().unwrap_or_default();
        scratch
            .alphabet
            .read_words(&folded, &mut numbered.chars, &mut scratch.ends);
        numbered.words.clear();
        if self.config.word_order > 0 {
            for (start, end) in words_between(&numbered.chars, &scratch.ends, &scratch.alphabet) {
                numbered
                    .words
                    .push(scratch.interner.number(&numbered.chars[start..end]));
            }
        }
        if self.config.whitespace == Whitespace::Kept {
            scratch.alphabet.read(&folded, &mut numbered.chars);
        }
        numbered
    }

    /// Writes the row of a pair of texts.
    fn count_pair(&self, hypothesis: &Numbered, reference: &Numbered, scratch: &Scratch, row: &mut [u64]) {
        let (chars, words) = row.split_at_mut(3 * self.config.char_order);
        count_orders(
            &hypothesis.chars,
            &reference.chars,
            scratch.alphabet.largest(),
            chars,
        );
        count_orders(
            &hypothesis.words,
            &reference.words,
            scratch.interner.largest(),
            words,
        );
    }
}

/// A text as numbers of its characters and words.
#[derive(Default)]
struct Numbered {
    chars: Vec<u32>,
    words: Vec<u32>,
}

/// Memory that is used again for every segment.
#[derive(Default)]
struct Scratch {
    alphabet: Alphabet,
    interner: Interner<u32>,
    ends: Vec<usize>,
    unused: Vec<Numbered>,
    candidate: Vec<u64>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

/// Cuts words at white space and takes punctuation off, as [`words`] does.
fn words_between(chars: &[u32], ends: &[usize], alphabet: &Alphabet) -> impl Iterator<Item = (usize, usize)> {
    let mut start = 0;
    ends.iter().flat_map(move |&end| {
        let word = start..end;
        start = end;
        let middle = if word.len() == 1 {
            None
        } else if alphabet.is_punctuation(chars[end - 1]) {
            Some(end - 1)
        } else {
            alphabet
                .is_punctuation(chars[word.start])
                .then_some(word.start + 1)
        };
        let first = (word.start, middle.unwrap_or(end));
        std::iter::once(first).chain(middle.map(|middle| (middle, end)))
    })
}

/// Writes hypothesis count, reference count and matches of every order into `row`.
fn count_orders(hypothesis: &[u32], reference: &[u32], largest: u32, row: &mut [u64]) {
    let matches = ngrams::common(hypothesis, reference, row.len() / 3, largest);
    for (index, (order, matched)) in row.chunks_exact_mut(3).zip(matches).enumerate() {
        let theirs = reference.len().saturating_sub(index) as u64;
        // Without an n-gram in the reference the hypothesis counts as having none either.
        order[0] = if theirs == 0 {
            0
        } else {
            hypothesis.len().saturating_sub(index) as u64
        };
        order[1] = theirs;
        order[2] = matched;
    }
}

/// Splits a text into words and takes one punctuation mark off the end or, failing that, off the beginning.
///
/// ```
/// assert_eq!(lydian_metrics::chrf::words("(hi) there.."), ["(hi", ")", "there.", "."]);
/// ```
pub fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text::split(text) {
        let (first, last) = (word.as_bytes()[0], word.as_bytes()[word.len() - 1]);
        if word.chars().nth(1).is_none() {
            words.push(word);
        } else if last.is_ascii_punctuation() {
            words.extend([&word[..word.len() - 1], &word[word.len() - 1..]]);
        } else if first.is_ascii_punctuation() {
            words.extend([&word[..1], &word[1..]]);
        } else {
            words.push(word);
        }
    }
    words
}

impl Metric for Chrf {
    fn name(&self) -> String {
        format!("chrF{}{}", self.config.beta, "+".repeat(self.config.word_order))
    }

    fn width(&self) -> usize {
        3 * self.orders().max(1)
    }

    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]) {
        row.fill(0);
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.alphabet.start_segment();
            scratch.interner.clear();
            let hypothesis = self.read(hypothesis, scratch);
            let mut candidate = std::mem::take(&mut scratch.candidate);
            candidate.clear();
            candidate.resize(row.len(), 0);
            let mut best = -1.0;
            for text in references {
                let reference = self.read(text, scratch);
                self.count_pair(&hypothesis, &reference, scratch, &mut candidate);
                scratch.unused.push(reference);
                // The earliest of equally good references is kept; a single one need not be scored.
                let score = if references.len() == 1 {
                    0.0
                } else {
                    self.score(&candidate, Numeric::Exact)
                };
                if score > best {
                    best = score;
                    row.copy_from_slice(&candidate);
                }
            }
            scratch.unused.push(hypothesis);
            scratch.candidate = candidate;
        });
    }

    fn score_values(&self, values: &[f64], _numeric: Numeric) -> f64 {
        self.f_score(values)
    }

    fn score_singles(&self, values: &[f32]) -> NumpyFloat {
        let values: Vec<NumpyFloat> = values.iter().map(|&value| NumpyFloat::Single(value)).collect();
        self.f_score(&values)
    }

    fn column_name(&self, column: usize) -> &'static str {
        ["hypothesis", "reference", "matches"][column % 3]
    }

    /// Shows the reference that counts: the earliest of those with the highest score.
    fn overlaps(&self, hypothesis: &str, references: &[&str]) -> Vec<Overlap> {
        let score = |reference: &&str| {
            self.sentence_score(hypothesis, &[*reference], Numeric::Exact)
                .unwrap_or(0.0)
        };
        let mut best: Option<(f64, &str)> = None;
        for reference in references {
            let score = score(reference);
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, *reference));
            }
        }
        let Some((_, reference)) = best else {
            return Vec::new();
        };
        let hypothesis = text::fold(hypothesis, self.config.case);
        let reference = text::fold(reference, self.config.case);
        let chars = |text: &str| -> Vec<String> {
            let kept = |c: &char| self.config.whitespace == Whitespace::Kept || !text::is_space(*c);
            text.chars().filter(kept).map(String::from).collect()
        };
        let words = |text: &str| words(text).into_iter().map(str::to_owned).collect::<Vec<_>>();
        let orders = |unit, longest, ours: Vec<String>, theirs: Vec<String>| -> Vec<Overlap> {
            let theirs = [theirs];
            (1..=longest)
                .map(|order| Overlap::new(unit, order, &ours, &theirs))
                .collect()
        };
        let mut all = orders(
            "character",
            self.config.char_order,
            chars(&hypothesis),
            chars(&reference),
        );
        all.extend(orders(
            "word",
            self.config.word_order,
            words(&hypothesis),
            words(&reference),
        ));
        all
    }

    fn signature_fields(&self) -> Vec<SignatureField> {
        let config = &self.config;
        vec![
            SignatureField::new("case", "c", config.case.as_str()),
            SignatureField::new("eff", "e", yes_no(config.averaging == Averaging::EffectiveOrder)),
            SignatureField::new("nc", "nc", config.char_order.to_string()),
            SignatureField::new("nw", "nw", config.word_order.to_string()),
            SignatureField::new("space", "s", yes_no(config.whitespace == Whitespace::Kept)),
        ]
    }
}
