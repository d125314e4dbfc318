//! Metrics that need knowledge of the language.

use crate::equivalent;
use crate::evidence::{Column, Part};
use crate::item::Item;

/// Measures a part with the available resources, or says why it cannot be measured.
pub(crate) fn measure(part: Part, items: &[Item<'_>]) -> Column {
    let without = |reason: &str| Column::unavailable(part, items.len(), reason);
    match part {
        Part::EquivalentMatch => equivalent::matches(items),
        Part::Fst | Part::Morphology => without("no analyser is configured for the language"),
        Part::Semantic => without("no semantic scorer is configured"),
        Part::CodeSwitching | Part::Hallucination => without("no language card is configured"),
        Part::Terminology => without("no glossary is configured"),
        Part::Orthography => without("no orthography is configured"),
        Part::ChrfPlusPlus | Part::Bleu | Part::ExactMatch => without("computed from the texts"),
    }
}
