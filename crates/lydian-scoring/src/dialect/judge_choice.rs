//! Judges T2, T3 and T4: the letter, or why there is none (D §3, decision 38).

use lydian_model::dialect::{Choice, DialectItem};

use super::mcq::{McqChoice, read_letter};
use super::refusal::{ItemGuard, find_refusal};
use super::verdict::{Decision, Flag, ItemVerdict, Label};

/// Returns the verdict on the text of an answer.
pub(super) fn judge(item: &DialectItem, choice: &Choice, text: &str) -> ItemVerdict {
    let reading = read_letter(text, &choice.options, &[&item.source]);
    let [a, b, c, d] = choice.options.texts();
    let guard = ItemGuard {
        quotes: &[&item.source, &item.reference, &choice.prompt, a, b, c, d],
        expected: &[&item.reference, a, b, c, d],
    };
    let refusal = find_refusal(text, guard);
    let by_letter = Decision::Letter(reading.rule);
    let (label, decided_by, candidates) = match reading.choice {
        McqChoice::Letter(letter) if letter == choice.correct_answer => {
            (Label::Correct, by_letter, Vec::new())
        }
        McqChoice::Letter(_) => (Label::Incorrect, by_letter, Vec::new()),
        McqChoice::None | McqChoice::Ambiguous(_) if refusal.is_some() => {
            (Label::Refusal, Decision::RefusalPattern, Vec::new())
        }
        McqChoice::None => (Label::Unparsed, by_letter, Vec::new()),
        McqChoice::Ambiguous(ref letters) => (Label::Ambiguous, by_letter, letters.iter().copied().collect()),
    };
    let hedged = refusal.is_some() && label != Label::Refusal;
    ItemVerdict {
        score: u8::from(label == Label::Correct),
        refusal_pattern: refusal.map(|pattern| pattern.name().to_owned()),
        flags: if hedged { vec![Flag::Hedged] } else { Vec::new() },
        letter: reading.letter(),
        candidates,
        ..ItemVerdict::zero(item, label, decided_by)
    }
}
