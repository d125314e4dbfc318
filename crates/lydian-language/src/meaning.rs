//! Changes that reverse a meaning and that a scorer of similarity may not see: numbers, negation, script.
use crate::card::Card;
use crate::detect::{numbers_without_counterpart, share_of_foreign_letters};
use crate::word::WordFinder;

/// From this share of letters on, a text is not in a script of its language.
const MOSTLY: f64 = 0.5;

/// Returns whether one text has a number that the other has not; both are in the language of the card. Numbers
/// written as words, other units and other clocks are no difference where the card knows them.
///
/// ```
/// use lydian_language::{Language, LanguageTag, numbers_differ};
/// let english = Language::builtin(&LanguageTag::parse("eng").unwrap()).unwrap().card;
/// assert!(numbers_differ("12 dogs", "21 dogs and 3 cats", &english));
/// assert!(!numbers_differ("five dogs", "5 dogs", &english));
/// ```
pub fn numbers_differ(reference: &str, output: &str, card: &Card) -> bool {
    numbers_without_counterpart(reference, output, card)
        || numbers_without_counterpart(output, reference, card)
}

/// Returns whether one text negates and the other does not; `None` where the card lists no words of negation.
///
/// ```
/// use lydian_language::{Language, LanguageTag, negation_differs};
/// let english = Language::builtin(&LanguageTag::parse("eng").unwrap()).unwrap().card;
/// assert_eq!(negation_differs("He is guilty.", "He isn't guilty.", &english), Some(true));
/// assert_eq!(negation_differs("He is not guilty.", "He was never guilty.", &english), Some(false));
/// ```
pub fn negation_differs(reference: &str, output: &str, card: &Card) -> Option<bool> {
    let words = &card.lexicon.negation_words;
    if words.is_empty() {
        return None;
    }
    let finder = WordFinder::new(&card.words);
    let negates = |text: &str| {
        finder
            .find(text)
            .words
            .iter()
            .any(|word| is_negation(&word.text, card))
    };
    Some(negates(reference) != negates(output))
}

/// Returns whether a word negates, by the card.
pub(crate) fn is_negation(word: &str, card: &Card) -> bool {
    let word = word.to_lowercase().replace('’', "'");
    // `n'est` and `isn't` hold their negation beside an apostrophe.
    let parts = word.split('\'').filter(|part| !part.is_empty());
    let elided = parts.clone().map(|part| format!("{part}'"));
    card.lexicon.negation_words.iter().any(|negation| {
        *negation == word
            || word.ends_with("n't") && negation == "not"
            || elided.clone().any(|part| part == *negation)
            || parts.clone().any(|part| part == negation)
    })
}

/// Returns whether most letters of a text belong to no script of the language.
pub fn is_in_foreign_script(text: &str, card: &Card) -> bool {
    share_of_foreign_letters(text, card).is_some_and(|share| share >= MOSTLY)
}
