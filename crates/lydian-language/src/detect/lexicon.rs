//! Small words of the source language in the output.
use super::tokens::Text;
use super::{Finding, FindingKind};
use crate::language::Language;
use std::collections::{BTreeMap, BTreeSet};

/// So many different small words of the source are no accident.
const DISTINCT: usize = 2;

/// What the cards and the whole run say about words of the source language.
pub(super) struct Evidence {
    /// Small words of the source language that the target language does not have.
    leaks: BTreeSet<String>,
}

impl Evidence {
    pub(super) fn new(source: &Language, target: &Language, texts: &[(Text, Text)]) -> Self {
        let folded = |words: &[String]| {
            words
                .iter()
                .map(|w| super::tokens::fold(w))
                .collect::<BTreeSet<_>>()
        };
        let mut leaks = folded(&source.card.lexicon.function_words);
        for own in folded(&target.card.lexicon.function_words) {
            leaks.remove(&own);
        }
        leaks.retain(|word| !target.lexicon().contains(word));
        // A word that outputs use where the source has none belongs to the target language.
        let mut native: BTreeMap<&str, usize> = BTreeMap::new();
        for (from, to) in texts {
            let known: BTreeSet<&str> = from.tokens.iter().map(|t| t.folded.as_str()).collect();
            let own: BTreeSet<&str> = to.tokens.iter().map(|t| t.folded.as_str()).collect();
            for word in own.difference(&known) {
                *native.entry(word).or_default() += 1;
            }
        }
        leaks.retain(|word| !native.contains_key(word.as_str()));
        Self { leaks }
    }
}

pub(super) fn find(source: &Text, output: &Text, evidence: &Evidence) -> Option<Finding> {
    let known: BTreeSet<&str> = source.tokens.iter().map(|t| t.folded.as_str()).collect();
    let leaked: BTreeSet<&str> = output
        .tokens
        .iter()
        .map(|t| t.folded.as_str())
        .filter(|word| known.contains(word) && evidence.leaks.contains(*word))
        .collect();
    (leaked.len() >= DISTINCT).then(|| Finding {
        kind: FindingKind::SourceWords,
        evidence: leaked.into_iter().collect::<Vec<_>>().join(" "),
    })
}
