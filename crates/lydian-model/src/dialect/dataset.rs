//! What a dialect dataset says about itself: dialects, facts, contrasts, limitations (D §5, §6).

use std::collections::BTreeMap;

/// The dataset-level lists of a dialect corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DialectLists {
    /// The dialects that items may name, in the order in which reports list further rows.
    pub dialects: Vec<String>,
    /// The facts that T3 items may rest on; `None` when the dataset has no such list.
    pub facts: Option<Vec<Fact>>,
    /// Contrasts with evidence on both sides; `None` when the dataset has no such list.
    pub verified_contrasts: Option<Vec<Contrast>>,
    /// Forms that were assumed to tell dialects apart and do not.
    pub refuted_contrasts: Vec<RefutedContrast>,
    /// What the numbers cannot say; printed under every report.
    pub limitations: Vec<String>,
}

/// A verified fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its identifier, such as `S017`.
    pub id: String,
    /// What it states, when the dataset says so.
    pub statement: Option<String>,
}

/// A form that stands in one dialect and not in another, with the evidence for both (D §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The form, as it stands in the text.
    pub form: String,
    /// Dialects that have it, with the evidence.
    pub seen_in: BTreeMap<String, String>,
    /// Dialects that do not, with the evidence.
    pub not_in: BTreeMap<String, String>,
}

/// A contrast that the evidence refuted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefutedContrast {
    /// The form that does not tell the dialects apart.
    pub form: String,
    /// Why, when the dataset says so.
    pub reason: Option<String>,
}
