//! The dialect report: refusals first, then one row per dialect, never a pooled number (D §4, decision 37).

mod choice_cell;
mod rows;
mod run_note;
mod translation_cell;

use std::collections::{BTreeMap, BTreeSet};

use lydian_metrics::proportion::Proportion;
use lydian_model::dialect::{DialectItem, DialectItems};
use lydian_model::{EntryId, Prediction, Score, Sha256Hex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use choice_cell::{ChoiceCell, ConstantBaseline, PositionCell};
pub use rows::{Counters, DialectRow, OrthographyCell, OrthographyCount, OutcomeCounts, RowKey};
pub use run_note::RunNote;
pub use translation_cell::TranslationCell;

use super::language_gate::LanguageGate;
use super::verdict::{ItemVerdict, Label, judge};

/// The schema name and version of [`DialectReport`].
pub const REPORT_SCHEMA: &str = "lydian.dialect-report/1";
/// The level of every interval.
pub(crate) const LEVEL: f64 = 0.95;

/// What one set of answers reached on a dialect corpus.
///
/// The only number over more than one dialect is the refusal rate, which the specification defines so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DialectReport {
    /// [`REPORT_SCHEMA`].
    pub schema: String,
    /// The version of the rules: it changes when the same answers could get another verdict.
    pub scorer: String,
    /// The digest of the language gate's table.
    pub gate_sha256: Sha256Hex,
    /// The dataset.
    pub dataset: DatasetNote,
    /// Where the answers come from.
    pub answers: AnswersNote,
    /// The headline: answers that decline or claim not to understand, over all items, `uncertain` included.
    pub refusals: Share,
    /// One row per dialect.
    pub rows: Vec<DialectRow>,
    /// Items of uncertain dialect, apart from every row.
    pub uncertain: Option<DialectRow>,
    /// How intervals of means are drawn.
    pub bootstrap: BootstrapNote,
    /// What the numbers cannot say: the scorer's own limits, then the dataset's.
    pub limitations: Vec<String>,
    /// The verdict on every item, in the order of the corpus.
    pub items: Vec<ItemVerdict>,
}

/// The dataset that was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetNote {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The digest of its file.
    pub sha256: Sha256Hex,
    /// The number of items that this document is about.
    pub items: u64,
}

/// Where answers come from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswersNote {
    /// A name for them.
    pub name: String,
    /// The digest of their file, when they come from one.
    pub sha256: Option<Sha256Hex>,
    /// The run that brought them, when they come from one.
    pub run: Option<RunNote>,
    /// Items without an answer: they count as wrong.
    pub missing: u64,
    /// Ids of answers for which the corpus has no item: they are not counted.
    pub unknown_ids: Vec<EntryId>,
}

/// A count out of a total, with its Wilson interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The count.
    pub count: u64,
    /// The total.
    pub of: u64,
    /// The share; null when the total is 0.
    pub share: Option<Score>,
    /// The 95 % Wilson interval; null when the total is 0.
    pub interval: Option<[Score; 2]>,
}

/// How intervals of means are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BootstrapNote {
    /// The number of resamples.
    pub resamples: u64,
    /// The seed.
    pub seed: u64,
    /// Means over fewer items have no interval.
    pub least_items: u64,
}

/// Answers that cannot be assigned to items.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswersError {
    /// Two answers for one item.
    #[error("there are two answers for the item `{id}`")]
    Repeated {
        /// The item.
        id: EntryId,
    },
}

/// The limits of the scorer itself, printed with every report.
const SCORER_LIMITS: [&str; 4] = [
    "T1 counts content words: an answer that swaps the roles (who did what to whom) or drops a negation still scores full.",
    "T1 cannot tell understanding from recovering the content words by their likeness.",
    "Refusals and answers in dialect are found by patterns and by a character table; their measured error rates stand in the documentation.",
    "Spelling is not normalised in Swiss German: a low value can mean that the transcription was not read rather than the dialect.",
];

/// Returns the verdicts on all items and the report over them.
///
/// The order of the answers does not matter. Two answers for one item are refused: which of them counts
/// would depend on their order.
pub fn report(
    items: &DialectItems,
    dataset_sha256: Sha256Hex,
    answers: &[Prediction],
    note: AnswersNote,
    gate: &LanguageGate,
) -> Result<DialectReport, AnswersError> {
    let mut by_id: BTreeMap<&EntryId, &Prediction> = BTreeMap::new();
    for answer in answers {
        if by_id.insert(&answer.entry_id, answer).is_some() {
            return Err(AnswersError::Repeated {
                id: answer.entry_id.clone(),
            });
        }
    }
    let known: BTreeSet<&EntryId> = items.items.iter().map(|item| &item.id).collect();
    let unknown_ids = by_id
        .keys()
        .filter(|id| !known.contains(*id))
        .map(|id| (*id).clone())
        .collect();
    let judged: Vec<(&DialectItem, ItemVerdict)> = items
        .items
        .iter()
        .map(|item| (item, judge(item, by_id.get(&item.id).copied(), gate)))
        .collect();
    let count = |label| {
        judged
            .iter()
            .filter(|(_, verdict)| verdict.label == label)
            .count() as u64
    };
    let (rows, uncertain) = rows::rows(&items.lists.dialects, &judged);
    let limits = SCORER_LIMITS.iter().map(|text| (*text).to_owned());
    Ok(DialectReport {
        schema: REPORT_SCHEMA.to_owned(),
        scorer: "dialect-scorer/1".to_owned(),
        gate_sha256: gate.sha256().clone(),
        dataset: DatasetNote {
            id: items.id.clone(),
            version: items.version.clone(),
            sha256: dataset_sha256,
            items: items.items.len() as u64,
        },
        answers: AnswersNote {
            missing: count(Label::Missing),
            unknown_ids,
            ..note
        },
        refusals: Share::new(count(Label::Refusal), judged.len() as u64),
        rows,
        uncertain,
        bootstrap: translation_cell::bootstrap_note(),
        limitations: limits.chain(items.lists.limitations.iter().cloned()).collect(),
        items: judged.into_iter().map(|(_, verdict)| verdict).collect(),
    })
}

impl Share {
    /// Returns the share of `count` in `of`.
    pub fn new(count: u64, of: u64) -> Self {
        let proportion = Proportion::new(count, of);
        let interval = proportion.map(|proportion| proportion.wilson(LEVEL));
        Self {
            count,
            of,
            share: proportion.and_then(|proportion| Score::new(proportion.share())),
            interval: interval.and_then(|(lower, upper)| Some([Score::new(lower)?, Score::new(upper)?])),
        }
    }
}
