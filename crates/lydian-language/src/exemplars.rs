//! Exemplar characters of the Common Locale Data Repository, and the set notation they are written in.
use lydian_model::LanguageTag;
use std::collections::BTreeSet;

/// Extracted from npm `cldr-misc-full` 48.2.0, licence Unicode-3.0; one line per locale.
const TABLE: &str = include_str!("../data/cldr-exemplars.tsv");

/// The characters of one locale. Letters may be clusters such as `ng` or a letter with a combining mark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exemplars {
    /// The locale, such as `uz-Cyrl`.
    pub locale: String,
    /// Letters of the orthography.
    pub main: BTreeSet<String>,
    /// Letters that occur in names and loan words.
    pub auxiliary: BTreeSet<String>,
    /// Punctuation.
    pub punctuation: BTreeSet<String>,
}

impl Exemplars {
    /// Returns the exemplars of every locale of a language: one per script it is written in.
    pub fn of_language(tag: &LanguageTag) -> Vec<Self> {
        TABLE
            .lines()
            .skip(1)
            .filter_map(|line| {
                let mut fields = line.split('\t');
                let locale = fields.next()?;
                let primary = locale.split('-').next()?;
                let wanted = primary == tag.primary();
                wanted.then(|| Self::from_fields(locale, fields))
            })
            .collect()
    }

    /// Returns the exemplars of a language in the script of the tag, or in its usual script.
    pub fn of(tag: &LanguageTag) -> Option<Self> {
        let all = Self::of_language(tag);
        match script_of(tag) {
            Some(script) => {
                let scripted = all
                    .iter()
                    .find(|e| e.locale.split('-').any(|part| part == script))
                    .cloned();
                scripted.or_else(|| all.into_iter().find(|e| !e.locale.contains('-')))
            }
            None => all.into_iter().find(|e| !e.locale.contains('-')),
        }
    }

    fn from_fields<'f>(locale: &str, mut fields: impl Iterator<Item = &'f str>) -> Self {
        let mut set = || parse_set(fields.next().unwrap_or_default());
        Self {
            locale: locale.to_owned(),
            main: set(),
            auxiliary: set(),
            punctuation: set(),
        }
    }
}

/// The script subtag of a tag, such as `Latn`.
pub(crate) fn script_of(tag: &LanguageTag) -> Option<&str> {
    let mut subtags = tag.as_str().split('-').skip(1).take_while(|s| s.len() > 1);
    subtags.find(|s| s.len() == 4 && s.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Reads a set such as `[a-c {ng} \- é]`: characters, ranges, clusters in braces, escapes.
pub fn parse_set(text: &str) -> BTreeSet<String> {
    let inner = text.trim();
    let inner = inner
        .strip_prefix('[')
        .and_then(|t| t.strip_suffix(']'))
        .unwrap_or(inner);
    let mut items: Vec<String> = Vec::new();
    let mut range_from: Option<char> = None;
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let item = match c {
            ' ' => continue,
            '{' => {
                let cluster: String = chars
                    .by_ref()
                    .take_while(|c| *c != '}')
                    .filter(|c| *c != '\\')
                    .collect();
                range_from = None;
                items.push(cluster);
                continue;
            }
            '\\' => match chars.next() {
                Some(escaped) => escaped,
                None => break,
            },
            '-' if chars.peek().is_some_and(|next| *next != ' ') && !items.is_empty() => {
                range_from = items.last().and_then(|last| {
                    let mut letters = last.chars();
                    letters.next().filter(|_| letters.next().is_none())
                });
                continue;
            }
            other => other,
        };
        if let Some(from) = range_from.take() {
            items.extend((from..=item).skip(1).map(String::from));
        } else {
            items.push(item.to_string());
        }
    }
    items.into_iter().filter(|i| !i.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tag: &str) -> Option<Exemplars> {
        Exemplars::of(&LanguageTag::parse(tag).unwrap())
    }

    #[test]
    fn the_set_notation_is_read() {
        let set = parse_set("[a b-d {ng} \\- ɔ{ɔ̀} 'x]");
        let expected = ["a", "b", "c", "d", "ng", "-", "ɔ", "ɔ̀", "'", "x"].map(String::from);
        assert_eq!(set, BTreeSet::from(expected));
        assert!(parse_set("[]").is_empty());
        assert!(parse_set("[{ab").contains("ab"));
        assert!(parse_set("[a\\").contains("a"));
    }

    #[test]
    fn small_languages_have_their_letters() {
        let sami = of("sme").unwrap();
        assert!(sami.main.contains("ŧ") && sami.main.contains("č"));
        assert!(of("gsw").unwrap().main.contains("ä"));
        assert!(of("mlt").unwrap().main.contains("ħ"));
        assert_eq!(of("crk"), None);
    }

    #[test]
    fn every_script_of_a_language_is_found() {
        let locales: Vec<String> = Exemplars::of_language(&LanguageTag::parse("uzb").unwrap())
            .into_iter()
            .map(|e| e.locale)
            .collect();
        assert!(
            locales.contains(&"uz".to_owned()) && locales.contains(&"uz-Cyrl".to_owned()),
            "{locales:?}"
        );
        assert!(of("uz-Cyrl").unwrap().main.contains("ў"));
    }
}
