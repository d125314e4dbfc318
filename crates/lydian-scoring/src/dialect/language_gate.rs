//! The language gate: does an answer stand in the dialect instead of the target language (D §2, last row)?

use std::sync::OnceLock;

use lydian_model::Sha256Hex;

use super::gate_words::{gate_words, grams};

/// The classes a text is compared with, in the order of the table's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GateClass {
    /// Swiss German and its neighbours: the class an answer must not fall into.
    SwissGerman,
    /// Standard German: the language the answers should stand in.
    German,
    /// English.
    English,
    /// French.
    French,
    /// Italian.
    Italian,
}

/// Fewer words than this are never judged.
const LEAST_WORDS: u64 = 3;
/// The dialect must lead German by more than this much per n-gram (thousandths of a natural logarithm).
const MARGIN_PER_GRAM: i64 = 25;
/// No weight of a trained table is larger; a larger one could overflow the sums of a long text.
const LARGEST_WEIGHT: i32 = 1_000_000;

/// Integer weights of character n-grams for the five classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageGate {
    rows: Vec<(Box<str>, [i32; 5])>,
    sha256: Sha256Hex,
}

/// The sums of a text over the table, with the counts they rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateScores {
    /// The words of the text.
    pub words: u64,
    /// The n-grams of the text, known or not.
    pub ngrams: u64,
    /// The sum of the weights per class, in the order of [`GateClass::ALL`].
    pub sums: [i64; 5],
}

/// A table that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateTableError {
    /// The column names are missing or others.
    #[error("line {line}: expected the column names `gram gsw de en fr it` separated by tabs")]
    Header {
        /// The line, counted from 1.
        line: usize,
    },
    /// A row has no n-gram, too few or too many columns, or a weight that is none.
    #[error("line {line}: expected an n-gram of 1 to 5 characters and five whole numbers separated by tabs")]
    Row {
        /// The line, counted from 1.
        line: usize,
    },
    /// An n-gram stands twice.
    #[error("the n-gram `{gram}` stands twice")]
    Repeated {
        /// The n-gram.
        gram: String,
    },
    /// The table has no rows.
    #[error("the table has no rows")]
    Empty,
}

impl GateClass {
    /// Every class, in the order of the columns.
    pub const ALL: [Self; 5] = [
        Self::SwissGerman,
        Self::German,
        Self::English,
        Self::French,
        Self::Italian,
    ];

    /// Returns the name of the column.
    pub fn name(self) -> &'static str {
        match self {
            Self::SwissGerman => "gsw",
            Self::German => "de",
            Self::English => "en",
            Self::French => "fr",
            Self::Italian => "it",
        }
    }

    /// Returns the class with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl LanguageGate {
    /// Reads a table: lines that start with `#` are notes, then the column names, then the rows.
    pub fn parse(table: &str) -> Result<Self, GateTableError> {
        let mut lines = table
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#'));
        let (at, header) = lines.next().ok_or(GateTableError::Empty)?;
        let expected = std::iter::once("gram").chain(GateClass::ALL.map(GateClass::name));
        if !header.split('\t').eq(expected) {
            return Err(GateTableError::Header { line: at + 1 });
        }
        let parsed = lines.map(|(at, line)| parse_row(line).ok_or(GateTableError::Row { line: at + 1 }));
        let mut rows = parsed.collect::<Result<Vec<_>, _>>()?;
        if rows.is_empty() {
            return Err(GateTableError::Empty);
        }
        rows.sort();
        match rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(GateTableError::Repeated {
                gram: pair[0].0.to_string(),
            }),
            None => Ok(Self {
                rows,
                sha256: Sha256Hex::of(table.as_bytes()),
            }),
        }
    }

    /// Returns the digest of the table's text.
    pub fn sha256(&self) -> &Sha256Hex {
        &self.sha256
    }

    /// Returns the table that ships with this library; its notes name the texts and their licences.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<LanguageGate> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::parse(Self::shipped_table()).expect("a test reads the shipped table"))
    }

    /// Returns the text of the shipped table (CC BY-SA 4.0, see its notes).
    pub fn shipped_table() -> &'static str {
        include_str!("../../data/language_gate.tsv")
    }

    /// Sums the weights of all n-grams of a text.
    pub fn scores(&self, text: &str) -> GateScores {
        let mut scores = GateScores::default();
        for word in gate_words(text) {
            scores.words += 1;
            for gram in grams(&word) {
                scores.ngrams += 1;
                if let Some(weights) = self.weights(gram) {
                    for (sum, weight) in scores.sums.iter_mut().zip(weights) {
                        *sum += i64::from(*weight);
                    }
                }
            }
        }
        scores
    }

    fn weights(&self, gram: &str) -> Option<&[i32; 5]> {
        let at = self
            .rows
            .binary_search_by(|(known, _)| (**known).cmp(gram))
            .ok()?;
        Some(&self.rows[at].1)
    }
}

impl GateScores {
    /// Tells whether the text is long enough to be judged.
    pub fn is_judged(&self) -> bool {
        self.words >= LEAST_WORDS
    }

    /// Tells whether the text stands in Swiss German: at least three words, ahead of German by more than 25
    /// per n-gram, and not behind English, French or Italian.
    pub fn says_dialect(&self) -> bool {
        let [dialect, german, others @ ..] = self.sums;
        let margin = MARGIN_PER_GRAM * i64::try_from(self.ngrams).unwrap_or(i64::MAX / MARGIN_PER_GRAM);
        self.is_judged() && dialect - german > margin && others.iter().all(|other| dialect >= *other)
    }
}

fn parse_row(line: &str) -> Option<(Box<str>, [i32; 5])> {
    let mut cells = line.split('\t');
    let gram = cells
        .next()
        .filter(|gram| (1..=5).contains(&gram.chars().count()))?;
    let mut weights = [0; 5];
    for weight in &mut weights {
        let value: i32 = cells.next()?.parse().ok()?;
        *weight = (-LARGEST_WEIGHT..=LARGEST_WEIGHT)
            .contains(&value)
            .then_some(value)?;
    }
    cells.next().is_none().then(|| (gram.into(), weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = "# a note\ngram\tgsw\tde\ten\tfr\tit\nä\t10\t-5\t0\t0\t-5\n_x\t100\t0\t0\t0\t200\n";

    #[test]
    fn sums_count_every_occurrence_of_a_known_gram() {
        let gate = LanguageGate::parse(TINY).unwrap();
        let scores = gate.scores("Ä xä");
        // `_ä_` has 3 + 2 + 1 n-grams, `_xä_` has 4 + 3 + 2 + 1.
        assert_eq!((scores.words, scores.ngrams), (2, 16));
        assert_eq!(scores.sums, [120, -10, 0, 0, 190]);
    }

    #[test]
    fn the_gate_needs_three_words_a_lead_and_no_better_other_language() {
        let lead = GateScores {
            words: 3,
            ngrams: 4,
            sums: [101, 0, 0, 0, 101],
        };
        assert!(lead.says_dialect());
        assert!(!GateScores { words: 2, ..lead }.says_dialect());
        assert!(
            !GateScores {
                sums: [100, 0, 0, 0, 0],
                ..lead
            }
            .says_dialect()
        );
        assert!(
            !GateScores {
                sums: [101, 0, 0, 102, 0],
                ..lead
            }
            .says_dialect()
        );
    }

    #[test]
    fn a_broken_table_is_refused_with_its_line() {
        let row = GateTableError::Row { line: 2 };
        for broken in [
            "ä\t1\t2\t3\t4",
            "ä\t1\t2\t3\t4\t5\t6",
            "ä\t1\t2\t3\t4\tx",
            "\t1\t2\t3\t4\t5",
            "ä\t9000000\t0\t0\t0\t0",
        ] {
            assert_eq!(
                LanguageGate::parse(&format!("gram\tgsw\tde\ten\tfr\tit\n{broken}")),
                Err(row.clone()),
                "{broken}"
            );
        }
        assert_eq!(
            LanguageGate::parse("gram\tgsw\tde\ten\tit\tfr\n"),
            Err(GateTableError::Header { line: 1 })
        );
        assert_eq!(LanguageGate::parse("# only a note\n"), Err(GateTableError::Empty));
        let twice = "gram\tgsw\tde\ten\tfr\tit\na\t1\t1\t1\t1\t1\na\t1\t1\t1\t1\t1\n";
        assert_eq!(
            LanguageGate::parse(twice),
            Err(GateTableError::Repeated { gram: "a".to_owned() })
        );
    }

    #[test]
    fn the_shipped_table_tells_the_protocols_dialect_from_german_and_italian() {
        let gate = LanguageGate::shipped();
        assert!(
            gate.scores("D Basler Fasnacht isch die greeschti Fasnacht in dr ganze Schwiiz")
                .says_dialect()
        );
        assert!(
            !gate
                .scores("Die Basler Fasnacht ist die grösste Fasnacht in der ganzen Schweiz")
                .says_dialect()
        );
        assert!(
            !gate
                .scores("Il carnevale di Basilea è il più grande di tutta la Svizzera")
                .says_dialect()
        );
        assert!(!gate.scores("").says_dialect());
    }
}
