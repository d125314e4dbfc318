//! Small words of the source language in the output.
use super::tokens::Text;
use super::{Finding, FindingKind};
use crate::exemplars::Exemplars;
use crate::language::Language;
use std::collections::BTreeSet;

/// So many different small words of the source are no accident.
const DISTINCT: usize = 1;
/// Between close relatives, more of them.
const CLOSE_DISTINCT: usize = 2;
/// Shorter words are too much alike in the languages of the world.
const SHORTEST: usize = 2;

/// What the cards and the whole run say about the words of both languages.
pub(super) struct Evidence {
    /// Small words of the source language that the target language does not have.
    leaks: BTreeSet<String>,
    /// Words of the target language, as far as they are known.
    native: BTreeSet<String>,
    /// Letters of the target language; empty where they are not known.
    letters: BTreeSet<char>,
}

impl Evidence {
    pub(super) fn new(source: &Language, target: &Language, texts: &[(Text, Text)]) -> Self {
        let folded = |words: &[String]| {
            words
                .iter()
                .map(|w| super::tokens::fold(w))
                .collect::<BTreeSet<_>>()
        };
        let mut native = folded(&target.card.lexicon.function_words);
        native.extend(target.lexicon().iter().cloned());
        // A word that outputs use where the source has none belongs to the target language.
        for (from, to) in texts {
            let known: BTreeSet<&str> = from.tokens.iter().map(|t| t.folded.as_str()).collect();
            let own = to
                .tokens
                .iter()
                .filter(|t| !t.is_name && !t.is_quoted)
                .map(|t| t.folded.as_str());
            native.extend(own.filter(|word| !known.contains(word)).map(str::to_owned));
        }
        let mut leaks = folded(&source.card.lexicon.function_words);
        leaks.retain(|word| word.chars().count() >= SHORTEST && !native.contains(word));
        Self {
            leaks,
            native,
            letters: letters_of(target),
        }
    }

    /// Whether the word is known to belong to the target language.
    pub(super) fn is_native(&self, folded: &str) -> bool {
        self.native.contains(folded)
    }

    /// Whether the word is a small one of the source language that the target language does not have.
    pub(super) fn is_leak(&self, folded: &str) -> bool {
        self.leaks.contains(folded)
    }

    /// Whether the word has a letter that the target language does not use.
    pub(super) fn has_foreign_letter(&self, folded: &str) -> bool {
        let foreign = |c: char| c.is_alphabetic() && !self.letters.contains(&c);
        !self.letters.is_empty() && folded.chars().any(foreign)
    }
}

/// The letters of the exemplar characters of a language and of its card.
fn letters_of(target: &Language) -> BTreeSet<char> {
    let exemplars = Exemplars::of_language(&target.card.tag())
        .into_iter()
        .flat_map(|e| e.main);
    let declared = target.card.orthographies.iter().filter_map(|o| o.letters.clone());
    exemplars
        .chain(declared)
        .flat_map(|text| text.chars().collect::<Vec<_>>())
        .filter(|c| c.is_alphabetic())
        .collect()
}

pub(super) fn find(source: &Text, output: &Text, evidence: &Evidence, close: bool) -> Option<Finding> {
    let leaked: BTreeSet<&str> = (0..output.tokens.len())
        .filter(|at| {
            let token = &output.tokens[*at];
            evidence.leaks.contains(&token.folded) && !token.is_capitalised() && is_leak(source, output, *at)
        })
        .map(|at| output.tokens[at].folded.as_str())
        .collect();
    let needed = if close { CLOSE_DISTINCT } else { DISTINCT };
    (leaked.len() >= needed).then(|| Finding {
        kind: FindingKind::SourceWords,
        evidence: leaked.into_iter().collect::<Vec<_>>().join(" "),
    })
}

/// The word stands in the source too, and not only as part of a name or title that was kept.
fn is_leak(source: &Text, output: &Text, at: usize) -> bool {
    let (from, to) = (&source.tokens, &output.tokens);
    let same =
        |i: Option<usize>, j: Option<usize>| match (i.and_then(|i| from.get(i)), j.and_then(|j| to.get(j))) {
            (Some(a), Some(b)) => a.folded == b.folded,
            _ => false,
        };
    let mut twins = (0..from.len())
        .filter(|i| from[*i].folded == to[at].folded)
        .peekable();
    if twins.peek().is_none() || to[at].is_name {
        return false;
    }
    let kept = twins.any(|i| {
        let together = same(i.checked_sub(1), at.checked_sub(1)) || same(Some(i + 1), Some(at + 1));
        together && (from[i].is_name || (from[i].is_quoted && to[at].is_quoted))
    });
    let is_quotation = to[at].is_quoted && from.iter().any(|t| t.is_quoted);
    !(kept || is_quotation)
}
