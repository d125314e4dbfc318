//! A language with everything its card names, opened and ready to use.
use crate::analyser::{Analyser, AnalyserError, hex_sha256};
use crate::builtin::BuiltinCard;
use crate::card::{AnalyserCard, Card, CardError};
use crate::fst_check::FstChecker;
use crate::glossary::Glossary;
use crate::orthography::OrthographyChecker;
use crate::word::WordFinder;
use lydian_model::LanguageTag;
use std::collections::BTreeSet;
use std::io;

/// A card with its files.
#[derive(Debug)]
pub struct Language {
    /// The card.
    pub card: Card,
    /// Whether there is a card, or only a tag.
    pub has_card: bool,
    analyser: Result<Analyser, String>,
    allow: Vec<String>,
    glossary: Result<Glossary, String>,
    lexicon: BTreeSet<String>,
    problems: Vec<String>,
}

impl Language {
    /// Opens the files that a card names; `read` returns the bytes of a file beside the card.
    ///
    /// A file that is missing or broken takes its metrics away, with the reason; it is no error.
    pub fn open(card: Card, mut read: impl FnMut(&str) -> io::Result<Vec<u8>>) -> Self {
        let mut problems = Vec::new();
        let analyser = open_analyser(&card, &mut read);
        let glossary = match &card.glossary {
            None => Err("the language card names no glossary".to_owned()),
            Some(glossary) => text(&glossary.file, &mut read)
                .and_then(|text| Glossary::parse(&glossary.file, &text).map_err(|e| e.to_string())),
        };
        let mut list = |file: Option<&String>| -> Vec<String> {
            let Some(file) = file else { return Vec::new() };
            match text(file, &mut read) {
                Ok(text) => {
                    let lines = text
                        .lines()
                        .map(str::trim)
                        .filter(|l| !l.is_empty() && !l.starts_with('#'));
                    lines.map(str::to_owned).collect()
                }
                Err(problem) => {
                    problems.push(problem);
                    Vec::new()
                }
            }
        };
        let allow = list(card.words.allow_file.as_ref());
        let lexicon = list(card.lexicon.file.as_ref())
            .into_iter()
            .map(|w| crate::detect::fold(&w))
            .collect();
        Self {
            card,
            has_card: true,
            analyser,
            allow,
            glossary,
            lexicon,
            problems,
        }
    }

    /// Returns the card of the program for a language, or what holds for a language without one.
    pub fn builtin(tag: &LanguageTag) -> Result<Self, CardError> {
        let Some(found) = BuiltinCard::find(tag) else {
            return Ok(Self::unknown(tag));
        };
        let missing = || io::Error::new(io::ErrorKind::NotFound, "not part of the program");
        Ok(Self::open(found.card()?, |name| {
            found.file(name).map(<[u8]>::to_vec).ok_or_else(missing)
        }))
    }

    /// Returns a language of which nothing but the tag is known.
    pub fn unknown(tag: &LanguageTag) -> Self {
        let none = || format!("there is no language card for `{tag}`");
        Self {
            card: Card::unknown(tag),
            has_card: false,
            analyser: Err(none()),
            allow: Vec::new(),
            glossary: Err(none()),
            lexicon: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the language with another file as its analyser, whose answers are read as the card says. Without an
    /// analyser in the card, analyses with `+Err/…` do not accept a word.
    pub fn with_analyser(self, bytes: Vec<u8>) -> Result<Self, AnalyserError> {
        let named = self
            .card
            .analyser
            .clone()
            .unwrap_or_else(AnalyserCard::undescribed);
        let same_file = named.sha256.as_deref() == Some(hex_sha256(&bytes).as_str());
        let named = AnalyserCard {
            sha256: None,
            version: named.version.filter(|_| same_file),
            ..named
        };
        Ok(Self {
            analyser: Ok(Analyser::open(bytes, &named)?),
            ..self
        })
    }

    /// Returns the analyser, or why there is none.
    pub fn analyser(&self) -> Result<&Analyser, &str> {
        self.analyser.as_ref().map_err(String::as_str)
    }

    /// Returns a checker of words, or why there is none.
    pub fn fst_checker(&self) -> Result<FstChecker<'_>, &str> {
        Ok(FstChecker::new(self.analyser()?, &self.card, &self.allow))
    }

    /// Returns the glossary, or why there is none.
    pub fn glossary(&self) -> Result<&Glossary, &str> {
        self.glossary.as_ref().map_err(String::as_str)
    }

    /// Returns a checker of spelling, or why there is none.
    pub fn orthography_checker(&self) -> Result<OrthographyChecker, String> {
        OrthographyChecker::new(&self.card).ok_or_else(|| {
            if self.has_card {
                "the language card declares no settled orthography".to_owned()
            } else {
                format!("there is no language card for `{}`", self.card.language)
            }
        })
    }

    /// Returns the rules of word finding.
    pub fn word_finder(&self) -> WordFinder {
        WordFinder::new(&self.card.words)
    }

    /// Returns the folded words of the card's word list.
    pub fn lexicon(&self) -> &BTreeSet<String> {
        &self.lexicon
    }

    /// Returns what is wrong with files that only help: the allow list and the word list.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

fn open_analyser(
    card: &Card,
    read: &mut impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Analyser, String> {
    let Some(named) = &card.analyser else {
        return Err("the language card names no analyser".to_owned());
    };
    let Some(file) = &named.file else {
        return Err(format!(
            "the analyser is published at {} and has not been added: `lydian language add-analyser {} FILE`",
            named.published_at, card.language
        ));
    };
    let bytes = read(file).map_err(|e| format!("{file}: {e}"))?;
    Analyser::open(bytes, named).map_err(|e| format!("{file}: {e}"))
}

fn text(file: &str, read: &mut impl FnMut(&str) -> io::Result<Vec<u8>>) -> Result<String, String> {
    let bytes = read(file).map_err(|e| format!("{file}: {e}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{file}: not UTF-8"))
}
