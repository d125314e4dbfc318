//! A multiple-choice type within a dialect: accuracy, chance, the best constant letter, position bias.

use lydian_metrics::proportion::Proportion;
use lydian_model::Score;
use lydian_model::dialect::{DialectItem, Letter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::verdict::{ItemVerdict, Label};
use super::Share;

/// What guessing reaches with four options.
const CHANCE: f64 = 0.25;

/// The items of one multiple-choice type in one dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChoiceCell {
    /// Right answers with their Wilson interval.
    pub correct: Share,
    /// What guessing reaches.
    pub chance: Score,
    /// Whether the interval lies above chance as a whole.
    pub above_chance: bool,
    /// What always answering one letter would reach.
    pub best_constant: ConstantBaseline,
    /// How the letters were used.
    pub positions: Vec<PositionCell>,
}

/// Always answering the letter that is right most often.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConstantBaseline {
    /// The letter.
    pub letter: Letter,
    /// The items whose right letter it is.
    pub correct: u64,
    /// The accuracy it would reach.
    pub accuracy: Score,
}

/// How one letter was used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionCell {
    /// The letter.
    pub letter: Letter,
    /// How often it was chosen.
    pub chosen: u64,
    /// How often it was right.
    pub right_letter: u64,
    /// How often it was right and chosen.
    pub correct: u64,
    /// The exact two-sided binomial probability of choosing it so often among the letters read, were all four
    /// equally likely; null when no letter was read.
    pub p_value: Option<Score>,
}

impl ChoiceCell {
    /// Returns the cell, or `None` without items.
    pub(super) fn new(judged: &[&(&DialectItem, ItemVerdict)]) -> Option<Self> {
        let verdicts: Vec<&ItemVerdict> = judged.iter().map(|(_, verdict)| verdict).collect();
        let of = verdicts.len() as u64;
        if of == 0 {
            return None;
        }
        let correct = verdicts
            .iter()
            .filter(|verdict| verdict.label == Label::Correct)
            .count() as u64;
        let correct = Share::new(correct, of);
        let read = verdicts.iter().filter(|verdict| verdict.letter.is_some()).count() as u64;
        let positions = Letter::ALL.map(|letter| position(&verdicts, letter, read));
        // The first of several equally frequent letters, so that the result does not depend on the order.
        let best = positions
            .iter()
            .max_by_key(|cell| (cell.right_letter, std::cmp::Reverse(cell.letter)))?;
        Some(Self {
            correct,
            chance: Score::new(CHANCE)?,
            above_chance: correct.interval.is_some_and(|[lower, _]| lower.get() > CHANCE),
            best_constant: ConstantBaseline {
                letter: best.letter,
                correct: best.right_letter,
                accuracy: Score::new(best.right_letter as f64 / of as f64)?,
            },
            positions: positions.to_vec(),
        })
    }
}

fn position(verdicts: &[&ItemVerdict], letter: Letter, read: u64) -> PositionCell {
    let count = |holds: &dyn Fn(&ItemVerdict) -> bool| {
        verdicts.iter().filter(|verdict| holds(verdict)).count() as u64
    };
    let chosen = count(&|verdict| verdict.letter == Some(letter));
    PositionCell {
        letter,
        chosen,
        right_letter: count(&|verdict| verdict.correct_answer == Some(letter)),
        correct: count(&|verdict| verdict.correct_answer == Some(letter) && verdict.label == Label::Correct),
        p_value: Proportion::new(chosen, read).and_then(|share| Score::new(share.binomial_test(CHANCE))),
    }
}
