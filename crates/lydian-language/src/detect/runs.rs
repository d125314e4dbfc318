//! Words of the source that stand in the output in the same order.
use super::lexicon::Evidence;
use super::tokens::{Text, Token};
use super::{Finding, FindingKind};

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

pub(super) fn find(source: &Text, output: &Text, evidence: &Evidence, close: bool) -> Option<Finding> {
    let (from, to) = (&source.tokens, &output.tokens);
    // lengths[j]: length of the common run that ends before from[i] and to[j].
    let mut lengths = vec![0usize; to.len() + 1];
    let mut best: Option<(usize, usize)> = None;
    for (i, word) in from.iter().enumerate() {
        for j in (0..to.len()).rev() {
            lengths[j + 1] = if word.folded == to[j].folded {
                lengths[j] + 1
            } else {
                0
            };
            let length = lengths[j + 1];
            if length < RUN {
                continue;
            }
            let (start, own) = (i + 1 - length, j + 1 - length);
            let common: Vec<usize> = (0..length)
                .filter(|k| is_common(source, start + k, output, own + k))
                .collect();
            let foreign = common
                .iter()
                .filter(|k| !evidence.is_native(&to[own + **k].folded))
                .count();
            let told_apart = common
                .iter()
                .any(|k| evidence.has_foreign_letter(&to[own + *k].folded));
            // A small word that only the source language has tells them apart as a letter does.
            let leaks = common.iter().any(|k| {
                let token = &to[own + *k];
                !token.is_capitalised() && evidence.is_leak(&token.folded)
            });
            if close && length < CLOSE_RUN && !told_apart && !leaks {
                continue;
            }
            let enough = foreign >= FOREIGN
                || (foreign >= 1 && common.len() >= COMMON_WITH_FOREIGN)
                || common.len() >= COMMON;
            if enough && best.is_none_or(|(_, known)| length > known) {
                best = Some((own, length));
            }
        }
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
