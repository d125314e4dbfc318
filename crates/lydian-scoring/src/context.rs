//! What scoring needs to know beside entries and predictions.

use std::collections::BTreeMap;

use lydian_language::Language;
use lydian_model::semantic::SemanticAnswers;
use lydian_model::{EntryId, Finite, Score};

use crate::composite::{Profile, TierBoundaries};

/// The circumstances of a run that scoring cannot read off its texts.
#[derive(Clone, Debug, Default)]
pub struct ScoringContext<'l> {
    /// What is known about the two languages; without it only the texts are compared.
    pub languages: Option<Languages<'l>>,
    /// Seconds of wall time of the run; speeds are null without it.
    pub elapsed_seconds: Option<Finite>,
    /// Weight profile of the language (decision 19).
    pub profile: Profile,
    /// Tier boundaries of the language (B §5).
    pub tier_boundaries: TierBoundaries,
    /// Evaluated entries that stand in prompt, examples or coaching data (decision 21).
    pub leaks: Vec<TestLeak>,
    /// What a semantic scorer said about the run, if one was asked.
    pub semantic: Option<&'l SemanticAnswers>,
    /// Whether the method used the analyser that scores it.
    pub analyser_use: AnalyserUse,
}

/// The languages of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Languages<'l> {
    /// The source language.
    pub source: &'l Language,
    /// The target language.
    pub target: &'l Language,
}

impl<'l> ScoringContext<'l> {
    /// Returns the context of a corpus in two languages, with the profile and the tiers of the target's card.
    ///
    /// ```
    /// use lydian_language::{Language, LanguageTag};
    /// use lydian_scoring::{ScoringContext, composite::Profile};
    /// let open = |tag| Language::builtin(&LanguageTag::parse(tag).expect("well-formed")).expect("a valid card");
    /// let (english, cree) = (open("eng"), open("crk"));
    /// assert_eq!(ScoringContext::for_languages(&english, &cree).profile, Profile::A);
    /// assert_eq!(ScoringContext::for_languages(&cree, &english).profile, Profile::B);
    /// ```
    pub fn for_languages(source: &'l Language, target: &'l Language) -> Self {
        Self {
            languages: Some(Languages { source, target }),
            profile: match target.card.profile() {
                lydian_language::Profile::A => Profile::A,
                lydian_language::Profile::B => Profile::B,
            },
            tier_boundaries: tier_boundaries(target),
            ..Self::default()
        }
    }
}

/// Returns the boundaries the card declares, else the usual ones.
fn tier_boundaries(language: &Language) -> TierBoundaries {
    let Some(tiers) = language.card.scoring.tiers else {
        return TierBoundaries::default();
    };
    let bounds: Option<BTreeMap<String, Score>> = [
        ("fluent", tiers.fluent),
        ("deployable", tiers.deployable),
        ("functional", tiers.functional),
        ("emerging", tiers.emerging),
        ("baseline", 0.0),
    ]
    .into_iter()
    .map(|(name, bound)| Score::new(bound).map(|bound| (name.to_owned(), bound)))
    .collect();
    bounds.and_then(TierBoundaries::declared).unwrap_or_default()
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
