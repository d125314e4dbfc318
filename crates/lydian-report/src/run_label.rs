//! Names that tell runs apart.

use std::collections::BTreeSet;

use lydian_model::RunCard;

/// Returns the name of a run that stands alone: its method, and its condition unless that is the usual one.
pub fn run_label(card: &RunCard) -> String {
    if card.condition == "baseline" || card.condition.is_empty() {
        card.method_name.clone()
    } else {
        format!("{} ({})", card.method_name, card.condition)
    }
}

/// Returns names that differ from each other: where methods and conditions are the same, models are added, then the
/// time of the start, then a number.
pub fn run_labels(cards: &[RunCard]) -> Vec<String> {
    let mut labels: Vec<String> = cards.iter().map(run_label).collect();
    let additions: [fn(&RunCard) -> &str; 2] = [|card| &card.model_slug, |card| &card.timestamp];
    for addition in additions {
        if all_differ(&labels) {
            return labels;
        }
        for index in repeated(&labels) {
            let more = addition(&cards[index]);
            labels[index] = format!("{}, {more}", labels[index]);
        }
    }
    for index in repeated(&labels) {
        labels[index] = format!("{}, run {}", labels[index], index + 1);
    }
    labels
}

fn all_differ(labels: &[String]) -> bool {
    labels.iter().collect::<BTreeSet<_>>().len() == labels.len()
}

fn repeated(labels: &[String]) -> Vec<usize> {
    (0..labels.len())
        .filter(|&index| labels.iter().filter(|label| **label == labels[index]).count() > 1)
        .collect()
}
