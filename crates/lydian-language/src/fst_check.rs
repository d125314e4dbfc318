//! FST acceptance: which words of a text the analyser knows (decision 10).
mod word_cache;

pub use word_cache::WordCache;

use crate::analyser::Analyser;
use crate::card::{Card, Rewrite};
use crate::normalise;
use crate::word::{Word, WordFinder};
use lydian_hfstol::{Acceptance, Analysis, Limit, Limits, Searcher, SuggestLimits};
use std::collections::BTreeSet;
use std::sync::Arc;
use unicode_normalization::char::is_combining_mark;

/// Accepted words at most this many edits away are suggested for a rejected one.
pub const SUGGESTION_DISTANCE: u8 = 2;
/// Words of so many letters get words one edit away.
const SHORT_WORD: usize = 4;
/// At most this many are.
pub const SUGGESTIONS: usize = 5;

/// The form under which a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fallback {
    /// As it stands.
    AsIs,
    /// With a straight apostrophe or an ordinary hyphen.
    Punctuation,
    /// In lower case, or with a capital only at its beginning.
    Case,
    /// Together with the joiner that stood beside it.
    Edge,
    /// Without zero-width joiners.
    Joiners,
    /// In normal form D.
    Decomposed,
    /// Rewritten by an orthography of the card.
    Orthography,
}

impl Fallback {
    /// Returns the name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsIs => "as_is",
            Self::Punctuation => "punctuation",
            Self::Case => "case",
            Self::Edge => "edge",
            Self::Joiners => "joiners",
            Self::Decomposed => "decomposed",
            Self::Orthography => "orthography",
        }
    }
}

/// Why a word was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The analyser does not know it.
    NotFound,
    /// Every analysis carries a tag that the card excludes; one of these tags.
    ExcludedTag(String),
    /// It is longer than any look-up may be.
    TooLong,
}

/// Why a word was left out of the count although the analyser does not know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// It stands in the card's list of names and loan words.
    Listed,
    /// It is a capitalised word that the source has too, inside a sentence.
    SourceName,
}

/// What the analyser says about a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is a word of the language.
    Accepted(Fallback),
    /// It is not.
    Rejected(Rejection),
    /// A limit cut the search off before there was an answer.
    Unknown,
    /// It is not counted.
    Allowed(Allowance),
}

/// A word with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedWord {
    /// The word as found in the text.
    pub text: String,
    /// What the analyser says.
    pub verdict: Verdict,
}

/// The verdicts on a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextCheck {
    /// Every word, in order.
    pub words: Vec<CheckedWord>,
    /// Pieces that are no words: numbers, addresses, placeholders.
    pub skipped: usize,
}

impl TextCheck {
    /// Returns the number of accepted words.
    pub fn accepted(&self) -> usize {
        self.count(|v| matches!(v, Verdict::Accepted(_)))
    }

    /// Returns the number of words with an answer: accepted and rejected ones.
    pub fn checked(&self) -> usize {
        self.count(|v| matches!(v, Verdict::Accepted(_) | Verdict::Rejected(_)))
    }

    /// Returns the number of words on which a limit cut the search off.
    pub fn unknown(&self) -> usize {
        self.count(|v| matches!(v, Verdict::Unknown))
    }

    /// Returns the number of names and loan words that were left out.
    pub fn allowed(&self) -> usize {
        self.count(|v| matches!(v, Verdict::Allowed(_)))
    }

    /// Returns whether every checked word is accepted; `None` where nothing was checked.
    pub fn valid(&self) -> Option<bool> {
        let checked = self.checked();
        (checked > 0).then(|| self.accepted() == checked)
    }

    /// Returns the rejected words, in order.
    pub fn rejected(&self) -> impl Iterator<Item = &str> {
        self.words
            .iter()
            .filter(|w| matches!(w.verdict, Verdict::Rejected(_)))
            .map(|w| w.text.as_str())
    }

    fn count(&self, counts: impl Fn(&Verdict) -> bool) -> usize {
        self.words.iter().filter(|w| counts(&w.verdict)).count()
    }
}

/// Checks texts against an analyser. Words are cached: a checker, and those that share its cache, look each one up once.
pub struct FstChecker<'a> {
    analyser: &'a Analyser,
    accepting: Searcher<'a>,
    full: Searcher<'a>,
    finder: WordFinder,
    rewrites: Vec<Vec<Rewrite>>,
    allowed: BTreeSet<String>,
    cache: Arc<WordCache>,
}

impl<'a> FstChecker<'a> {
    /// Returns a checker; `allow` are the lines of the card's allow file, beside its own list.
    pub fn new(analyser: &'a Analyser, card: &Card, allow: &[String]) -> Self {
        let full = analyser.transducer().searcher();
        let rewrites = card
            .orthographies
            .iter()
            .map(|o| o.normalise.clone())
            .filter(|r| !r.is_empty());
        Self {
            accepting: analyser
                .transducer()
                .searcher()
                .excluding(|s| analyser.excludes(s)),
            full,
            analyser,
            finder: WordFinder::new(&card.words),
            rewrites: rewrites.collect(),
            allowed: card
                .words
                .allow
                .iter()
                .chain(allow)
                .map(|w| normalise::clean(w.trim()))
                .collect(),
            cache: Arc::default(),
        }
    }

    /// Takes verdicts from a cache and adds to it. All checkers that share one have to have the same analyser, card and limits.
    #[must_use]
    pub fn sharing(mut self, cache: &Arc<WordCache>) -> Self {
        self.cache = Arc::clone(cache);
        self
    }

    /// Replaces the limits of look-ups.
    #[must_use]
    pub fn with_limits(mut self, limits: &Limits) -> Self {
        self.accepting = self.accepting.with_limits(limits.clone());
        self.full = self.full.with_limits(limits.clone());
        self
    }

    /// Returns the analyser.
    pub fn analyser(&self) -> &'a Analyser {
        self.analyser
    }

    /// Gives a verdict on every word of a text. Capitalised words that `names` holds are left out when unknown.
    pub fn check(&mut self, text: &str, names: &BTreeSet<String>) -> TextCheck {
        let found = self.finder.find(text);
        let words = found.words.into_iter().map(|word| {
            let verdict = match self.verdict(&word) {
                Verdict::Rejected(_) if names.contains(&word.text) => Verdict::Allowed(Allowance::SourceName),
                verdict => verdict,
            };
            CheckedWord {
                text: word.text,
                verdict,
            }
        });
        TextCheck {
            words: words.collect(),
            skipped: found.skipped,
        }
    }

    /// Returns the analyses of a word under the first form that has an accepted one.
    pub fn analyses(&mut self, word: &Word) -> Vec<Analysis> {
        for (form, _) in self.candidates(word) {
            if self.accepting.accepts(&form) == Acceptance::Accepted {
                return self.accepting.lookup(&form).analyses;
            }
        }
        Vec::new()
    }

    /// Returns accepted words near a rejected one, nearest first; words that differ in marks only come before others.
    pub fn suggestions(&mut self, word: &str) -> Vec<String> {
        self.suggestions_within(word, SuggestLimits::default().steps)
    }

    /// Returns accepted words near a rejected one that a search of so many steps finds; it may miss some.
    pub fn suggestions_within(&mut self, word: &str, steps: usize) -> Vec<String> {
        let clean = plain_punctuation(&normalise::clean(word));
        let form = normalise::lower_first(&clean).unwrap_or(clean);
        // With two edits a short word becomes nearly any other.
        let is_short = form.chars().count() <= SHORT_WORD;
        let limits = SuggestLimits {
            distance: if is_short { 1 } else { SUGGESTION_DISTANCE },
            words: 8 * SUGGESTIONS,
            steps,
        };
        let letters = without_marks(&form);
        let mut near = self.accepting.suggest(&form, &limits);
        near.sort_by_key(|s| (without_marks(&s.word) != letters, s.distance, s.word.clone()));
        near.truncate(SUGGESTIONS);
        near.into_iter().map(|s| s.word).collect()
    }

    /// Returns the finder for the words of this language.
    pub fn finder(&self) -> &WordFinder {
        &self.finder
    }

    fn verdict(&mut self, word: &Word) -> Verdict {
        let key = format!("{}\n{}\n{}", word.text, text_of(word.before), text_of(word.after));
        if let Some(known) = self.cache.get(&key) {
            return known;
        }
        let verdict = self.look_up(word);
        self.cache.keep(key, verdict.clone());
        verdict
    }

    fn look_up(&mut self, word: &Word) -> Verdict {
        let mut unknown = false;
        let candidates = self.candidates(word);
        for (form, fallback) in &candidates {
            match self.accepting.accepts(form) {
                Acceptance::Accepted => return Verdict::Accepted(*fallback),
                Acceptance::Unknown => unknown = true,
                Acceptance::Rejected => {}
            }
        }
        if self.allowed.contains(&word.text) {
            return Verdict::Allowed(Allowance::Listed);
        }
        if unknown {
            return Verdict::Unknown;
        }
        Verdict::Rejected(self.reason(&candidates))
    }

    fn reason(&mut self, candidates: &[(String, Fallback)]) -> Rejection {
        for (form, _) in candidates {
            let found = self.full.lookup(form);
            if found.truncated == Some(Limit::WordLength) {
                return Rejection::TooLong;
            }
            let analyser = self.analyser;
            let excluded = found
                .analyses
                .iter()
                .flat_map(Analysis::symbols)
                .find(|s| analyser.excludes(s));
            if let Some(tag) = excluded {
                return Rejection::ExcludedTag(tag.to_owned());
            }
        }
        Rejection::NotFound
    }

    /// The forms under which a word is looked up, in order; each once.
    fn candidates(&self, word: &Word) -> Vec<(String, Fallback)> {
        let mut list: Vec<(String, Fallback)> = Vec::new();
        let add = |list: &mut Vec<(String, Fallback)>, form: String, fallback| {
            if !list.iter().any(|(known, _)| *known == form) {
                list.push((form, fallback));
            }
        };
        add(&mut list, word.text.clone(), Fallback::AsIs);
        add(&mut list, plain_punctuation(&word.text), Fallback::Punctuation);
        for (form, _) in list.clone() {
            for lower in case_variants(&form) {
                add(&mut list, lower, Fallback::Case);
            }
        }
        let edged = [
            word.after.map(|c| format!("{}{c}", word.text)),
            word.before.map(|c| format!("{c}{}", word.text)),
        ];
        for form in edged.into_iter().flatten() {
            add(&mut list, plain_punctuation(&form), Fallback::Edge);
            if let Some(lower) = normalise::lower_first(&form) {
                add(&mut list, plain_punctuation(&lower), Fallback::Edge);
            }
        }
        for (form, _) in list.clone() {
            add(&mut list, normalise::without_joiners(&form), Fallback::Joiners);
        }
        let composed = list.clone();
        for (form, _) in &composed {
            add(&mut list, normalise::decomposed(form), Fallback::Decomposed);
        }
        for rules in &self.rewrites {
            for (form, _) in &composed {
                add(&mut list, normalise::rewrite(form, rules), Fallback::Orthography);
            }
        }
        list
    }
}

/// Returns the capitalised words of a source that stand inside its sentences: names that may stay as they are.
///
/// In a language that capitalises its nouns a capital proves nothing, and there are none.
pub fn source_names(source: &str, card: &Card) -> BTreeSet<String> {
    if card.nouns_capitalised {
        return BTreeSet::new();
    }
    let words = WordFinder::new(&card.words).find(source).words;
    let inside = words
        .into_iter()
        .filter(|w| !w.starts_sentence && normalise::is_capitalised(&w.text));
    inside.map(|w| w.text).filter(|w| w.chars().count() > 1).collect()
}

fn text_of(edge: Option<char>) -> String {
    edge.map(String::from).unwrap_or_default()
}

fn without_marks(form: &str) -> String {
    normalise::decomposed(form)
        .chars()
        .filter(|c| !is_combining_mark(*c))
        .collect()
}

fn plain_punctuation(form: &str) -> String {
    form.chars()
        .map(|c| match c {
            '’' | 'ʼ' | '‘' => '\'',
            '\u{2010}' | '\u{2011}' => '-',
            other => other,
        })
        .collect()
}

/// A capital may stand for a small letter, never the other way round.
fn case_variants(form: &str) -> Vec<String> {
    if normalise::is_all_caps(form) {
        return vec![form.to_lowercase(), normalise::title(form)];
    }
    normalise::lower_first(form).into_iter().collect()
}
