//! The languages of a corpus with everything the program knows about them.

use lydian_language::{BuiltinCard, Language, LanguageTag};
use lydian_model::Sha256Hex;

use crate::error::{CommandError, CommandResult, Exit};

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
    /// Opens the languages with these BCP 47 tags. One without a card is no error: what is missing has a reason.
    pub(crate) fn open(source: &str, target: &str) -> CommandResult<Self> {
        let target_tag = parse(target)?;
        let target_card = BuiltinCard::find(&target_tag).map(|card| {
            let digest = Sha256Hex::of(card.file("card.toml").unwrap_or_default());
            format!("{} sha256:{digest}", card.folder())
        });
        Ok(Self {
            source: open(&parse(source)?)?,
            target: open(&target_tag)?,
            target_card,
        })
    }
}

fn parse(tag: &str) -> CommandResult<LanguageTag> {
    LanguageTag::parse(tag).map_err(|error| {
        CommandError::new(
            Exit::InvalidDocument,
            format!("{tag:?} is no language tag: {error}"),
        )
        .with_hint("a BCP 47 tag such as crk, fin or gsw-u-sd-chzh")
    })
}

fn open(tag: &LanguageTag) -> CommandResult<Language> {
    Language::builtin(tag).map_err(|error| CommandError::from_error(Exit::Internal, error))
}
