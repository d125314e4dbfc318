//! Names that the source does not have.
//!
//! Where both languages mark names by capitals, a capital inside a sentence of the output has to sound like some word of the
//! source. Names that languages translate, such as those of countries and feasts, do not: only a source language whose card lists
//! them is looked at, and a sentence with one of them is judged by its other names alone.
use super::sound::{Sound, has_capitals};
use super::tokens::{Text, Token, fold};
use super::{Finding, FindingKind};
use crate::card::Card;
use crate::normalise;
use std::collections::{BTreeMap, BTreeSet};

/// Shorter words are too much alike.
const SHORTEST: usize = 3;
/// In longer texts some word sounds like any name.
const MOST_WORDS: usize = 100;
/// So many outputs make a form known as the translation of a name of their sources.
const OUTPUTS_THAT_TEACH: usize = 2;
/// Letters that a name and a listed one share from the beginning, in longer and in shorter names.
const SHARED: usize = 5;

/// What the whole run shows about the names of both languages.
pub(super) struct Names {
    /// Names that translations have in another form, in lower case; empty where the detector cannot judge.
    translated: Vec<String>,
    /// Words that stand in lower case somewhere, of the sources and of the outputs.
    ordinary: [BTreeSet<String>; 2],
    /// In how many outputs a form stands for want of a better word, by the names of their sources.
    learnt: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Names {
    pub(super) fn new(source: &Card, target: &Card, texts: &[(Text, Text)]) -> Self {
        let mut names = Self {
            translated: Vec::new(),
            ordinary: [BTreeSet::new(), BTreeSet::new()],
            learnt: BTreeMap::new(),
        };
        if source.nouns_capitalised || target.nouns_capitalised || source.lexicon.translated_names.is_empty()
        {
            return names;
        }
        names.translated = source
            .lexicon
            .translated_names
            .iter()
            .map(|name| fold(name))
            .collect();
        let small_words = source.lexicon.function_words.iter().map(|word| fold(word));
        names.ordinary[0].extend(small_words);
        for (from, to) in texts {
            for (text, ordinary) in [from, to].into_iter().zip(&mut names.ordinary) {
                let small = text.tokens.iter().filter(|token| !token.is_capitalised());
                ordinary.extend(small.map(|token| token.folded.clone()));
            }
        }
        for (from, to) in texts.iter().filter(|(from, to)| can_judge(from, to)) {
            for stranger in names.strangers(from, to) {
                let names_of_source: BTreeSet<&str> = from
                    .tokens
                    .iter()
                    .filter(|token| token.is_capitalised() && !names.ordinary[0].contains(&token.folded))
                    .map(|token| without_possessive(&token.folded))
                    .filter(|word| word.chars().count() >= SHORTEST)
                    .collect();
                let known = names.learnt.entry(stranger.folded.clone()).or_default();
                for word in names_of_source {
                    *known.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
        names
    }

    pub(super) fn find(&self, source: &Text, output: &Text) -> Option<Finding> {
        if self.translated.is_empty() || !can_judge(source, output) {
            return None;
        }
        let mut strangers = self.strangers(source, output);
        strangers.retain(|token| !self.is_learnt(token, source));
        if strangers.is_empty() {
            return None;
        }
        let sounds: Vec<(Sound, bool)> = output
            .tokens
            .iter()
            .map(|token| (Sound::of(&token.word.text), token.is_capitalised()))
            .collect();
        let kept_by = |token: &Token, counts: fn(bool) -> bool| {
            let sound = Sound::of(without_possessive(&token.word.text));
            let mut others = sounds.iter().filter(|(_, capital)| counts(*capital));
            others.any(|(other, _)| sound.may_be(other))
        };
        let names: Vec<&Token> = candidates(source, &self.ordinary[0]).collect();
        let is_lost = |token: &Token| !self.is_translated(token) && !kept_by(token, |_| true);
        let lost: Vec<&Token> = names.iter().copied().filter(|token| is_lost(token)).collect();
        let in_disguise = || {
            let mut tokens = source.tokens.iter();
            tokens.any(|token| self.is_translated(token) || (self.may_open_with_name(token) && is_lost(token)))
                // What only sounds like some small word may be a stranger too.
                || names.iter().any(|token| !kept_by(token, |capital| capital))
        };
        // A translated name may be any of the strangers, unless another name is missing too.
        let enough = if lost.is_empty() {
            !in_disguise()
        } else {
            strangers.len() <= lost.len() + 1
        };
        enough.then(|| Finding {
            kind: FindingKind::Name,
            evidence: evidence(&lost, &strangers),
        })
    }

    /// Capitals inside the sentences of the output that sound like no word of the source.
    fn strangers<'t>(&self, source: &Text, output: &'t Text) -> Vec<&'t Token> {
        let mut candidates = candidates(output, &self.ordinary[1]).peekable();
        if candidates.peek().is_none() {
            return Vec::new();
        }
        let sounds: Vec<Sound> = source
            .tokens
            .iter()
            .map(|token| Sound::of(without_possessive(&token.word.text)))
            .collect();
        candidates
            .filter(|token| {
                let sound = Sound::of(&token.word.text);
                sound.is_known() && !sounds.iter().any(|word| word.may_be(&sound))
            })
            .collect()
    }

    /// Whether the first word of a sentence may be a name: nothing shows that it is written without a capital.
    fn may_open_with_name(&self, token: &Token) -> bool {
        token.word.starts_sentence
            && token.word.text.chars().count() >= SHORTEST
            && !self.ordinary[0].contains(&token.folded)
    }

    /// Whether several outputs have the form where their sources have a name of this source.
    fn is_learnt(&self, token: &Token, source: &Text) -> bool {
        let Some(known) = self.learnt.get(&token.folded) else {
            return false;
        };
        source
            .tokens
            .iter()
            .filter_map(|from| known.get(without_possessive(&from.folded)))
            .any(|outputs| *outputs >= OUTPUTS_THAT_TEACH)
    }

    /// Whether the word is one of the listed names, or derived from one: `Americans`.
    fn is_translated(&self, token: &Token) -> bool {
        let word = without_possessive(&token.folded);
        let length = word.chars().count();
        token.is_capitalised()
            && self.translated.iter().any(|name| {
                let (known, shared) = (name.chars().count(), shared(word, name));
                word == name
                    || (shared >= SHARED && shared + 3 >= known && shared + 5 >= length)
                    || (shared + 1 >= SHARED && known <= SHARED && length <= SHARED + 1)
            })
    }
}

fn can_judge(source: &Text, output: &Text) -> bool {
    let short = |text: &Text| text.tokens.len() <= MOST_WORDS;
    short(source) && short(output) && has_capitals(&source.clean) && has_capitals(&output.clean)
}

/// Words with a capital inside a sentence that nobody writes without.
fn candidates<'t, 'o>(
    text: &'t Text,
    ordinary: &'o BTreeSet<String>,
) -> impl Iterator<Item = &'t Token> + use<'t, 'o> {
    text.tokens.iter().filter(|token| {
        let word = &token.word;
        let second = word.text.chars().nth(1);
        token.is_capitalised()
            && !word.starts_sentence
            && !token.is_quoted
            && !second.is_some_and(char::is_uppercase)
            && word.text.chars().count() >= SHORTEST
            && !normalise::is_all_caps(&word.text)
            && !ordinary.contains(&token.folded)
    })
}

fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s")
        .or_else(|| word.strip_suffix("’s"))
        .unwrap_or(word)
}

/// How many letters two words share from the beginning.
fn shared(left: &str, right: &str) -> usize {
    left.chars()
        .zip(right.chars())
        .take_while(|(a, b)| a == b)
        .count()
}

fn evidence(lost: &[&Token], strangers: &[&Token]) -> String {
    let listed = |tokens: &[&Token]| {
        let words: Vec<&str> = tokens.iter().map(|token| token.word.text.as_str()).collect();
        words.join(" ")
    };
    if lost.is_empty() {
        listed(strangers)
    } else {
        format!("{}→{}", listed(lost), listed(strangers))
    }
}
