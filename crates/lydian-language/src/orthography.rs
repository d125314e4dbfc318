//! Orthographic accuracy: words that keep the written norm of the card.
use crate::card::{Card, Orthography};
use crate::exemplars::{Exemplars, parse_set};
use crate::normalise;
use crate::word::WordFinder;
use lydian_model::LanguageTag;
use std::collections::BTreeSet;
use unicode_script::{Script, UnicodeScript};

/// What is wrong with a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misspelling {
    /// A character that is no letter of the language.
    Letter(String),
    /// A spelling that the norm forbids, with its reason.
    Forbidden {
        /// The forbidden characters.
        text: String,
        /// Why.
        reason: String,
    },
    /// Characters of two conventions in one output.
    Mixed(String),
    /// A script no norm of the card is written in.
    Script(&'static str),
}

/// A word that does not keep the norm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelt {
    /// The word.
    pub word: String,
    /// The first thing that is wrong with it.
    pub problem: Misspelling,
}

/// The result for one output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrthographyCheck {
    /// Words that were checked.
    pub words: usize,
    /// Those that do not keep the norm, in order.
    pub misspelt: Vec<Misspelt>,
}

impl OrthographyCheck {
    /// Returns the number of words that keep the norm.
    pub fn correct(&self) -> usize {
        self.words - self.misspelt.len()
    }
}

/// Checks outputs against the scored norms of a card.
#[derive(Debug)]
pub struct OrthographyChecker {
    finder: WordFinder,
    norms: Vec<Norm>,
}

#[derive(Debug)]
struct Norm {
    orthography: Orthography,
    script: String,
    letters: BTreeSet<String>,
    longest: usize,
}

impl OrthographyChecker {
    /// Returns a checker, or `None` where the card has no norm that is settled enough for a score.
    pub fn new(card: &Card) -> Option<Self> {
        let norms: Vec<Norm> = card
            .orthographies
            .iter()
            .filter(|o| o.scored)
            .map(Norm::new)
            .collect();
        (!norms.is_empty()).then(|| Self {
            finder: WordFinder::new(&card.words),
            norms,
        })
    }

    /// Checks the words of an output; `names` of the source may be spelt as they are.
    pub fn check(&self, text: &str, names: &BTreeSet<String>) -> OrthographyCheck {
        let mixed = self.mixed(&normalise::clean(text));
        let mut result = OrthographyCheck::default();
        for word in self.finder.find(text).words {
            if names.contains(&word.text) {
                continue;
            }
            result.words += 1;
            let lower = word.text.to_lowercase();
            let odd = mixed.iter().find(|c| lower.contains(c.as_str()));
            let problem = odd
                .map(|c| Misspelling::Mixed(c.clone()))
                .or_else(|| self.problem(&lower));
            if let Some(problem) = problem {
                result.misspelt.push(Misspelt {
                    word: word.text,
                    problem,
                });
            }
        }
        result
    }

    /// A word is right if it keeps any norm of its script.
    fn problem(&self, lower: &str) -> Option<Misspelling> {
        let script = main_script(lower)?;
        let mut problems = self
            .norms
            .iter()
            .filter(|n| n.script == script)
            .map(|n| n.problem(lower))
            .peekable();
        if problems.peek().is_none() {
            return Some(Misspelling::Script(script));
        }
        let problems: Vec<Option<Misspelling>> = problems.collect();
        if problems.contains(&None) {
            None
        } else {
            problems.into_iter().flatten().next()
        }
    }

    /// Characters of every convention but the one that the output uses most.
    fn mixed(&self, text: &str) -> Vec<String> {
        let lower = text.to_lowercase();
        let mut odd = Vec::new();
        for norm in &self.norms {
            let count = |set: &[String]| {
                set.iter()
                    .map(|c| lower.matches(c.as_str()).count())
                    .sum::<usize>()
            };
            let sets = &norm.orthography.never_together;
            let used = sets.iter().filter(|set| count(set) > 0);
            let Some(most) = used.clone().rev().max_by_key(|set| count(set)) else {
                continue;
            };
            odd.extend(used.filter(|set| *set != most).flatten().cloned());
        }
        odd
    }
}

impl Norm {
    fn new(orthography: &Orthography) -> Self {
        let mut letters: BTreeSet<String> = BTreeSet::new();
        let mut add = |text: &str| {
            let pieces: Vec<String> = if text.starts_with('[') {
                parse_set(text).into_iter().collect()
            } else {
                text.split_whitespace().map(str::to_owned).collect()
            };
            letters.extend(pieces.iter().map(|piece| normalise::clean(piece)));
        };
        add(orthography.letters.as_deref().unwrap_or_default());
        add(&orthography.loan_letters);
        if let Some(locale) = &orthography.exemplars
            && let Some(found) = LanguageTag::parse(locale).ok().and_then(|t| Exemplars::of(&t))
        {
            letters.extend(
                found
                    .main
                    .iter()
                    .chain(&found.auxiliary)
                    .map(|l| normalise::clean(l)),
            );
        }
        let longest = letters.iter().map(|l| l.chars().count()).max().unwrap_or(1);
        Self {
            script: orthography.script.clone(),
            orthography: orthography.clone(),
            letters,
            longest,
        }
    }

    fn problem(&self, lower: &str) -> Option<Misspelling> {
        for violation in &self.orthography.violation {
            let found = lower.contains(&violation.text);
            if found {
                let (text, reason) = (violation.text.clone(), violation.reason.clone());
                return Some(Misspelling::Forbidden { text, reason });
            }
        }
        let chars: Vec<char> = lower.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            let longest = self.longest.min(chars.len() - at);
            let letter = (1..=longest).rev().find(|n| {
                let piece: String = chars[at..at + n].iter().collect();
                self.letters.contains(&piece)
            });
            match letter {
                Some(length) => at += length,
                // Digits and the joiners inside words are no letters of any alphabet.
                None if !chars[at].is_alphabetic() && !is_mark(chars[at]) => at += 1,
                None => return Some(Misspelling::Letter(chars[at].to_string())),
            }
        }
        None
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The script of the first letter that has one.
fn main_script(word: &str) -> Option<&'static str> {
    let scripts = word.chars().filter(|c| c.is_alphabetic()).map(|c| c.script());
    scripts
        .filter(|s| !matches!(s, Script::Common | Script::Inherited | Script::Unknown))
        .map(Script::short_name)
        .next()
}
