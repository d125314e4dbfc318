//! Which languages of a translation memory are source and target.

use crate::LanguageTag;

/// The pair of languages that entries are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) source: String,
    pub(super) target: String,
}

/// Says whether a tag of the file stands for the wanted one: `en-US` for `en`, `eng` for `en`, but not `en` for `en-US`.
pub(super) fn stands_for(tag: &str, wanted: &str) -> bool {
    match (
        LanguageTag::parse(&tag.replace('_', "-")),
        LanguageTag::parse(wanted),
    ) {
        (Ok(tag), Ok(wanted)) => {
            tag.folded() == wanted.folded()
                || tag
                    .folded()
                    .strip_prefix(wanted.folded())
                    .is_some_and(|rest| rest.starts_with('-'))
        }
        _ => tag.eq_ignore_ascii_case(wanted),
    }
}

/// Chooses the pair from what is wanted, the header's source language and the languages of the first unit.
pub(super) fn choose(
    wanted: (Option<&str>, Option<&str>),
    header_source: Option<&str>,
    present: &[String],
) -> Result<Pair, String> {
    let listed = || present.join(", ");
    let header = header_source.filter(|tag| present.iter().any(|one| stands_for(one, tag)));
    let source = match (wanted.0, header, wanted.1, present) {
        (Some(tag), ..) | (None, Some(tag), ..) => tag.to_owned(),
        (None, None, Some(target), [one, other]) if stands_for(other, target) => one.clone(),
        (None, None, Some(target), [one, other]) if stands_for(one, target) => other.clone(),
        (None, None, None, [first, _]) => first.clone(),
        _ => {
            return Err(format!(
                "the source language is not stated; the first unit has {}",
                listed()
            ));
        }
    };
    if let Some(tag) = wanted.1 {
        return Ok(Pair {
            source,
            target: tag.to_owned(),
        });
    }
    let mut others = present.iter().filter(|tag| !stands_for(tag, &source));
    match (others.next(), others.next()) {
        (Some(target), None) => Ok(Pair {
            source,
            target: target.clone(),
        }),
        _ => Err(format!(
            "the target language is not stated; the first unit has {}",
            listed()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(
        wanted: (Option<&str>, Option<&str>),
        header: Option<&str>,
        present: &[&str],
    ) -> Option<(String, String)> {
        let present: Vec<String> = present.iter().map(|&tag| tag.to_owned()).collect();
        choose(wanted, header, &present)
            .ok()
            .map(|pair| (pair.source, pair.target))
    }

    #[test]
    fn the_header_or_the_first_unit_decides_when_nothing_is_said() {
        assert_eq!(
            pair((None, None), Some("fr"), &["en", "fr"]),
            Some(("fr".to_owned(), "en".to_owned()))
        );
        assert_eq!(
            pair((None, None), Some("*all*"), &["en", "fr"]),
            Some(("en".to_owned(), "fr".to_owned()))
        );
        assert_eq!(
            pair((None, Some("en")), None, &["en", "fr"]),
            Some(("fr".to_owned(), "en".to_owned()))
        );
        assert_eq!(pair((None, None), None, &["en", "fr", "de"]), None);
        assert_eq!(pair((None, None), None, &["en"]), None);
    }

    #[test]
    fn regional_tags_stand_for_their_language() {
        assert_eq!(
            pair((Some("en"), Some("fr")), None, &["EN-US", "fr_CA"]),
            Some(("en".to_owned(), "fr".to_owned()))
        );
        assert!(stands_for("eng", "en"));
        assert!(!stands_for("en", "en-US"));
        assert!(!stands_for("enq", "en"));
    }
}
