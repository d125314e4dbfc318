//! Words of the source that stand in the output in the same order.
use super::lexicon::Evidence;
use super::tokens::{Text, Token};
use super::{Finding, FindingKind};
use std::collections::BTreeMap;

/// A run of this many words is no accident.
const RUN: usize = 3;
/// So many of them are words that the target language is not known to have,
const FOREIGN: usize = 2;
/// or one is, among so many that are no names,
const COMMON_WITH_FOREIGN: usize = 4;
/// or so many are no names.
const COMMON: usize = 5;
/// Between close relatives equal passages are longer, unless a letter or a small word tells the languages apart.
const CLOSE_RUN: usize = 8;

/// Words that are compared: in a text of one word again and again every pair is equal.
const MOST_WORDS: usize = 5_000;

/// Equal words in a row that end at one word of the source and one of the output.
#[derive(Clone, Copy, Default)]
struct Run {
    length: usize,
    /// Words that are no names.
    common: usize,
    /// Of these, words that the target language is not known to have.
    foreign: usize,
    /// Whether one has a letter that only the source language has.
    told_apart: bool,
    /// Whether one is a small word that only the source language has, which tells them apart as a letter does.
    leaks: bool,
}

/// What a word of the output says when it is no name.
#[derive(Clone, Copy)]
struct Signs {
    foreign: bool,
    told_apart: bool,
    leaks: bool,
}

impl Signs {
    fn of(token: &Token, evidence: &Evidence) -> Self {
        Self {
            foreign: !evidence.is_native(&token.folded),
            told_apart: evidence.has_foreign_letter(&token.folded),
            leaks: !token.is_capitalised() && evidence.is_leak(&token.folded),
        }
    }
}

impl Run {
    /// Returns the run with one more pair of equal words; `signs` are those of a word that is no name.
    fn with(mut self, signs: Option<Signs>) -> Self {
        self.length += 1;
        if let Some(signs) = signs {
            self.common += 1;
            self.foreign += usize::from(signs.foreign);
            self.told_apart |= signs.told_apart;
            self.leaks |= signs.leaks;
        }
        self
    }

    fn is_no_accident(&self, close: bool) -> bool {
        let long = if close && !self.told_apart && !self.leaks {
            CLOSE_RUN
        } else {
            RUN
        };
        let enough = self.foreign >= FOREIGN
            || (self.foreign >= 1 && self.common >= COMMON_WITH_FOREIGN)
            || self.common >= COMMON;
        self.length >= long && enough
    }
}

/// Finds the longest run among the first 5,000 words of both.
pub(super) fn find(source: &Text, output: &Text, evidence: &Evidence, close: bool) -> Option<Finding> {
    let from = &source.tokens[..source.tokens.len().min(MOST_WORDS)];
    let to = &output.tokens[..output.tokens.len().min(MOST_WORDS)];
    let signs: Vec<Signs> = to.iter().map(|token| Signs::of(token, evidence)).collect();
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (j, token) in to.iter().enumerate() {
        places.entry(&token.folded).or_default().push(j);
    }
    // before[j]: the run that ends before to[j] and at the word before in the source; not empty where `ended` says.
    let mut before = vec![Run::default(); to.len() + 1];
    let mut here = before.clone();
    let mut ended: &[usize] = &[];
    let mut best: Option<(usize, usize)> = None;
    for (i, word) in from.iter().enumerate() {
        let equal = places.get(word.folded.as_str()).map_or(&[][..], Vec::as_slice);
        for &j in equal.iter().rev() {
            let own = is_common(source, i, output, j).then_some(signs[j]);
            let run = before[j].with(own);
            if run.is_no_accident(close) && best.is_none_or(|(_, longest)| run.length > longest) {
                best = Some((j + 1 - run.length, run.length));
            }
            here[j + 1] = run;
        }
        for end in ended {
            before[end + 1] = Run::default();
        }
        std::mem::swap(&mut before, &mut here);
        ended = equal;
    }
    best.map(|(start, length)| Finding {
        kind: FindingKind::SourceRun,
        evidence: to[start..start + length]
            .iter()
            .map(|t| t.word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    })
}

/// Names, titles, quotations and initials may stay as they are.
fn is_common(source: &Text, i: usize, output: &Text, j: usize) -> bool {
    let (from, to) = (&source.tokens[i], &output.tokens[j]);
    let is_quotation = from.is_quoted && to.is_quoted;
    // At the start of a source sentence the capital of the output shows nothing: it came along.
    let is_name = from.is_name || (to.is_name && !from.word.starts_sentence);
    !(is_name || is_quotation || is_initial(source, i))
}

/// A single capital before another capital: `U. S. Navy`.
fn is_initial(text: &Text, at: usize) -> bool {
    let single = text.tokens[at].word.text.chars().count() == 1;
    single && text.tokens[at].is_capitalised() && text.tokens.get(at + 1).is_some_and(Token::is_capitalised)
}
