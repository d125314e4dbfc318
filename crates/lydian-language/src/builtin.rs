//! The language cards that are part of the program.
use crate::card::{Card, CardError};
use lydian_model::LanguageTag;

type File = (&'static str, &'static [u8]);

const FOLDERS: &[(&str, &[File])] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// A card of the program with the files beside it.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinCard {
    folder: &'static str,
    files: &'static [File],
}

impl BuiltinCard {
    /// Returns every card of the program, in the order of their tags.
    pub fn all() -> impl Iterator<Item = Self> {
        FOLDERS.iter().map(|(folder, files)| Self { folder, files })
    }

    /// Returns the card of a language: the one whose tag is equal, else one of the same language.
    pub fn find(tag: &LanguageTag) -> Option<Self> {
        let exact = Self::all().find(|b| b.folder.eq_ignore_ascii_case(tag.as_str()));
        exact.or_else(|| {
            Self::all().find(|b| LanguageTag::parse(b.folder).is_ok_and(|t| t.primary() == tag.primary()))
        })
    }

    /// Returns the name of its folder: the tag of its language.
    pub fn folder(&self) -> &'static str {
        self.folder
    }

    /// Returns a file beside the card.
    pub fn file(&self, name: &str) -> Option<&'static [u8]> {
        self.files
            .iter()
            .find(|(file, _)| *file == name)
            .map(|(_, bytes)| *bytes)
    }

    /// Reads the card.
    pub fn card(&self) -> Result<Card, CardError> {
        let name = format!("languages/{}/card.toml", self.folder);
        let text = self
            .file("card.toml")
            .and_then(|bytes| std::str::from_utf8(bytes).ok());
        let missing = || CardError {
            card: name.clone(),
            line: None,
            message: "no such card".to_owned(),
        };
        Card::parse(&name, text.ok_or_else(missing)?)
    }
}
