//! `lydian init`: a folder with a corpus and a method to start from.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::method::method_id;
use crate::error::{CommandResult, Exit};
use crate::files;
use crate::language_cards::parse_tag;
use crate::output::Context;

/// The files of the folder, by path relative to it.
const TEMPLATES: [(&str, &str); 5] = [
    ("README.md", include_str!("../../templates/README.md")),
    ("corpus.json", include_str!("../../templates/corpus.json")),
    ("example.toml", include_str!("../../templates/example.toml")),
    ("method/method.json", include_str!("../../templates/method.json")),
    (
        "method/translate.sh",
        include_str!("../../templates/translate.sh"),
    ),
];

/// Arguments of `lydian init`.
#[derive(Args)]
#[command(after_help = "\
The folder runs as it is: its five English sentences have placeholders for references, and its method gives back what
it is given. README.md in it says what to change. Nothing is overwritten.

Examples:
  lydian init my-benchmark --target-language crk
  lydian init clinic --source-language fr --target-language ca")]
pub(crate) struct Arguments {
    /// Folder to make
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Tag of the source language
    #[arg(long, value_name = "TAG", default_value = "en")]
    source_language: String,
    /// Tag of the target language; und while it is undecided
    #[arg(long, value_name = "TAG", default_value = "und")]
    target_language: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Made<'a> {
    schema: &'static str,
    folder: &'a Path,
    files: Vec<PathBuf>,
}

/// Writes the folder.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let source = parse_tag(&arguments.source_language)?;
    let target = parse_tag(&arguments.target_language)?;
    let name = method_id(&std::path::absolute(&arguments.folder)?);
    let today = &crate::plan::timestamp()[..10];
    let undecided = [&source, &target].iter().any(|tag| tag.as_str() == "und");
    let pair = if undecided { "[]" } else { "[\"SOURCE-TARGET\"]" };
    let filled = |text: &str| {
        text.replace("PAIRS", pair)
            .replace("NAME", &name)
            .replace("SOURCE", source.as_str())
            .replace("TARGET", target.as_str())
            .replace("CREATED", today)
    };
    let content: Vec<(PathBuf, String)> = TEMPLATES
        .into_iter()
        .map(|(path, text)| (PathBuf::from(path), filled(text)))
        .collect();
    files::write_folder(&arguments.folder, &content)?;
    if arguments.json {
        context.print_json(&Made {
            schema: "lydian.folder/1",
            folder: &arguments.folder,
            files: content.into_iter().map(|(path, _)| path).collect(),
        })?;
        return Ok(Exit::Done);
    }
    for (path, _) in &content {
        context.print(&format!("{}\n", arguments.folder.join(path).display()))?;
    }
    context.hint(&format!(
        "`lydian run {}` runs it; README.md in it says what to change",
        files::quoted(&arguments.folder)
    ));
    Ok(Exit::Done)
}
