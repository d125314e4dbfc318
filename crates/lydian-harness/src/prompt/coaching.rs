//! Coaching data: notes, examples, dictionary and glossary that a method gives to its model.

use lydian_model::{EntryId, Sha256Hex};
use serde::Deserialize;

/// A coaching file, `coaching/NAME.toml` of a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coaching {
    sha256: Option<Sha256Hex>,
    source: String,
    notes: String,
    examples: Vec<Example>,
    dictionary: Vec<Term>,
    glossary: Vec<Term>,
}

/// A worked example.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Text in the source language.
    pub source: String,
    /// Its translation.
    pub target: String,
    /// The entry of the corpus it is taken from; such an entry is not evaluated.
    #[serde(default)]
    pub entry_id: Option<EntryId>,
}

/// A term and how it may be translated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Term in the source language.
    pub term: String,
    /// Translations, best first.
    pub translations: Vec<String>,
    /// A remark for the model.
    #[serde(default)]
    pub note: Option<String>,
}

/// A coaching file that is not valid.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum CoachingError {
    /// The file is not valid TOML of this form.
    #[error("the coaching data is not valid: {0}")]
    Syntax(String),
    /// An example or term without text.
    #[error("{kind} {number}: {field} is empty")]
    Empty {
        /// `example`, `dictionary` or `glossary`.
        kind: &'static str,
        /// Its number, from 1.
        number: usize,
        /// The empty field.
        field: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    notes: String,
    #[serde(default, rename = "example")]
    examples: Vec<Example>,
    #[serde(default)]
    dictionary: Vec<Term>,
    #[serde(default)]
    glossary: Vec<Term>,
}

impl Coaching {
    /// Reads a coaching file; its digest is that of the file's bytes.
    pub fn parse(text: &str) -> Result<Self, CoachingError> {
        let file: File = toml::from_str(text).map_err(|error| CoachingError::Syntax(error.to_string()))?;
        let empty = |kind, number, field| CoachingError::Empty { kind, number, field };
        for (index, example) in file.examples.iter().enumerate() {
            if example.source.trim().is_empty() || example.target.trim().is_empty() {
                return Err(empty("example", index + 1, "source or target"));
            }
        }
        for (kind, terms) in [("dictionary", &file.dictionary), ("glossary", &file.glossary)] {
            for (index, term) in terms.iter().enumerate() {
                if term.term.trim().is_empty() || term.translations.is_empty() {
                    return Err(empty(kind, index + 1, "term or translations"));
                }
            }
        }
        Ok(Self {
            sha256: Some(Sha256Hex::of(text.as_bytes())),
            source: text.to_owned(),
            notes: file.notes.trim().to_owned(),
            examples: file.examples,
            dictionary: file.dictionary,
            glossary: file.glossary,
        })
    }

    /// Returns the digest of the file; `None` when there is none.
    pub fn sha256(&self) -> Option<&Sha256Hex> {
        self.sha256.as_ref()
    }

    /// Returns the file as it is; empty when there is none.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the notes.
    pub fn notes(&self) -> &str {
        &self.notes
    }

    /// Returns the examples.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Returns the dictionary.
    pub fn dictionary(&self) -> &[Term] {
        &self.dictionary
    }

    /// Returns the glossary.
    pub fn glossary(&self) -> &[Term] {
        &self.glossary
    }

    /// Returns all of it as text, in the order notes, examples, dictionary, glossary.
    pub fn text(&self) -> String {
        let parts = [
            self.notes.clone(),
            self.examples_text(),
            self.dictionary_text(),
            self.glossary_text(),
        ];
        parts
            .iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join("\n\n")
    }

    /// Returns the examples as text.
    pub fn examples_text(&self) -> String {
        self.examples
            .iter()
            .map(|example| format!("{} → {}", example.source, example.target))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns the dictionary as text.
    pub fn dictionary_text(&self) -> String {
        terms_text(self.dictionary.iter())
    }

    /// Returns the glossary as text.
    pub fn glossary_text(&self) -> String {
        terms_text(self.glossary.iter())
    }

    /// Returns the dictionary's lines whose term stands in `source` as whole words, case ignored.
    pub fn matches_text(&self, source: &str) -> String {
        terms_text(
            self.dictionary
                .iter()
                .filter(|term| contains_words(source, &term.term)),
        )
    }
}

fn terms_text<'a>(terms: impl Iterator<Item = &'a Term>) -> String {
    let line = |term: &Term| {
        let note = term
            .note
            .as_ref()
            .map(|note| format!(" ({note})"))
            .unwrap_or_default();
        format!("{}: {}{note}", term.term, term.translations.join(", "))
    };
    terms.map(line).collect::<Vec<_>>().join("\n")
}

/// Returns whether `words` stand in `text` with no letter or digit next to them, case ignored.
pub(crate) fn contains_words(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.trim().to_lowercase());
    if words.is_empty() {
        return false;
    }
    text.match_indices(&words).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "notes = \"Verbs come first.\"\n[[example]]\nsource = \"I see\"\ntarget = \"niwâpahtên\"\n\
        entry_id = 7\n[[dictionary]]\nterm = \"dog\"\ntranslations = [\"atim\"]\nnote = \"animate\"\n\
        [[dictionary]]\nterm = \"C++\"\ntranslations = [\"C++\"]\n[[glossary]]\nterm = \"health\"\n\
        translations = [\"miyomahcihowin\"]\n";

    #[test]
    fn everything_of_the_file_is_in_the_text() {
        let coaching = Coaching::parse(FILE).unwrap();
        assert_eq!(
            coaching.text(),
            "Verbs come first.\n\nI see → niwâpahtên\n\ndog: atim (animate)\nC++: C++\n\nhealth: miyomahcihowin"
        );
        assert_eq!(coaching.examples()[0].entry_id, Some(EntryId::integer(7)));
        assert_eq!(coaching.sha256(), Some(&Sha256Hex::of(FILE.as_bytes())));
    }

    #[test]
    fn terms_match_whole_words() {
        let coaching = Coaching::parse(FILE).unwrap();
        assert_eq!(
            coaching.matches_text("The Dog uses C++."),
            "dog: atim (animate)\nC++: C++"
        );
        assert_eq!(coaching.matches_text("hotdogs"), "");
        assert!(!contains_words("les achats", "chat"));
        assert!(contains_words("un chat", "chat"));
        assert!(!contains_words("x", ""));
    }

    #[test]
    fn empty_examples_are_refused() {
        let error = Coaching::parse("[[example]]\nsource = \"a\"\ntarget = \" \"").unwrap_err();
        assert_eq!(
            error,
            CoachingError::Empty {
                kind: "example",
                number: 1,
                field: "source or target"
            }
        );
        assert!(Coaching::parse("[[glossary]]\nterm = \"a\"\ntranslations = []").is_err());
    }
}
