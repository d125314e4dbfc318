//! TER, the translation edit rate (Snover et al. 2006), as Tercom and sacreBLEU compute it.

mod alignment;
mod edit_distance;
mod passes;
mod shift;
mod tokenizer;

use std::borrow::Cow;
use std::cell::RefCell;

use crate::alphabet::Interner;
use crate::edit_rate::rate;
use crate::metric::{Metric, SignatureField, yes_no};
use crate::numeric::{Numeric, NumpyFloat};
use crate::stats::StatsTable;
use crate::text::{self, Case};

/// Reference lengths are kept in this fraction of a word: the mean of up to 22 lengths is a whole number of it.
const LENGTH_UNIT: u64 = 232_792_560;

/// The options of TER.
///
/// ```
/// use lydian_metrics::{ter::TerConfig, text::Case};
/// assert_eq!(TerConfig::default().case, Case::Lower);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerConfig {
    /// Whether punctuation is split off and entities are resolved.
    pub normalization: Normalization,
    /// Whether punctuation is removed.
    pub punctuation: Punctuation,
    /// Whether the two options above know Asian characters; alone it changes nothing.
    pub asian_support: AsianSupport,
    /// Whether case counts; the default is that it does not.
    pub case: Case,
}

impl Default for TerConfig {
    fn default() -> Self {
        Self {
            normalization: Normalization::Off,
            punctuation: Punctuation::Kept,
            asian_support: AsianSupport::Off,
            case: Case::Lower,
        }
    }
}

/// Whether punctuation is split off and entities are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalization {
    /// The text is cut at white space only.
    #[default]
    Off,
    /// Punctuation is split off and XML entities are resolved.
    On,
}

/// Whether punctuation is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Punctuation {
    /// Punctuation stays.
    #[default]
    Kept,
    /// The marks `. , ? : ; ! " ( )` are removed.
    Removed,
}

/// Whether normalization and punctuation removal know Asian characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AsianSupport {
    /// They do not.
    #[default]
    Off,
    /// Chinese characters are split, Asian and full-width punctuation is split or removed.
    On,
}

/// The TER metric with its options. Lower is better.
///
/// A row holds the edits of the nearest reference and the mean reference length in
/// 1/232,792,560 words, so that the mean of several lengths is exact.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, ter::Ter};
/// let ter = Ter::default();
/// // Moving "on the mat" to the end is one edit.
/// let score = ter.sentence_score("on the mat the cat sat", &["the cat sat on the mat"], Numeric::Exact)?;
/// assert!((score - 100.0 / 6.0).abs() < 1e-9);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ter {
    config: TerConfig,
}

impl Ter {
    /// Builds the metric with the given options.
    pub fn new(config: TerConfig) -> Self {
        Self { config }
    }

    /// Returns the options.
    pub fn config(&self) -> &TerConfig {
        &self.config
    }

    /// Returns the words of a text under the metric's options.
    ///
    /// ```
    /// assert_eq!(lydian_metrics::ter::Ter::default().tokens("The  Cat."), ["the", "cat."]);
    /// ```
    pub fn tokens(&self, text: &str) -> Vec<String> {
        text::split(&tokenizer::apply(&self.config, text))
            .map(str::to_owned)
            .collect()
    }

    /// Returns a reference as it is before its words are read.
    ///
    /// sacreBLEU tokenizes references twice and hypotheses once. Normalization is not the same the second time:
    /// `a,,1` becomes `a , ,1` and then `a , , 1`.
    fn prepared_reference<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.config.normalization {
            Normalization::Off => Cow::Borrowed(text),
            Normalization::On => {
                let once = tokenizer::apply(&self.config, text);
                Cow::Owned(text::split(&once).collect::<Vec<&str>>().join(" "))
            }
        }
    }

    /// Reads a text into numbers of its words.
    fn read(&self, text: &str, interner: &mut Interner<u8>, words: &mut Vec<u32>) {
        let text = tokenizer::apply(&self.config, text);
        words.clear();
        words.extend(text::split(&text).map(|word| interner.number(word.as_bytes())));
    }

    /// Returns the edits against the nearest reference and the words of all references together.
    fn compare(&self, hypothesis: &str, references: &[&str], scratch: &mut Scratch) -> (u64, u64) {
        scratch.interner.clear();
        self.read(hypothesis, &mut scratch.interner, &mut scratch.hypothesis);
        let (mut least, mut lengths) = (None, 0);
        for reference in references {
            let prepared = self.prepared_reference(reference);
            self.read(&prepared, &mut scratch.interner, &mut scratch.reference);
            let edits = scratch.search.edits(&scratch.hypothesis, &scratch.reference);
            least = Some(least.map_or(edits, |least: u64| least.min(edits)));
            lengths += scratch.reference.len() as u64;
        }
        let words = scratch.hypothesis.len();
        if words > KEPT_WORDS {
            *scratch = Scratch::default();
        }
        (least.unwrap_or(words as u64), lengths)
    }
}

/// After a longer text than this the memory is given back.
const KEPT_WORDS: usize = 10_000;

/// Memory that is used again for every segment.
#[derive(Default)]
struct Scratch {
    interner: Interner<u8>,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    search: shift::Search,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

impl Metric for Ter {
    fn name(&self) -> String {
        "TER".to_owned()
    }

    fn width(&self) -> usize {
        2
    }

    fn higher_is_better(&self) -> bool {
        false
    }

    fn count(&self, hypothesis: &str, references: &[&str], row: &mut [u64]) {
        let (edits, lengths) =
            SCRATCH.with_borrow_mut(|scratch| self.compare(hypothesis, references, scratch));
        let count = references.len().max(1) as u64;
        row[0] = edits;
        // Rounded to the nearest unit, which is exact for up to 22 references.
        row[1] = (2 * lengths * LENGTH_UNIT + count) / (2 * count);
    }

    fn column_value(&self, column: usize, count: u64) -> f64 {
        if column == 0 {
            count as f64
        } else {
            count as f64 / LENGTH_UNIT as f64
        }
    }

    fn score_values(&self, values: &[f64], _numeric: Numeric) -> f64 {
        rate(values)
    }

    fn score_singles(&self, values: &[f32]) -> NumpyFloat {
        let values: Vec<NumpyFloat> = values.iter().map(|&value| NumpyFloat::Single(value)).collect();
        rate(&values)
    }

    /// sacreBLEU adds the mean lengths one by one, which rounds when there are several references.
    fn table_score(&self, table: &StatsTable, numeric: Numeric) -> f64 {
        match numeric {
            Numeric::Exact => self.score(&table.sum(), numeric),
            Numeric::Sacrebleu => {
                let (edits, length) = table.rows().fold((0.0, 0.0), |(edits, length), row| {
                    (
                        edits + self.column_value(0, row[0]),
                        length + self.column_value(1, row[1]),
                    )
                });
                rate(&[edits, length])
            }
        }
    }

    fn column_name(&self, column: usize) -> &'static str {
        if column == 0 { "edits" } else { "reference_length" }
    }

    fn signature_fields(&self) -> Vec<SignatureField> {
        let config = &self.config;
        vec![
            SignatureField::new("case", "c", config.case.as_str()),
            SignatureField::new("tok", "t", "tercom"),
            SignatureField::new("norm", "nr", yes_no(config.normalization == Normalization::On)),
            SignatureField::new("punct", "pn", yes_no(config.punctuation == Punctuation::Kept)),
            SignatureField::new("asian", "as", yes_no(config.asian_support == AsianSupport::On)),
        ]
    }
}
