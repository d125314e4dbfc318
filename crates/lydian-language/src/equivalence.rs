//! Equivalent match: outputs that equal the reference or a variant by a rule of the card.
use crate::card::{Card, Rewrite, SynonymLevel};
use crate::fst_check::FstChecker;
use crate::meaning::is_negation;
use crate::morphology::units_of;
use crate::normalise;
use crate::word::{Word, WordFinder};
use serde::Serialize;

/// A rule that may make two texts equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Quotation marks, apostrophes, dashes and spaces of different kinds; commas and the full stop at the end.
    Typography,
    /// A spelling convention of the card.
    Spelling,
    /// A hyphen, a space or nothing between the same words.
    Attachment,
    /// A word that may be left out.
    OptionalWord,
    /// A word of the same set of synonyms.
    Synonym,
    /// The same words in another order.
    WordOrder,
}

impl Rule {
    /// Every rule, in the order in which they are tried.
    pub const ALL: [Self; 6] = [
        Self::Typography,
        Self::Spelling,
        Self::Attachment,
        Self::OptionalWord,
        Self::Synonym,
        Self::WordOrder,
    ];

    /// Returns the name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typography => "typography",
            Self::Spelling => "spelling",
            Self::Attachment => "attachment",
            Self::OptionalWord => "optional_word",
            Self::Synonym => "synonym",
            Self::WordOrder => "word_order",
        }
    }
}

/// What an output equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EqualTo {
    /// The reference.
    Reference,
    /// The variant with this number, from 0 on.
    Variant(usize),
}

/// Why an output counts as equivalent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquivalentMatch {
    /// The text it equals.
    pub to: EqualTo,
    /// The fewest rules that make it equal; empty where it is the text itself.
    pub rules: Vec<Rule>,
}

/// Compares outputs with references by the rules of a card.
pub struct Equivalence<'c> {
    card: &'c Card,
    finder: WordFinder,
    spelling: Vec<Rewrite>,
    /// Sets of rules to try, small ones first.
    attempts: Vec<Vec<Rule>>,
}

impl<'c> Equivalence<'c> {
    /// Returns the comparison for a card.
    pub fn new(card: &'c Card) -> Self {
        let rules = &card.equivalence;
        let conventions = card.orthographies.iter().flat_map(|o| &o.normalise);
        let spelling: Vec<Rewrite> = rules.spelling.iter().chain(conventions).cloned().collect();
        let usable = |rule: &Rule| match rule {
            Rule::Typography => true,
            Rule::Spelling => !spelling.is_empty(),
            Rule::Attachment => rules.loose_attachment,
            Rule::OptionalWord => !rules.optional_words.is_empty(),
            Rule::Synonym => !rules.synonyms.is_empty(),
            Rule::WordOrder => rules.free_word_order,
        };
        let usable: Vec<Rule> = Rule::ALL.into_iter().filter(usable).collect();
        let mut attempts: Vec<Vec<Rule>> = (0u32..1 << usable.len())
            .map(|set| {
                usable
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| set >> i & 1 == 1)
                    .map(|(_, r)| *r)
                    .collect()
            })
            .collect();
        attempts.sort_by_key(Vec::len);
        Self {
            card,
            finder: WordFinder::new(&card.words),
            spelling,
            attempts,
        }
    }

    /// Returns what the output equals and by which rules, or `None`. An empty output equals nothing.
    pub fn find(
        &self,
        output: &str,
        reference: &str,
        variants: &[String],
        mut checker: Option<&mut FstChecker<'_>>,
    ) -> Option<EquivalentMatch> {
        let output = normalise::clean(output.trim());
        if output.is_empty() {
            return None;
        }
        let texts: Vec<(EqualTo, String)> = std::iter::once((EqualTo::Reference, reference))
            .chain(
                variants
                    .iter()
                    .enumerate()
                    .map(|(i, v)| (EqualTo::Variant(i), v.as_str())),
            )
            .map(|(to, text)| (to, normalise::clean(text.trim())))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        for rules in &self.attempts {
            let ours = self.form(&output, rules, checker.as_deref_mut());
            for (to, text) in &texts {
                if ours == self.form(text, rules, checker.as_deref_mut()) {
                    return Some(EquivalentMatch {
                        to: *to,
                        rules: rules.clone(),
                    });
                }
            }
        }
        None
    }

    /// The form in which two texts are equal under these rules.
    fn form(&self, text: &str, rules: &[Rule], mut checker: Option<&mut FstChecker<'_>>) -> Vec<String> {
        if rules.is_empty() {
            return vec![text.to_owned()];
        }
        let uses = |rule| rules.contains(&rule);
        let mut text = text.to_owned();
        if uses(Rule::Spelling) {
            text = normalise::rewrite(&text, &self.spelling);
        }
        if rules == [Rule::Spelling] {
            return vec![text];
        }
        let mut tokens = self.tokens(&text, uses(Rule::Typography));
        if uses(Rule::OptionalWord) {
            let optional = |token: &Token| token.word.as_ref().is_some_and(|w| self.is_optional(&w.text));
            tokens.retain(|token| !optional(token));
        }
        let mut forms: Vec<String> = tokens
            .iter()
            .map(|token| match &token.word {
                Some(word) if uses(Rule::Synonym) => self.synonym(word, checker.as_deref_mut()),
                _ => token.text.clone(),
            })
            .collect();
        if uses(Rule::WordOrder) {
            for (form, token) in forms.iter_mut().zip(&tokens) {
                if let Some(word) = &token.word {
                    *form =
                        analyses_of(word, checker.as_deref_mut()).unwrap_or_else(|| fold_start(word, form));
                }
            }
            if self.bind_negations(&tokens, &mut forms) {
                forms.sort();
            }
        }
        if uses(Rule::Attachment) {
            return vec![
                forms
                    .concat()
                    .chars()
                    .filter(|c| !matches!(c, '-' | ' ' | '\u{2010}' | '\u{2011}'))
                    .collect(),
            ];
        }
        forms
    }

    /// Words, numbers and the punctuation that changes the meaning.
    fn tokens(&self, text: &str, loosely: bool) -> Vec<Token> {
        let folded: String = if loosely {
            text.chars().flat_map(typographic).collect()
        } else {
            text.to_owned()
        };
        let mut tokens = Vec::new();
        let mut at = 0;
        for word in self.finder.find(&folded).words {
            let Some(offset) = folded[at..].find(&word.text) else {
                continue;
            };
            push_punctuation(&folded[at..at + offset], loosely, &mut tokens);
            at += offset + word.text.len();
            tokens.push(Token {
                text: word.text.clone(),
                word: Some(word),
            });
        }
        push_punctuation(&folded[at..], loosely, &mut tokens);
        tokens
    }

    /// Joins every negation with what follows it: what is negated must stay negated in any order. Returns whether the order is
    /// free then; it is not where the same word stands once with and once without a negation.
    fn bind_negations(&self, tokens: &[Token], forms: &mut Vec<String>) -> bool {
        let mut is_free = true;
        for at in (0..forms.len().saturating_sub(1)).rev() {
            let word = tokens[at].word.as_ref();
            if word.is_some_and(|word| is_negation(&word.text, self.card)) {
                let next = forms.remove(at + 1);
                is_free &= !forms.contains(&next);
                forms[at] = format!("{} {next}", forms[at]);
            }
        }
        is_free
    }

    fn is_optional(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        self.card
            .equivalence
            .optional_words
            .iter()
            .any(|o| o.to_lowercase() == lower)
    }

    /// The first word of the set of synonyms, with the tags of the form where lemmas are compared.
    fn synonym(&self, word: &Word, checker: Option<&mut FstChecker<'_>>) -> String {
        let sets = &self.card.equivalence.synonyms;
        let first_of = |text: &str| {
            let lower = text.to_lowercase();
            sets.iter()
                .find(|set| set.iter().any(|w| w.to_lowercase() == lower))
                .map(|set| set[0].to_lowercase())
        };
        let by_lemma = self.card.equivalence.synonym_level == SynonymLevel::Lemma;
        if let Some(checker) = checker.filter(|_| by_lemma) {
            let units = checker.analyses(word);
            let mut replaced = units
                .iter()
                .map(|a| units_of(a.text(), checker.analyser()))
                .filter_map(|units| {
                    first_of(&units.lemma).map(|lemma| format!("{lemma}{}", units.tags.concat()))
                });
            return replaced.next().unwrap_or_else(|| word.text.clone());
        }
        first_of(&word.text).unwrap_or_else(|| word.text.clone())
    }
}

struct Token {
    text: String,
    /// `None` for punctuation and numbers.
    word: Option<Word>,
}

/// Keeps what stands between words: all of it, or only the marks that change the meaning.
fn push_punctuation(between: &str, loosely: bool, tokens: &mut Vec<Token>) {
    for piece in between.split_whitespace() {
        let kept: String = piece
            .chars()
            .filter(|c| !loosely || c.is_numeric() || matches!(c, '?' | '!' | '%' | '+' | '€' | '$'))
            .collect();
        if !kept.is_empty() {
            tokens.push(Token {
                text: kept,
                word: None,
            });
        }
    }
}

/// One character for all of its kind.
fn typographic(c: char) -> impl Iterator<Item = char> {
    let plain = match c {
        '’' | '‘' | 'ʼ' | '‛' => '\'',
        '“' | '”' | '„' | '«' | '»' | '‹' | '›' => '"',
        '\u{2010}' | '\u{2011}' => '-',
        '–' | '—' | '\u{2212}' => '–',
        '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{3000}' => ' ',
        '؟' | '？' => '?',
        '！' => '!',
        other => other,
    };
    let dots = if c == '…' { 3 } else { 1 };
    std::iter::repeat_n(if c == '…' { '.' } else { plain }, dots)
}

/// A word at the start of a sentence has its capital from there.
fn fold_start(word: &Word, form: &str) -> String {
    if word.starts_sentence {
        normalise::lower_first(form).unwrap_or_else(|| form.to_owned())
    } else {
        form.to_owned()
    }
}

/// All analyses of a word as one text; `None` without an analyser or an analysis.
fn analyses_of(word: &Word, checker: Option<&mut FstChecker<'_>>) -> Option<String> {
    let checker = checker?;
    let mut texts: Vec<String> = checker
        .analyses(word)
        .iter()
        .map(|a| a.text().to_owned())
        .collect();
    texts.sort();
    texts.dedup();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Results on entries that have known variants: a hint at a reference that was known (B §9.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VariantLint {
    /// Entries with variants.
    pub entries: usize,
    /// Outputs equal to the reference itself.
    pub equal_to_reference: usize,
    /// Outputs equal to a variant.
    pub equal_to_variant: usize,
}

impl VariantLint {
    /// Adds an entry that has variants.
    pub fn add(&mut self, found: Option<&EquivalentMatch>) {
        self.entries += 1;
        match found {
            Some(EquivalentMatch {
                to: EqualTo::Reference,
                rules,
            }) if rules.is_empty() => self.equal_to_reference += 1,
            Some(EquivalentMatch {
                to: EqualTo::Variant(_),
                ..
            }) => self.equal_to_variant += 1,
            _ => {}
        }
    }

    /// Returns whether the outputs hit the very reference too often where other translations are as good.
    pub fn is_suspicious(&self) -> bool {
        self.entries >= 10 && self.equal_to_reference * 20 >= self.entries * 19
    }
}
