//! Words and their folded form: the one normalisation that items and outputs share (D §2 step 2, decision 36).

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word of a text: where it stands, and its folded form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word as written.
    pub text: &'a str,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset after its last character.
    pub end: usize,
    /// [`fold`] of the word.
    pub folded: String,
}

/// Returns the form under which two spellings count as the same word.
///
/// NFKC, full case folding (`ß` becomes `ss`), NFD without combining marks; characters that are not drawn
/// (zero-width space and joiners, soft hyphen, direction marks) are dropped, typographic apostrophes and
/// hyphens become the plain ones.
///
/// ```
/// assert_eq!(lydian_scoring::dialect::fold("GRÖẞTE"), "grosste");
/// assert_eq!(lydian_scoring::dialect::fold("Zǜǜg"), "zuug");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.nfkc() {
        for lower in character.to_lowercase() {
            match lower {
                'ß' => folded.push_str("ss"),
                'ς' => folded.push('σ'),
                other => folded.push(other),
            }
        }
    }
    folded
        .nfd()
        .filter(|c| !is_combining_mark(*c) && !is_undrawn(*c))
        .map(plain_joiner)
        .collect()
}

/// Returns the words of a text with their folded forms, in order.
///
/// A word is a run of letters and digits; a hyphen between two of them belongs to it (`Funk-Empfänger` is
/// one word), an apostrophe does not (`geht's` is two).
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut end = 0;
    let mut pending_hyphen = false;
    for (at, character) in text.char_indices() {
        let after = at + character.len_utf8();
        if character.is_alphanumeric() {
            if start.is_none() {
                start = Some(at);
            }
            end = after;
            pending_hyphen = false;
        } else if start.is_some() && is_combining_mark(character) && !pending_hyphen {
            end = after;
        } else if start.is_some() && is_undrawn(character) {
            // Neither ends the word nor becomes its last character.
        } else if start.is_some() && is_hyphen(character) && !pending_hyphen {
            pending_hyphen = true;
        } else {
            push_word(text, start.take(), end, &mut found);
            pending_hyphen = false;
        }
    }
    push_word(text, start, end, &mut found);
    found
}

/// Returns the folded forms of the words of a text.
pub fn folded_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.folded).collect()
}

/// Returns a text without the places where it repeats one of `quotes` word for word, and how many there were.
///
/// Case, diacritics, punctuation and quotation marks do not matter. Where two quotes begin at the same word
/// the longer one is removed. Each removed place leaves one space.
pub fn without_quotes(text: &str, quotes: &[&str]) -> (String, usize) {
    let mut needles: Vec<Vec<String>> = quotes.iter().map(|quote| folded_words(quote)).collect();
    needles.retain(|needle| !needle.is_empty());
    needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
    let found = words(text);
    let mut kept = String::with_capacity(text.len());
    let (mut copied, mut at, mut removed) = (0, 0, 0);
    while at < found.len() {
        let hit = needles.iter().find(|needle| starts_with(&found[at..], needle));
        let Some(needle) = hit else {
            at += 1;
            continue;
        };
        kept.push_str(&text[copied..found[at].start]);
        kept.push(' ');
        copied = found[at + needle.len() - 1].end;
        at += needle.len();
        removed += 1;
    }
    kept.push_str(&text[copied..]);
    (kept, removed)
}

/// Tells whether the folded words of `text` contain those of `quote` one after the other.
pub fn contains_quote(text: &str, quote: &str) -> bool {
    let needle = folded_words(quote);
    let hay = words(text);
    !needle.is_empty() && (0..hay.len()).any(|at| starts_with(&hay[at..], &needle))
}

/// Tells whether a character is not drawn and can therefore hide inside a word.
pub fn is_undrawn(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

fn starts_with(hay: &[Word<'_>], needle: &[String]) -> bool {
    hay.len() >= needle.len()
        && hay
            .iter()
            .zip(needle)
            .all(|(word, wanted)| word.folded == *wanted)
}

fn push_word<'a>(text: &'a str, start: Option<usize>, end: usize, found: &mut Vec<Word<'a>>) {
    let Some(start) = start else { return };
    let word = &text[start..end];
    found.push(Word {
        text: word,
        start,
        end,
        folded: fold(word),
    });
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{2011}')
}

fn plain_joiner(character: char) -> char {
    match character {
        '\u{2010}' | '\u{2011}' => '-',
        '’' | 'ʼ' | '\u{2018}' => '\'',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> Vec<String> {
        folded_words(text)
    }

    #[test]
    fn case_diacritics_width_and_ligatures_do_not_matter() {
        for (a, b) in [
            ("Straße", "STRASSE"),
            ("Ａntwort", "antwort"),
            ("ﬂach", "flach"),
            ("Zu\u{308}ri", "Züri"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
    }

    #[test]
    fn a_hyphen_inside_belongs_to_the_word_and_an_apostrophe_does_not() {
        assert_eq!(
            folded("Funk-Empfänger geht's - ja-"),
            ["funk-empfanger", "geht", "s", "ja"]
        );
        assert_eq!(folded("a--b"), ["a", "b"]);
        assert_eq!(folded("Nord\u{2011}Süd"), ["nord-sud"]);
    }

    #[test]
    fn invisible_characters_neither_split_nor_change_a_word() {
        assert_eq!(folded("Ha\u{200B}us"), ["haus"]);
        assert_eq!(folded("\u{FEFF}Haus\u{200D}"), ["haus"]);
        assert_eq!(folded("Ha\u{AD}us-\u{200B}tür"), ["haus-tur"]);
    }

    #[test]
    fn a_word_remembers_where_it_stands() {
        let text = "«Ü‑Wage», nöd";
        let found = words(text);
        assert_eq!(found.len(), 2);
        assert_eq!(&text[found[0].start..found[0].end], "Ü‑Wage");
        assert_eq!(found[1].text, "nöd");
    }

    #[test]
    fn a_quoted_source_is_removed_whatever_its_quotation_marks() {
        let (rest, removed) = without_quotes(
            "Der Satz «mir heere NID» heisst: Wir hören nicht.",
            &["Mir heere nid."],
        );
        assert_eq!(removed, 1);
        assert_eq!(folded(&rest), ["der", "satz", "heisst", "wir", "horen", "nicht"]);
    }

    #[test]
    fn the_longer_of_two_quotes_is_removed_first() {
        let (rest, removed) = without_quotes("a b c d", &["a b", "a b c"]);
        assert_eq!((folded(&rest), removed), (vec!["d".to_owned()], 1));
    }

    #[test]
    fn a_text_without_the_quote_is_returned_unchanged() {
        let text = "Nichts – davon,  hier.";
        assert_eq!(
            without_quotes(text, &["davon nichts", "", "!"]),
            (text.to_owned(), 0)
        );
    }
}
