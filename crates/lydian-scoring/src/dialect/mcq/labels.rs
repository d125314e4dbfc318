//! Lines and phrases that begin with the label of an option, and capitals that stand alone.

use std::collections::BTreeSet;
use std::ops::Range;

use lydian_model::dialect::{Letter, Options};

use super::negation::{Verdict, verdict};
use super::option_text::text_end;
use super::tokens::Tokens;
use super::vocabulary::{AFTER_LETTER, OPTION_VERBS, RIGHT, WRONG};
use super::{McqReading, McqRule};

const DELIMITERS: &[char] = &[')', '.', ':', ']', '}', '–', '—', '-', '|', '='];
const BEFORE_LABEL: &[char] = &[
    '-', '–', '•', '·', '>', '|', '(', '[', '"', '«', '„', '“', '→', '✓', '✔', '✅', '☑',
];

/// Reads lines such as "C) Bern" or "C". Several labels decide only when the last line is a letter alone.
pub(super) fn label_lines(tokens: &Tokens<'_>) -> Option<McqReading> {
    let lines = tokens.lines();
    let labels: BTreeSet<Letter> = lines.iter().filter_map(|line| label_of(tokens, line)).collect();
    if labels.len() > 1
        && let Some(letter) = lines.last().and_then(|line| lone_letter(tokens, line))
    {
        return McqReading::of(McqRule::LabelLine, BTreeSet::from([letter]));
    }
    McqReading::of(McqRule::LabelLine, labels)
}

/// Tells whether a line that starts at `start` begins with a label and text after it.
pub(super) fn starts_with_label(tokens: &Tokens<'_>, start: usize) -> bool {
    let at = tokens.skip_marks(start, BEFORE_LABEL);
    tokens.letter(at).is_some() && delimiter_after(tokens, at).is_some_and(|after| !tokens.is_line_end(after))
}

fn label_of(tokens: &Tokens<'_>, line: &Range<usize>) -> Option<Letter> {
    if let Some(letter) = lone_letter(tokens, line) {
        return Some(letter);
    }
    let at = tokens.skip_marks(line.start, BEFORE_LABEL);
    let found = tokens.letter(at)?;
    let after = delimiter_after(tokens, at)?;
    let closed = matches!(tokens.mark(at + 1), Some(')' | ']' | '}'));
    let rejected = (after..line.end).any(|place| {
        tokens.word(place).is_some_and(|word| WRONG.contains(&word))
            && !(after..place).any(|before| tokens.word(before).is_some_and(|word| RIGHT.contains(&word)))
    });
    ((found.capital || closed) && !rejected).then_some(found.letter)
}

/// The letter of a line that has no other word.
fn lone_letter(tokens: &Tokens<'_>, line: &Range<usize>) -> Option<Letter> {
    let mut words = line.clone().filter(|at| tokens.word(*at).is_some());
    let place = words.next()?;
    if words.next().is_some() {
        None
    } else {
        tokens.letter(place).map(|found| found.letter)
    }
}

fn delimiter_after(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let after = tokens.skip_marks(at + 1, DELIMITERS);
    (after > at + 1).then_some(after)
}

/// Reads labels with the text of their option anywhere in the answer: "wohl C) Bern".
pub(super) fn labelled_text(tokens: &Tokens<'_>, options: &Options) -> Option<McqReading> {
    let labelled = |at: &usize| {
        let found = tokens.letter(*at).filter(|found| found.capital)?;
        let text = tokens.skip_marks(
            *at + 1,
            &[')', '.', ':', ']', '(', '"', '«', '„', '“', '–', '—', '-', '='],
        );
        text_end(tokens, text, options.text(found.letter))?;
        (verdict(tokens, options, *at) != Verdict::Rejected).then_some(found.letter)
    };
    let letters = tokens.word_places().filter_map(|at| labelled(&at)).collect();
    McqReading::of(McqRule::LabelledText, letters)
}

/// Returns the option capitals that stand alone and are neither rejected nor the first word of a sentence
/// that goes on ("D Fasnacht isch …", "A car …").
pub(super) fn lone_capitals(tokens: &Tokens<'_>) -> BTreeSet<Letter> {
    let nothing = Options {
        a: String::new(),
        b: String::new(),
        c: String::new(),
        d: String::new(),
    };
    let counts = |at: &usize| {
        let found = tokens.letter(*at)?;
        let bracketed = tokens.mark(at + 1) == Some(')');
        let stands = (found.capital && !is_article(tokens, *at)) || bracketed;
        (stands && verdict(tokens, &nothing, *at) != Verdict::Rejected).then_some(found.letter)
    };
    tokens.word_places().filter_map(|at| counts(&at)).collect()
}

/// A capital followed by a word that does not say something about an option.
fn is_article(tokens: &Tokens<'_>, at: usize) -> bool {
    let first = at.checked_sub(1).is_none_or(|before| {
        tokens.is_line_end(before)
            || tokens
                .mark(before)
                .is_some_and(|mark| !matches!(mark, ',' | '/' | '&'))
    });
    let goes_on = tokens
        .word(at + 1)
        .is_some_and(|next| !AFTER_LETTER.contains(&next) && !OPTION_VERBS.contains(&next));
    first && goes_on
}
