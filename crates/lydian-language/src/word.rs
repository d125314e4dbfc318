//! Word finding: which pieces of a text are words (specification, "Words").
use crate::card::WordRules;
use crate::{markup, normalise};
use unicode_normalization::char::is_combining_mark;

/// Joins two letters into one word in every language, unless its card says otherwise.
const USUAL_JOINERS: &str = "-'’ʼ:·\u{2010}\u{2011}";

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word in normal form C, without punctuation at its edges.
    pub text: String,
    /// The joiner that stood directly before it, which may be a letter of the language.
    pub before: Option<char>,
    /// The joiner that stood directly after it.
    pub after: Option<char>,
    /// Whether it starts the text or a sentence.
    pub starts_sentence: bool,
}

/// The words of a text, and how many pieces were passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// The words, in order.
    pub words: Vec<Word>,
    /// Numbers, addresses, placeholders: pieces without a letter or not meant as words.
    pub skipped: usize,
}

/// Finds the words of a text by the rules of a language.
#[derive(Debug, Clone, Default)]
pub struct WordFinder {
    joiners: Vec<char>,
    letters: Vec<char>,
    inner_spaces: Vec<char>,
}

impl WordFinder {
    /// Returns a finder for the rules of a card.
    ///
    /// ```
    /// let finder = lydian_language::WordFinder::new(&lydian_language::WordRules::default());
    /// let found = finder.find("«Tânisi», kâ-wâpamât 2026!");
    /// let words: Vec<_> = found.words.iter().map(|w| w.text.as_str()).collect();
    /// assert_eq!((words, found.skipped), (vec!["Tânisi", "kâ-wâpamât"], 1));
    /// ```
    pub fn new(rules: &WordRules) -> Self {
        let chars = |texts: &[String]| texts.iter().flat_map(|t| t.chars()).collect::<Vec<char>>();
        let separators = chars(&rules.separators);
        let mut joiners: Vec<char> = USUAL_JOINERS
            .chars()
            .filter(|c| !separators.contains(c))
            .collect();
        joiners.extend(chars(&rules.joiners));
        Self {
            joiners,
            letters: chars(&rules.letters),
            inner_spaces: chars(&rules.inner_spaces),
        }
    }

    /// Finds the words. Text is put into normal form C first, invisible characters are dropped.
    pub fn find(&self, text: &str) -> Words {
        let text = normalise::clean(text);
        let markup = markup::find(&text);
        let mut found = Words {
            words: Vec::new(),
            skipped: markup.len(),
        };
        let mut starts_sentence = true;
        let mut from = 0;
        for piece in markup {
            self.find_between(&text[from..piece.range.start], &mut starts_sentence, &mut found);
            from = piece.range.end;
        }
        self.find_between(&text[from..], &mut starts_sentence, &mut found);
        found
    }

    fn find_between(&self, text: &str, starts_sentence: &mut bool, found: &mut Words) {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            if !self.is_letter(chars[at]) {
                *starts_sentence |= ends_sentence(chars[at]) || opens_sentence(&chars, at);
                at += 1;
                continue;
            }
            let start = at;
            while at < chars.len() && (self.is_letter(chars[at]) || self.joins(&chars, at)) {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            if word.chars().any(char::is_alphabetic) {
                let edge = |c: Option<&char>| c.copied().filter(|c| self.joiners.contains(c));
                found.words.push(Word {
                    text: word,
                    before: start.checked_sub(1).and_then(|i| edge(chars.get(i))),
                    after: edge(chars.get(at)),
                    starts_sentence: std::mem::take(starts_sentence),
                });
            } else {
                found.skipped += 1;
            }
        }
    }

    fn is_letter(&self, c: char) -> bool {
        c.is_alphanumeric()
            || is_combining_mark(c)
            || matches!(c, '\u{200c}' | '\u{200d}')
            || self.letters.contains(&c)
    }

    /// A single joiner between two letters belongs to the word; two in a row do not.
    fn joins(&self, chars: &[char], at: usize) -> bool {
        let c = chars[at];
        let between = at > 0
            && self.is_letter(chars[at - 1])
            && chars.get(at + 1).is_some_and(|next| self.is_letter(*next));
        between && (self.joiners.contains(&c) || self.inner_spaces.contains(&c))
    }
}

/// Marks after which a capital says nothing about the word.
fn ends_sentence(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | ':'
            | ';'
            | '\n'
            | '¿'
            | '¡'
            | '。'
            | '！'
            | '？'
            | '।'
            | '॥'
            | '۔'
            | '؟'
            | '؛'
            | '።'
            | '፧'
            | '᙮'
            | '։'
            | '၊'
            | '။'
            | '។'
            | '–'
            | '—'
            | '•'
    )
}

/// Whether a quotation mark opens a sentence: after another mark, or at the start of the text.
fn opens_sentence(chars: &[char], at: usize) -> bool {
    let is_mark = matches!(chars[at], '"' | '“' | '„' | '«' | '»' | '‹' | '‘' | '‚' | '「');
    // Looked for after a mark only: a text of nothing but blanks would be read once for each of them.
    let before = || chars[..at].iter().rev().find(|c| !c.is_whitespace());
    is_mark
        && before().is_none_or(|c| !c.is_alphanumeric())
        && chars.get(at + 1).is_some_and(|c| c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(finder: &WordFinder, text: &str) -> Vec<String> {
        finder.find(text).words.into_iter().map(|w| w.text).collect()
    }

    fn usual() -> WordFinder {
        WordFinder::new(&WordRules::default())
    }

    #[test]
    fn punctuation_of_every_kind_is_left_outside() {
        let text =
            "“tânisi” «tânisi», ‚tânisi‘ ¿tânisi? tânisi… tânisi᙮ tânisi။ (tânisi) tânisi–tânisi/tânisi";
        assert!(
            texts(&usual(), text).iter().all(|w| w == "tânisi"),
            "{:?}",
            texts(&usual(), text)
        );
        assert_eq!(texts(&usual(), text).len(), 11);
    }

    #[test]
    fn joiners_stay_inside_and_are_remembered_at_the_edge() {
        let found = usual().find("rock-’n’-roll l·l EU:n nis'tohta- 'aka");
        let words: Vec<&str> = found.words.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(words, ["rock", "n", "roll", "l·l", "EU:n", "nis'tohta", "aka"]);
        assert_eq!(
            (found.words[5].after, found.words[6].before),
            (Some('-'), Some('\''))
        );
    }

    #[test]
    fn repeated_joiners_break_a_word() {
        assert_eq!(texts(&usual(), "abstr------muorra"), ["abstr", "muorra"]);
    }

    #[test]
    fn numbers_addresses_and_placeholders_are_no_words() {
        let found = usual()
            .find("12 3.14 2026-11-30 12:30 https://a.org {name} 21bieivi 1700-lohku 3-juvllatsihkkel");
        let words: Vec<&str> = found.words.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(words, ["21bieivi", "1700-lohku", "3-juvllatsihkkel"]);
        assert_eq!(found.skipped, 7);
    }

    #[test]
    fn decomposed_text_gives_the_same_words() {
        assert_eq!(
            texts(&usual(), "ni\u{302}ya ka\u{302}-wi\u{302}"),
            texts(&usual(), "nîya kâ-wî")
        );
        assert_eq!(texts(&usual(), "ट\u{94d}रक so\u{ad}ft"), ["ट\u{94d}रक", "soft"]);
    }

    #[test]
    fn a_card_adds_and_removes_joiners_letters_and_inner_spaces() {
        let rules = WordRules {
            joiners: vec!["~".into()],
            separators: vec!["’".into(), ":".into()],
            letters: vec!["\u{2019}".into()],
            inner_spaces: vec!["\u{202f}".into()],
            ..WordRules::default()
        };
        let finder = WordFinder::new(&rules);
        assert_eq!(
            texts(&finder, "a~b c:d ’e f’ ᐁ\u{202f}ᐚ"),
            ["a~b", "c", "d", "’e", "f’", "ᐁ\u{202f}ᐚ"]
        );
        assert_eq!(texts(&usual(), "ᐁ\u{202f}ᐚ"), ["ᐁ", "ᐚ"]);
    }

    #[test]
    fn the_first_word_of_each_sentence_is_known() {
        let found = usual().find("Tom came. He left, Ann: “Yes”");
        let starts: Vec<&str> = found
            .words
            .iter()
            .filter(|w| w.starts_sentence)
            .map(|w| w.text.as_str())
            .collect();
        assert_eq!(starts, ["Tom", "He", "Yes"]);
    }
}
