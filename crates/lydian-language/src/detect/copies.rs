//! The output is the source, word for word.
use super::lexicon::Evidence;
use super::tokens::Text;
use super::{Finding, FindingKind};

/// Between close relatives a short sentence can be the same in both, unless its letters tell them apart.
const CLOSE_RELATIVES_FROM: usize = 4;

pub(super) fn find(source: &Text, output: &Text, evidence: &Evidence, close: bool) -> Option<Finding> {
    let words = |text: &Text| text.tokens.iter().map(|t| t.folded.clone()).collect::<Vec<_>>();
    let (from, to) = (words(source), words(output));
    if from.is_empty() || from != to {
        return None;
    }
    let translatable = (0..source.tokens.len())
        .filter(|at| is_translatable(source, *at))
        .count();
    let told_apart = || to.iter().any(|word| evidence.has_foreign_letter(word));
    let needed = if close && !told_apart() {
        CLOSE_RELATIVES_FROM
    } else {
        1
    };
    let enough = translatable >= needed;
    enough.then(|| Finding {
        kind: FindingKind::SourceCopied,
        evidence: output.clean.trim().to_owned(),
    })
}

/// Names stay as they are; a single capitalised word may be one, unless it is written as a sentence.
fn is_translatable(source: &Text, at: usize) -> bool {
    let token = &source.tokens[at];
    let alone = source.tokens.len() == 1;
    let is_sentence = source
        .clean
        .trim_end()
        .ends_with(['.', '!', '?', '。', '।', '؟', '…']);
    let may_be_name = alone && token.is_capitalised() && !is_sentence;
    !(token.is_name || may_be_name)
}
