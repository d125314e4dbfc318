//! How dialect items are put to a method: one prompt per item type (D §1, §3).

use std::collections::BTreeMap;

use lydian_model::dialect::{DialectItem, ItemPromptText, ItemType, PromptOrigin};
use lydian_model::{EntryId, SourceEntry};
use serde::Deserialize;

use crate::prompt::{Coaching, Prompt, PromptError, RunValues};

const SHIPPED: &str = include_str!("../templates/dialect-prompts.toml");

/// The prompts of a run over dialect items, and which item has which.
///
/// T1 has none unless somebody gives one: a method translates as it always does.
#[derive(Clone, Debug, Default)]
pub struct ItemPrompts {
    prompts: BTreeMap<ItemType, ItemPrompt>,
    types: BTreeMap<EntryId, ItemType>,
}

/// A prompt with its origin.
#[derive(Clone, Debug)]
struct ItemPrompt {
    origin: PromptOrigin,
    prompt: Prompt,
}

/// Why a file of prompts was refused.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum ItemPromptError {
    /// The file is not valid TOML of this form.
    #[error("not a file of prompts: {0}")]
    Syntax(String),
    /// A template is not valid.
    #[error("{item_type}: {source}")]
    Template {
        /// The item type.
        item_type: &'static str,
        /// What is wrong.
        source: PromptError,
    },
    /// The question or its options would not be asked.
    #[error("{item_type}: user: the placeholder {{{name}}} is missing")]
    Missing {
        /// The item type.
        item_type: &'static str,
        /// The placeholder.
        name: &'static str,
    },
    /// The file changes nothing.
    #[error("the file has no prompt: write a table [T1], [T2], [T3] or [T4] with user = \"…\"")]
    Empty,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "T1")]
    t1: Option<Parts>,
    #[serde(rename = "T2")]
    t2: Option<Parts>,
    #[serde(rename = "T3")]
    t3: Option<Parts>,
    #[serde(rename = "T4")]
    t4: Option<Parts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    #[serde(default)]
    system: String,
    user: String,
}

impl ItemPrompts {
    /// Returns the shipped prompts, those of `given` in their place where it has some.
    pub fn new(given: Option<&str>, items: &[DialectItem]) -> Result<Self, ItemPromptError> {
        let mut prompts = read(SHIPPED, PromptOrigin::Shipped)?;
        if let Some(text) = given {
            let given = read(text, PromptOrigin::Given)?;
            if given.is_empty() {
                return Err(ItemPromptError::Empty);
            }
            prompts.extend(given);
        }
        Ok(Self {
            prompts,
            types: items
                .iter()
                .map(|item| (item.id.clone(), item.item_type()))
                .collect(),
        })
    }

    /// Returns the prompts that hold for a method whose own prompt asks questions: only what was given.
    pub(crate) fn beside_own(mut self) -> Self {
        self.prompts
            .retain(|_, prompt| prompt.origin == PromptOrigin::Given);
        self
    }

    /// Returns the prompt of an entry; `None` when the method asks in its own way.
    pub(crate) fn of(&self, entry: &SourceEntry) -> Option<&Prompt> {
        let item_type = self.types.get(&entry.id)?;
        self.prompts.get(item_type).map(|prompt| &prompt.prompt)
    }

    /// Returns the user's turn of an entry on one line, for programs that are given lines.
    pub(crate) fn line(&self, entry: &SourceEntry, languages: (&str, &str)) -> Option<String> {
        let coaching = Coaching::default();
        let values = RunValues {
            source_language: languages.0,
            target_language: languages.1,
            style: "",
            coaching: &coaching,
        };
        let asked = self.of(entry)?.user(values, entry);
        Some(asked.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the prompts by item type, of the types that occur, as a run records them. Types without a prompt here
    /// are asked with `own`, if the method has a prompt.
    pub(crate) fn recorded(&self, own: Option<&Prompt>) -> BTreeMap<ItemType, ItemPromptText> {
        let text = |origin, prompt: &Prompt| {
            let (system, user) = prompt.templates();
            ItemPromptText::new(origin, system, user)
        };
        let types: std::collections::BTreeSet<ItemType> = self.types.values().copied().collect();
        types
            .into_iter()
            .filter_map(|item_type| {
                let recorded = match (self.prompts.get(&item_type), own) {
                    (Some(prompt), _) => text(prompt.origin, &prompt.prompt),
                    (None, Some(own)) => text(PromptOrigin::Method, own),
                    (None, None) => return None,
                };
                Some((item_type, recorded))
            })
            .collect()
    }
}

fn read(text: &str, origin: PromptOrigin) -> Result<BTreeMap<ItemType, ItemPrompt>, ItemPromptError> {
    let file: File = toml::from_str(text).map_err(|error| ItemPromptError::Syntax(error.to_string()))?;
    let parts = [file.t1, file.t2, file.t3, file.t4];
    let mut prompts = BTreeMap::new();
    for (item_type, parts) in ItemType::ALL.into_iter().zip(parts) {
        let Some(parts) = parts else { continue };
        let name = item_type.name();
        let prompt =
            Prompt::of_templates(&parts.system, &parts.user).map_err(|source| ItemPromptError::Template {
                item_type: name,
                source,
            })?;
        let needed: &[&'static str] = if item_type == ItemType::T1 {
            &[]
        } else {
            &["question", "options"]
        };
        if let Some(missing) = needed.iter().find(|placeholder| !prompt.asks(placeholder)) {
            return Err(ItemPromptError::Missing {
                item_type: name,
                name: missing,
            });
        }
        prompts.insert(item_type, ItemPrompt { origin, prompt });
    }
    Ok(prompts)
}

#[cfg(test)]
mod tests;
