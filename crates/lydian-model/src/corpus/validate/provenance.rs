//! Provenance that names machine-made references, which no corpus may hold (B §1.4).

use serde_json::Value;

use crate::Provenance;

/// Words of a tag that say a machine wrote the reference.
const MACHINE_WORDS: [&str; 16] = [
    "synthetic",
    "mt",
    "nmt",
    "smt",
    "mtpe",
    "llm",
    "llms",
    "gpt",
    "gpt3",
    "gpt4",
    "gpt5",
    "chatgpt",
    "deepl",
    "backtranslation",
    "backtranslated",
    "machinetranslation",
];

/// Pairs of words that say the same.
const MACHINE_PAIRS: [(&str, &str); 8] = [
    ("machine", "translated"),
    ("machine", "translation"),
    ("machine", "generated"),
    ("back", "translated"),
    ("back", "translation"),
    ("google", "translate"),
    ("ai", "generated"),
    ("ai", "translated"),
];

/// Fields of a provenance object that describe how the text came about.
const DESCRIBING: [&str; 6] = ["source_name", "method", "type", "kind", "generator", "origin"];

/// Returns the word of a tag that marks a machine-made reference.
pub(super) fn machine_word(tag: &str) -> Option<String> {
    let lower = tag.to_lowercase();
    let words: Vec<&str> = lower
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    // "non-synthetic" and "no MT" say the opposite.
    let denied = |index: usize| {
        index
            .checked_sub(1)
            .is_some_and(|before| ["no", "non", "not", "without"].contains(&words[before]))
    };
    for (index, word) in words.iter().enumerate() {
        if denied(index) {
            continue;
        }
        if MACHINE_WORDS.contains(word) {
            return Some((*word).to_owned());
        }
        if let Some(next) = words.get(index + 1)
            && MACHINE_PAIRS.contains(&(word, next))
        {
            return Some(format!("{word} {next}"));
        }
    }
    None
}

/// Returns the word of an entry's provenance that marks a machine-made reference.
pub(super) fn machine_made(provenance: &Provenance) -> Option<String> {
    match provenance {
        Provenance::Tag(tag) => machine_word(tag),
        Provenance::Source(fields) => DESCRIBING
            .iter()
            .filter_map(|field| fields.get(*field).and_then(Value::as_str))
            .find_map(machine_word)
            .or_else(|| {
                ["synthetic", "machine_translated", "machine_generated"]
                    .iter()
                    .find(|field| fields.get(**field) == Some(&Value::Bool(true)))
                    .map(|field| (*field).to_owned())
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_machine_made_references_are_found() {
        for tag in [
            "synthetic",
            "MT",
            "llm",
            "GPT-4",
            "back-translation",
            "Machine_Translated",
            "mt+postedit",
            "ai generated",
        ] {
            assert!(machine_word(tag).is_some(), "{tag}");
        }
    }

    #[test]
    fn tags_of_human_work_pass() {
        for tag in [
            "gold_standard",
            "textbook",
            "elicited",
            "corpus",
            "tatoeba",
            "non-synthetic",
            "not MT",
            "Mt. Fuji diary",
            "small dialogues",
            "UMT archive",
            "no llm",
        ] {
            let found = machine_word(tag);
            // "Mt. Fuji" is the price of finding "MT".
            assert_eq!(found.is_some(), tag.starts_with("Mt."), "{tag}");
        }
    }

    #[test]
    fn objects_are_read_too() {
        let object = |json: &str| Provenance::Source(serde_json::from_str(json).unwrap());
        assert_eq!(
            machine_made(&object(r#"{"source_name": "tatoeba", "license": "CC-BY-2.0"}"#)),
            None
        );
        assert_eq!(
            machine_made(&object(r#"{"source_name": "opus", "synthetic": true}"#)).as_deref(),
            Some("synthetic")
        );
        assert_eq!(
            machine_made(&object(r#"{"method": "LLM"}"#)).as_deref(),
            Some("llm")
        );
    }
}
