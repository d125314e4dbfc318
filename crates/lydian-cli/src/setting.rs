//! A setting in force, with where it comes from.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Setting {
    /// Its name for people.
    pub(crate) name: String,
    /// Its value; of a secret only where it is.
    pub(crate) value: String,
    /// Where the value comes from.
    pub(crate) from: Origin,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "name")]
pub(crate) enum Origin {
    /// An option or argument of the command line.
    CommandLine(&'static str),
    /// An environment variable.
    Environment(&'static str),
    /// A file.
    File(PathBuf),
    /// A folder that exists.
    Folder(PathBuf),
    /// Another setting or the surroundings, such as the terminal.
    Derived(&'static str),
    /// Nothing says otherwise.
    Default,
}

impl Setting {
    /// Returns a setting.
    pub(crate) fn new(name: impl Into<String>, value: impl fmt::Display, from: Origin) -> Self {
        Self {
            name: name.into(),
            value: value.to_string(),
            from,
        }
    }

    /// Returns a setting that only an option can change.
    pub(crate) fn flag_or(
        name: &'static str,
        flag: &'static str,
        given: Option<impl fmt::Display>,
        usual: impl fmt::Display,
    ) -> Self {
        match given {
            Some(value) => Self::new(name, value, Origin::flag(flag)),
            None => Self::new(name, usual, Origin::Default),
        }
    }
}

impl Origin {
    /// Returns the origin of a value given by an option.
    pub(crate) fn flag(name: &'static str) -> Self {
        Self::CommandLine(name)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandLine(name) => write!(formatter, "command line: {name}"),
            Self::Environment(name) => write!(formatter, "environment: {name}"),
            Self::File(path) => write!(formatter, "file: {}", path.display()),
            Self::Folder(path) => write!(formatter, "folder: {}", path.display()),
            Self::Derived(what) => write!(formatter, "follows from {what}"),
            Self::Default => formatter.write_str("default"),
        }
    }
}
