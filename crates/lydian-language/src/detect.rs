//! Detectors of misbehaviour: they see source and output, never the reference (decision 11).
mod copies;
mod length;
mod lexicon;
mod loops;
mod markup;
mod names;
mod numbers;
mod runs;
mod scripts;
mod sound;
mod tokens;

pub use numbers::numbers;
pub(crate) use numbers::numbers_without_counterpart;
pub use scripts::expected_scripts;
pub(crate) use scripts::share_of_foreign_letters;
pub(crate) use tokens::fold;

use crate::card::Card;
use crate::language::Language;
use length::LengthModel;
use lexicon::Evidence;
use lydian_model::LanguageTag;
use names::Names;
use scripts::Scripts;
use serde::Serialize;
use tokens::Text;

/// A source and what a method made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'t> {
    /// The text that was to be translated.
    pub source: &'t str,
    /// The output.
    pub output: &'t str,
}

/// What a detector found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The output is the source.
    SourceCopied,
    /// Several words of the source stand in the output in the same order.
    SourceRun,
    /// Small words of the source language stand in the output.
    SourceWords,
    /// Words in the script of the source.
    SourceScript,
    /// Most of the output is in a script that is neither the target's nor the source's, or parts of it are.
    WrongScript,
    /// The same words or characters again and again.
    Loop,
    /// A number that the source does not have.
    Number,
    /// A web address or placeholder that was changed, lost or invented.
    Markup,
    /// A name that the source does not have.
    Name,
    /// Far longer or shorter than the source and the other outputs suggest.
    Length,
}

impl FindingKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::SourceCopied,
        Self::SourceRun,
        Self::SourceWords,
        Self::SourceScript,
        Self::WrongScript,
        Self::Loop,
        Self::Number,
        Self::Markup,
        Self::Name,
        Self::Length,
    ];

    /// Returns whether the finding counts as code-switching.
    pub fn is_code_switching(self) -> bool {
        matches!(
            self,
            Self::SourceCopied | Self::SourceRun | Self::SourceWords | Self::SourceScript
        )
    }

    /// Returns whether the finding counts as hallucination. A copy of the source is both.
    pub fn is_hallucination(self) -> bool {
        matches!(self, Self::SourceCopied) || !self.is_code_switching()
    }

    /// Returns the name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceCopied => "source_copied",
            Self::SourceRun => "source_run",
            Self::SourceWords => "source_words",
            Self::SourceScript => "source_script",
            Self::WrongScript => "wrong_script",
            Self::Loop => "loop",
            Self::Number => "number",
            Self::Markup => "markup",
            Self::Name => "name",
            Self::Length => "length",
        }
    }
}

/// One finding with the passage that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// The passage, number or ratio that shows it.
    pub evidence: String,
}

/// The findings on one output.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Findings {
    /// All findings; at most one of each kind.
    pub findings: Vec<Finding>,
}

impl Findings {
    /// Returns whether words of the source language leaked into the output.
    pub fn code_switching(&self) -> bool {
        self.findings.iter().any(|f| f.kind.is_code_switching())
    }

    /// Returns whether the output has content that the source does not have.
    pub fn hallucination(&self) -> bool {
        self.findings.iter().any(|f| f.kind.is_hallucination())
    }
}

/// The detectors of a run: two languages, and what its outputs as a whole show.
pub struct Detectors<'c> {
    source: &'c Card,
    target: &'c Card,
    scripts: Scripts,
    evidence: Evidence,
    lengths: LengthModel,
    names: Names,
    close: bool,
}

impl<'c> Detectors<'c> {
    /// Looks at all outputs of a run. The order of the pairs has no influence.
    pub fn observe(source: &'c Language, target: &'c Language, pairs: &[Pair<'_>]) -> Self {
        let evidence_of = |texts: &[(Text, Text)]| Evidence::new(source, target, texts);
        let (source, target) = (&source.card, &target.card);
        let texts: Vec<(Text, Text)> = pairs
            .iter()
            .map(|p| (Text::new(p.source, source), Text::new(p.output, target)))
            .collect();
        Self {
            scripts: Scripts::new(source, target, &texts),
            evidence: evidence_of(&texts),
            lengths: LengthModel::new(&texts),
            names: Names::new(source, target, &texts),
            close: are_close(source, target),
            source,
            target,
        }
    }

    /// Returns what the detectors find in one output; nothing in an empty one.
    pub fn findings(&self, pair: Pair<'_>) -> Findings {
        let (from, to) = (
            Text::new(pair.source, self.source),
            Text::new(pair.output, self.target),
        );
        if to.is_empty() {
            return Findings::default();
        }
        let found = [
            copies::find(&from, &to, &self.evidence, self.close),
            runs::find(&from, &to, &self.evidence, self.close),
            lexicon::find(&from, &to, &self.evidence, self.close),
            self.scripts.find(&from, &to),
            loops::find(&from, &to),
            numbers::find(&from, &to, self.source),
            markup::find(&from, &to),
            self.names.find(&from, &to),
            self.lengths.find(&from, &to),
        ];
        Findings {
            findings: found.into_iter().flatten().collect(),
        }
    }
}

/// Runs every detector over the outputs of a run.
///
/// ```
/// use lydian_language::{Language, LanguageTag, Pair, detect};
/// let language = |tag| Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap();
/// let pairs = [Pair { source: "The dog sees the cat.", output: "The dog sees the cat." }];
/// let findings = detect(&language("eng"), &language("crk"), &pairs);
/// assert!(findings[0].code_switching() && findings[0].hallucination());
/// ```
pub fn detect(source: &Language, target: &Language, pairs: &[Pair<'_>]) -> Vec<Findings> {
    let detectors = Detectors::observe(source, target, pairs);
    pairs.iter().map(|pair| detectors.findings(*pair)).collect()
}

/// Languages so close that equal passages prove nothing, by either card.
fn are_close(source: &Card, target: &Card) -> bool {
    let (from, to) = (source.tag(), target.tag());
    let names = |card: &Card, other: &LanguageTag| {
        let relatives = card
            .close_relatives
            .iter()
            .filter_map(|tag| LanguageTag::parse(tag).ok());
        relatives
            .into_iter()
            .any(|relative| relative.primary() == other.primary())
    };
    from.primary() == to.primary() || names(source, &to) || names(target, &from)
}
