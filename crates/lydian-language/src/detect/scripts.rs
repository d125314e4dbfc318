//! Words in a script that the target language is not written in.
use super::tokens::Text;
use super::{Finding, FindingKind};
use crate::card::Card;
use crate::exemplars::Exemplars;
use std::collections::{BTreeMap, BTreeSet};
use unicode_script::{Script, UnicodeScript};

/// An ISO 15924 code.
type Code = &'static str;

/// Outputs that tell which script a language without a card or exemplars is written in.
const ENOUGH_OUTPUTS: usize = 10;
/// Their letters have to agree to this share.
const AGREEMENT: f64 = 0.8;
/// From this share of foreign letters on, the output as a whole is in the wrong script.
const MOSTLY: f64 = 0.5;

/// The scripts of source and target.
pub(super) struct Scripts {
    source: BTreeSet<Code>,
    /// Empty where nothing is known.
    target: BTreeSet<Code>,
}

/// Returns the scripts a language is written in: those of its card, else those of its exemplar characters.
pub fn expected_scripts(card: &Card) -> BTreeSet<&'static str> {
    let declared: BTreeSet<Code> = card
        .scripts
        .iter()
        .flat_map(|code| scripts_of_code(code))
        .collect();
    if !declared.is_empty() {
        return declared;
    }
    let letters = Exemplars::of_language(&card.tag())
        .into_iter()
        .flat_map(|e| e.main);
    letters
        .flat_map(|letter| letter.chars().collect::<Vec<_>>())
        .filter_map(script_of)
        .collect()
}

/// Returns the share of letters in a script that the language is not written in; `None` where that is not known.
pub(crate) fn share_of_foreign_letters(text: &str, card: &Card) -> Option<f64> {
    let expected = expected_scripts(card);
    let letters: Vec<Code> = text.chars().filter_map(script_of).collect();
    if expected.is_empty() || letters.is_empty() {
        return None;
    }
    let foreign = letters
        .iter()
        .filter(|script| !expected.contains(**script))
        .count();
    Some(foreign as f64 / letters.len() as f64)
}

impl Scripts {
    pub(super) fn new(source: &Card, target: &Card, texts: &[(Text, Text)]) -> Self {
        let or_usual = |known: BTreeSet<Code>, outputs: Vec<&Text>| {
            if known.is_empty() {
                usual_script(&outputs)
            } else {
                known
            }
        };
        Self {
            source: or_usual(
                expected_scripts(source),
                texts.iter().map(|(from, _)| from).collect(),
            ),
            target: or_usual(expected_scripts(target), texts.iter().map(|(_, to)| to).collect()),
        }
    }

    pub(super) fn find(&self, source: &Text, output: &Text) -> Option<Finding> {
        if self.target.is_empty() {
            return None;
        }
        let known: BTreeSet<&str> = source.tokens.iter().map(|t| t.folded.as_str()).collect();
        let (mut letters, mut foreign_letters) = (0usize, 0usize);
        let mut leaked: Vec<&str> = Vec::new();
        let mut strange: Vec<&str> = Vec::new();
        for (at, token) in output.tokens.iter().enumerate() {
            let scripts: Vec<Code> = token.word.text.chars().filter_map(script_of).collect();
            letters += scripts.len();
            let foreign: Vec<&Code> = scripts.iter().filter(|s| !self.target.contains(**s)).collect();
            if foreign.is_empty() {
                continue;
            }
            foreign_letters += foreign.len();
            if foreign.len() < scripts.len() || foreign.len() < 2 && *foreign[0] != "Hani" {
                continue;
            }
            let text = token.word.text.as_str();
            if !foreign.iter().any(|s| self.source.contains(**s)) {
                if !known.contains(token.folded.as_str()) {
                    strange.push(text);
                }
            } else if !may_stay(source, output, at) {
                leaked.push(text);
            }
        }
        let mostly = foreign_letters as f64 >= MOSTLY * letters as f64;
        if !strange.is_empty() {
            return Some(Finding {
                kind: FindingKind::WrongScript,
                evidence: strange.join(" "),
            });
        }
        if leaked.len() >= 2 || (mostly && !leaked.is_empty()) {
            return Some(Finding {
                kind: FindingKind::SourceScript,
                evidence: leaked.join(" "),
            });
        }
        None
    }
}

/// Names, brands and abbreviations of the source keep their script.
fn may_stay(source: &Text, output: &Text, at: usize) -> bool {
    let token = &output.tokens[at];
    let is_name = |t: &super::tokens::Token| t.is_capitalised() && (t.is_name || !source.capitals_mark_names);
    let in_source = source
        .tokens
        .iter()
        .any(|t| t.folded == token.folded && is_name(t));
    let quoted = token.is_quoted
        && source
            .tokens
            .iter()
            .any(|t| t.is_quoted && t.folded == token.folded);
    in_source || quoted || crate::normalise::is_all_caps(&token.word.text)
}

/// The script of nearly all letters of nearly all outputs.
fn usual_script(texts: &[&Text]) -> BTreeSet<Code> {
    let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
    for script in texts.iter().flat_map(|t| t.clean.chars()).filter_map(script_of) {
        *counts.entry(script).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let best = counts.into_iter().max_by_key(|(_, n)| *n);
    match best {
        Some((script, n)) if texts.len() >= ENOUGH_OUTPUTS && n as f64 >= AGREEMENT * all as f64 => {
            BTreeSet::from([script])
        }
        _ => BTreeSet::new(),
    }
}

/// The script of a letter; `None` for what every script uses.
fn script_of(c: char) -> Option<Code> {
    if !c.is_alphabetic() {
        return None;
    }
    match c.script() {
        Script::Common | Script::Inherited | Script::Unknown => None,
        script => Some(script.short_name()),
    }
}

fn scripts_of_code(code: &str) -> Vec<Code> {
    match code {
        "Hans" | "Hant" => vec!["Hani"],
        "Jpan" => vec!["Hani", "Hira", "Kana"],
        "Kore" => vec!["Hang", "Hani"],
        "Aran" => vec!["Arab"],
        other => Script::from_short_name(other)
            .map(Script::short_name)
            .into_iter()
            .collect(),
    }
}
