//! The verdict on one item: label, score, and what decided (D §2, §3, decisions 34 to 38).

use lydian_model::dialect::{DialectItem, ItemType, Letter, Task};
use lydian_model::{EntryId, Outcome, Prediction, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::coverage::KeywordMatch;
use super::language_gate::{GateScores, LanguageGate};
use super::mcq::McqRule;
use super::{judge_choice, judge_translation};

/// What became of an item, with everything that decided it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ItemVerdict {
    /// The item.
    pub id: EntryId,
    /// Its type.
    pub item_type: ItemType,
    /// Its dialect.
    pub dialect: String,
    /// Its spelling.
    pub orthography: String,
    /// How the answer came, as it was recorded; null when nothing was.
    pub outcome: Option<Outcome>,
    /// What the answer is.
    pub label: Label,
    /// T1: 0, 1 or 2; multiple choice: 0 or 1.
    pub score: u8,
    /// The rule that decided.
    pub decided_by: Decision,
    /// The refusal pattern that fired, whether or not it decided.
    pub refusal_pattern: Option<String>,
    /// Remarks that do not change the score.
    pub flags: Vec<Flag>,
    /// The matched share of the keywords' weight, of T1 answers whose text was read; never used for the score.
    pub coverage: Option<Score>,
    /// The matched weight of T1.
    pub matched_weight: Option<Score>,
    /// The weight of all keywords of T1.
    pub total_weight: Option<Score>,
    /// Which keyword matched which words, for T1.
    pub keywords: Vec<KeywordMatch>,
    /// The language gate's sums, for T1 answers that it judged.
    pub gate: Option<GateSums>,
    /// The letter that was read, for multiple choice.
    pub letter: Option<Letter>,
    /// The letters between which an ambiguous answer does not decide.
    pub candidates: Vec<Letter>,
    /// The right letter, for multiple choice.
    pub correct_answer: Option<Letter>,
}

/// What an answer is. Exactly one applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// T1 with coverage of at least 17/20, or the right letter.
    Correct,
    /// T1 with coverage of at least one half.
    Partial,
    /// T1 below one half.
    Fail,
    /// A wrong letter.
    Incorrect,
    /// Declined, or claimed not to understand.
    Refusal,
    /// T1 answered in Swiss German, or with the source itself.
    AnsweredInDialect,
    /// No text.
    Empty,
    /// No letter could be read.
    Unparsed,
    /// Several letters and nothing that decides.
    Ambiguous,
    /// No answer was given.
    Missing,
}

/// The rule by which a label was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// No answer for the item, or one that failed on the way.
    NoAnswer,
    /// The provider's own refusal signal.
    ProviderRefusal,
    /// The answer has no text, or the provider withheld it.
    NoText,
    /// A refusal pattern and nothing that answers the item.
    RefusalPattern,
    /// The answer is the source.
    SourceEcho,
    /// The language gate.
    LanguageGate,
    /// The coverage of the keywords.
    Coverage,
    /// A rule of the letter reader.
    Letter(McqRule),
}

/// Remarks that do not change the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// A refusal pattern fired, but the item is answered.
    Hedged,
    /// The answer repeats the source; the repetition was removed before scoring.
    SourceRemoved,
    /// The answer has more than four times as many words as the reference.
    Overlong,
}

/// The sums of the language gate over an answer without its repetition of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateSums {
    /// The words.
    pub words: u64,
    /// The n-grams.
    pub ngrams: u64,
    /// Swiss German.
    pub gsw: i64,
    /// German.
    pub de: i64,
    /// English.
    pub en: i64,
    /// French.
    pub fr: i64,
    /// Italian.
    pub it: i64,
}

impl Decision {
    /// The decisions that no letter is needed for.
    const BEFORE_LETTERS: [Self; 7] = [
        Self::NoAnswer,
        Self::ProviderRefusal,
        Self::NoText,
        Self::RefusalPattern,
        Self::SourceEcho,
        Self::LanguageGate,
        Self::Coverage,
    ];

    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoAnswer => "no_answer",
            Self::ProviderRefusal => "provider_refusal",
            Self::NoText => "no_text",
            Self::RefusalPattern => "refusal_pattern",
            Self::SourceEcho => "source_echo",
            Self::LanguageGate => "language_gate",
            Self::Coverage => "coverage",
            Self::Letter(rule) => rule.name(),
        }
    }
}

impl Serialize for Decision {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let letters = McqRule::ALL.map(Self::Letter);
        let known = Self::BEFORE_LETTERS
            .into_iter()
            .chain(letters)
            .find(|decision| decision.name() == name);
        known.ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no rule that decides")))
    }
}

impl JsonSchema for Decision {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decision".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "the rule that decided" })
    }
}

impl Label {
    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Partial => "partial",
            Self::Fail => "fail",
            Self::Incorrect => "incorrect",
            Self::Refusal => "refusal",
            Self::AnsweredInDialect => "answered_in_dialect",
            Self::Empty => "empty",
            Self::Unparsed => "unparsed",
            Self::Ambiguous => "ambiguous",
            Self::Missing => "missing",
        }
    }
}

impl From<GateScores> for GateSums {
    fn from(scores: GateScores) -> Self {
        let [gsw, de, en, fr, it] = scores.sums;
        Self {
            words: scores.words,
            ngrams: scores.ngrams,
            gsw,
            de,
            en,
            fr,
            it,
        }
    }
}

impl ItemVerdict {
    /// Returns a verdict with score 0 and nothing read.
    pub(super) fn zero(item: &DialectItem, label: Label, decided_by: Decision) -> Self {
        Self {
            id: item.id.clone(),
            item_type: item.item_type(),
            dialect: item.dialect.clone(),
            orthography: item.orthography.clone(),
            outcome: None,
            label,
            score: 0,
            decided_by,
            refusal_pattern: None,
            flags: Vec::new(),
            coverage: None,
            matched_weight: None,
            total_weight: None,
            keywords: Vec::new(),
            gate: None,
            letter: None,
            candidates: Vec::new(),
            correct_answer: item.task.choice().map(|choice| choice.correct_answer),
        }
    }

    /// Tells whether the verdict has a flag.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}

/// Returns the verdict on an item, given its answer.
pub fn judge(item: &DialectItem, answer: Option<&Prediction>, gate: &LanguageGate) -> ItemVerdict {
    ItemVerdict {
        outcome: answer.map(|answer| answer.outcome),
        ..judge_answer(item, answer, gate)
    }
}

fn judge_answer(item: &DialectItem, answer: Option<&Prediction>, gate: &LanguageGate) -> ItemVerdict {
    let zero = |label, decided_by| ItemVerdict::zero(item, label, decided_by);
    let Some(answer) = answer else {
        return zero(Label::Missing, Decision::NoAnswer);
    };
    match answer.outcome {
        Outcome::Failed => return zero(Label::Missing, Decision::NoAnswer),
        Outcome::Refused => return zero(Label::Refusal, Decision::ProviderRefusal),
        Outcome::Ok | Outcome::Truncated | Outcome::Empty | Outcome::Filtered | Outcome::Unparsable => {}
    }
    let text = answer.scored_text();
    if text.chars().all(|c| c.is_whitespace() || super::is_undrawn(c)) {
        return zero(Label::Empty, Decision::NoText);
    }
    match &item.task {
        Task::Translation { keywords } => judge_translation::judge(item, keywords, text, gate),
        Task::Comprehension(choice) | Task::Culture { choice, .. } | Task::Identification { choice, .. } => {
            judge_choice::judge(item, choice, text)
        }
    }
}
