//! The words and character n-grams that the language gate counts.

use unicode_normalization::UnicodeNormalization;

/// The longest n-gram.
pub(crate) const LONGEST_GRAM: usize = 5;

/// A word between two `_`, with the offsets of its characters.
pub(crate) struct GateWord {
    framed: String,
    offsets: Vec<usize>,
}

/// Returns the words of a text as the gate sees them: lower case, `ß` as `ss`, runs of letters and
/// apostrophes (a typographic one counts as the plain one); digits and every other character separate.
pub(crate) fn gate_words(text: &str) -> Vec<GateWord> {
    let mut cleaned = String::with_capacity(text.len());
    for character in text.nfc().flat_map(char::to_lowercase) {
        match character {
            'ß' => cleaned.push_str("ss"),
            '’' => cleaned.push('\''),
            letter if letter.is_alphabetic() || letter == '\'' => cleaned.push(letter),
            _ => cleaned.push(' '),
        }
    }
    cleaned
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(GateWord::new)
        .collect()
}

/// Returns all n-grams of a word, of one to five characters, frame included.
pub(crate) fn grams(word: &GateWord) -> impl Iterator<Item = &str> {
    let characters = word.offsets.len() - 1;
    (1..=LONGEST_GRAM.min(characters)).flat_map(move |length| {
        (0..=characters - length).map(move |at| &word.framed[word.offsets[at]..word.offsets[at + length]])
    })
}

impl GateWord {
    fn new(word: &str) -> Self {
        let framed = format!("_{word}_");
        let offsets = framed
            .char_indices()
            .map(|(at, _)| at)
            .chain([framed.len()])
            .collect();
        Self { framed, offsets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_apostrophes_in_lower_case() {
        let words: Vec<String> = gate_words("C'è STRASSE/Straße 100x_y")
            .into_iter()
            .map(|word| word.framed)
            .collect();
        assert_eq!(words, ["_c'è_", "_strasse_", "_strasse_", "_x_", "_y_"]);
    }

    #[test]
    fn a_short_word_has_all_its_grams_once() {
        let words = gate_words("ä");
        let found: Vec<&str> = grams(&words[0]).collect();
        assert_eq!(found, ["_", "ä", "_", "_ä", "ä_", "_ä_"]);
    }
}
