//! Explicit markers: "Antwort: C", "die richtige Antwort ist C", a box, "ich wähle C", "Option C", "C ist richtig".

use std::collections::BTreeSet;

use lydian_model::dialect::{Letter, Options};

use super::cleaning::BOX_OPEN;
use super::labels::starts_with_label;
use super::negation::{Verdict, after_label, verdict};
use super::tokens::{Tokens, is_box};
use super::vocabulary::{
    AFTER_LETTER, ANSWER_NOUNS, ARTICLES, CHOOSING, CONCLUDING, COPULAS, ENGLISH, FILLERS, JOINING, NOT,
    OPTION_NOUNS, RIGHT, WRONG,
};
use super::{McqReading, McqRule};

/// How many pieces may stand between a marker and its letter.
const REACH: usize = 14;
const LINK_MARKS: &[char] = &[
    '-', '–', '—', '>', '→', '"', '\'', '«', '»', '„', '“', '”', '‘', '’', '‚', '(', '[', '|', '⇒', '✓',
    '✅', '✔',
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    OptionWord,
    Plain,
    Final,
}

/// Words that announce a letter.
struct Marker {
    strength: Strength,
    /// The place after its last word.
    end: usize,
    english: bool,
    /// The letter must follow at once and end the clause.
    strict: bool,
}

/// What stands between a marker and its letter.
#[derive(Default)]
struct Link {
    colon: bool,
    copula: bool,
    crossed_line: Option<usize>,
}

/// Reads an answer whose last line is nothing but a marker and a letter (and the option's own text).
pub(super) fn last_line(tokens: &Tokens<'_>, options: &Options) -> Option<McqReading> {
    let line = tokens.lines().pop()?;
    let marker = line.clone().find_map(|at| marker_at(tokens, at))?;
    let lead = line
        .clone()
        .filter_map(|at| tokens.word(at).map(|word| (at, word)));
    let announced = lead.take_while(|(at, _)| *at < marker.end).all(|(_, word)| {
        RIGHT.contains(&word)
            || ARTICLES.contains(&word)
            || ANSWER_NOUNS.contains(&bare(word))
            || OPTION_NOUNS.contains(&word)
    });
    let (place, link) = linked_letter(tokens, &marker)?;
    let inside = place < line.end
        && announced
        && marker.strength > Strength::OptionWord
        && (link.colon || link.copula);
    if !inside {
        return None;
    }
    let found = tokens.letter(place)?;
    let end = after_label(tokens, options, place);
    let alone = (end..line.end).all(|at| tokens.word(at).is_none());
    if alone {
        McqReading::of(McqRule::LastLine, BTreeSet::from([found.letter]))
    } else {
        None
    }
}

/// Reads the last letter behind the strongest kind of marker that leads to one.
pub(super) fn strongest(tokens: &Tokens<'_>, options: &Options) -> Option<McqReading> {
    let mut best: Option<(Strength, BTreeSet<Letter>)> = None;
    for at in 0..tokens.len() {
        let reading = marked(tokens, options, at).or_else(|| affirmed(tokens, options, at));
        if let Some((strength, letters)) = reading
            && best.as_ref().is_none_or(|(known, _)| strength >= *known)
        {
            best = Some((strength, letters));
        }
    }
    let (strength, letters) = best?;
    let rule = match strength {
        Strength::Final => McqRule::FinalMarker,
        Strength::Plain => McqRule::Marker,
        Strength::OptionWord => McqRule::OptionWord,
    };
    McqReading::of(rule, letters)
}

fn marked(tokens: &Tokens<'_>, options: &Options, at: usize) -> Option<(Strength, BTreeSet<Letter>)> {
    let marker = marker_at(tokens, at)?;
    let (place, link) = linked_letter(tokens, &marker)?;
    let unlinked = !link.colon && !link.copula && link.crossed_line.is_none();
    let noun = tokens
        .word(at)
        .is_some_and(|word| ANSWER_NOUNS.contains(&bare(word)));
    let strength = if unlinked && noun && marker.strength == Strength::Plain {
        Strength::OptionWord
    } else {
        marker.strength
    };
    if let Some(run) = tokens.letter_run(place) {
        return Some((strength, run));
    }
    let found = tokens.letter(place)?;
    let next_word = tokens.word(place + 1);
    let accepted = if found.capital {
        let article = marker.english && found.letter == Letter::A && !link.colon;
        let goes_on = next_word.is_some_and(|word| !AFTER_LETTER.contains(&word))
            && tokens
                .written(place + 1)
                .is_some_and(|word| word.starts_with(char::is_lowercase));
        !(article && goes_on)
    } else {
        next_word.is_none()
    };
    let echo = link.crossed_line.is_some_and(|line| is_option_list(tokens, line));
    let rejected = verdict(tokens, options, place) == Verdict::Rejected;
    let unfinished = marker.strict && (!found.capital || next_word.is_some());
    if !accepted || echo || rejected || unfinished || is_range(tokens, place) {
        return None;
    }
    let mut letters = BTreeSet::from([found.letter]);
    letters.extend(joined_letters(tokens, options, place));
    Some((strength, letters))
}

/// "C ist richtig", "B stimmt".
fn affirmed(tokens: &Tokens<'_>, options: &Options, at: usize) -> Option<(Strength, BTreeSet<Letter>)> {
    let found = tokens.letter(at).filter(|found| found.capital)?;
    if verdict(tokens, options, at) != Verdict::Affirmed {
        return None;
    }
    let mut letters = BTreeSet::from([found.letter]);
    letters.extend(joined_letters(tokens, options, at));
    if let Some(before) = at.checked_sub(2)
        && tokens.word(at - 1).is_some_and(|word| JOINING.contains(&word))
    {
        letters.extend(tokens.letter(before).map(|other| other.letter));
    }
    Some((Strength::Final, letters))
}

fn marker_at(tokens: &Tokens<'_>, at: usize) -> Option<Marker> {
    if tokens.mark(at) == Some(BOX_OPEN) {
        return Some(Marker {
            strength: Strength::Final,
            end: at + 1,
            english: false,
            strict: false,
        });
    }
    let word = bare(tokens.word(at)?);
    let before = at.checked_sub(1).and_then(|before| tokens.word(before));
    if before.is_some_and(|before| WRONG.contains(&before) || NOT.contains(&before)) {
        return None;
    }
    let english = ENGLISH.contains(&word);
    let marker = |strength, end, strict| {
        Some(Marker {
            strength,
            end,
            english,
            strict,
        })
    };
    let noun = if ANSWER_NOUNS.contains(&word) {
        Some(Strength::Plain)
    } else if OPTION_NOUNS.contains(&word) {
        Some(Strength::OptionWord)
    } else {
        None
    };
    if let Some(strength) = noun {
        let after = tokens.word(at + 1);
        if after.is_some_and(|after| WRONG.contains(&after)) {
            return None;
        }
        let right_after = after.is_some_and(|after| RIGHT.contains(&after));
        let right = right_after || before.is_some_and(|before| RIGHT.contains(&before));
        return marker(
            if right { Strength::Final } else { strength },
            at + 1 + usize::from(right_after),
            false,
        );
    }
    if RIGHT.contains(&word) {
        let linked = tokens.word(at + 1).is_some_and(|next| COPULAS.contains(&next))
            || tokens.mark(at + 1) == Some(':');
        return if linked {
            marker(Strength::Final, at + 1, false)
        } else {
            None
        };
    }
    if CHOOSING.contains(&word) {
        return marker(Strength::Plain, at + 1, false);
    }
    if CONCLUDING.contains(&word) {
        marker(Strength::OptionWord, at + 1, true)
    } else {
        None
    }
}

/// Finds the letter that a marker leads to.
fn linked_letter(tokens: &Tokens<'_>, marker: &Marker) -> Option<(usize, Link)> {
    let mut link = Link::default();
    let mut at = marker.end;
    while at < marker.end + REACH {
        if tokens.letter(at).is_some() || tokens.letter_run(at).is_some() {
            return Some((at, link));
        }
        if let Some(word) = tokens.word(at) {
            let word = bare(word);
            if COPULAS.contains(&word) {
                link.copula = true;
            } else if !is_filler(word) || (marker.strict && !OPTION_NOUNS.contains(&word)) {
                return None;
            }
        } else if let Some(mark) = tokens.mark(at) {
            if let Some(after) = enumeration_end(tokens, at) {
                at = after;
                continue;
            }
            link.colon |= matches!(mark, ':' | '=');
            if !(matches!(mark, ':' | '=') || LINK_MARKS.contains(&mark) || is_box(mark)) {
                return None;
            }
        } else {
            tokens.get(at)?;
            link.crossed_line = Some(at + 1);
        }
        at += 1;
    }
    None
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
        || OPTION_NOUNS.contains(&word)
        || ANSWER_NOUNS.contains(&word)
        || RIGHT.contains(&word)
}

/// "Antwort (A, B, C oder D):" lists what may be answered; returns the place of the colon.
fn enumeration_end(tokens: &Tokens<'_>, open: usize) -> Option<usize> {
    if !matches!(tokens.mark(open), Some('(' | '[')) {
        return None;
    }
    let close = (open + 1..open + REACH).find(|at| matches!(tokens.mark(*at), Some(')' | ']')))?;
    let more_than_a_letter = close > open + 2;
    (more_than_a_letter && tokens.mark(close + 1) == Some(':')).then_some(close + 1)
}

/// Two or more label lines from a place on: the options are repeated, nothing is chosen.
fn is_option_list(tokens: &Tokens<'_>, line: usize) -> bool {
    let next = (line..tokens.len())
        .find(|at| tokens.is_line_end(*at))
        .map(|end| end + 1);
    starts_with_label(tokens, line) && next.is_some_and(|next| starts_with_label(tokens, next))
}

/// "A–D" names a range.
fn is_range(tokens: &Tokens<'_>, place: usize) -> bool {
    matches!(tokens.mark(place + 1), Some('–' | '—' | '…'))
        && !tokens.is_spaced(place + 1)
        && tokens.letter(place + 2).is_some()
}

/// Returns the letters joined to the one at a place: "A oder B", "A, C", "A/B"; rejected ones do not count.
fn joined_letters(tokens: &Tokens<'_>, options: &Options, place: usize) -> BTreeSet<Letter> {
    let mut letters = BTreeSet::new();
    let mut at = after_label(tokens, options, place);
    for _ in 0..3 {
        let by_word = tokens.word(at).is_some_and(|word| JOINING.contains(&word));
        let by_mark = tokens
            .mark(at)
            .is_some_and(|mark| matches!(mark, ',' | '/' | '&' | '+'));
        if !by_word && !by_mark {
            break;
        }
        let mut next = at + 1;
        while next < at + 4
            && tokens
                .word(next)
                .is_some_and(|word| is_filler(word) || JOINING.contains(&word))
        {
            next += 1;
        }
        let next = tokens.skip_marks(next, &['(', '"', '«', '„', '“']);
        let Some(found) = tokens.letter(next) else { break };
        let stands = found.capital || tokens.word(next + 1).is_none();
        let article = by_mark && tokens.word(next + 1).is_some_and(|word| !JOINING.contains(&word));
        if !stands || article || verdict(tokens, options, next) == Verdict::Rejected {
            break;
        }
        letters.insert(found.letter);
        at = after_label(tokens, options, next);
    }
    letters
}

/// The word without an elided article: "d'antwort", "l'opzione".
fn bare(word: &str) -> &str {
    word.rsplit('\'').next().unwrap_or(word)
}
