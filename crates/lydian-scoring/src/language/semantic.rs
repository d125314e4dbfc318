//! The semantic score of one entry: a scorer's recorded answer, corrected for chance and guarded (decision 32).

use lydian_language::{
    Language, SemanticCalibration, is_in_foreign_script, negation_differs, numbers_differ,
};
use lydian_model::run_card::result::SemanticVerdict;
use lydian_model::semantic::{SemanticAnswer, SemanticAnswers, texts_sha256};
use lydian_model::{Finite, counted};
use serde_json::json;

use super::Judged;
use crate::caveat::is_source_copy;
use crate::item::Item;

/// Why there is no semantic score (decision 32).
pub(super) const NO_SCORER: &str = "no semantic scorer is configured";

/// Scores are counted in millionths, so that they add up exactly.
const MILLION: f64 = 1_000_000.0;

/// Something that a scorer of similarity may not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticGuard {
    /// No text.
    Empty,
    /// The output repeats the source, the reference does not.
    SourceCopy,
    /// Most letters are in no script of the language.
    WrongScript,
    /// Output and reference differ in a number.
    Numbers,
    /// One of the two negates, the other does not.
    Negation,
}

impl SemanticGuard {
    /// Every guard, in the order in which they are looked for.
    pub const ALL: [Self; 5] = [
        Self::Empty,
        Self::SourceCopy,
        Self::WrongScript,
        Self::Numbers,
        Self::Negation,
    ];

    /// Returns the name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::SourceCopy => "source_copy",
            Self::WrongScript => "wrong_script",
            Self::Numbers => "numbers",
            Self::Negation => "negation",
        }
    }

    /// Whether there is nothing whose meaning could have been kept.
    fn is_fatal(self) -> bool {
        matches!(self, Self::Empty | Self::SourceCopy | Self::WrongScript)
    }

    /// Finds the first guard that an output sets off.
    fn of(item: &Item<'_>, target: &Language) -> Option<Self> {
        let (reference, output, card) = (&item.reference, &item.output, &target.card);
        if !item.has_text() {
            Some(Self::Empty)
        } else if is_source_copy(item) {
            Some(Self::SourceCopy)
        } else if is_in_foreign_script(output, card) && !is_in_foreign_script(reference, card) {
            Some(Self::WrongScript)
        } else if numbers_differ(reference, output, card) {
            Some(Self::Numbers)
        } else if negation_differs(reference, output, card) == Some(true) {
            Some(Self::Negation)
        } else {
            None
        }
    }
}

/// Returns the scorer's answer to the very texts of an entry.
fn answer<'a>(answers: &'a SemanticAnswers, item: &Item<'_>) -> Option<&'a SemanticAnswer> {
    let answer = answers.by_entry.get(&item.entry.id)?;
    let asked = texts_sha256(
        &item.entry.source,
        item.prediction.scored_text(),
        &item.entry.reference,
    );
    (answer.texts_sha256 == asked).then_some(answer)
}

/// Returns the calibration of the scorer for the language.
fn calibration<'l>(answers: &SemanticAnswers, target: &'l Language) -> Option<&'l SemanticCalibration> {
    target
        .card
        .semantic
        .iter()
        .find(|calibration| calibration.scorer == answers.scorer)
}

/// Says why the score means nothing or cannot be given, if so.
pub(super) fn obstacle(
    items: &[Item<'_>],
    answers: Option<&SemanticAnswers>,
    target: &Language,
) -> Option<String> {
    let Some(answers) = answers else {
        return Some(NO_SCORER.to_owned());
    };
    let (scorer, language) = (&answers.scorer, &target.card.language);
    let silence = Silence::of(items, answers);
    // A scorer that never worked cannot be calibrated either: its error comes first.
    if silence.is_complete() {
        return Some(format!(
            "the scorer {scorer} has no score for any output: {}",
            silence.why()
        ));
    }
    let Some(calibration) = calibration(answers, target) else {
        return Some(format!(
            "the scorer {scorer} is not calibrated for {language}: `lydian language calibrate-semantic {language}`"
        ));
    };
    if !calibration.passes() {
        return Some(format!(
            "the scorer {scorer} does not tell right from wrong references of {language} well enough: AUC {:.3}, needed are {:.2} and the {:.3} of chrF++",
            calibration.auc,
            SemanticCalibration::LEAST_AUC,
            calibration.chrf_plus_plus_auc
        ));
    }
    (silence.without_score > 0).then(|| {
        format!(
            "the scorer {scorer} has no score for {} of {}: {}",
            silence.without_score,
            counted(silence.outputs as u64, "output", "outputs"),
            silence.why()
        )
    })
}

/// The outputs with text to which a scorer gave no score.
struct Silence<'a> {
    outputs: usize,
    without_score: usize,
    first_error: Option<&'a str>,
}

impl<'a> Silence<'a> {
    fn of(items: &[Item<'_>], answers: &'a SemanticAnswers) -> Self {
        let with_text = || items.iter().filter(|item| item.has_text());
        let answered = with_text().map(|item| answer(answers, item));
        let without: Vec<_> = answered
            .filter(|answer| answer.is_none_or(|answer| answer.score.is_none()))
            .collect();
        Self {
            outputs: with_text().count(),
            without_score: without.len(),
            first_error: without
                .iter()
                .find_map(|answer| answer.as_ref()?.error.as_deref()),
        }
    }

    fn is_complete(&self) -> bool {
        self.outputs > 0 && self.without_score == self.outputs
    }

    /// Returns the reason of the first, and how to ask again.
    fn why(&self) -> String {
        let error = self.first_error.unwrap_or("it was not asked");
        format!("{error}; `lydian runs rescore` asks again")
    }
}

/// Returns what a metric's signature says of the scorer and its calibration.
pub(crate) fn signature(answers: &SemanticAnswers, target: &Language) -> Option<String> {
    let calibration = calibration(answers, target)?;
    Some(format!(
        "scorer:{}|chance:{}|valid:{}|mismatch:{}|auc:{}|corpus:{}",
        calibration.scorer,
        calibration.chance_level,
        calibration.valid_from,
        calibration.mismatch_below,
        calibration.auc,
        calibration
            .corpus_sha256
            .get(..16)
            .unwrap_or(&calibration.corpus_sha256)
    ))
}

/// Judges one entry. Nothing counts while the scorer is not calibrated, but its score is shown.
pub(super) fn judge(answers: &SemanticAnswers, target: &Language, item: &Item<'_>) -> Judged {
    let calibration = calibration(answers, target);
    let guard = SemanticGuard::of(item, target);
    let raw = answer(answers, item)
        .and_then(|answer| answer.score)
        .map(Finite::get);
    let error = answer(answers, item).and_then(|answer| answer.error.clone());
    let fatal = guard.is_some_and(SemanticGuard::is_fatal);
    let verdict = match (raw, calibration) {
        _ if fatal => SemanticVerdict::Mismatch,
        (None, _) => SemanticVerdict::Error,
        (Some(_), None) => SemanticVerdict::Unknown,
        (Some(_), Some(_)) if guard.is_some() => SemanticVerdict::Mismatch,
        (Some(raw), Some(calibration)) => verdict(raw, calibration),
    };
    let value = match (raw, calibration) {
        (_, Some(_)) if fatal => Some(0.0),
        (Some(raw), Some(calibration)) => {
            let seen = if guard.is_some() {
                raw.min(calibration.mismatch_below)
            } else {
                raw
            };
            Some(corrected(seen, calibration))
        }
        _ => None,
    };
    let row = value.map_or([0, 0], |value| [millionths(value), 1]);
    let mut judged = Judged::counts(row).with("verdict", json!(verdict));
    if let Some(raw) = raw {
        judged = judged.with("raw", json!(raw));
    }
    if let Some(guard) = guard {
        judged = judged.with("guard", json!(guard.name()));
    }
    if let Some(error) = error.filter(|_| raw.is_none()) {
        judged = judged.with("error", json!(error));
    }
    judged
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "values lie between 0 and 1"
)]
fn millionths(value: f64) -> u64 {
    (value * MILLION).round() as u64
}

fn verdict(raw: f64, calibration: &SemanticCalibration) -> SemanticVerdict {
    if raw >= calibration.valid_from {
        SemanticVerdict::Valid
    } else if raw < calibration.mismatch_below {
        SemanticVerdict::Mismatch
    } else {
        SemanticVerdict::Unknown
    }
}

/// Returns the score above the chance level of unrelated pairs, from 0 to 1.
fn corrected(raw: f64, calibration: &SemanticCalibration) -> f64 {
    let chance = calibration.chance_level;
    if chance >= 1.0 {
        return 0.0;
    }
    ((raw - chance) / (1.0 - chance)).clamp(0.0, 1.0)
}
