//! The rows of the report: the four dialects of D §4, further declared ones, and `uncertain` apart.

use lydian_model::dialect::{DialectItem, ItemType, UNCERTAIN};
use lydian_model::{Outcome, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::normalise::fold;
use super::super::verdict::{Flag, ItemVerdict, Label};
use super::{ChoiceCell, Share, TranslationCell};

/// The row in which an item is counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKey {
    /// Basel.
    Basel,
    /// Zürich.
    Zurich,
    /// Bern.
    Bern,
    /// Walser and Valais.
    WalserValais,
    /// A further dialect, under its own name.
    Declared(String),
    /// Unknown dialect: reported apart.
    Uncertain,
}

/// The results on the items of one dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DialectRow {
    /// The dialect.
    pub dialect: String,
    /// Its name in tables.
    pub label: String,
    /// The number of items.
    pub items: u64,
    /// Refusals among them.
    pub refusals: Share,
    /// Translation; null without such items.
    pub t1: Option<TranslationCell>,
    /// Comprehension; null without such items.
    pub t2: Option<ChoiceCell>,
    /// Culture in dialect; null without such items.
    pub t3: Option<ChoiceCell>,
    /// Dialect identification; null without such items.
    pub t4: Option<ChoiceCell>,
    /// What else became of the answers.
    pub counters: Counters,
    /// How the answers came, before anything was read in them.
    pub outcomes: OutcomeCounts,
    /// The same dialect by spelling: a low value may mean that the transcription was not read (D §5).
    pub orthographies: Vec<OrthographyCell>,
}

/// Counts of answers beside the scores (decision 38).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counters {
    /// T1 answered in Swiss German or with the source.
    pub answered_in_dialect: u64,
    /// A refusal pattern fired, but the item is answered.
    pub hedged: u64,
    /// No text.
    pub empty: u64,
    /// No letter could be read.
    pub unparsed: u64,
    /// Several letters and nothing that decides.
    pub ambiguous: u64,
    /// No answer.
    pub missing: u64,
    /// T1 answers of more than four times the reference's words.
    pub overlong: u64,
}

/// Answers by the outcome that was recorded for them (decision 7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeCounts {
    /// Complete answers.
    pub ok: u64,
    /// Cut off at a length limit; what there is of them is scored.
    pub truncated: u64,
    /// Answers without text.
    pub empty: u64,
    /// Withheld by a content filter.
    pub filtered: u64,
    /// The provider's own refusal signal.
    pub refused: u64,
    /// Not readable as an answer.
    pub unparsable: u64,
    /// No answer came: network, provider, crash, time-out.
    pub failed: u64,
    /// Nothing was recorded.
    pub none: u64,
}

/// The results of one spelling within a dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrthographyCell {
    /// The spelling.
    pub orthography: String,
    /// The mean of T1; null without such items.
    pub t1_mean: Option<Score>,
    /// The T1 items.
    pub t1_items: u64,
    /// Right answers per multiple-choice type that occurs.
    pub choices: Vec<OrthographyCount>,
}

/// Right answers of one type in one spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrthographyCount {
    /// The item type.
    pub item_type: ItemType,
    /// The right answers.
    pub correct: u64,
    /// The items.
    pub of: u64,
}

impl OutcomeCounts {
    fn of(judged: &[&Judged<'_>]) -> Self {
        let mut counts = Self::default();
        for (_, verdict) in judged {
            *match verdict.outcome {
                Some(Outcome::Ok) => &mut counts.ok,
                Some(Outcome::Truncated) => &mut counts.truncated,
                Some(Outcome::Empty) => &mut counts.empty,
                Some(Outcome::Filtered) => &mut counts.filtered,
                Some(Outcome::Refused) => &mut counts.refused,
                Some(Outcome::Unparsable) => &mut counts.unparsable,
                Some(Outcome::Failed) => &mut counts.failed,
                None => &mut counts.none,
            } += 1;
        }
        counts
    }

    /// Returns the counts with the names of their outcomes.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("ok", self.ok),
            ("truncated", self.truncated),
            ("empty", self.empty),
            ("filtered", self.filtered),
            ("refused", self.refused),
            ("unparsable", self.unparsable),
            ("failed", self.failed),
            ("none", self.none),
        ]
    }
}

type Judged<'a> = (&'a DialectItem, ItemVerdict);

impl RowKey {
    /// The rows that every report has.
    pub const FIXED: [Self; 4] = [Self::Basel, Self::Zurich, Self::Bern, Self::WalserValais];

    /// Returns the row of a dialect; spellings of the fixed rows' names are the same row.
    pub fn of(dialect: &str) -> Self {
        let name: String = fold(dialect).chars().filter(|c| c.is_alphanumeric()).collect();
        match name.as_str() {
            "basel" => Self::Basel,
            "zurich" | "zuerich" => Self::Zurich,
            "bern" => Self::Bern,
            "walser" | "valais" | "wallis" | "walservalais" | "walserwallis" => Self::WalserValais,
            UNCERTAIN => Self::Uncertain,
            _ => Self::Declared(dialect.to_owned()),
        }
    }

    /// Returns the name used in documents.
    pub fn name(&self) -> &str {
        match self {
            Self::Basel => "basel",
            Self::Zurich => "zurich",
            Self::Bern => "bern",
            Self::WalserValais => "walser_valais",
            Self::Declared(name) => name,
            Self::Uncertain => UNCERTAIN,
        }
    }

    /// Returns the name used in tables.
    pub fn label(&self) -> &str {
        match self {
            Self::Basel => "Basel",
            Self::Zurich => "Zürich",
            Self::Bern => "Bern",
            Self::WalserValais => "Walser+Valais",
            Self::Declared(name) => name,
            Self::Uncertain => "uncertain (apart)",
        }
    }
}

/// Returns the rows in the order of D §4, and the one for items of uncertain dialect.
pub(super) fn rows(declared: &[String], judged: &[Judged<'_>]) -> (Vec<DialectRow>, Option<DialectRow>) {
    let mut keys = RowKey::FIXED.to_vec();
    let named = declared
        .iter()
        .map(String::as_str)
        .chain(judged.iter().map(|(item, _)| item.dialect.as_str()));
    for key in named.map(RowKey::of) {
        if key != RowKey::Uncertain && !keys.contains(&key) {
            keys.push(key);
        }
    }
    let of = |key: &RowKey| -> Vec<&Judged<'_>> {
        judged
            .iter()
            .filter(|(item, _)| RowKey::of(&item.dialect) == *key)
            .collect()
    };
    let rows = keys.iter().map(|key| row(key, &of(key))).collect();
    let apart = of(&RowKey::Uncertain);
    (rows, (!apart.is_empty()).then(|| row(&RowKey::Uncertain, &apart)))
}

fn row(key: &RowKey, judged: &[&Judged<'_>]) -> DialectRow {
    let count = |label| {
        judged
            .iter()
            .filter(|(_, verdict)| verdict.label == label)
            .count() as u64
    };
    let flagged = |flag| judged.iter().filter(|(_, verdict)| verdict.has(flag)).count() as u64;
    let of_type = |wanted| -> Vec<&Judged<'_>> {
        judged
            .iter()
            .filter(|(item, _)| item.item_type() == wanted)
            .copied()
            .collect()
    };
    DialectRow {
        dialect: key.name().to_owned(),
        label: key.label().to_owned(),
        items: judged.len() as u64,
        refusals: Share::new(count(Label::Refusal), judged.len() as u64),
        t1: TranslationCell::new(&of_type(ItemType::T1)),
        t2: ChoiceCell::new(&of_type(ItemType::T2)),
        t3: ChoiceCell::new(&of_type(ItemType::T3)),
        t4: ChoiceCell::new(&of_type(ItemType::T4)),
        counters: Counters {
            answered_in_dialect: count(Label::AnsweredInDialect),
            hedged: flagged(Flag::Hedged),
            empty: count(Label::Empty),
            unparsed: count(Label::Unparsed),
            ambiguous: count(Label::Ambiguous),
            missing: count(Label::Missing),
            overlong: flagged(Flag::Overlong),
        },
        outcomes: OutcomeCounts::of(judged),
        orthographies: orthographies(judged),
    }
}

fn orthographies(judged: &[&Judged<'_>]) -> Vec<OrthographyCell> {
    let mut names: Vec<&str> = judged.iter().map(|(item, _)| item.orthography.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let cell = |name: &str| {
        let scores = |wanted: ItemType| -> Vec<u64> {
            let spelt = judged
                .iter()
                .filter(|(item, _)| item.orthography == name && item.item_type() == wanted);
            spelt.map(|(_, verdict)| u64::from(verdict.score)).collect()
        };
        let t1 = scores(ItemType::T1);
        let mean = t1.iter().sum::<u64>() as f64 / t1.len() as f64;
        let choices = ItemType::CHOICES.into_iter().filter_map(|item_type| {
            let right = scores(item_type);
            let of = right.len() as u64;
            (of > 0).then(|| OrthographyCount {
                item_type,
                correct: right.iter().sum(),
                of,
            })
        });
        OrthographyCell {
            orthography: name.to_owned(),
            t1_mean: if t1.is_empty() { None } else { Score::new(mean) },
            t1_items: t1.len() as u64,
            choices: choices.collect(),
        }
    };
    names.into_iter().map(cell).collect()
}
