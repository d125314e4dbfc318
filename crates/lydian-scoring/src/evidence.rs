//! Integer statistics of a run: one table per metric, one row per entry.
//!
//! Scores of the run, of its subsets and of resamples are all computed from these rows (decision 9).

use lydian_metrics::bleu::Bleu;
use lydian_metrics::chrf::Chrf;
use lydian_metrics::ter::Ter;
use lydian_metrics::{Corpus, Metric, Numeric, Signature, StatsTable, length};
use lydian_model::Outcome;
use serde_json::{Map, Value};

use crate::item::Item;

/// A metric that is resampled. Rows of shares hold numerator and denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    ChrfPlusPlus,
    Bleu,
    ExactMatch,
    EquivalentMatch,
    Fst,
    Morphology,
    Semantic,
    CodeSwitching,
    Hallucination,
    Terminology,
    Orthography,
}

impl Part {
    pub(crate) const ALL: [Self; 11] = [
        Self::ChrfPlusPlus,
        Self::Bleu,
        Self::ExactMatch,
        Self::EquivalentMatch,
        Self::Fst,
        Self::Morphology,
        Self::Semantic,
        Self::CodeSwitching,
        Self::Hallucination,
        Self::Terminology,
        Self::Orthography,
    ];

    /// The parts that need more than the two strings, in the order of [`Part::ALL`].
    pub(crate) const LANGUAGE: [Self; 8] = [
        Self::EquivalentMatch,
        Self::Fst,
        Self::Morphology,
        Self::Semantic,
        Self::CodeSwitching,
        Self::Hallucination,
        Self::Terminology,
        Self::Orthography,
    ];

    /// Returns the names of the columns under which results keep a row of a language part.
    pub(crate) const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Fst => &[
                "words_accepted",
                "words_checked",
                "reference_words_accepted",
                "reference_words_checked",
                "words_unknown",
            ],
            Self::Morphology => &["units_matched", "units", "reference_units"],
            Self::Semantic => &["millionths", "judged"],
            Self::Terminology => &["rendered", "expected"],
            Self::Orthography => &["words_right", "words"],
            Self::EquivalentMatch | Self::ExactMatch => &["matched", "judged"],
            _ => &["flagged", "judged"],
        }
    }

    /// Returns the name of the part's value in documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ChrfPlusPlus => "chrf_plus_plus",
            Self::Bleu => "bleu",
            Self::ExactMatch => "exact_match_rate",
            Self::EquivalentMatch => "equivalent_match_rate",
            Self::Fst => "fst_acceptance_rate",
            Self::Morphology => "morphological_accuracy",
            Self::Semantic => "semantic_score",
            Self::CodeSwitching => "code_switching_rate",
            Self::Hallucination => "hallucination_rate",
            Self::Terminology => "terminology_adherence",
            Self::Orthography => "orthographic_accuracy",
        }
    }
}

/// The statistics of one part, and why it has no value if it has none.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) table: StatsTable,
    pub(crate) unavailable: Option<String>,
    /// What a reader wants to see per entry beside the counts; empty, or one per entry.
    pub(crate) details: Vec<Map<String, Value>>,
}

impl Column {
    pub(crate) fn available(table: StatsTable) -> Self {
        Self {
            table,
            unavailable: None,
            details: Vec::new(),
        }
    }

    /// Returns a column to which rows of this width are added.
    pub(crate) fn of_width(width: usize) -> Self {
        Self::available(StatsTable::new(width))
    }

    /// Returns a column without a value.
    pub(crate) fn unavailable(part: Part, entries: usize, reason: impl Into<String>) -> Self {
        let mut table = StatsTable::new(part.columns().len());
        let row = vec![0; table.width()];
        for _ in 0..entries {
            table.push(&row);
        }
        Self {
            unavailable: Some(reason.into()),
            ..Self::available(table)
        }
    }

    /// Returns a column of rows.
    pub(crate) fn of_rows<const WIDTH: usize>(rows: impl IntoIterator<Item = [u64; WIDTH]>) -> Self {
        let mut table = StatsTable::new(WIDTH);
        for row in rows {
            table.push(&row);
        }
        Self::available(table)
    }

    /// Says whether anything was counted.
    pub(crate) fn has_counts(&self) -> bool {
        self.table.rows().any(|row| row.iter().any(|&count| count > 0))
    }
}

/// All statistics of a run or of a subset of its entries.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    columns: Vec<Column>,
    pub(crate) chrf: StatsTable,
    pub(crate) ter: StatsTable,
    pub(crate) length_ratios: Vec<Option<f64>>,
    pub(crate) outcomes: Vec<Outcome>,
}

impl Evidence {
    /// Computes the surface statistics of all entries; `language` gives the columns of the other parts.
    pub(crate) fn new(items: &[Item<'_>], language: impl FnMut(Part) -> Column) -> Self {
        let outputs: Vec<&str> = items.iter().map(|item| item.output.as_ref()).collect();
        let references: Vec<&str> = items.iter().map(|item| item.reference.as_ref()).collect();
        let corpus = Corpus::new(&outputs, &[references])
            .expect("there are entries, and each has one output and one reference");
        let exact = items.iter().map(|item| [u64::from(item.exact_match()), 1]);
        let mut columns = vec![
            Column::available(Chrf::plus_plus().table(&corpus)),
            Column::available(Bleu::default().table(&corpus)),
            Column::of_rows(exact),
        ];
        columns.extend(Part::LANGUAGE.into_iter().map(language));
        Self {
            columns,
            chrf: Chrf::default().table(&corpus),
            ter: Ter::default().table(&corpus),
            length_ratios: items
                .iter()
                .map(|item| length::ratio(&item.output, &item.reference))
                .collect(),
            outcomes: items.iter().map(Item::outcome).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub(crate) fn column(&self, part: Part) -> &Column {
        &self.columns[part as usize]
    }

    /// Returns the tables of all parts in their order.
    pub(crate) fn tables(&self) -> Vec<&StatsTable> {
        self.columns.iter().map(|column| &column.table).collect()
    }

    /// Returns the parts that have a value.
    pub(crate) fn available(&self) -> Availability {
        Availability(
            self.columns
                .iter()
                .map(|column| column.unavailable.is_none())
                .collect(),
        )
    }

    /// Returns the statistics of some entries alone.
    pub(crate) fn subset(&self, entries: &[usize]) -> Self {
        Self {
            columns: self
                .columns
                .iter()
                .map(|column| Column {
                    table: rows_of(&column.table, entries),
                    unavailable: column.unavailable.clone(),
                    details: Vec::new(),
                })
                .collect(),
            chrf: rows_of(&self.chrf, entries),
            ter: rows_of(&self.ter, entries),
            length_ratios: entries.iter().map(|&entry| self.length_ratios[entry]).collect(),
            outcomes: entries.iter().map(|&entry| self.outcomes[entry]).collect(),
        }
    }

    /// Returns chrF++, BLEU with effective order and TER of one entry.
    pub(crate) fn sentence_scores(&self, entry: usize) -> [f64; 3] {
        let row = |part| self.column(part).table.row(entry);
        [
            Chrf::plus_plus().score(row(Part::ChrfPlusPlus), Numeric::Exact),
            Bleu::for_sentences().score(row(Part::Bleu), Numeric::Exact),
            Ter::default().score(self.ter.row(entry), Numeric::Exact),
        ]
    }
}

/// Which parts have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Availability(Vec<bool>);

impl Availability {
    pub(crate) fn has(&self, part: Part) -> bool {
        self.0[part as usize]
    }
}

/// Returns the signatures of the text metrics, by the name of their value.
pub(crate) fn signatures() -> [(&'static str, Signature); 4] {
    let normalised = |metric: &dyn Metric| metric.signature(Some(1)).with("norm", "nfc");
    [
        ("chrf_plus_plus", normalised(&Chrf::plus_plus())),
        ("chrf", normalised(&Chrf::default())),
        ("bleu", normalised(&Bleu::default())),
        ("ter", normalised(&Ter::default())),
    ]
}

fn rows_of(table: &StatsTable, entries: &[usize]) -> StatsTable {
    let mut rows = StatsTable::new(table.width());
    for &entry in entries {
        rows.push(table.row(entry));
    }
    rows
}
