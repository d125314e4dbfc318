//! What the process environment says: variables, the cache folder, what a plugin may see.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::{CommandError, CommandResult, Exit};
use crate::setting::{Origin, Setting};

/// Variables that any program needs to start.
const USUAL: [&str; 3] = ["PATH", "LANG", "HOME"];

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is where the environment is read"
)]
/// Returns a variable; an empty one counts as absent.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the folder of stored answers when the user names none.
pub(crate) fn cache_folder() -> CommandResult<PathBuf> {
    let base = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")));
    base.map(|base| base.join("lydian").join("answers"))
        .ok_or_else(|| {
            CommandError::new(Exit::Usage, "neither HOME nor XDG_CACHE_HOME is set")
                .with_hint("name the cache folder")
        })
}

/// Says where answers are stored when `--cache` names no folder, and why.
pub(crate) fn cache_setting() -> Setting {
    let name = "stored answers";
    match cache_folder() {
        Ok(folder) => {
            let named = variable("XDG_CACHE_HOME").is_some_and(|path| PathBuf::from(path).is_absolute());
            let from = if named { "XDG_CACHE_HOME" } else { "HOME" };
            Setting::new(name, folder.display(), Origin::Environment(from))
        }
        Err(error) => Setting::new(name, error, Origin::Default),
    }
}

/// Returns the environment of a plugin: what any program needs and the variables its manifest names.
pub(crate) fn for_plugin(names: &[String]) -> BTreeMap<String, String> {
    let named = names.iter().map(String::as_str);
    USUAL
        .into_iter()
        .chain(named)
        .filter_map(|name| variable(name).map(|value| (name.to_owned(), value)))
        .collect()
}

/// Returns the working folder, where there is one whose path is text.
pub(crate) fn working_folder() -> Option<String> {
    std::env::current_dir().ok()?.into_os_string().into_string().ok()
}
