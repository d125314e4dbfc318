//! The languages of a corpus with everything the program knows about them.

use lydian_language::{BuiltinCard, Language};
use lydian_model::Sha256Hex;
use lydian_scoring::Languages;

use crate::error::CommandResult;
use crate::files;
use crate::language_cards::{CardsArguments, Found};

/// The two languages of a corpus.
pub(crate) struct Pair {
    /// The source language.
    pub(crate) source: Language,
    /// The target language.
    pub(crate) target: Language,
    /// Tag and digest of the target's card, as run cards record them; `None` for a language without a card.
    pub(crate) target_card: Option<String>,
}

impl Pair {
    /// Opens the languages with these BCP 47 tags: cards of the user's folder first, then those of the program. One
    /// without a card is no error: what is missing has a reason.
    pub(crate) fn open(source: &str, target: &str) -> CommandResult<Self> {
        Self::from_cards(&CardsArguments::from_environment(), source, target)
    }

    /// Opens the languages with these tags, looking for cards where the user says first.
    pub(crate) fn from_cards(cards: &CardsArguments, source: &str, target: &str) -> CommandResult<Self> {
        let found = cards.open(target)?;
        Ok(Self {
            source: cards.open(source)?.language,
            target_card: digest(&found)?,
            target: found.language,
        })
    }

    /// Returns the languages as scoring takes them.
    pub(crate) fn languages(&self) -> Languages<'_> {
        Languages {
            source: &self.source,
            target: &self.target,
        }
    }
}

fn digest(found: &Found) -> CommandResult<Option<String>> {
    let card = &found.language.card;
    let bytes = match &found.file {
        Some(file) => files::read(file)?,
        None => match BuiltinCard::find(&card.tag()).and_then(|builtin| builtin.file("card.toml")) {
            Some(bytes) => bytes.to_vec(),
            None => return Ok(None),
        },
    };
    Ok(Some(format!(
        "{} sha256:{}",
        card.language,
        Sha256Hex::of(&bytes)
    )))
}
