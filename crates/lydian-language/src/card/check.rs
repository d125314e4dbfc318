//! Checks of a card that its types cannot express.
use super::{CARD_SCHEMA, Card};
use crate::meaning::is_negation;
use lydian_model::LanguageTag;

/// One thing that is wrong, and a text near which it stands.
pub(super) struct Problem {
    pub(super) message: String,
    pub(super) near: Option<String>,
}

/// Lists what is wrong with a card.
pub(super) fn problems(card: &Card) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut report = |message: String, near: &str| {
        found.push(Problem {
            message,
            near: (!near.is_empty()).then(|| near.to_owned()),
        });
    };
    if card.schema != CARD_SCHEMA {
        report(
            format!(
                "schema is `{}`, and this version reads `{CARD_SCHEMA}`",
                card.schema
            ),
            "schema",
        );
    }
    for tag in std::iter::once(&card.language)
        .chain(&card.close_relatives)
        .chain(card.names.keys())
    {
        if let Err(e) = LanguageTag::parse(tag) {
            report(
                format!("`{tag}` is not a well-formed BCP 47 language tag: {e}"),
                tag,
            );
        }
    }
    if !card.names.contains_key("en") {
        report("names: `en` is missing".to_owned(), "names");
    }
    if card.scripts.is_empty() {
        report(
            "scripts: at least one ISO 15924 code is needed".to_owned(),
            "scripts",
        );
    }
    for script in card
        .scripts
        .iter()
        .chain(card.orthographies.iter().map(|o| &o.script))
    {
        if !is_script(script) {
            report(
                format!("script `{script}` is no ISO 15924 code such as `Latn`"),
                script,
            );
        }
    }
    check_orthographies(card, &mut report);
    check_analyser(card, &mut report);
    check_rest(card, &mut report);
    found
}

fn check_orthographies(card: &Card, report: &mut impl FnMut(String, &str)) {
    let mut ids = Vec::new();
    for orthography in &card.orthographies {
        let id = &orthography.id;
        if ids.contains(&id) {
            report(format!("orthography `{id}` is declared twice"), id);
        }
        ids.push(id);
        if !card.scripts.contains(&orthography.script) {
            report(
                format!(
                    "orthography `{id}`: script `{}` is not among the scripts",
                    orthography.script
                ),
                id,
            );
        }
        if orthography.scored && orthography.letters.is_none() && orthography.exemplars.is_none() {
            report(
                format!("orthography `{id}`: a scored norm needs `letters` or `exemplars`"),
                id,
            );
        }
        if let Some(locale) = &orthography.exemplars
            && LanguageTag::parse(locale)
                .ok()
                .and_then(|t| crate::Exemplars::of(&t))
                .is_none()
        {
            report(
                format!("orthography `{id}`: no exemplar characters for `{locale}`"),
                locale,
            );
        }
        if orthography.normalise.iter().any(|r| r.from.is_empty()) {
            report(
                format!("orthography `{id}`: a rewrite replaces the empty text"),
                id,
            );
        }
    }
}

fn check_analyser(card: &Card, report: &mut impl FnMut(String, &str)) {
    let Some(analyser) = &card.analyser else { return };
    let hex = |s: &String| s.len() == 64 && s.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    match (&analyser.file, &analyser.sha256) {
        (Some(file), None) => report(format!("analyser: `{file}` has no sha256 that pins it"), file),
        (None, Some(_)) => report("analyser: a sha256 without a file".to_owned(), "sha256"),
        (_, Some(sha)) if !hex(sha) => {
            report("analyser: sha256 is not 64 lower-case hex digits".to_owned(), sha);
        }
        _ => {}
    }
    if analyser.self_test.accepts.is_empty() {
        report(
            "analyser: self_test.accepts lists no word".to_owned(),
            "self_test",
        );
    }
    if analyser.licence.trim().is_empty() {
        report("analyser: the licence is empty".to_owned(), "licence");
    }
}

fn check_rest(card: &Card, report: &mut impl FnMut(String, &str)) {
    if let Some(tiers) = card.scoring.tiers {
        let bounds = [tiers.fluent, tiers.deployable, tiers.functional, tiers.emerging];
        let falling = bounds.windows(2).all(|w| w[0] > w[1]);
        let inside = bounds.iter().all(|b| (0.0..=1.0).contains(b) && *b > 0.0);
        if !falling || !inside {
            report(
                "scoring.tiers: the bounds have to fall from fluent to emerging within 0 and 1".to_owned(),
                "tiers",
            );
        }
    }
    for (what, file) in card.files() {
        let outside =
            file.starts_with('/') || file.contains('\\') || file.split('/').any(|part| part == "..");
        if outside || file.is_empty() {
            report(format!("{what}: `{file}` leads out of the card's folder"), file);
        }
    }
    for set in &card.equivalence.synonyms {
        if set.len() < 2 {
            report(
                "equivalence.synonyms: a set needs two words".to_owned(),
                "synonyms",
            );
        }
    }
    for word in &card.equivalence.optional_words {
        if is_negation(word, card) {
            report(
                format!("equivalence.optional_words: `{word}` negates and cannot be left out"),
                word,
            );
        }
    }
    if card.equivalence.spelling.iter().any(|r| r.from.is_empty()) {
        report(
            "equivalence.spelling: a rewrite replaces the empty text".to_owned(),
            "spelling",
        );
    }
    let singles = [
        &card.words.joiners,
        &card.words.separators,
        &card.words.letters,
        &card.words.inner_spaces,
    ];
    for text in singles.into_iter().flatten() {
        if text.chars().count() != 1 {
            report(format!("words: `{text}` is not one character"), text);
        }
    }
}

fn is_script(code: &str) -> bool {
    let bytes = code.as_bytes();
    bytes.len() == 4 && bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_lowercase)
}
