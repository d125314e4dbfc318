//! `lydian dialect suggest-keywords`: drafts for a person to edit.

use std::path::PathBuf;

use clap::Args;
use lydian_model::EntryId;
use lydian_model::dialect::Keyword;
use lydian_scoring::dialect::suggest_keywords;
use serde::Serialize;

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian dialect suggest-keywords`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect suggest-keywords \"Das Opfer sah den Angreifer nicht.\"
  lydian dialect suggest-keywords --corpus corpus.json > draft.json

The draft goes by word lists, capitals and endings. Check every part of speech, correct the lemmas, and add
the forms and synonyms that a good translation may use.")]
pub(super) struct Arguments {
    /// References in the standard language
    #[arg(value_name = "REFERENCE", required_unless_present = "corpus")]
    references: Vec<String>,
    /// Corpus or item file whose references are drafted; for items, those of T1
    #[arg(long, value_name = "FILE", conflicts_with = "references")]
    corpus: Option<PathBuf>,
}

/// What the command prints.
#[derive(Serialize)]
struct Suggestions {
    schema: &'static str,
    note: &'static str,
    drafts: Vec<Draft>,
}

#[derive(Serialize)]
struct Draft {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<EntryId>,
    reference: String,
    keywords: Vec<Keyword>,
}

/// Prints the drafts as JSON.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let references = match &arguments.corpus {
        Some(path) => read_references(path)?,
        None => arguments
            .references
            .iter()
            .map(|text| (None, text.clone()))
            .collect(),
    };
    let drafts = references
        .into_iter()
        .map(|(id, reference)| Draft {
            id,
            keywords: suggest_keywords(&reference),
            reference,
        })
        .collect();
    context.print_json(&Suggestions {
        schema: "lydian.dialect-keyword-drafts/1",
        note: "drafts: a person must check parts of speech and lemmas and add forms and synonyms",
        drafts,
    })?;
    Ok(Exit::Done)
}

fn read_references(path: &std::path::Path) -> CommandResult<Vec<(Option<EntryId>, String)>> {
    let corpus = documents::read_corpus_file(path)?.corpus;
    let wanted = |entry: &lydian_model::Entry| {
        entry
            .extra
            .get("item_type")
            .is_none_or(|item_type| item_type == "T1")
    };
    let references: Vec<_> = corpus
        .entries
        .into_iter()
        .filter(wanted)
        .map(|entry| (Some(entry.id), entry.reference))
        .collect();
    if references.is_empty() {
        return Err(CommandError::new(
            Exit::InvalidDocument,
            format!("{}: there is no T1 item", path.display()),
        ));
    }
    Ok(references)
}
