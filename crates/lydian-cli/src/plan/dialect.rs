//! The dialect side of a plan: items in the place of entries, and the prompts they are put with.

use std::path::{Path, PathBuf};

use lydian_harness::item_prompt::ItemPrompts;
use lydian_model::corpus::read::CorpusFile;
use lydian_model::dialect::{DialectItems, ItemType};
use lydian_model::run_setup::Selection;
use lydian_model::{Corpus, SourceEntry};
use serde::{Deserialize, Serialize};

use super::{Choice, Inputs};
use crate::dialect_items;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// What a run over dialect items needs beside corpus and method; kept in the journal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DialectInputs {
    /// Item types to use; all when empty.
    pub(crate) types: Vec<ItemType>,
    /// File of prompts in the place of the shipped ones.
    pub(crate) prompts: Option<PathBuf>,
    /// Language gate table in the place of the shipped one.
    pub(crate) gate: Option<PathBuf>,
}

impl DialectInputs {
    /// Returns these inputs with every path made absolute.
    pub(crate) fn absolute(self) -> CommandResult<Self> {
        Ok(Self {
            prompts: self.prompts.map(std::path::absolute).transpose()?,
            gate: self.gate.map(std::path::absolute).transpose()?,
            types: self.types,
        })
    }
}

/// Dialect items that are to be run.
pub(crate) struct Items {
    /// Those of the whole file.
    pub(crate) all: DialectItems,
    /// How they are put.
    pub(super) prompts: ItemPrompts,
    types: Vec<ItemType>,
}

/// Reads the items of a corpus that is to be run as such; `None` for a plain corpus.
///
/// A plain corpus is not run as items, and items are not run as a corpus: their scores would be pooled.
pub(super) fn items(inputs: &Inputs, corpus: &CorpusFile, context: &Context) -> CommandResult<Option<Items>> {
    let holds_items = dialect_items::are_in(&corpus.corpus);
    let path = inputs.corpus.as_path();
    let Some(wanted) = &inputs.dialect else {
        if holds_items {
            let message = format!(
                "{} holds dialect items, which have no scores over all of them",
                path.display()
            );
            return Err(CommandError::new(Exit::Usage, message).with_hint(format!(
                "`lydian dialect run {} --method METHOD` runs them",
                files::quoted(path)
            )));
        }
        return Ok(None);
    };
    let items = dialect_items::usable(corpus, path, context)?;
    let prompts = prompts(wanted.prompts.as_deref(), &items)?;
    Ok(Some(Items {
        all: items,
        prompts,
        types: wanted.types.clone(),
    }))
}

fn prompts(path: Option<&Path>, items: &DialectItems) -> CommandResult<ItemPrompts> {
    let named = |error: anyhow::Error| {
        let error = CommandError::from_error(Exit::InvalidDocument, error);
        match path {
            Some(path) => error.context(path.display().to_string()),
            None => error,
        }
    };
    let given = match path {
        Some(path) => Some(String::from_utf8(files::read(path)?).map_err(|error| named(error.into()))?),
        None => None,
    };
    ItemPrompts::new(given.as_deref(), &items.items).map_err(|error| named(error.into()))
}

impl Items {
    /// Selects items like entries, of the wanted types only.
    pub(super) fn select(
        &self,
        corpus: &Corpus,
        choice: &Choice,
        excluded: &[lydian_model::EntryId],
    ) -> CommandResult<Selection> {
        if self.types.is_empty() {
            return choice.of(corpus, excluded);
        }
        let of_type: std::collections::BTreeSet<&lydian_model::EntryId> = self
            .all
            .items
            .iter()
            .filter(|item| self.types.contains(&item.item_type()))
            .map(|item| &item.id)
            .collect();
        let narrowed = Corpus {
            entries: corpus
                .entries
                .iter()
                .filter(|entry| of_type.contains(&entry.id))
                .cloned()
                .collect(),
            ..corpus.clone()
        };
        if narrowed.entries.is_empty() {
            let types: Vec<&str> = self.types.iter().map(|item_type| item_type.name()).collect();
            let message = format!("the file has no item of type {}", types.join(", "));
            return Err(CommandError::new(Exit::Usage, message));
        }
        let selection = choice.of(&narrowed, excluded)?;
        Ok(Selection {
            complete: selection.entry_ids.len() == corpus.entries.len(),
            ..selection
        })
    }

    /// Returns the selected items as the method sees them.
    pub(super) fn source_entries(&self, selection: &Selection) -> CommandResult<Vec<SourceEntry>> {
        let find = |id: &lydian_model::EntryId| {
            let item = self.all.items.iter().find(|item| item.id == *id);
            item.map(SourceEntry::from).ok_or_else(|| {
                CommandError::new(
                    Exit::InvalidDocument,
                    format!("the file has no item {id} any more"),
                )
            })
        };
        selection.entry_ids.iter().map(find).collect()
    }
}
