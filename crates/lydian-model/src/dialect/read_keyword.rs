//! Reads the keywords of a T1 item (decision 35).

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{Fields, Finding};
use super::keyword::{Keyword, PartOfSpeech};

const RULE: &str = "decision 35";
const FIELDS: [&str; 6] = ["word", "lemma", "pos", "weight", "forms", "synonyms"];

/// Returns the keywords of an item, or `None` when one of them cannot be used.
pub(super) fn read_keywords(fields: &mut Fields<'_>) -> Option<Vec<Keyword>> {
    let values = fields.list("keywords", RULE).cloned().unwrap_or_default();
    if values.is_empty() {
        let message = "a T1 item has no keywords: its coverage would be undefined";
        let fix = "add the content words of the reference; `lydian dialect suggest-keywords` drafts them";
        fields.note("keywords", Finding::error("no_keywords", RULE, message, fix));
        return None;
    }
    let read = fields.list("keywords", RULE)?.iter().enumerate();
    let keywords: Vec<Option<Keyword>> = read.map(|(at, value)| read_keyword(fields, at, value)).collect();
    note_repeated(fields, &keywords);
    keywords.into_iter().collect()
}

fn read_keyword<'a>(fields: &mut Fields<'a>, at: usize, value: &'a Value) -> Option<Keyword> {
    let mut keyword = fields.nested(&format!("keywords/{at}"), value, RULE)?;
    keyword.only(&FIELDS, RULE);
    let word = read_word(&mut keyword, "word");
    let lemma = read_word(&mut keyword, "lemma");
    let pos = keyword.text("pos", "D §2").and_then(|tag| {
        let pos = PartOfSpeech::from_tag(&tag);
        if pos.is_none() {
            let message = format!("`{tag}` is no part of speech with a weight");
            let fix = "use NOUN, VERB, PROPN, ADJ or NUM; function words have weight 0 and are left out";
            keyword.note("pos", Finding::error("unknown_pos", "D §2", message, fix));
        }
        pos
    });
    let weighted = pos.is_none_or(|pos| has_weight_of(&mut keyword, pos));
    let forms = read_spellings(&mut keyword, "forms");
    let synonyms = read_spellings(&mut keyword, "synonyms");
    let (word, lemma, pos) = (word?, lemma?, pos?);
    let (forms, synonyms) = (forms?, synonyms?);
    weighted.then_some(Keyword {
        word,
        lemma,
        pos,
        weight: pos.weight(),
        forms,
        synonyms,
    })
}

/// A word must have a letter or digit, else nothing can ever match it.
fn read_word(keyword: &mut Fields<'_>, key: &str) -> Option<String> {
    let text = keyword.text(key, RULE)?;
    if text.chars().any(char::is_alphanumeric) {
        return Some(text);
    }
    let message = format!("`{key}` is `{text}`, which has no letter or digit");
    keyword.note(key, Finding::error("no_word", RULE, message, "write a word"));
    None
}

/// Returns further spellings, or `None` when one of them can never match.
fn read_spellings(keyword: &mut Fields<'_>, key: &str) -> Option<Vec<String>> {
    let texts = keyword.texts(key, RULE);
    let mut all_are_words = true;
    for (at, text) in texts.iter().enumerate() {
        if !text.chars().any(char::is_alphanumeric) {
            let message = format!("`{text}` has no letter or digit");
            let fix = "write a word or a phrase, or remove it";
            keyword.note(
                &format!("{key}/{at}"),
                Finding::error("no_word", RULE, message, fix),
            );
            all_are_words = false;
        }
    }
    all_are_words.then_some(texts)
}

fn has_weight_of(keyword: &mut Fields<'_>, pos: PartOfSpeech) -> bool {
    let wanted = pos.weight().value();
    let fix = format!("{} has the weight {wanted:?}", pos.tag());
    match keyword.value("weight").map(Value::as_f64) {
        Some(Some(weight)) if weight.to_bits() == wanted.to_bits() => true,
        Some(Some(weight)) => {
            let message = format!(
                "the weight {weight} does not fit the part of speech {}",
                pos.tag()
            );
            keyword.note("weight", Finding::error("wrong_weight", "D §2", message, &fix));
            false
        }
        Some(None) => {
            keyword.note(
                "weight",
                Finding::error("wrong_type", "D §2", "`weight` is no number", &fix),
            );
            false
        }
        None => {
            keyword.note(
                "weight",
                Finding::error("missing_field", "D §2", "`weight` is missing", &fix),
            );
            false
        }
    }
}

/// The same lemma or word with the same part of speech would count twice.
fn note_repeated(fields: &mut Fields<'_>, keywords: &[Option<Keyword>]) {
    type Names = BTreeMap<(String, PartOfSpeech), usize>;
    let (mut lemmas, mut words) = (Names::new(), Names::new());
    for (at, keyword) in keywords.iter().enumerate() {
        let Some(keyword) = keyword else { continue };
        let known = |names: &Names, text: &str| names.get(&(text.to_lowercase(), keyword.pos)).copied();
        let repeated = match (known(&lemmas, &keyword.lemma), known(&words, &keyword.word)) {
            (Some(before), _) => Some(("lemma", &keyword.lemma, before)),
            (None, Some(before)) => Some(("word", &keyword.word, before)),
            (None, None) => None,
        };
        if let Some((what, text, before)) = repeated {
            let message = format!(
                "the {what} `{text}` ({}) stands twice, first as keyword {before}",
                keyword.pos.tag()
            );
            let fix = "keep one and put further spellings into `forms`";
            fields.note_below(
                &format!("keywords/{at}"),
                Finding::error("repeated_keyword", RULE, message, fix),
            );
            continue;
        }
        lemmas.insert((keyword.lemma.to_lowercase(), keyword.pos), at);
        words.insert((keyword.word.to_lowercase(), keyword.pos), at);
    }
}
