//! What scoring needs to know beside entries and predictions.

use lydian_model::{EntryId, Finite};

use crate::composite::{Profile, TierBoundaries};

/// The circumstances of a run that scoring cannot read off its texts.
#[derive(Clone, Debug, Default)]
pub struct ScoringContext {
    /// Seconds of wall time of the run; speeds are null without it.
    pub elapsed_seconds: Option<Finite>,
    /// Weight profile of the language (decision 19).
    pub profile: Profile,
    /// Tier boundaries of the language (B §5).
    pub tier_boundaries: TierBoundaries,
    /// Evaluated entries that stand in prompt, examples or coaching data (decision 21).
    pub leaks: Vec<TestLeak>,
    /// Whether the method used the analyser that scores it.
    pub analyser_use: AnalyserUse,
}

/// An evaluated entry that the method was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestLeak {
    /// The entry.
    pub entry_id: EntryId,
    /// Where it stands, such as `coaching data`.
    pub place: String,
}

/// Whether a method consulted the analyser by which it is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalyserUse {
    /// It did not.
    #[default]
    Independent,
    /// It did: acceptance says less about such a method.
    InLoop,
}
