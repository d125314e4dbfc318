//! Drafts keywords from a reference for a human to edit: no tagger, only word lists and endings.

use lydian_model::dialect::{Keyword, PartOfSpeech};

use super::normalise::{Word, fold, words};
use super::stopwords::{NUMBER_WORDS, is_function_word};

const NOUN_ENDINGS: [&str; 12] = [
    "ung", "ungen", "heit", "keit", "schaft", "schaften", "tion", "tionen", "tat", "nis", "ismus", "tum",
];
const ADJECTIVE_ENDINGS: [&str; 9] = ["ig", "lich", "isch", "bar", "sam", "los", "haft", "end", "voll"];
const INFLECTIONS: [&str; 6] = ["", "e", "en", "er", "es", "em"];

/// Returns a draft of the content words of a German reference, with weights by part of speech.
///
/// Words written with a capital count as nouns, adjectives and numerals go by their endings, other content
/// words count as verbs. The draft reaches coverage 1.0 on its reference; lemmas, forms and synonyms are
/// for the author to complete.
///
/// ```
/// let draft = lydian_scoring::dialect::suggest_keywords("Das Opfer sah den Angreifer nicht.");
/// let words: Vec<&str> = draft.iter().map(|keyword| keyword.word.as_str()).collect();
/// assert_eq!(words, ["Opfer", "sah", "Angreifer"]);
/// ```
pub fn suggest_keywords(reference: &str) -> Vec<Keyword> {
    let mut draft: Vec<Keyword> = Vec::new();
    for word in words(reference) {
        if is_function_word(&word.folded) {
            continue;
        }
        let first = starts_sentence(reference, &word);
        let keyword = keyword_of(&word, first);
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

fn keyword_of(word: &Word<'_>, first_in_sentence: bool) -> Keyword {
    let pos = part_of_speech(word, first_in_sentence);
    Keyword {
        word: word.text.to_owned(),
        lemma: lemma_of(word.text, pos),
        pos,
        weight: pos.weight(),
        forms: Vec::new(),
        synonyms: Vec::new(),
    }
}

fn part_of_speech(word: &Word<'_>, first_in_sentence: bool) -> PartOfSpeech {
    let folded = word.folded.as_str();
    let capital = word.text.chars().next().is_some_and(char::is_uppercase);
    if word.text.chars().next().is_some_and(char::is_numeric) || NUMBER_WORDS.contains(&folded) {
        PartOfSpeech::Num
    } else if capital && (!first_in_sentence || NOUN_ENDINGS.iter().any(|ending| folded.ends_with(ending))) {
        PartOfSpeech::Noun
    } else if is_adjective(folded) {
        PartOfSpeech::Adj
    } else if capital {
        // Sentences of content words begin with a noun far more often than with a verb.
        PartOfSpeech::Noun
    } else {
        PartOfSpeech::Verb
    }
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

/// A guess at the dictionary form of regular verbs; everything else stays as it stands.
fn lemma_of(text: &str, pos: PartOfSpeech) -> String {
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
