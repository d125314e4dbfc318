//! A text as the detectors see it: words with their case, markup, numbers.
use crate::card::Card;
use crate::markup::{self, Markup};
use crate::normalise;
use crate::word::{Word, WordFinder};

/// A word with its folded form.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) word: Word,
    /// Lower case, straight apostrophes.
    pub(super) folded: String,
}

impl Token {
    pub(super) fn is_capitalised(&self) -> bool {
        normalise::is_capitalised(&self.word.text)
    }
}

/// A text with its words.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// The text in normal form C.
    pub(super) clean: String,
    /// Its words.
    pub(super) tokens: Vec<Token>,
    pub(super) markup: Vec<Markup>,
    /// Whether a capital inside a sentence marks a name.
    pub(super) capitals_mark_names: bool,
}

impl Text {
    pub(super) fn new(text: &str, card: &Card) -> Self {
        let clean = normalise::clean(text);
        let markup = markup::find(&clean);
        let found = WordFinder::new(&card.words).find(&clean);
        let tokens = found
            .words
            .into_iter()
            .map(|word| Token {
                folded: fold(&word.text),
                word,
            })
            .collect();
        Self {
            clean,
            tokens,
            markup,
            capitals_mark_names: !card.nouns_capitalised,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clean.trim().is_empty()
    }

    pub(super) fn pieces(&self, kind: markup::MarkupKind) -> impl Iterator<Item = &str> {
        self.markup
            .iter()
            .filter(move |m| m.kind == kind)
            .map(|m| &self.clean[m.range.clone()])
    }

    /// The text without its markup, for numbers.
    pub(super) fn without_markup(&self) -> String {
        let mut rest = String::with_capacity(self.clean.len());
        let mut from = 0;
        for piece in &self.markup {
            rest.push_str(&self.clean[from..piece.range.start]);
            rest.push(' ');
            from = piece.range.end;
        }
        rest.push_str(&self.clean[from..]);
        rest
    }

    /// Whether the word can be a name: capitals inside a sentence, where they mean something.
    pub(super) fn is_name(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        self.capitals_mark_names && token.is_capitalised() && !token.word.starts_sentence
    }
}

pub(crate) fn fold(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|c| if matches!(c, '’' | 'ʼ') { '\'' } else { c })
        .collect()
}
