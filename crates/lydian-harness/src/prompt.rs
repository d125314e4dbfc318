//! Prompt templates: named parts and placeholders, filled in without ever reading what was filled in.

mod coaching;

pub(crate) use coaching::contains_words;
pub use coaching::{Coaching, CoachingError, Example, Term};

use lydian_model::SourceEntry;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A prompt file, `prompts/NAME.toml` of a method.
#[derive(Clone, Debug)]
pub struct Prompt {
    source: String,
    templates: (String, String),
    system: Template,
    user: Template,
    repair: Template,
    batch: String,
    parts: BTreeMap<String, String>,
}

/// Why a prompt file was refused.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum PromptError {
    /// The file is not valid TOML of this form.
    #[error("the prompt is not valid: {0}")]
    Syntax(String),
    /// A placeholder nobody knows.
    #[error("{template}: unknown placeholder {{{name}}}; known are {known}")]
    UnknownPlaceholder {
        /// `system`, `user` or `repair`.
        template: &'static str,
        /// The placeholder's name.
        name: String,
        /// The names that may stand there.
        known: String,
    },
    /// A brace without its partner.
    #[error(
        "{template}: a brace at character {position} has no partner; write {{{{ or }}}} for a literal one"
    )]
    LoneBrace {
        /// `system`, `user` or `repair`.
        template: &'static str,
        /// Position in characters, from 1.
        position: usize,
    },
    /// The user's template does not hold the text to translate.
    #[error("user: the placeholder {{source}} is missing")]
    NoSource,
    /// The name of a part is taken by a placeholder.
    #[error("parts: {0:?} is the name of a placeholder")]
    PartName(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    system: String,
    #[serde(default = "default_user")]
    user: String,
    #[serde(default = "default_repair")]
    repair: String,
    #[serde(default = "default_batch")]
    batch: String,
    #[serde(default)]
    parts: BTreeMap<String, String>,
}

fn default_user() -> String {
    "{source}".into()
}

fn default_repair() -> String {
    "That translation was not accepted.\nRejected: {rejected}\n{message}\nAnswer with the corrected translation only.".into()
}

fn default_batch() -> String {
    "Translate every item of the list below. Answer with one JSON object and nothing else: \
     {\"translations\": [{\"id\": …, \"source\": …, \"translation\": …}]}, one element per item, with the id and the \
     source exactly as given."
        .into()
}

/// Placeholders that hold the same text for every entry of a run; only these may stand in the system prompt.
const RUN_PLACEHOLDERS: [&str; 8] = [
    "source_language",
    "target_language",
    "style",
    "coaching",
    "notes",
    "examples",
    "dictionary",
    "glossary",
];
/// Placeholders that differ between entries.
const ENTRY_PLACEHOLDERS: [&str; 7] = [
    "source",
    "context",
    "register",
    "domain",
    "question",
    "options",
    "dictionary_matches",
];
/// Placeholders of a repair.
const REPAIR_PLACEHOLDERS: [&str; 3] = ["rejected", "message", "answer"];

/// What is known before the first entry.
#[derive(Clone, Copy, Debug)]
pub struct RunValues<'a> {
    /// Name of the source language, or its tag where no name is known.
    pub source_language: &'a str,
    /// Name of the target language, or its tag.
    pub target_language: &'a str,
    /// The register asked for, if any.
    pub style: &'a str,
    /// Coaching data; empty when the method has none.
    pub coaching: &'a Coaching,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Template {
    lines: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl Prompt {
    /// Reads a prompt file.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let file: File = toml::from_str(text).map_err(|error| PromptError::Syntax(error.to_string()))?;
        Self::of_file(file, text)
    }

    /// Makes a prompt of its two templates.
    pub(crate) fn of_templates(system: &str, user: &str) -> Result<Self, PromptError> {
        let file = File {
            system: system.to_owned(),
            user: user.to_owned(),
            repair: default_repair(),
            batch: default_batch(),
            parts: BTreeMap::new(),
        };
        Self::of_file(file, "")
    }

    fn of_file(file: File, source: &str) -> Result<Self, PromptError> {
        let reserved = |name: &str| {
            RUN_PLACEHOLDERS.contains(&name)
                || ENTRY_PLACEHOLDERS.contains(&name)
                || REPAIR_PLACEHOLDERS.contains(&name)
        };
        if let Some(name) = file.parts.keys().find(|name| reserved(name)) {
            return Err(PromptError::PartName(name.clone()));
        }
        let known = |groups: &[&[&str]]| -> Vec<String> {
            let parts = file.parts.keys().cloned();
            groups
                .iter()
                .flat_map(|group| group.iter())
                .map(|name| (*name).to_owned())
                .chain(parts)
                .collect()
        };
        let in_system = known(&[&RUN_PLACEHOLDERS]);
        let in_user = known(&[&RUN_PLACEHOLDERS, &ENTRY_PLACEHOLDERS]);
        let in_repair = known(&[&RUN_PLACEHOLDERS, &ENTRY_PLACEHOLDERS, &REPAIR_PLACEHOLDERS]);
        let user = Template::parse("user", &file.user, &in_user)?;
        if !user.uses("source") {
            return Err(PromptError::NoSource);
        }
        Ok(Self {
            source: source.to_owned(),
            templates: (file.system.trim().to_owned(), file.user.trim().to_owned()),
            system: Template::parse("system", &file.system, &in_system)?,
            user,
            repair: Template::parse("repair", &file.repair, &in_repair)?,
            batch: file.batch,
            parts: file.parts,
        })
    }

    /// Returns the file as it is.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the templates of the system prompt and of the user's turn as they were written.
    pub(crate) fn templates(&self) -> (&str, &str) {
        (&self.templates.0, &self.templates.1)
    }

    /// Returns whether the user's turn has this placeholder.
    pub(crate) fn asks(&self, placeholder: &str) -> bool {
        self.user.uses(placeholder)
    }

    /// Returns whether the prompt itself puts multiple-choice items: it has their question and options.
    pub(crate) fn asks_questions(&self) -> bool {
        self.asks("question") && self.asks("options")
    }

    /// Returns the system prompt, the same for every entry.
    pub fn system(&self, run: RunValues<'_>) -> String {
        self.system.render(&|name| self.run_value(run, name))
    }

    /// Returns the user's turn for an entry.
    pub fn user(&self, run: RunValues<'_>, entry: &SourceEntry) -> String {
        self.user.render(&|name| self.entry_value(run, entry, name))
    }

    /// Returns the turn that hands a rejected answer back.
    pub fn repair(&self, run: RunValues<'_>, entry: &SourceEntry, rejection: &RejectedAnswer<'_>) -> String {
        self.repair.render(&|name| match name {
            "rejected" => rejection.rejected.join(", "),
            "message" => rejection.message.to_owned(),
            "answer" => rejection.answer.to_owned(),
            other => self.entry_value(run, entry, other),
        })
    }

    /// Returns the instruction in front of a batch.
    pub fn batch(&self) -> &str {
        &self.batch
    }

    /// Returns whether the examples stand in the system prompt; otherwise they become turns of the conversation.
    pub fn holds_examples(&self) -> bool {
        self.system.uses("examples") || self.system.uses("coaching") || self.user.uses("examples")
    }

    fn run_value(&self, run: RunValues<'_>, name: &str) -> String {
        match name {
            "source_language" => run.source_language.to_owned(),
            "target_language" => run.target_language.to_owned(),
            "style" => run.style.to_owned(),
            "coaching" => run.coaching.text(),
            "notes" => run.coaching.notes().to_owned(),
            "examples" => run.coaching.examples_text(),
            "dictionary" => run.coaching.dictionary_text(),
            "glossary" => run.coaching.glossary_text(),
            part => self.parts.get(part).cloned().unwrap_or_default(),
        }
    }

    fn entry_value(&self, run: RunValues<'_>, entry: &SourceEntry, name: &str) -> String {
        let optional = |value: &Option<String>| value.clone().unwrap_or_default();
        match name {
            "source" => entry.source.clone(),
            "context" => optional(&entry.context),
            "register" => optional(&entry.register),
            "domain" => entry.domain.map(domain_name).unwrap_or_default(),
            "question" => optional(&entry.prompt),
            "options" => lettered(&entry.options),
            "dictionary_matches" => run.coaching.matches_text(&entry.source),
            other => self.run_value(run, other),
        }
    }
}

/// An answer that a check rejected.
#[derive(Clone, Copy, Debug)]
pub struct RejectedAnswer<'a> {
    /// The answer.
    pub answer: &'a str,
    /// The words that were rejected.
    pub rejected: &'a [String],
    /// What the check says.
    pub message: &'a str,
}

fn domain_name(domain: lydian_model::Domain) -> String {
    serde_json::to_value(domain)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn lettered(options: &[String]) -> String {
    let lines = options
        .iter()
        .zip('A'..='Z')
        .map(|(option, letter)| format!("{letter}) {option}"));
    lines.collect::<Vec<_>>().join("\n")
}

impl Template {
    fn parse(template: &'static str, text: &str, known: &[String]) -> Result<Self, PromptError> {
        let mut lines = Vec::new();
        let mut offset = 0;
        for line in text.trim().lines() {
            lines.push(Self::line(template, line, offset, known)?);
            offset += line.chars().count() + 1;
        }
        Ok(Self { lines })
    }

    fn line(
        template: &'static str,
        line: &str,
        offset: usize,
        known: &[String],
    ) -> Result<Vec<Piece>, PromptError> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = line.char_indices().peekable();
        let lone = |start: usize| PromptError::LoneBrace {
            template,
            position: offset + line[..start].chars().count() + 1,
        };
        while let Some((start, c)) = rest.next() {
            match c {
                '{' | '}' if rest.peek().is_some_and(|(_, next)| *next == c) => {
                    rest.next();
                    text.push(c);
                }
                '{' => {
                    let end = line[start..]
                        .find('}')
                        .map(|length| start + length)
                        .ok_or_else(|| lone(start))?;
                    let name = line[start + 1..end].trim().to_owned();
                    if !known.contains(&name) {
                        let known = known.join(", ");
                        return Err(PromptError::UnknownPlaceholder {
                            template,
                            name,
                            known,
                        });
                    }
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    pieces.push(Piece::Placeholder(name));
                    while rest.next_if(|(at, _)| *at <= end).is_some() {}
                }
                '}' => return Err(lone(start)),
                _ => text.push(c),
            }
        }
        if !text.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(pieces)
    }

    fn uses(&self, name: &str) -> bool {
        self.lines
            .iter()
            .flatten()
            .any(|piece| matches!(piece, Piece::Placeholder(used) if used == name))
    }

    /// Fills in the placeholders. A line whose placeholders are all empty is left out, so that "Context: {context}"
    /// vanishes where there is none.
    fn render(&self, value: &dyn Fn(&str) -> String) -> String {
        let mut lines = Vec::with_capacity(self.lines.len());
        for pieces in &self.lines {
            let mut line = String::new();
            let (mut placeholders, mut filled) = (0, 0);
            for piece in pieces {
                match piece {
                    Piece::Text(text) => line.push_str(text),
                    Piece::Placeholder(name) => {
                        let value = value(name);
                        placeholders += 1;
                        filled += usize::from(!value.is_empty());
                        line.push_str(&value);
                    }
                }
            }
            if placeholders == 0 || filled > 0 {
                lines.push(line);
            }
        }
        lines.join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydian_model::EntryId;

    fn entry(source: &str) -> SourceEntry {
        SourceEntry {
            id: EntryId::integer(1),
            source: source.into(),
            context: None,
            register: Some("formal".into()),
            domain: None,
            prompt: None,
            options: vec!["a".into(), "b".into()],
        }
    }

    fn run(coaching: &Coaching) -> RunValues<'_> {
        RunValues {
            source_language: "English",
            target_language: "Plains Cree",
            style: "",
            coaching,
        }
    }

    #[test]
    fn lines_without_a_value_are_left_out() {
        let prompt = Prompt::parse(
            "system = \"Into {target_language}.\\nStyle: {style}\\n{polite}\"\n\
             user = \"Context: {context}\\nRegister: {register}\\n{options}\\n\\n{source}\"\n[parts]\npolite = \"Please.\"",
        )
        .unwrap();
        let coaching = Coaching::default();
        assert_eq!(prompt.system(run(&coaching)), "Into Plains Cree.\nPlease.");
        assert_eq!(
            prompt.user(run(&coaching), &entry("dog")),
            "Register: formal\nA) a\nB) b\n\ndog"
        );
    }

    #[test]
    fn what_is_filled_in_is_not_read_again() {
        let prompt = Prompt::parse("user = \"{{literal}} {source}\"").unwrap();
        let coaching = Coaching::default();
        assert_eq!(
            prompt.user(run(&coaching), &entry("{target_language} {{x}}")),
            "{literal} {target_language} {{x}}"
        );
    }

    #[test]
    fn a_system_prompt_cannot_depend_on_the_entry() {
        let error = Prompt::parse("system = \"{source}\"").unwrap_err();
        let PromptError::UnknownPlaceholder { template, name, .. } = error else {
            panic!("{error}")
        };
        assert_eq!((template, name.as_str()), ("system", "source"));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        assert_eq!(Prompt::parse("user = \"x\"").unwrap_err(), PromptError::NoSource);
        let lone = |position| PromptError::LoneBrace {
            template: "user",
            position,
        };
        assert_eq!(Prompt::parse("user = \"{source\"").unwrap_err(), lone(1));
        assert_eq!(Prompt::parse("user = \"{source}\\nê }\"").unwrap_err(), lone(12));
        assert!(matches!(
            Prompt::parse("usr = \"x\""),
            Err(PromptError::Syntax(_))
        ));
        assert_eq!(
            Prompt::parse("[parts]\nsource = \"x\"").unwrap_err(),
            PromptError::PartName("source".into())
        );
    }

    #[test]
    fn a_repair_names_the_rejected_words() {
        let prompt = Prompt::parse("").unwrap();
        let rejected = ["atimm".to_owned()];
        let rejection = RejectedAnswer {
            answer: "atimm",
            rejected: &rejected,
            message: "",
        };
        let coaching = Coaching::default();
        assert_eq!(
            prompt.repair(run(&coaching), &entry("dog"), &rejection),
            "That translation was not accepted.\nRejected: atimm\nAnswer with the corrected translation only."
        );
    }
}
