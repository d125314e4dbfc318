//! Whether the words around a letter reject or affirm its option.

use lydian_model::dialect::Options;

use super::option_text::text_end;
use super::tokens::Tokens;
use super::vocabulary::{
    AFFIRMING, ANSWER_NOUNS, ARTICLES, COPULAS, JOINING, NOT, OPTION_NOUNS, OPTION_VERBS, WRONG,
};

const OPENERS: &[char] = &['(', '[', '"', '\'', '«', '„', '“', '‚', '‘'];
const CLOSERS: &[char] = &[')', ']', '"', '\'', '»', '“', '”', '’', '‘'];
/// Words that end what a clause says about an option.
const CLAUSE_ENDS: &[&str] = &[
    "weil", "da", "denn", "because", "since", "sondern", "aber", "but", "car", "mais", "ma",
];
/// How far a clause is read.
const CLAUSE: usize = 12;

/// What a clause says about an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// "A ist falsch", "nicht A".
    Rejected,
    /// "A ist richtig".
    Affirmed,
    /// Neither.
    Open,
}

/// Returns what the words around the letter at a place say about its option.
pub(super) fn verdict(tokens: &Tokens<'_>, options: &Options, place: usize) -> Verdict {
    if is_rejected_before(tokens, place) {
        Verdict::Rejected
    } else {
        verdict_after(tokens, options, place)
    }
}

/// "nicht A", "weder A noch B", "falsch ist A", "es scheidet A aus".
fn is_rejected_before(tokens: &Tokens<'_>, place: usize) -> bool {
    let mut at = place;
    let mut copula = false;
    while let Some(before) = at.checked_sub(1) {
        at = before;
        if tokens.mark(at).is_some_and(|mark| OPENERS.contains(&mark)) {
            continue;
        }
        if tokens.mark(at) == Some(':') && at.checked_sub(1).is_some_and(|word| announces(tokens, word)) {
            continue;
        }
        let Some(word) = tokens.word(at) else { return false };
        let named = OPTION_NOUNS.contains(&word) || ANSWER_NOUNS.contains(&word) || ARTICLES.contains(&word);
        if word == "noch" {
            return (at.saturating_sub(CLAUSE)..at).any(|place| tokens.word(place) == Some("weder"));
        }
        if NOT.contains(&word) || WRONG.contains(&word) {
            return true;
        }
        if COPULAS.contains(&word) && !copula {
            copula = true;
        } else if !named {
            return false;
        }
    }
    false
}

/// "Falsche Antwort:", "falsch:".
fn announces(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.word(at).is_some_and(|word| {
        OPTION_NOUNS.contains(&word) || ANSWER_NOUNS.contains(&word) || WRONG.contains(&word)
    })
}

fn verdict_after(tokens: &Tokens<'_>, options: &Options, place: usize) -> Verdict {
    let at = after_joined(tokens, after_label(tokens, options, place));
    let Some(verb) = tokens.word(at) else {
        let judged = tokens.skip_marks(at, &[':', '-', '–', '—', '=', '→', '>']);
        return tokens
            .word(judged)
            .filter(|_| judged > at)
            .map_or(Verdict::Open, bare_judgement);
    };
    if !OPTION_VERBS.contains(&verb) {
        return bare_judgement(verb);
    }
    if NOT.contains(&verb) {
        return Verdict::Rejected;
    }
    let verb_affirms = AFFIRMING.contains(&verb);
    for next in at + 1..at + CLAUSE {
        match tokens.word(next) {
            Some(word) if NOT.contains(&word) || WRONG.contains(&word) => return Verdict::Rejected,
            Some(word) if AFFIRMING.contains(&word) => return affirmed_if_near(tokens, at, next),
            Some(word) if CLAUSE_ENDS.contains(&word) => break,
            Some(_) => {}
            None if tokens
                .mark(next)
                .is_some_and(|mark| CLOSERS.contains(&mark) || OPENERS.contains(&mark)) => {}
            None => break,
        }
    }
    if verb_affirms {
        Verdict::Affirmed
    } else {
        Verdict::Open
    }
}

/// A word of approval counts when only articles and the like stand between it and the verb.
fn affirmed_if_near(tokens: &Tokens<'_>, verb: usize, word: usize) -> Verdict {
    let near = (verb + 1..word).all(|at| tokens.word(at).is_some_and(|between| ARTICLES.contains(&between)));
    if near { Verdict::Affirmed } else { Verdict::Open }
}

/// "A falsch", "A: richtig" without a verb.
fn bare_judgement(word: &str) -> Verdict {
    if WRONG.contains(&word) || word == "nein" {
        Verdict::Rejected
    } else {
        Verdict::Open
    }
}

/// Returns the place after a letter, its closing bracket, and the text of its option if that follows.
pub(super) fn after_label(tokens: &Tokens<'_>, options: &Options, place: usize) -> usize {
    let after = tokens.skip_marks(place + 1, CLOSERS);
    let text = tokens.skip_marks(
        after,
        &['(', '[', '"', '«', '„', '“', '.', ':', '–', '-', '—', '='],
    );
    let Some(found) = tokens.letter(place) else {
        return after;
    };
    match text_end(tokens, text, options.text(found.letter)) {
        Some(end) => tokens.skip_marks(end, CLOSERS),
        None => after,
    }
}

/// Skips ", B und D" after a letter, so that a verb in the plural counts for each of them.
fn after_joined(tokens: &Tokens<'_>, place: usize) -> usize {
    let mut at = place;
    for _ in 0..4 {
        let joined = tokens
            .mark(at)
            .is_some_and(|mark| matches!(mark, ',' | '/' | '&'))
            || tokens.word(at).is_some_and(|word| JOINING.contains(&word));
        if !joined {
            break;
        }
        let mut next = at + 1;
        while tokens
            .word(next)
            .is_some_and(|word| OPTION_NOUNS.contains(&word) || JOINING.contains(&word))
        {
            next += 1;
        }
        if tokens.letter(next).is_none() {
            break;
        }
        at = tokens.skip_marks(next + 1, CLOSERS);
    }
    at
}
