//! Reads the letter that an answer to a four-option question chose (D §3, decision 38).

mod cleaning;
mod labels;
mod markers;
mod negation;
mod option_text;
mod tokens;
mod vocabulary;

use std::collections::BTreeSet;

use lydian_model::dialect::{Letter, Options};
use schemars::JsonSchema;
use serde::Serialize;

use super::normalise::without_quotes;
use tokens::Tokens;

/// What an answer chose, and by which rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McqReading {
    /// The choice.
    pub choice: McqChoice,
    /// The rule that decided.
    pub rule: McqRule,
}

/// The choice of an answer. Nothing is ever guessed: without a letter the answer is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McqChoice {
    /// One letter.
    Letter(Letter),
    /// No letter.
    None,
    /// Several letters and nothing that decides between them.
    Ambiguous(BTreeSet<Letter>),
}

/// The rules, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum McqRule {
    /// Nothing is left after reasoning and markup are removed.
    Empty,
    /// The whole answer is one letter.
    WholeAnswer,
    /// The last line is an answer marker and a letter.
    LastLine,
    /// A marker that says final or right ("die richtige Antwort ist C", a box), the last one.
    FinalMarker,
    /// A plain marker ("Antwort: C"), the last one.
    Marker,
    /// A bare "Option C", the last one.
    OptionWord,
    /// Lines that begin with a label ("C) …").
    LabelLine,
    /// A label with the text of its option within a line.
    LabelledText,
    /// "None of the answers".
    NoneOfThem,
    /// The text of one option.
    OptionText,
    /// The only capital letters standing alone.
    LoneCapital,
    /// Nothing names an option.
    NoLetter,
}

impl McqRule {
    /// Every rule in order.
    pub(super) const ALL: [Self; 12] = [
        Self::Empty,
        Self::WholeAnswer,
        Self::LastLine,
        Self::FinalMarker,
        Self::Marker,
        Self::OptionWord,
        Self::LabelLine,
        Self::LabelledText,
        Self::NoneOfThem,
        Self::OptionText,
        Self::LoneCapital,
        Self::NoLetter,
    ];

    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::WholeAnswer => "whole_answer",
            Self::LastLine => "last_line",
            Self::FinalMarker => "final_marker",
            Self::Marker => "marker",
            Self::OptionWord => "option_word",
            Self::LabelLine => "label_line",
            Self::LabelledText => "labelled_text",
            Self::NoneOfThem => "none_of_them",
            Self::OptionText => "option_text",
            Self::LoneCapital => "lone_capital",
            Self::NoLetter => "no_letter",
        }
    }
}

impl McqReading {
    fn of(rule: McqRule, letters: BTreeSet<Letter>) -> Option<Self> {
        let choice = match letters.len() {
            0 => return None,
            1 => McqChoice::Letter(*letters.first()?),
            _ => McqChoice::Ambiguous(letters),
        };
        Some(Self { choice, rule })
    }

    /// Returns the letter, if the answer chose exactly one.
    pub fn letter(&self) -> Option<Letter> {
        match self.choice {
            McqChoice::Letter(letter) => Some(letter),
            McqChoice::None | McqChoice::Ambiguous(_) => None,
        }
    }
}

/// Reads the letter of an answer. `quotes` are texts of the item that the answer may repeat (its source):
/// they name no option.
///
/// ```
/// use lydian_model::dialect::{Letter, Options};
/// let options = Options { a: "Zürich".into(), b: "Basel".into(), c: "Bern".into(), d: "Luzern".into() };
/// let reading = lydian_scoring::dialect::read_letter("A ist falsch. Antwort: C", &options, &[]);
/// assert_eq!(reading.letter(), Some(Letter::C));
/// ```
pub fn read_letter(answer: &str, options: &Options, quotes: &[&str]) -> McqReading {
    let (own, _) = without_quotes(&cleaning::cleaned(answer), quotes);
    let tokens = Tokens::new(&own);
    if tokens.has_no_word() {
        return McqReading {
            choice: McqChoice::None,
            rule: McqRule::Empty,
        };
    }
    let none = |rule| McqReading {
        choice: McqChoice::None,
        rule,
    };
    tokens
        .only_letter()
        .and_then(|letter| McqReading::of(McqRule::WholeAnswer, BTreeSet::from([letter])))
        .or_else(|| markers::last_line(&tokens, options))
        .or_else(|| markers::strongest(&tokens, options))
        .or_else(|| labels::label_lines(&tokens))
        .or_else(|| labels::labelled_text(&tokens, options))
        .or_else(|| option_text::none_of_them(&tokens, options).then(|| none(McqRule::NoneOfThem)))
        .or_else(|| option_text::named_option(&tokens, options))
        .or_else(|| McqReading::of(McqRule::LoneCapital, labels::lone_capitals(&tokens)))
        .unwrap_or_else(|| none(McqRule::NoLetter))
}
