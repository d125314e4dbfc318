//! Composite score, weight profiles, tiers, cost adjustment and validation status: all tables in one place.
//!
//! The tables restate those of `docs/specification/scoring.md`; a test compares the two.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use lydian_model::Score;
use lydian_model::run_card::Scores;
use lydian_model::run_card::scores::MetricValidation;

/// A metric that enters the composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompositeMetric {
    /// Share of words the analyser accepts.
    FstAcceptanceRate,
    /// F1 of morphological units.
    MorphologicalAccuracy,
    /// chrF++, divided by 100.
    ChrfPlusPlus,
    /// Semantic similarity.
    SemanticScore,
    /// Share of outputs equal to an acceptable variant.
    EquivalentMatchRate,
    /// Share of outputs equal to the reference.
    ExactMatchRate,
    /// Share of entries with source-language leakage, inverted.
    CodeSwitchingRate,
    /// Share of glossary occurrences rendered as the glossary says.
    TerminologyAdherence,
    /// Share of entries with invented content, inverted.
    HallucinationRate,
    /// Share of words that follow the orthography.
    OrthographicAccuracy,
}

/// A weight profile (decision 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The language has an analyser.
    A,
    /// It has none.
    #[default]
    B,
}

/// Weights in hundredths: metric, profile A, profile B; 0 where the profile does not use the metric.
const WEIGHTS: [(CompositeMetric, u8, u8); 10] = [
    (CompositeMetric::FstAcceptanceRate, 25, 0),
    (CompositeMetric::MorphologicalAccuracy, 15, 0),
    (CompositeMetric::ChrfPlusPlus, 15, 25),
    (CompositeMetric::SemanticScore, 15, 25),
    (CompositeMetric::EquivalentMatchRate, 10, 15),
    (CompositeMetric::ExactMatchRate, 5, 10),
    (CompositeMetric::CodeSwitchingRate, 5, 10),
    (CompositeMetric::TerminologyAdherence, 5, 5),
    (CompositeMetric::HallucinationRate, 5, 5),
    (CompositeMetric::OrthographicAccuracy, 0, 5),
];

/// Tiers from the top with the composite that reaches them (B §5).
const TIERS: [(&str, f64); 5] = [
    ("fluent", 0.85),
    ("deployable", 0.70),
    ("functional", 0.50),
    ("emerging", 0.30),
    ("baseline", 0.00),
];

/// The highest tier that may be claimed before people have confirmed it (decision 22).
const HIGHEST_CLAIMABLE: &str = "functional";

/// The tier of a run without a composite.
pub const UNSCORED: &str = "unscored";

/// The tier of a run with a caveat (decision 21).
pub const WITHHELD: &str = "withheld";

impl CompositeMetric {
    /// Returns the metrics in the order of the weight table.
    pub fn all() -> impl Iterator<Item = Self> {
        WEIGHTS.into_iter().map(|(metric, _, _)| metric)
    }

    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FstAcceptanceRate => "fst_acceptance_rate",
            Self::MorphologicalAccuracy => "morphological_accuracy",
            Self::ChrfPlusPlus => "chrf_plus_plus",
            Self::SemanticScore => "semantic_score",
            Self::EquivalentMatchRate => "equivalent_match_rate",
            Self::ExactMatchRate => "exact_match_rate",
            Self::CodeSwitchingRate => "code_switching_rate",
            Self::TerminologyAdherence => "terminology_adherence",
            Self::HallucinationRate => "hallucination_rate",
            Self::OrthographicAccuracy => "orthographic_accuracy",
        }
    }

    /// Returns the value on 0–1 with 1 as perfect.
    fn normalised(self, value: f64) -> f64 {
        match self {
            Self::ChrfPlusPlus => value / 100.0,
            Self::CodeSwitchingRate | Self::HallucinationRate => 1.0 - value,
            _ => value,
        }
    }
}

impl Profile {
    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Returns the profile called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::A, Self::B]
            .into_iter()
            .find(|profile| profile.name() == name)
    }

    /// Returns the profile's metrics with their weights in hundredths.
    fn weights(self) -> impl Iterator<Item = (CompositeMetric, u8)> {
        WEIGHTS
            .into_iter()
            .map(move |(metric, a, b)| match self {
                Self::A => (metric, a),
                Self::B => (metric, b),
            })
            .filter(|&(_, weight)| weight > 0)
    }

    /// Says whether the profile gives the metric a weight.
    pub fn uses(self, metric: CompositeMetric) -> bool {
        self.weights().any(|(used, _)| used == metric)
    }
}

/// Returns the weighted mean of the available metrics, or `None` if none is.
///
/// ```
/// use lydian_scoring::composite::{CompositeMetric, Profile, composite};
/// let only_chrf = |metric| (metric == CompositeMetric::ChrfPlusPlus).then_some(40.0);
/// assert_eq!(composite(Profile::B, only_chrf), Some(0.4));
/// assert_eq!(composite(Profile::B, |_| None), None);
/// ```
pub fn composite(profile: Profile, value: impl Fn(CompositeMetric) -> Option<f64>) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (metric, weight) in profile.weights() {
        if let Some(value) = value(metric) {
            sum += f64::from(weight) * metric.normalised(value);
            weights += f64::from(weight);
        }
    }
    (weights > 0.0).then(|| sum / weights)
}

/// Returns the share of the profile's weight whose metrics are available (decision 20).
pub fn coverage(profile: Profile, available: impl Fn(CompositeMetric) -> bool) -> f64 {
    f64::from(available_weight(profile, available)) / 100.0
}

/// Returns the weights in use after renormalisation, by metric name.
pub fn used_weights(
    profile: Profile,
    available: impl Fn(CompositeMetric) -> bool,
) -> BTreeMap<String, Score> {
    let total = f64::from(available_weight(profile, &available));
    profile
        .weights()
        .filter(|&(metric, _)| available(metric))
        .filter_map(|(metric, weight)| {
            Score::new(f64::from(weight) / total).map(|share| (metric.name().to_owned(), share))
        })
        .collect()
}

fn available_weight(profile: Profile, available: impl Fn(CompositeMetric) -> bool) -> u8 {
    profile
        .weights()
        .filter(|&(metric, _)| available(metric))
        .map(|(_, weight)| weight)
        .sum()
}

/// The composite from which each tier begins.
#[derive(Clone, Debug, PartialEq)]
pub struct TierBoundaries(BTreeMap<String, Score>);

impl Default for TierBoundaries {
    fn default() -> Self {
        Self(
            TIERS
                .into_iter()
                .filter_map(|(name, bound)| Score::new(bound).map(|bound| (name.to_owned(), bound)))
                .collect(),
        )
    }
}

impl TierBoundaries {
    /// Returns boundaries that a language declares, or `None` unless they name the five tiers, rise with them and
    /// begin at 0.
    pub fn declared(boundaries: BTreeMap<String, Score>) -> Option<Self> {
        let bounds: Option<Vec<f64>> = TIERS
            .iter()
            .map(|(name, _)| boundaries.get(*name).map(|bound| bound.get()))
            .collect();
        let bounds = bounds?;
        let falling = bounds.windows(2).all(|pair| pair[0] > pair[1]);
        (boundaries.len() == TIERS.len() && falling && bounds.last() == Some(&0.0))
            .then_some(Self(boundaries))
    }

    /// Returns the lower bounds by tier.
    pub fn by_name(&self) -> &BTreeMap<String, Score> {
        &self.0
    }

    /// Returns the tier of a composite: the first that fits, from the top.
    pub fn tier(&self, composite: Option<Score>) -> &'static str {
        let Some(composite) = composite else {
            return UNSCORED;
        };
        TIERS
            .into_iter()
            .map(|(name, _)| name)
            .find(|name| self.0.get(*name).is_some_and(|bound| composite >= *bound))
            .unwrap_or(UNSCORED)
    }
}

/// Returns the tier that may be claimed without human validation (decision 22).
///
/// ```
/// assert_eq!(lydian_scoring::composite::claimable("fluent"), "functional");
/// assert_eq!(lydian_scoring::composite::claimable("emerging"), "emerging");
/// ```
pub fn claimable(quality_tier: &str) -> &str {
    let position = |wanted: &str| TIERS.iter().position(|(name, _)| *name == wanted);
    match (position(quality_tier), position(HIGHEST_CLAIMABLE)) {
        (Some(tier), Some(highest)) if tier < highest => HIGHEST_CLAIMABLE,
        _ => quality_tier,
    }
}

/// Orders runs of one corpus from last to first: a run whose tier is withheld never stands before one without a
/// caveat, whatever its composite; then the composite decides.
///
/// Runs are ranked together only if their metric sets agree (decision 20), which the caller has checked.
pub fn compare_for_ranking(left: &Scores, right: &Scores) -> Ordering {
    let standing = |scores: &Scores| (scores.caveats.is_empty(), scores.composite.map(Score::get));
    let ((left_clean, left), (right_clean, right)) = (standing(left), standing(right));
    left_clean
        .cmp(&right_clean)
        .then_with(|| left.partial_cmp(&right).unwrap_or(Ordering::Equal))
}

/// Returns the composite discounted by the cost of an entry in dollars.
///
/// ```
/// use lydian_scoring::composite::cost_adjusted;
/// assert_eq!(cost_adjusted(0.6, 0.003), 0.3);
/// // Cheaper than a thousandth of a dollar: a discount never becomes a bonus.
/// assert_eq!(cost_adjusted(0.6, 0.0005), 0.6);
/// ```
pub fn cost_adjusted(composite: f64, cost_per_entry_usd: f64) -> f64 {
    composite / libm::log2(1.0 + 1000.0 * cost_per_entry_usd).max(1.0)
}

/// Returns how a metric itself has been validated.
pub fn validation(metric: &str) -> MetricValidation {
    match metric {
        "chrf_plus_plus" | "chrf" | "bleu" => MetricValidation::External,
        "morphological_accuracy" | "orthographic_accuracy" => MetricValidation::Unvalidated,
        _ => MetricValidation::Heuristic,
    }
}
