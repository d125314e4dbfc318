//! The sentence that opens every presentation of a card.

use lydian_model::RunCard;

use crate::number;

/// Returns what a speaker needs to know first: how much was tested, the main score with its interval, and that nobody
/// has confirmed it.
pub fn opening(card: &RunCard) -> String {
    let scores = &card.scores;
    let entries = number::count(scores.total);
    let sentences = if scores.total == 1 {
        "sentence"
    } else {
        "sentences"
    };
    let result = match scores.chrf_plus_plus {
        Some(chrf) => {
            let interval = number::interval_points(scores.confidence_intervals.get("chrf_plus_plus"));
            let interval = if interval.is_empty() {
                String::new()
            } else {
                format!(" ({interval})")
            };
            format!(
                "On {entries} {sentences} this method scores {:.1} chrF++{interval}.",
                chrf.get()
            )
        }
        None => format!("On {entries} {sentences} this method has no chrF++ score."),
    };
    let answered = match scores.errors {
        0 => String::new(),
        1 => " One entry has no answer, so the run is incomplete.".to_owned(),
        errors => format!(
            " {} entries have no answer, so the run is incomplete.",
            number::count(errors)
        ),
    };
    format!("{result}{answered} No speaker has confirmed this.")
}

/// Returns the name under which a run is listed.
pub fn run_label(card: &RunCard) -> String {
    if card.condition == "baseline" || card.condition.is_empty() {
        card.method_name.clone()
    } else {
        format!("{} ({})", card.method_name, card.condition)
    }
}
