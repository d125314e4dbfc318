//! `lydian install`: a run card's method as a folder that runs.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::method_install::install;
use lydian_harness::method_template::KEY_VARIABLE;
use lydian_harness::secret::SecretReference;
use serde::Serialize;

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian install`.
#[derive(Args)]
#[command(after_help = "\
A card carries the whole configuration of raw-llm, coached-llm and api methods. Programs, checks and tools are not in a
card; methods that need them are refused.

Examples:
  lydian install runs/best/run-card.json my-copy
  lydian install runs/best my-copy --key env:OPENAI_API_KEY")]
pub(crate) struct Arguments {
    /// Run card, or the run folder that holds it
    #[arg(value_name = "CARD")]
    card: PathBuf,
    /// Folder to make
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Reference to the key, env:NAME or file: and a path; never the key itself
    #[arg(long, value_name = "REFERENCE", value_parser = str::parse::<SecretReference>)]
    key: Option<SecretReference>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made<'a> {
    schema: &'static str,
    folder: &'a Path,
    files: Vec<PathBuf>,
    remark: Option<String>,
}

/// Writes the folder.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let card = documents::read_card(&arguments.card)?;
    let key = arguments
        .key
        .clone()
        .unwrap_or_else(|| SecretReference::Environment(KEY_VARIABLE.into()));
    let installed = install(&card, &key.to_string()).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error)
            .context(arguments.card.display().to_string())
            .with_hint("ask whoever made the card for the method's folder")
    })?;
    files::write_folder(&arguments.folder, &installed.files)?;
    let written: Vec<PathBuf> = installed.files.into_iter().map(|(path, _)| path).collect();
    if arguments.json {
        let made = Made {
            schema: "lydian.method-folder/1",
            folder: &arguments.folder,
            files: written,
            remark: installed.remark,
        };
        context.print_json(&made)?;
        return Ok(Exit::Done);
    }
    for path in &written {
        context.print(&format!("{}\n", arguments.folder.join(path).display()))?;
    }
    if let Some(remark) = installed.remark {
        context.warning(&remark);
    }
    Ok(Exit::Done)
}
