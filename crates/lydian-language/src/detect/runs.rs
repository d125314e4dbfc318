//! Words of the source that stand in the output in the same order.
use super::tokens::Text;
use super::{Finding, FindingKind};

/// A run of this many words is no accident.
const RUN: usize = 3;
/// At least this many of them are no names.
const COMMON: usize = 2;
/// Between close relatives, equal passages are longer.
const CLOSE_RUN: usize = 8;

pub(super) fn find(source: &Text, output: &Text, close: bool) -> Option<Finding> {
    let needed = if close { CLOSE_RUN } else { RUN };
    let (from, to) = (&source.tokens, &output.tokens);
    let mut best: Option<(usize, usize)> = None;
    // lengths[j]: length of the common run that ends before from[i] and to[j].
    let mut lengths = vec![0usize; to.len() + 1];
    for word in from {
        for j in (0..to.len()).rev() {
            lengths[j + 1] = if word.folded == to[j].folded {
                lengths[j] + 1
            } else {
                0
            };
            let length = lengths[j + 1];
            if length >= needed && best.is_none_or(|(_, known)| length > known) {
                best = Some((j + 1 - length, length));
            }
        }
    }
    let (start, length) = best?;
    let run = start..start + length;
    let common = run.clone().filter(|at| !is_name(source, output, *at)).count();
    (common >= COMMON).then(|| Finding {
        kind: FindingKind::SourceRun,
        evidence: to[run]
            .iter()
            .map(|t| t.word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    })
}

/// A word with a capital on both sides, inside a sentence on one of them; or the beginning of such a name.
fn is_name(source: &Text, output: &Text, at: usize) -> bool {
    let inside = |at: usize| {
        let word = &output.tokens[at];
        let twins = || {
            source
                .tokens
                .iter()
                .enumerate()
                .filter(|(_, t)| t.word.text == word.word.text)
        };
        word.is_capitalised() && (output.is_name(at) || twins().any(|(i, _)| source.is_name(i)))
    };
    let starts_name = output.tokens[at].is_capitalised() && at + 1 < output.tokens.len() && inside(at + 1);
    inside(at) || starts_name
}
