//! Writing into a language card: where it lies, and how its comments are kept.

use std::fs;
use std::path::{Path, PathBuf};

use lydian_language::{BuiltinCard, Card};

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::language_cards::{self, CardsArguments, Found};

/// Where a card is written.
pub(super) struct CardPlace {
    /// Its folder, which exists.
    pub(super) folder: PathBuf,
    /// The card.
    pub(super) card: PathBuf,
}

/// Returns where the card of a language is written; a card of the program is given a folder among the user's own.
pub(super) fn place(found: &Found, tag: &str, cards: &CardsArguments) -> CommandResult<CardPlace> {
    let folder = match &found.file {
        Some(file) => file.parent().unwrap_or(Path::new(".")).to_owned(),
        None => cards.folder_to_write().join(&found.language.card.language),
    };
    let cannot =
        |error| CommandError::from_error(Exit::Internal, error).context(folder.display().to_string());
    fs::create_dir_all(&folder).map_err(cannot)?;
    if found.file.is_none() {
        copy_builtin_files(tag, &folder)?;
    }
    Ok(CardPlace {
        card: folder.join("card.toml"),
        folder,
    })
}

/// Files beside a card of the program come along.
fn copy_builtin_files(tag: &str, folder: &Path) -> CommandResult<()> {
    let tag = language_cards::parse_tag(tag)?;
    let Some(builtin) = BuiltinCard::find(&tag) else {
        return Ok(());
    };
    for (_, name) in builtin
        .card()
        .map_err(|e| CommandError::new(Exit::Internal, e.to_string()))?
        .files()
    {
        if let Some(bytes) = builtin.file(name) {
            files::write_atomically(&folder.join(name), bytes)?;
        }
    }
    Ok(())
}

/// Returns the changed card. `change` edits the lines of the old one, so that comments are kept; where that would not
/// lead to this card it is written anew.
pub(super) fn text(
    card: &Card,
    existing: Option<&Path>,
    change: impl Fn(&str) -> Option<String>,
) -> CommandResult<String> {
    let builtin = || BuiltinCard::find(&card.tag()).and_then(|builtin| builtin.file("card.toml"));
    let bytes = existing.map_or_else(|| Ok(builtin().unwrap_or_default().to_vec()), files::read)?;
    match change(&String::from_utf8_lossy(&bytes)) {
        Some(changed) => Ok(changed),
        None => card
            .to_toml()
            .map_err(|error| CommandError::new(Exit::Internal, error.to_string())),
    }
}
