//! Metrics that need knowledge of the language: statistics per entry from the resources of `lydian-language`.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydian_language::{Detectors, Pair, WordCache};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::context::{Languages, ScoringContext};
use crate::evidence::{Column, Part};
use crate::item::Item;

mod acceptance;
mod equivalence;
mod judge;
pub(crate) mod semantic;

pub(crate) use equivalence::rules_fired;
use judge::Judge;

/// Entries that one thread judges at a time.
const ENTRIES_AT_ONCE: usize = 128;

/// The row of one part for one entry, with what a reader wants to see beside it.
pub(crate) struct Judged {
    row: Vec<u64>,
    details: Map<String, Value>,
}

impl Judged {
    fn counts(row: impl Into<Vec<u64>>) -> Self {
        Self {
            row: row.into(),
            details: Map::new(),
        }
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }
}

/// What was measured, by part; a part that nothing measures has a reason.
pub(crate) struct Measured(BTreeMap<Part, Column>);

impl Measured {
    /// Takes a part's column out.
    pub(crate) fn take(&mut self, part: Part, entries: usize) -> Column {
        self.0
            .remove(&part)
            .unwrap_or_else(|| Column::unavailable(part, entries, "not measured"))
    }
}

/// Measures every language part with the available resources, or says why it cannot be measured.
pub(crate) fn measure(items: &[Item<'_>], context: &ScoringContext<'_>) -> Measured {
    let Some(languages) = context.languages else {
        return without_languages(items);
    };
    let pairs: Vec<Pair<'_>> = items
        .iter()
        .map(|item| Pair {
            source: &item.entry.source,
            output: &item.output,
        })
        .collect();
    let detectors = Detectors::observe(languages.source, languages.target, &pairs);
    let parts = judge::available(items, context, languages);
    let words = Arc::new(WordCache::default());
    let chunks: Vec<Vec<Vec<Judged>>> = items
        .par_chunks(ENTRIES_AT_ONCE)
        .map(|chunk| {
            let mut judge = Judge::new(languages, &detectors, context.semantic, &words);
            chunk
                .iter()
                .map(|item| parts.iter().map(|(part, _)| judge.judge(*part, item)).collect())
                .collect()
        })
        .collect();
    let mut columns: BTreeMap<Part, Column> = parts
        .iter()
        .map(|(part, reason)| {
            let mut column = Column::of_width(part.columns().len());
            column.unavailable.clone_from(reason);
            (*part, column)
        })
        .collect();
    for judged in chunks.into_iter().flatten() {
        for ((part, _), judged) in parts.iter().zip(judged) {
            if let Some(column) = columns.get_mut(part) {
                column.table.push(&judged.row);
                column.details.push(judged.details);
            }
        }
    }
    if let Some(column) = columns.get_mut(&Part::Fst)
        && column.unavailable.is_none()
    {
        acceptance::suggest(column, languages.target);
        column.unavailable = acceptance::doubt(column);
    }
    if let Some(column) = columns.get_mut(&Part::Morphology)
        && column.unavailable.is_none()
        && !column.has_counts()
    {
        column.unavailable = Some("no gold analysis of the corpus can be compared".to_owned());
    }
    Measured(columns)
}

/// Without language resources only variants listed by the corpus can be judged.
fn without_languages(items: &[Item<'_>]) -> Measured {
    let columns = Part::LANGUAGE.into_iter().map(|part| {
        let without = |reason: &str| Column::unavailable(part, items.len(), reason);
        let column = match part {
            Part::EquivalentMatch => equivalence::listed(items),
            Part::Fst | Part::Morphology => without("no analyser is configured for the language"),
            Part::Semantic => without(semantic::NO_SCORER),
            Part::Terminology => without("no glossary is configured"),
            Part::Orthography => without("no orthography is configured"),
            _ => without("no languages are configured"),
        };
        (part, column)
    });
    Measured(columns.collect())
}

/// Returns the findings of the detectors as details.
fn findings(
    found: &lydian_language::Findings,
    counts: impl Fn(lydian_language::FindingKind) -> bool,
) -> Value {
    found
        .findings
        .iter()
        .filter(|finding| counts(finding.kind))
        .map(|finding| json!({ "kind": finding.kind.name(), "evidence": finding.evidence }))
        .collect()
}

impl Languages<'_> {
    /// Says whether the glossary's source terms are in the language of the corpus, or why not.
    fn glossary_obstacle(&self) -> Option<String> {
        if let Err(reason) = self.target.glossary() {
            return Some(reason.to_owned());
        }
        let stated = &self.target.card.glossary.as_ref()?.source_language;
        let same = lydian_language::LanguageTag::parse(stated)
            .is_ok_and(|tag| tag.primary() == self.source.card.tag().primary());
        (!same).then(|| {
            format!(
                "the glossary translates from {stated}, the corpus from {}",
                self.source.card.language
            )
        })
    }
}
