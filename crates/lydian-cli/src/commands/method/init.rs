//! `lydian method init`: a method folder to start from.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::method_template::{KEY_VARIABLE, TemplateValues, WordCheck, method_files};
use lydian_harness::provider::ProviderKind;
use lydian_harness::secret::SecretReference;
use lydian_model::MethodClass;
use serde::Serialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian method init`.
#[derive(Args)]
#[command(after_help = "\
Classes: raw-llm, coached-llm, pipeline, custom-plugin, api, human.

Examples:
  lydian method init raw-llm my-method --model gpt-4.1-mini
  lydian method init coached-llm crk-coached --provider anthropic --key env:ANTHROPIC_API_KEY
  lydian method init raw-llm local --base-url http://localhost:11434/v1 --model llama3.2
  lydian method init pipeline crk-gated --fst --model gpt-4.1-mini
  lydian method init custom-plugin my-plugin")]
pub(crate) struct Arguments {
    /// Class of the method
    #[arg(value_name = "CLASS", value_parser = class)]
    class: MethodClass,
    /// Folder to make
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// openai (any compatible server), anthropic, gemini, deepl, google-translate or libretranslate
    #[arg(long, value_name = "NAME", value_parser = str::parse::<ProviderKind>)]
    provider: Option<ProviderKind>,
    /// Base URL of the service or server
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Reference to the key, env:NAME or file: and a path; never the key itself
    #[arg(long, value_name = "REFERENCE", value_parser = str::parse::<SecretReference>)]
    key: Option<SecretReference>,
    /// Let a pipeline check every word with the analyser of the target language's card
    #[arg(long)]
    fst: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made<'a> {
    schema: &'static str,
    folder: &'a Path,
    files: Vec<PathBuf>,
}

fn class(name: &str) -> Result<MethodClass, String> {
    let known = MethodClass::ALL.map(MethodClass::name).join(", ");
    MethodClass::ALL
        .into_iter()
        .find(|class| class.name() == name)
        .ok_or_else(|| format!("known classes are {known}"))
}

/// Writes the folder.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let name = std::path::absolute(&arguments.folder)?;
    let key = arguments
        .key
        .clone()
        .unwrap_or_else(|| SecretReference::Environment(KEY_VARIABLE.into()));
    let values = TemplateValues {
        method_id: method_id(&name),
        provider: arguments.provider,
        base_url: arguments.base_url.clone(),
        model: arguments.model.clone(),
        key: key.to_string(),
        words: if arguments.fst {
            WordCheck::Analyser
        } else {
            WordCheck::None
        },
    };
    let files = method_files(arguments.class, &values)
        .map_err(|error| CommandError::from_error(Exit::Usage, error))?;
    crate::files::write_folder(&arguments.folder, &files)?;
    if arguments.json {
        let files = files.into_iter().map(|(path, _)| path).collect();
        context.print_json(&Made {
            schema: "lydian.method-folder/1",
            folder: &arguments.folder,
            files,
        })?;
        return Ok(Exit::Done);
    }
    for (path, _) in &files {
        context.print(&format!("{}\n", arguments.folder.join(path).display()))?;
    }
    context.note(&format!(
        "{} says what to fill in",
        arguments.folder.join("README.md").display()
    ));
    Ok(Exit::Done)
}

/// Makes an identifier out of the folder's name.
pub(crate) fn method_id(folder: &Path) -> String {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    let id: String = name.chars().map(plain).collect();
    let id = id.trim_matches(['-', '.']).to_owned();
    if id.is_empty() { "method".into() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_made_of_folder_names() {
        for (name, id) in [
            ("My Method", "my-method"),
            ("crk_v2.1", "crk_v2.1"),
            ("…", "method"),
            ("nêhiyaw", "n-hiyaw"),
        ] {
            assert_eq!(method_id(Path::new(name)), id);
        }
    }
}
