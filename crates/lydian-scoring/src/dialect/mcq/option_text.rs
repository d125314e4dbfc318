//! Answers that give the text of an option instead of its letter, or reject all of them.

use std::collections::BTreeSet;

use lydian_model::dialect::{Letter, Options};

use super::labels::lone_capitals;
use super::tokens::Tokens;
use super::vocabulary::{NONE_OF_THEM, NOT};
use super::{McqReading, McqRule};
use crate::dialect::normalise::folded_words;

/// An answer may have this many words more than the option it names; in a longer one the text of an option
/// is no statement.
const WORDS_AROUND: usize = 30;

/// Returns the place after the text of an option, if it stands at `start`.
pub(super) fn text_end(tokens: &Tokens<'_>, start: usize, text: &str) -> Option<usize> {
    let phrase = pieces(text);
    if phrase.is_empty() {
        None
    } else {
        tokens.phrase_end(start, &phrase)
    }
}

/// Tells whether the answer says that no option fits; never when an option says so itself.
pub(super) fn none_of_them(tokens: &Tokens<'_>, options: &Options) -> bool {
    let offered = options.texts().iter().any(|text| {
        let words = folded_words(text);
        NONE_OF_THEM
            .iter()
            .any(|phrase| words.windows(phrase.len()).any(|window| window == *phrase))
    });
    !offered && tokens.word_places().any(|at| says_none(tokens, at))
}

fn says_none(tokens: &Tokens<'_>, at: usize) -> bool {
    NONE_OF_THEM.iter().any(|phrase| {
        phrase
            .iter()
            .enumerate()
            .all(|(offset, word)| tokens.word(at + offset) == Some(*word))
    })
}

/// Reads an answer that names the text of exactly one option. When the only lone capital is another letter,
/// the answer is ambiguous.
pub(super) fn named_option(tokens: &Tokens<'_>, options: &Options) -> Option<McqReading> {
    let longest = options
        .texts()
        .iter()
        .map(|text| pieces(text).len())
        .max()
        .unwrap_or(0);
    if tokens.word_places().count() > longest + WORDS_AROUND {
        return None;
    }
    let named = named_texts(tokens, options);
    if named.is_empty() {
        return None;
    }
    let capitals = lone_capitals(tokens);
    let letters = if capitals.len() == 1 {
        named.union(&capitals).copied().collect()
    } else {
        named
    };
    McqReading::of(McqRule::OptionText, letters)
}

fn named_texts(tokens: &Tokens<'_>, options: &Options) -> BTreeSet<Letter> {
    let mut hits: Vec<(usize, usize, Letter)> = Vec::new();
    for letter in Letter::ALL {
        let phrase = pieces(options.text(letter));
        for start in tokens.word_places().filter(|_| !phrase.is_empty()) {
            if let Some(end) = tokens
                .phrase_end(start, &phrase)
                .filter(|_| !is_denied(tokens, start))
            {
                hits.push((start, end, letter));
            }
        }
    }
    let inside = |hit: &(usize, usize, Letter), other: &(usize, usize, Letter)| {
        other.0 <= hit.0 && hit.1 <= other.1 && other.1 - other.0 > hit.1 - hit.0
    };
    hits.iter()
        .filter(|hit| !hits.iter().any(|other| inside(hit, other)))
        .map(|hit| hit.2)
        .collect()
}

fn is_denied(tokens: &Tokens<'_>, start: usize) -> bool {
    start
        .checked_sub(1)
        .and_then(|before| tokens.word(before))
        .is_some_and(|word| NOT.contains(&word))
}

/// The words of a text as the answer's tokens have them: an apostrophe inside belongs to the word there.
fn pieces(text: &str) -> Vec<String> {
    let own = Tokens::new(text);
    let found: Vec<String> = own
        .word_places()
        .filter_map(|at| own.word(at))
        .map(str::to_owned)
        .collect();
    found
}
