//! Drafts keywords from a reference for a human to edit: no tagger, only word lists and endings.

use lydian_model::dialect::{Keyword, PartOfSpeech};

use super::normalise::{Word, fold, words};
use super::stopwords::{NUMBER_WORDS, comes_before_attributes, is_function_word};

const NOUN_ENDINGS: [&str; 12] = [
    "ung", "ungen", "heit", "keit", "schaft", "schaften", "tion", "tionen", "tat", "nis", "ismus", "tum",
];
const ADJECTIVE_ENDINGS: [&str; 9] = ["ig", "lich", "isch", "bar", "sam", "los", "haft", "end", "voll"];
const INFLECTIONS: [&str; 6] = ["", "e", "en", "er", "es", "em"];
/// The endings of an adjective before its noun, longer ones first.
const ATTRIBUTE_ENDINGS: [&str; 5] = ["en", "er", "es", "em", "e"];

/// Returns a draft of the content words of a German reference, with weights by part of speech.
///
/// Words written with a capital count as nouns, adjectives and numerals go by their endings, inflected words between
/// an article or preposition and a noun count as adjectives, other content words as verbs. The draft reaches coverage 1.0 on its reference; lemmas, forms and synonyms are
/// for the author to complete.
///
/// ```
/// let draft = lydian_scoring::dialect::suggest_keywords("Das Opfer sah den Angreifer nicht.");
/// let words: Vec<&str> = draft.iter().map(|keyword| keyword.word.as_str()).collect();
/// assert_eq!(words, ["Opfer", "sah", "Angreifer"]);
/// ```
pub fn suggest_keywords(reference: &str) -> Vec<Keyword> {
    let mut draft: Vec<Keyword> = Vec::new();
    let all = words(reference);
    for (at, word) in all.iter().enumerate() {
        if is_function_word(&word.folded) {
            continue;
        }
        let keyword = keyword_of(word, part_of_speech(reference, &all, at));
        let known = draft.iter_mut().find(|known| {
            known.pos == keyword.pos
                && (fold(&known.lemma) == fold(&keyword.lemma) || known.word == keyword.word)
        });
        match known {
            Some(known) if known.word != keyword.word => known.forms.push(keyword.word),
            Some(_) => {}
            None => draft.push(keyword),
        }
    }
    draft
}

fn keyword_of(word: &Word<'_>, pos: PartOfSpeech) -> Keyword {
    Keyword {
        word: word.text.to_owned(),
        lemma: lemma_of(word.text, pos),
        pos,
        weight: pos.weight(),
        forms: Vec::new(),
        synonyms: Vec::new(),
    }
}

fn part_of_speech(reference: &str, all: &[Word<'_>], at: usize) -> PartOfSpeech {
    let word = &all[at];
    let folded = word.folded.as_str();
    let first_in_sentence = starts_sentence(reference, word);
    let capital = is_capital(word);
    if word.text.chars().next().is_some_and(char::is_numeric) || NUMBER_WORDS.contains(&folded) {
        PartOfSpeech::Num
    } else if capital && (!first_in_sentence || NOUN_ENDINGS.iter().any(|ending| folded.ends_with(ending))) {
        PartOfSpeech::Noun
    } else if is_adjective(folded) || is_attribute(reference, all, at) {
        PartOfSpeech::Adj
    } else if capital {
        // Sentences of content words begin with a noun far more often than with a verb.
        PartOfSpeech::Noun
    } else {
        PartOfSpeech::Verb
    }
}

/// Tells whether an inflected word stands between an article or preposition and a noun, alone or with others like it.
fn is_attribute(reference: &str, all: &[Word<'_>], at: usize) -> bool {
    let inflected = |word: &Word<'_>| {
        !is_capital(word)
            && ATTRIBUTE_ENDINGS
                .iter()
                .any(|ending| word.folded.ends_with(ending))
    };
    let between = |left: &Word<'_>, right: &Word<'_>| reference[left.end..right.start].trim();
    let joined = |left: &Word<'_>, right: &Word<'_>| between(left, right).is_empty();
    let listed = |left: &Word<'_>, right: &Word<'_>| matches!(between(left, right), "" | ",");
    let describes = |word: &Word<'_>| inflected(word) && !is_function_word(&word.folded);
    let mut first = at;
    while first > 0 && describes(&all[first - 1]) && listed(&all[first - 1], &all[first]) {
        first -= 1;
    }
    let mut last = at;
    while last + 1 < all.len() && describes(&all[last + 1]) && listed(&all[last], &all[last + 1]) {
        last += 1;
    }
    let opened =
        first > 0 && comes_before_attributes(&all[first - 1].folded) && joined(&all[first - 1], &all[first]);
    let closed = all
        .get(last + 1)
        .is_some_and(|noun| is_capital(noun) && joined(&all[last], noun));
    describes(&all[at]) && opened && closed
}

fn is_capital(word: &Word<'_>) -> bool {
    word.text.chars().next().is_some_and(char::is_uppercase)
}

fn is_adjective(folded: &str) -> bool {
    ADJECTIVE_ENDINGS.iter().any(|ending| {
        INFLECTIONS.iter().any(|inflection| {
            folded
                .strip_suffix(inflection)
                .is_some_and(|stem| stem.ends_with(ending) && stem.len() > ending.len() + 1)
        })
    })
}

/// A guess at the dictionary form of regular verbs and of adjectives in `-e` and `-en`; everything else stays as it
/// stands.
fn lemma_of(text: &str, pos: PartOfSpeech) -> String {
    if pos == PartOfSpeech::Adj {
        let bare = text.strip_suffix("en").or_else(|| text.strip_suffix('e'));
        let bare = bare.filter(|bare| bare.chars().count() >= 3);
        return bare.unwrap_or(text).to_owned();
    }
    if pos != PartOfSpeech::Verb {
        return text.to_owned();
    }
    let lower = text.to_lowercase();
    let stem = ["test", "ten", "te", "t"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending));
    match stem {
        Some(stem) if stem.chars().count() >= 3 && !stem.starts_with("ge") && !lower.ends_with("en") => {
            format!("{stem}en")
        }
        Some(_) | None => lower,
    }
}

fn starts_sentence(text: &str, word: &Word<'_>) -> bool {
    let before =
        text[..word.start].trim_end_matches(|c: char| c.is_whitespace() || "\"'«»„“”‚‘’(–-".contains(c));
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::coverage;

    fn tags(reference: &str) -> Vec<(String, &'static str)> {
        suggest_keywords(reference)
            .into_iter()
            .map(|keyword| (keyword.word, keyword.pos.tag()))
            .collect()
    }

    fn expected(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        pairs
            .iter()
            .map(|(word, tag)| ((*word).to_owned(), *tag))
            .collect()
    }

    #[test]
    fn function_words_are_left_out_and_endings_decide_the_rest() {
        assert_eq!(
            tags("Die freundlichen Kinder haben im Jahr 1928 drei Lieder gesungen."),
            expected(&[
                ("freundlichen", "ADJ"),
                ("Kinder", "NOUN"),
                ("Jahr", "NOUN"),
                ("1928", "NUM"),
                ("drei", "NUM"),
                ("Lieder", "NOUN"),
                ("gesungen", "VERB"),
            ])
        );
    }

    #[test]
    fn inflected_words_before_a_noun_are_adjectives_and_verbs_are_not() {
        assert_eq!(
            tags("Die grösste, schönste Stadt mit grossen bunten Wagen, sagte die lachende Nachbarin."),
            expected(&[
                ("grösste", "ADJ"),
                ("schönste", "ADJ"),
                ("Stadt", "NOUN"),
                ("grossen", "ADJ"),
                ("bunten", "ADJ"),
                ("Wagen", "NOUN"),
                ("sagte", "VERB"),
                ("lachende", "ADJ"),
                ("Nachbarin", "NOUN"),
            ])
        );
        assert_eq!(
            tags("Wir sehen Berge in der ganzen Schweiz, die Kinder essen Brot."),
            expected(&[
                ("sehen", "VERB"),
                ("Berge", "NOUN"),
                ("ganzen", "ADJ"),
                ("Schweiz", "NOUN"),
                ("Kinder", "NOUN"),
                ("essen", "VERB"),
                ("Brot", "NOUN"),
            ])
        );
        assert_eq!(suggest_keywords("in der ganzen Schweiz")[0].lemma, "ganz");
    }

    #[test]
    fn a_word_that_returns_is_one_keyword() {
        assert_eq!(
            tags("Wasser ist Wasser. Er suchte, sie sucht."),
            expected(&[("Wasser", "NOUN"), ("suchte", "VERB")])
        );
        let searched = &suggest_keywords("Er suchte, sie sucht.")[0];
        assert_eq!(
            (searched.lemma.as_str(), searched.forms.as_slice()),
            ("suchen", ["sucht".to_owned()].as_slice())
        );
    }

    #[test]
    fn a_draft_covers_its_reference() {
        for reference in [
            "Das Opfer sah den Angreifer nicht.",
            "Geht's heute? Funk-Empfänger aus!",
            "«Regnet» es 2 Mal",
        ] {
            let draft = suggest_keywords(reference);
            assert!(coverage(&draft, reference).is_complete(), "{reference}");
        }
    }

    #[test]
    fn a_reference_without_content_words_has_no_draft() {
        assert_eq!(suggest_keywords("Das ist es."), []);
    }
}
