//! Judges T1: the source's echo, refusals, the language gate, then the coverage of the keywords (D §2).

use lydian_model::Score;
use lydian_model::dialect::{DialectItem, Keyword};

use super::coverage::{Coverage, CoverageScore, coverage};
use super::language_gate::LanguageGate;
use super::normalise::{contains_quote, folded_words, without_quotes};
use super::refusal::{ItemGuard, find_refusal};
use super::verdict::{Decision, Flag, ItemVerdict, Label};

/// An answer with this many times the reference's words is flagged: further words cost nothing.
const OVERLONG: usize = 4;

/// Returns the verdict on the text of an answer.
pub(super) fn judge(
    item: &DialectItem,
    keywords: &[Keyword],
    text: &str,
    gate: &LanguageGate,
) -> ItemVerdict {
    let words = folded_words(text);
    // Where the right translation holds the source's own words, repeating them is no echo.
    let shared_words = contains_quote(&item.reference, &item.source);
    let (own, removed) = if shared_words {
        (text.to_owned(), 0)
    } else {
        without_quotes(text, &[&item.source])
    };
    let mut flags = Vec::new();
    if removed > 0 {
        flags.push(Flag::SourceRemoved);
    }
    if words.len() > OVERLONG * folded_words(&item.reference).len().max(1) {
        flags.push(Flag::Overlong);
    }
    let reached = coverage(keywords, &own);
    let score = reached.score();
    let gate_scores = gate.scores(&own);
    let guard = ItemGuard {
        quotes: &[&item.source, &item.reference],
        expected: &[&item.reference],
    };
    let refusal = find_refusal(text, guard);

    let echo = !shared_words && words == folded_words(&item.source);
    let (label, decided_by) = if echo {
        (Label::AnsweredInDialect, Decision::SourceEcho)
    } else if refusal.is_some() && score == CoverageScore::Fail {
        (Label::Refusal, Decision::RefusalPattern)
    } else if gate_scores.says_dialect() {
        (Label::AnsweredInDialect, Decision::LanguageGate)
    } else {
        (label_of(score), Decision::Coverage)
    };
    if refusal.is_some() && label != Label::Refusal {
        flags.push(Flag::Hedged);
    }
    flags.sort_unstable();
    ItemVerdict {
        score: if decided_by == Decision::Coverage {
            score.points()
        } else {
            0
        },
        refusal_pattern: refusal.map(|pattern| pattern.name().to_owned()),
        flags,
        gate: Some(gate_scores.into()),
        ..with_coverage(ItemVerdict::zero(item, label, decided_by), reached)
    }
}

fn label_of(score: CoverageScore) -> Label {
    match score {
        CoverageScore::Correct => Label::Correct,
        CoverageScore::Partial => Label::Partial,
        CoverageScore::Fail => Label::Fail,
    }
}

fn with_coverage(verdict: ItemVerdict, reached: Coverage) -> ItemVerdict {
    let weight = |halves: u64| Score::new(halves as f64 / 2.0);
    ItemVerdict {
        coverage: reached.fraction().and_then(Score::new),
        matched_weight: weight(reached.matched_halves),
        total_weight: weight(reached.total_halves),
        keywords: reached.keywords,
        ..verdict
    }
}
