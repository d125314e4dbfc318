//! Terminology: glossary terms of the source and their renderings, counted by occurrence.
use crate::card::Card;
use crate::detect::fold;
use crate::fst_check::FstChecker;
use crate::morphology::units_of;
use crate::normalise;
use crate::stem::same_word;
use crate::word::{Word, WordFinder};
use std::collections::BTreeSet;
use unicode_script::{Script, UnicodeScript};

/// A term with the renderings that are asked for and those that are forbidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlossaryTerm {
    /// The term in the source language.
    pub source: String,
    /// Renderings; one of them is expected.
    pub targets: Vec<String>,
    /// Renderings that must not be used.
    pub forbidden: Vec<String>,
}

/// The terms of a glossary, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Glossary {
    /// The terms.
    pub terms: Vec<GlossaryTerm>,
}

/// A line of a glossary that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}: {message}")]
pub struct GlossaryError {
    /// Name of the file.
    pub file: String,
    /// One-based line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Glossary {
    /// Reads a table with the columns source, target and forbidden, separated by tabs; `|` separates alternatives.
    ///
    /// ```
    /// let text = "source\ttarget\tforbidden\ncat\tchat|chatte\tminet\n";
    /// let glossary = lydian_language::Glossary::parse("glossary.tsv", text)?;
    /// assert_eq!(glossary.terms[0].targets, ["chat", "chatte"]);
    /// # Ok::<(), lydian_language::GlossaryError>(())
    /// ```
    pub fn parse(file: &str, text: &str) -> Result<Self, GlossaryError> {
        let error = |line: usize, message: &str| GlossaryError {
            file: file.to_owned(),
            line,
            message: message.to_owned(),
        };
        let mut lines = text
            .split('\n')
            .map(|l| l.strip_suffix('\r').unwrap_or(l))
            .enumerate();
        match lines
            .next()
            .map(|(_, header)| header.trim_start_matches('\u{feff}'))
        {
            Some("source\ttarget" | "source\ttarget\tforbidden") => {}
            _ => {
                return Err(error(
                    1,
                    "the first line has to be: source TAB target [TAB forbidden]",
                ));
            }
        }
        let mut terms: Vec<GlossaryTerm> = Vec::new();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split('\t').collect();
            let list = |field: Option<&&str>| -> Vec<String> {
                let alternatives = field.copied().unwrap_or_default().split('|');
                alternatives
                    .map(|t| normalise::clean(t.trim()))
                    .filter(|t| !t.is_empty())
                    .collect()
            };
            let source = normalise::clean(fields[0].trim());
            let targets = list(fields.get(1));
            if fields.len() > 3 {
                return Err(error(at + 1, "more than three columns"));
            }
            if source.is_empty() || targets.is_empty() {
                return Err(error(at + 1, "a term needs a source and at least one target"));
            }
            if terms.iter().any(|t| t.source == source) {
                return Err(error(
                    at + 1,
                    &format!("`{source}` stands in the glossary already"),
                ));
            }
            terms.push(GlossaryTerm {
                source,
                targets,
                forbidden: list(fields.get(2)),
            });
        }
        Ok(Self { terms })
    }
}

/// How one term was rendered in one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermUse {
    /// The term.
    pub term: String,
    /// Occurrences in the source.
    pub expected: usize,
    /// Occurrences rendered as the glossary says; a forbidden rendering takes one away.
    pub rendered: usize,
    /// Forbidden renderings that occur.
    pub forbidden: Vec<String>,
}

/// Counts the terms of a glossary in source and output. Terms that the source does not have are left out.
pub fn terminology(
    glossary: &Glossary,
    cards: (&Card, &Card),
    (source, output): (&str, &str),
    mut checker: Option<&mut FstChecker<'_>>,
) -> Vec<TermUse> {
    let (source_card, target_card) = cards;
    let mut from = Searched::new(source, source_card);
    let mut terms: Vec<&GlossaryTerm> = glossary.terms.iter().collect();
    // The longer term takes its words first: `New York City` is not also `New York`.
    terms.sort_by_key(|t| std::cmp::Reverse(t.source.chars().count()));
    let mut uses = Vec::new();
    for term in terms {
        let expected = from.take(&term.source, source_card, None);
        if expected == 0 {
            continue;
        }
        let mut to = Searched::new(output, target_card);
        let mut forbidden = Vec::new();
        let mut wrong = 0;
        for rendering in &term.forbidden {
            let found = to.take(rendering, target_card, checker.as_deref_mut());
            wrong += found;
            if found > 0 {
                forbidden.push(rendering.clone());
            }
        }
        let mut targets: Vec<&String> = term.targets.iter().collect();
        targets.sort_by_key(|t| std::cmp::Reverse(t.chars().count()));
        let right: usize = targets
            .into_iter()
            .map(|t| to.take(t, target_card, checker.as_deref_mut()))
            .sum();
        let rendered = right.min(expected).saturating_sub(wrong);
        uses.push(TermUse {
            term: term.source.clone(),
            expected,
            rendered,
            forbidden,
        });
    }
    uses
}

/// A text whose words are used up by the terms found in it.
struct Searched {
    text: String,
    words: Vec<(Word, String)>,
    used: Vec<bool>,
}

impl Searched {
    fn new(text: &str, card: &Card) -> Self {
        let text = normalise::clean(text);
        let words: Vec<(Word, String)> = WordFinder::new(&card.words)
            .find(&text)
            .words
            .into_iter()
            .map(|w| (w.clone(), fold(&w.text)))
            .collect();
        Self {
            used: vec![false; words.len()],
            words,
            text: fold(&text),
        }
    }

    /// Counts the occurrences of a term and uses their words up.
    fn take(&mut self, term: &str, card: &Card, checker: Option<&mut FstChecker<'_>>) -> usize {
        let finder = WordFinder::new(&card.words);
        let wanted: Vec<String> = finder.find(term).words.iter().map(|w| fold(&w.text)).collect();
        if !is_plain_words(term, &wanted) || writes_without_spaces(term) {
            return self.take_characters(&fold(term));
        }
        let lemmas = checker.map(|checker| Lemmas::new(term, &self.words, &finder, checker));
        let mut count = 0;
        let mut at = 0;
        while at + wanted.len() <= self.words.len() {
            let fits = (0..wanted.len()).all(|i| {
                let same = same_word(&self.words[at + i].1, &wanted[i], &card.lexicon)
                    || lemmas.as_ref().is_some_and(|l| l.agree(at + i, i));
                !self.used[at + i] && same
            });
            if fits {
                self.used[at..at + wanted.len()].fill(true);
                count += 1;
                at += wanted.len();
            } else {
                at += 1;
            }
        }
        count
    }

    /// Counts a term with signs, such as `C++`, or in a script without spaces, by its characters.
    fn take_characters(&mut self, term: &str) -> usize {
        let without_spaces = writes_without_spaces(term);
        let word_like = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut count = 0;
        let mut from = 0;
        while let Some(offset) = self.text[from..].find(term) {
            let (start, end) = (from + offset, from + offset + term.len());
            let glued_before =
                word_like(term.chars().next()) && word_like(self.text[..start].chars().next_back());
            let glued_after =
                word_like(term.chars().next_back()) && word_like(self.text[end..].chars().next());
            if without_spaces || !(glued_before || glued_after) {
                count += 1;
                self.text.replace_range(start..end, &"\u{0}".repeat(term.len()));
            }
            from = end;
        }
        count
    }
}

/// The lemmas of the words of a text and of a term.
struct Lemmas {
    text: Vec<BTreeSet<String>>,
    term: Vec<BTreeSet<String>>,
}

impl Lemmas {
    fn new(term: &str, words: &[(Word, String)], finder: &WordFinder, checker: &mut FstChecker<'_>) -> Self {
        let mut lemmas = |word: &Word| {
            let analyses = checker.analyses(word);
            analyses
                .iter()
                .map(|a| units_of(a.text(), checker.analyser()).lemma)
                .collect::<BTreeSet<_>>()
        };
        Self {
            text: words.iter().map(|(word, _)| lemmas(word)).collect(),
            term: finder.find(term).words.iter().map(&mut lemmas).collect(),
        }
    }

    fn agree(&self, in_text: usize, in_term: usize) -> bool {
        !self.text[in_text].is_disjoint(&self.term[in_term])
    }
}

/// Whether a term consists of words and spaces.
fn is_plain_words(term: &str, words: &[String]) -> bool {
    !words.is_empty()
        && fold(term).split_whitespace().collect::<Vec<_>>()
            == words.iter().map(String::as_str).collect::<Vec<_>>()
}

fn writes_without_spaces(term: &str) -> bool {
    let without = [
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Tibetan,
    ];
    term.chars().any(|c| without.contains(&c.script()))
}
