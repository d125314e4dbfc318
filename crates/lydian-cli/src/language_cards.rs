//! Language cards as the command line finds them: a folder of the user first, then those of the program.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::finite_file;
use lydian_language::{BuiltinCard, Card, Language, LanguageTag};

use crate::environment;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::setting::{Origin, Setting};

/// The variable that names the folder of cards.
const VARIABLE: &str = "LYDIAN_LANGUAGE_CARDS";
/// The folder that is used when none is named and it exists.
const USUAL_FOLDER: &str = "languages";

/// Where cards lie.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CardsArguments {
    /// Folder of language cards, DIR/TAG/card.toml; they come before those of the program [default:
    /// languages, if there is one]
    #[arg(long, value_name = "DIR", env = VARIABLE)]
    cards: Option<PathBuf>,
}

/// A card and where it was found.
pub(crate) struct Found {
    /// The language with its files.
    pub(crate) language: Language,
    /// The card's file, or `None` for a card of the program and for a language without one.
    pub(crate) file: Option<PathBuf>,
}

impl CardsArguments {
    /// Returns what holds for commands without the option.
    pub(crate) fn from_environment() -> Self {
        Self {
            cards: environment::variable(VARIABLE).map(PathBuf::from),
        }
    }

    /// Returns the folder that is searched first, if there is one.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match &self.cards {
            Some(folder) => Some(folder.clone()),
            None => Some(PathBuf::from(USUAL_FOLDER)).filter(|folder| folder.is_dir()),
        }
    }

    /// Says which cards come first, and why.
    pub(crate) fn setting(&self) -> Setting {
        let name = "language cards";
        match (&self.cards, self.folder()) {
            (Some(folder), _) => Setting::new(name, folder.display(), Origin::Environment(VARIABLE)),
            (None, Some(folder)) => Setting::new(name, folder.display(), Origin::Folder(folder.clone())),
            (None, None) => Setting::new(name, "those of the program", Origin::Default),
        }
    }

    /// Returns the folder that new cards are written to.
    pub(crate) fn folder_to_write(&self) -> PathBuf {
        self.cards.clone().unwrap_or_else(|| PathBuf::from(USUAL_FOLDER))
    }

    /// Opens a language. One without a card is no error: what is missing has a reason.
    pub(crate) fn open(&self, tag: &str) -> CommandResult<Found> {
        let tag = parse_tag(tag)?;
        if let Some(file) = self.folder().and_then(|folder| card_file(&folder, &tag)) {
            return open_file(&file).map(|language| Found {
                language,
                file: Some(file),
            });
        }
        let language =
            Language::builtin(&tag).map_err(|error| CommandError::new(Exit::Internal, error.to_string()))?;
        Ok(Found { language, file: None })
    }

    /// Returns every language with a card, in the order of the tags.
    pub(crate) fn open_all(&self) -> CommandResult<Vec<Found>> {
        let mut tags: Vec<String> = BuiltinCard::all().map(|card| card.folder().to_owned()).collect();
        if let Some(folder) = self.folder() {
            tags.extend(folders_with_cards(&folder)?);
        }
        tags.sort();
        tags.dedup();
        tags.iter().map(|tag| self.open(tag)).collect()
    }
}

/// Returns the English name of a language that has a card. A tag that says more than the language, such as a script or a
/// region, stands behind the name.
pub(crate) fn language_name(tag: &str) -> Option<String> {
    let found = CardsArguments::from_environment().open(tag).ok()?;
    let name = found.language.has_card.then(|| found.language.card.name())?;
    let plain = tag.eq_ignore_ascii_case(&found.language.card.language) || !tag.contains('-');
    Some(if plain {
        name.to_owned()
    } else {
        format!("{name} ({tag})")
    })
}

/// Returns the tag, or says what is wrong with it.
pub(crate) fn parse_tag(tag: &str) -> CommandResult<LanguageTag> {
    LanguageTag::parse(tag).map_err(|error| {
        let refused = CommandError::new(Exit::Usage, format!("{tag:?} is no language tag: {error}"));
        let similar = similar_languages(tag);
        if similar.is_empty() {
            refused.with_hint(
                "a BCP 47 tag such as crk, fin or gsw-u-sd-chzh; `lydian language list` shows the cards",
            )
        } else {
            refused.with_hint(format!("did you mean {}?", similar.join(", ")))
        }
    })
}

/// Returns the languages with a card whose name or tag is spelt almost like this or begins with it, as `glg (Galician)`.
pub(crate) fn similar_languages(text: &str) -> Vec<String> {
    let wanted = text.to_lowercase();
    let is_similar = |name: &String| {
        let name = name.to_lowercase();
        let starts = wanted.chars().count() >= 2 && name.starts_with(&wanted);
        starts || (wanted.chars().count() >= 4 && strsim::jaro_winkler(&name, &wanted) > 0.9)
    };
    BuiltinCard::all()
        .filter_map(|builtin| builtin.card().ok())
        .filter(|card| card.names.values().chain([&card.language]).any(is_similar))
        .map(|card| format!("{} ({})", card.language, card.name()))
        .collect()
}

/// Opens the card in a file with everything beside it.
pub(crate) fn open_file(file: &Path) -> CommandResult<Language> {
    let card = read_card(file)?;
    let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
    Ok(Language::open(card, |name| finite_file::read(&folder.join(name))))
}

/// Reads a card.
pub(crate) fn read_card(file: &Path) -> CommandResult<Card> {
    let bytes = files::read(file)?;
    let invalid = |message: String| CommandError::new(Exit::InvalidDocument, message);
    let text = String::from_utf8(bytes).map_err(|_| invalid(format!("{}: not UTF-8", file.display())))?;
    Card::parse(&file.display().to_string(), &text)
        .map_err(|error| invalid(error.to_string()).with_some_hint(files::curly_hint(file)))
}

/// The card of exactly this tag, else one of the same language.
fn card_file(folder: &Path, tag: &LanguageTag) -> Option<PathBuf> {
    let exact = folder.join(tag.as_str()).join("card.toml");
    if exact.is_file() {
        return Some(exact);
    }
    let tags = folders_with_cards(folder).ok()?;
    let same = tags
        .iter()
        .find(|name| LanguageTag::parse(name).is_ok_and(|other| other.primary() == tag.primary()));
    same.map(|name| folder.join(name).join("card.toml"))
}

fn folders_with_cards(folder: &Path) -> CommandResult<Vec<String>> {
    let unreadable = |error| {
        CommandError::from_error(Exit::Usage, error).context(format!("cannot read {}", folder.display()))
    };
    let mut names = Vec::new();
    for item in fs::read_dir(folder).map_err(unreadable)? {
        let path = item.map_err(unreadable)?.path();
        if path.join("card.toml").is_file()
            && let Some(name) = path.file_name()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_called_by_its_cards_name() {
        assert_eq!(language_name("pt").as_deref(), Some("Portuguese"));
        assert_eq!(language_name("glg").as_deref(), Some("Galician"));
        assert_eq!(
            language_name("crk-Cans").as_deref(),
            Some("Plains Cree (crk-Cans)")
        );
        assert_eq!(language_name("tlh"), None);
    }
}
