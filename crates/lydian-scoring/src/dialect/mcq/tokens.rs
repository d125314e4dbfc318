//! The words, marks and lines of a cleaned answer, and which of them are option letters.

use std::collections::BTreeSet;
use std::ops::Range;

use lydian_model::dialect::Letter;
use unicode_normalization::char::is_combining_mark;

use super::cleaning::{BOX_CLOSE, BOX_OPEN};
use crate::dialect::normalise::fold;

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word, as written and folded.
    Word { text: &'a str, folded: String },
    /// A character that is neither a letter, a digit nor white space.
    Mark(char),
    /// The end of a line.
    LineEnd,
}

/// An option letter: which, and whether it is a capital.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundLetter {
    pub(super) letter: Letter,
    pub(super) capital: bool,
}

/// The pieces of an answer in order.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    all: Vec<Token<'a>>,
    /// Whether white space stands before the piece.
    spaced: Vec<bool>,
}

impl<'a> Tokens<'a> {
    /// Splits a cleaned answer.
    pub(super) fn new(text: &'a str) -> Self {
        let mut tokens = Self {
            all: Vec::new(),
            spaced: Vec::new(),
        };
        let mut spaced = true;
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let length = if character.is_alphanumeric() {
                word_length(rest)
            } else {
                character.len_utf8()
            };
            let (piece, after) = rest.split_at(length);
            rest = after;
            if character == '\n' {
                tokens.push(Token::LineEnd, spaced);
                spaced = true;
            } else if character.is_whitespace() {
                spaced = true;
            } else if character.is_alphanumeric() {
                tokens.push(
                    Token::Word {
                        text: piece,
                        folded: fold(piece),
                    },
                    spaced,
                );
                spaced = false;
            } else {
                tokens.push(Token::Mark(character), spaced);
                spaced = false;
            }
        }
        tokens
    }

    fn push(&mut self, token: Token<'a>, spaced: bool) {
        self.all.push(token);
        self.spaced.push(spaced);
    }

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns a piece.
    pub(super) fn get(&self, at: usize) -> Option<&Token<'a>> {
        self.all.get(at)
    }

    /// Returns the folded word at a place.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match self.all.get(at)? {
            Token::Word { folded, .. } => Some(folded),
            Token::Mark(_) | Token::LineEnd => None,
        }
    }

    /// Returns the word at a place as written.
    pub(super) fn written(&self, at: usize) -> Option<&'a str> {
        match self.all.get(at)? {
            Token::Word { text, .. } => Some(text),
            Token::Mark(_) | Token::LineEnd => None,
        }
    }

    /// Returns the mark at a place.
    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.all.get(at)? {
            Token::Mark(mark) => Some(*mark),
            Token::Word { .. } | Token::LineEnd => None,
        }
    }

    /// Tells whether white space stands before the piece.
    pub(super) fn is_spaced(&self, at: usize) -> bool {
        self.spaced.get(at).copied().unwrap_or(true)
    }

    /// Tells whether a line ends here.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        matches!(self.all.get(at), None | Some(Token::LineEnd))
    }

    /// Tells whether no word is left.
    pub(super) fn has_no_word(&self) -> bool {
        !self.all.iter().any(|token| matches!(token, Token::Word { .. }))
    }

    /// Returns the places of words.
    pub(super) fn word_places(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.len()).filter(|at| self.word(*at).is_some())
    }

    /// Returns the option letter that the piece is, if it is one that stands alone.
    pub(super) fn letter(&self, at: usize) -> Option<FoundLetter> {
        let text = self.written(at)?;
        let mut characters = text.chars();
        let single = characters.next().filter(|_| characters.next().is_none())?;
        let (letter, capital) = match single {
            'A' | 'А' | 'Α' => (Letter::A, true),
            'B' | 'В' | 'Β' => (Letter::B, true),
            'C' | 'С' | 'Ϲ' => (Letter::C, true),
            'D' => (Letter::D, true),
            'a' | 'а' | 'α' => (Letter::A, false),
            'b' => (Letter::B, false),
            'c' | 'с' | 'ϲ' => (Letter::C, false),
            'd' => (Letter::D, false),
            _ => return None,
        };
        let degree = at > 0 && !self.is_spaced(at) && self.mark(at - 1) == Some('°');
        (!degree && !self.is_abbreviated(at)).then_some(FoundLetter { letter, capital })
    }

    /// Returns the letters of a run of option capitals such as `AB`.
    pub(super) fn letter_run(&self, at: usize) -> Option<BTreeSet<Letter>> {
        let text = self.written(at)?;
        let letters: Option<BTreeSet<Letter>> = text
            .chars()
            .map(|character| Letter::from_capital(character.encode_utf8(&mut [0; 4])))
            .collect();
        letters.filter(|letters| letters.len() >= 2 && letters.len() == text.len())
    }

    /// Returns the letter of an answer that has no other word.
    pub(super) fn only_letter(&self) -> Option<Letter> {
        let mut places = self.word_places();
        let place = places.next()?;
        if places.next().is_some() {
            return None;
        }
        self.letter(place).map(|found| found.letter)
    }

    /// Returns the ranges of the lines that have a word.
    pub(super) fn lines(&self) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut start = 0;
        for at in 0..=self.len() {
            if self.is_line_end(at) {
                if (start..at).any(|place| self.word(place).is_some()) {
                    lines.push(start..at);
                }
                start = at + 1;
            }
        }
        lines
    }

    /// Tells whether the words from a place on are these, with nothing but marks between them, and returns
    /// the place after them.
    pub(super) fn phrase_end(&self, start: usize, phrase: &[String]) -> Option<usize> {
        let mut at = start;
        for (count, wanted) in phrase.iter().enumerate() {
            while count > 0 && self.mark(at).is_some() {
                at += 1;
            }
            if self.word(at)? != wanted {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Returns the place of the first piece from `at` on that is none of these marks.
    pub(super) fn skip_marks(&self, at: usize, marks: &[char]) -> usize {
        let mut at = at;
        while self.mark(at).is_some_and(|mark| marks.contains(&mark)) {
            at += 1;
        }
        at
    }

    /// `z.B.`, `D.h.`: a letter with a dot between it and another letter, no space.
    fn is_abbreviated(&self, at: usize) -> bool {
        let dot = |place: usize| self.mark(place) == Some('.') && !self.is_spaced(place);
        let short = |place: usize| self.written(place).is_some_and(|word| word.chars().count() == 1);
        let before = at >= 2 && dot(at - 1) && !self.is_spaced(at) && short(at - 2);
        let after = dot(at + 1) && !self.is_spaced(at + 2) && short(at + 2);
        before || after
    }
}

/// Tells whether a mark opens or closes a box.
pub(super) fn is_box(mark: char) -> bool {
    matches!(mark, BOX_OPEN | BOX_CLOSE)
}

fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let joins = matches!(character, '-' | '\'' | '’' | '\u{2010}')
            && characters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if character.is_alphanumeric() || is_combining_mark(character) || joins {
            end = at + character.len_utf8();
        } else {
            break;
        }
    }
    end
}
