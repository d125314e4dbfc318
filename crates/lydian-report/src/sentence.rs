//! The sentences that open every presentation of a card.

use lydian_model::RunCard;
use lydian_model::run_card::Scores;
use lydian_model::run_card::scores::Interval;

use crate::number::{self, counted};

/// Returns what a speaker needs to know first: how much was tested, the main score with its interval, how many
/// answers hold no text, and that nobody has confirmed it.
pub fn opening(card: &RunCard) -> String {
    let scores = &card.scores;
    let sentences = counted(scores.total, "sentence", "sentences");
    let result = match scores.chrf_plus_plus {
        Some(chrf) => {
            let bounds = scores
                .confidence_intervals
                .get("chrf_plus_plus")
                .and_then(Interval::bounds)
                .map_or_else(String::new, |(lower, upper)| format!(" ({lower:.1}–{upper:.1})"));
            format!(
                "On {sentences} this method scores {:.1} chrF++{bounds}.",
                chrf.get()
            )
        }
        None => format!("On {sentences} this method has no chrF++ score."),
    };
    let silence = silence(scores);
    let caveats = match scores.caveats.len() {
        0 => String::new(),
        1 => " Read the caveat below.".to_owned(),
        _ => " Read the caveats below.".to_owned(),
    };
    format!("{result}{silence} No speaker has confirmed this.{caveats}")
}

/// Returns the opening, with a warning where the unchanged source scores higher than the method.
pub(crate) fn opening_beside(card: &RunCard, floor: Option<&Scores>) -> String {
    let mut text = opening(card);
    let scored = |scores: &Scores| scores.chrf_plus_plus.map(lydian_model::Score::get);
    if let (Some(method), Some(floor)) = (scored(&card.scores), floor.and_then(scored))
        && method < floor
    {
        text.push_str(&format!(
            " The source itself, left untranslated, scores higher: {floor:.1}."
        ));
    }
    text
}

/// Returns how many entries have no text although they were asked for. They count as empty translations, which a
/// coverage of 100 % does not tell.
fn silence(scores: &Scores) -> String {
    let without_text: u64 = lydian_model::Outcome::ALL
        .into_iter()
        .filter(|outcome| !outcome.text_is_scored() && *outcome != lydian_model::Outcome::Failed)
        .filter_map(|outcome| scores.outcomes.get(outcome.name()))
        .sum();
    let total = number::count(scores.total);
    let mut text = match without_text {
        0 => String::new(),
        all if all == scores.total => " Not one of its answers holds any text.".to_owned(),
        some => format!(" For {} of the {total} it gave no text.", number::count(some)),
    };
    match scores.errors {
        0 => {}
        1 => text.push_str(" One entry has no answer, so the run is incomplete."),
        errors => text.push_str(&format!(
            " {} entries have no answer, so the run is incomplete.",
            number::count(errors)
        )),
    }
    text
}
