//! A text as the detectors see it: words with their case, names, quotations and markup.
use crate::card::Card;
use crate::markup::{self, Markup};
use crate::normalise;
use crate::word::{Word, WordFinder};

/// A word with what stands around it.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) word: Word,
    /// Lower case, straight apostrophes.
    pub(super) folded: String,
    /// Whether it belongs to a name or title: `Newport on the Levee`.
    pub(super) is_name: bool,
    /// Whether it stands in quotation marks.
    pub(super) is_quoted: bool,
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

/// Small words inside names and titles, in the languages from which names travel most.
const LINKS: [&str; 36] = [
    "of", "the", "and", "for", "on", "in", "at", "to", "a", "an", "by", "with", "from", "de", "la", "le",
    "les", "du", "des", "et", "del", "los", "y", "da", "do", "dos", "di", "e", "van", "von", "der", "den",
    "und", "vs", "v", "al",
];
/// At most so many stand in a row.
const MOST_LINKS: usize = 3;

impl Text {
    pub(super) fn new(text: &str, card: &Card) -> Self {
        let clean = normalise::clean(text);
        let markup = markup::find(&clean);
        let found = WordFinder::new(&card.words).find(&clean);
        let mut tokens: Vec<Token> = found
            .words
            .into_iter()
            .map(|word| Token {
                folded: fold(&word.text),
                word,
                is_name: false,
                is_quoted: false,
            })
            .collect();
        let capitals_mark_names = !card.nouns_capitalised;
        if capitals_mark_names {
            mark_names(&mut tokens);
        }
        mark_quotations(&clean, &mut tokens);
        Self {
            clean,
            tokens,
            markup,
            capitals_mark_names,
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
}

/// Capitals inside a sentence, a capital directly before one, and small words between them.
fn mark_names(tokens: &mut [Token]) {
    for at in (0..tokens.len()).rev() {
        let before_name = tokens
            .get(at + 1)
            .is_some_and(|next| next.is_name && !next.word.starts_sentence);
        tokens[at].is_name = tokens[at].is_capitalised() && (!tokens[at].word.starts_sentence || before_name);
    }
    let mut last: Option<usize> = None;
    for at in 0..tokens.len() {
        if !tokens[at].is_capitalised() {
            continue;
        }
        // A capital at the start of a sentence opens a name only if small words lead to another capital.
        let links = last.map_or(0..0, |last| last + 1..at);
        let are_links = tokens[links.clone()]
            .iter()
            .all(|t| LINKS.contains(&t.folded.as_str()) && !t.word.starts_sentence);
        let named = tokens[at].is_name;
        if named && !links.is_empty() && links.len() <= MOST_LINKS && are_links {
            for token in &mut tokens[links.start - 1..at] {
                token.is_name = true;
            }
        }
        last = Some(at);
    }
}

/// Words between an opening and a closing quotation mark, if the passage ends before the text does.
fn mark_quotations(clean: &str, tokens: &mut [Token]) {
    let mut opened: Option<(usize, char)> = None;
    let mut at = 0;
    let mut from = 0;
    for (next, token) in (1..).zip(0..tokens.len()) {
        let Some(offset) = clean[from..].find(tokens[token].word.text.as_str()) else {
            return;
        };
        for c in clean[from..from + offset].chars() {
            match opened {
                Some((start, closing)) if closes(c, closing) => {
                    tokens[start..token].iter_mut().for_each(|t| t.is_quoted = true);
                    opened = None;
                }
                None => opened = closing_mark(c).map(|closing| (token, closing)),
                Some(_) => {}
            }
        }
        from += offset + tokens[token].word.text.len();
        at = next;
    }
    if let Some((start, closing)) = opened
        && clean[from..].chars().any(|c| closes(c, closing))
    {
        tokens[start..at].iter_mut().for_each(|t| t.is_quoted = true);
    }
}

fn closing_mark(c: char) -> Option<char> {
    match c {
        '"' => Some('"'),
        '“' | '„' | '”' => Some('”'),
        '«' => Some('»'),
        '»' => Some('«'),
        '‹' => Some('›'),
        '‘' | '‚' => Some('’'),
        '「' => Some('」'),
        '《' => Some('》'),
        _ => None,
    }
}

fn closes(c: char, closing: char) -> bool {
    c == closing || (closing == '”' && matches!(c, '“' | '"')) || (closing == '’' && c == '‘')
}

pub(crate) fn fold(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|c| if matches!(c, '’' | 'ʼ') { '\'' } else { c })
        .collect()
}
