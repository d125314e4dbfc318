//! Metrics that need knowledge of the language.

use crate::equivalent;
use crate::evidence::{Column, LanguageColumns};
use crate::item::Item;

/// Measures what the available resources allow; everything else has a reason.
pub(crate) fn measure(items: &[Item<'_>]) -> LanguageColumns {
    let without = |reason: &str| Column::unavailable(items.len(), reason);
    LanguageColumns {
        equivalent_match: equivalent::matches(items),
        fst: without("no analyser is configured for the language"),
        morphology: without("no analyser is configured for the language"),
        semantic: without("no semantic scorer is configured"),
        code_switching: without("no language card with word lists is configured"),
        hallucination: without("no language card with detectors is configured"),
        terminology: without("no glossary is configured"),
        orthography: without("no language card with orthography rules is configured"),
    }
}
