//! Example folders: a corpus, a method and what to use when nothing else is said.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::plan::{Inputs, MethodOptions};

/// Name of the file that describes an example folder.
const EXAMPLE_FILE: &str = "example.toml";

/// Returns the file that describes an example folder.
pub(crate) fn example_file(folder: &Path) -> PathBuf {
    folder.join(EXAMPLE_FILE)
}

/// What an example folder uses; paths are relative to it.
pub(super) struct Example {
    folder: PathBuf,
    description: Description,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    corpus: PathBuf,
    method: Option<String>,
    predictions: Option<PathBuf>,
}

impl Example {
    /// Reads the description of a folder.
    pub(super) fn read(folder: &Path) -> CommandResult<Self> {
        let path = example_file(folder);
        if !path.is_file() {
            let message = format!("{} is a folder without {EXAMPLE_FILE}", folder.display());
            return Err(CommandError::new(Exit::Usage, message).with_hint(inside(folder)));
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| {
            CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
        })?;
        let description = toml::from_str(&text).map_err(|error| {
            CommandError::from_error(Exit::InvalidDocument, error)
                .context(path.display().to_string())
                .with_some_hint(files::curly_hint(&path))
        })?;
        Ok(Self {
            folder: folder.to_path_buf(),
            description,
        })
    }

    /// Returns the folder's corpus with `method` or else the folder's own. Recorded outputs belong to the folder's own
    /// method and are used only for it.
    pub(super) fn inputs(&self, method: Option<&str>, options: &MethodOptions) -> CommandResult<Inputs> {
        let corpus = self.folder.join(&self.description.corpus);
        if let Some(method) = method {
            return Inputs::new(&corpus, method, options.clone());
        }
        let recorded = self.description.predictions.as_ref();
        let predictions = options
            .predictions
            .clone()
            .or_else(|| recorded.map(|file| self.folder.join(file)));
        let own = self
            .description
            .method
            .as_ref()
            .map(|name| self.folder.join(name));
        let method = match own.as_deref().map(Path::to_str) {
            Some(Some(path)) => path,
            Some(None) => {
                return Err(CommandError::new(
                    Exit::Usage,
                    "the path of the method is not UTF-8",
                ));
            }
            None if predictions.is_some() => "replay",
            None => {
                let message = format!("{} names no method", self.folder.join(EXAMPLE_FILE).display());
                return Err(CommandError::new(Exit::Usage, message).with_hint("give --method METHOD"));
            }
        };
        let options = MethodOptions {
            predictions,
            ..options.clone()
        };
        Inputs::new(&corpus, method, options)
    }
}

/// Returns the error of a corpus that is not there, with what is there instead.
pub(super) fn missing(path: &Path) -> CommandError {
    let message = format!("there is no corpus and no example folder at {}", path.display());
    let error = CommandError::new(Exit::Usage, message);
    if let Some(similar) = files::similar_name(path) {
        return error.with_hint(format!("did you mean {}?", similar.display()));
    }
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let examples = [beside, PathBuf::from("examples")]
        .iter()
        .map(|folder| example_folders(folder))
        .find(|found| !found.is_empty());
    match examples {
        Some(found) => error.with_hint(format!("there are {}", found.join(", "))),
        None => error.with_hint(
            "name a corpus file or an example folder; the examples lie in the folder examples/ of the project",
        ),
    }
}

/// Returns the next step for a folder that is no example.
fn inside(folder: &Path) -> String {
    let holds = |name: &str| folder.join(name).is_file();
    let shown = files::quoted(folder);
    if holds("items.json") {
        return format!("it holds dialect items: try `lydian dialect validate {shown}/items.json`");
    }
    if holds("corpus.json") {
        return format!("name its corpus and a method: `lydian run {shown}/corpus.json --method copy`");
    }
    if holds("method.json") {
        return format!("it is a method: `lydian run CORPUS --method {shown}`");
    }
    match example_folders(folder) {
        none if none.is_empty() => "name a corpus file, or an example folder".to_owned(),
        found => format!("name one of {}", found.join(", ")),
    }
}

/// Returns the example folders in a folder, by name.
fn example_folders(folder: &Path) -> Vec<String> {
    let read = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let Ok(items) = std::fs::read_dir(read) else {
        return Vec::new();
    };
    let mut found: Vec<String> = items
        .filter_map(Result::ok)
        .filter(|item| item.path().join(EXAMPLE_FILE).is_file())
        .map(|item| folder.join(item.file_name()).display().to_string())
        .collect();
    found.sort();
    found
}
