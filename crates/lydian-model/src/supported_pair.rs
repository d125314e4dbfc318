//! Which language pairs a method says it translates, compared with those of a corpus.

use crate::LanguageTag;

/// What a method's list of pairs says about a pair of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// The pair stands in the list, or the list is empty.
    Yes,
    /// Only the other direction stands in it.
    OtherDirection,
    /// It does not stand in it.
    No,
    /// The languages of the corpus are not known, so nothing can be compared.
    Unknown,
}

/// Returns whether `pairs`, such as `por-glg`, cover a source and a target language.
///
/// Two- and three-letter codes are the same (decision 1). A pair covers the regions and scripts of its languages that
/// it does not name: `en-fr` covers `en-GB` and `fr-CA`, but `en-GB-fr` does not cover `en`.
///
/// ```
/// use lydian_model::supported_pair::{Support, support};
/// let pairs = ["por-glg".to_owned()];
/// assert_eq!(support(&pairs, "pt-BR", "gl"), Support::Yes);
/// assert_eq!(support(&pairs, "gl", "pt"), Support::OtherDirection);
/// assert_eq!(support(&pairs, "pt", "es"), Support::No);
/// ```
pub fn support(pairs: &[String], source: &str, target: &str) -> Support {
    if pairs.is_empty() {
        return Support::Yes;
    }
    let (Some(source), Some(target)) = (known(source), known(target)) else {
        return Support::Unknown;
    };
    let covers = |source: &LanguageTag, target: &LanguageTag| {
        pairs
            .iter()
            .flat_map(|pair| readings(pair))
            .any(|(from, to)| covers(&from, source) && covers(&to, target))
    };
    if covers(&source, &target) {
        Support::Yes
    } else if covers(&target, &source) {
        Support::OtherDirection
    } else {
        Support::No
    }
}

/// Says whether `text` can be read as a pair of language tags.
pub fn is_pair(text: &str) -> bool {
    !readings(text).is_empty()
}

/// Returns every way to read a pair: a hyphen may part the two tags or stand in one of them.
fn readings(pair: &str) -> Vec<(LanguageTag, LanguageTag)> {
    let pair = pair.trim();
    let arrow = ["→", "->", ">", ":", "/", "_"]
        .into_iter()
        .find_map(|arrow| pair.split_once(arrow));
    let splits: Vec<(&str, &str)> = match arrow {
        Some(split) => vec![split],
        None => pair
            .match_indices('-')
            .map(|(at, _)| (&pair[..at], &pair[at + 1..]))
            .collect(),
    };
    splits
        .into_iter()
        .filter_map(|(from, to)| {
            let tag = |text: &str| LanguageTag::parse(text.trim()).ok();
            Some((tag(from)?, tag(to)?))
        })
        .collect()
}

/// Returns the tag of a language, `None` for malformed tags and for the code of an unknown language.
fn known(tag: &str) -> Option<LanguageTag> {
    LanguageTag::parse(tag).ok().filter(|tag| tag.primary() != "und")
}

fn covers(declared: &LanguageTag, language: &LanguageTag) -> bool {
    let rest = language.folded().strip_prefix(declared.folded());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pair: &str, source: &str, target: &str) -> Support {
        support(&[pair.to_owned()], source, target)
    }

    #[test]
    fn spellings_of_one_pair_are_the_same() {
        for pair in [
            "eng-crk",
            "en-crk",
            "EN→CRK",
            "en -> crk",
            "en>crk",
            "en:crk",
            "en_crk",
        ] {
            assert_eq!(of(pair, "eng", "crk"), Support::Yes, "{pair}");
            assert_eq!(of(pair, "fra", "crk"), Support::No, "{pair}");
            assert!(is_pair(pair), "{pair}");
        }
    }

    #[test]
    fn regions_and_scripts_count_when_they_are_named() {
        assert_eq!(of("en-fr", "en-GB", "fr-CA"), Support::Yes);
        assert_eq!(of("zh-Hant-en", "zh-Hant", "en"), Support::Yes);
        assert_eq!(of("zh-Hant-en", "zh-Hans", "en"), Support::No);
        assert_eq!(of("zh-Hant-en", "zh", "en"), Support::No);
        assert_eq!(of("en-frp", "en", "fr"), Support::No);
    }

    #[test]
    fn unknown_languages_are_not_judged() {
        assert_eq!(of("en-fr", "und", "fr"), Support::Unknown);
        assert_eq!(of("en-fr", "", "fr"), Support::Unknown);
        assert_eq!(support(&[], "und", ""), Support::Yes);
    }

    #[test]
    fn what_is_no_pair_is_recognised() {
        for text in ["", "en", "english-french", "en-", "-fr", "en→", "e-f"] {
            assert!(!is_pair(text), "{text:?}");
        }
    }
}
