//! Which of two runs is better on which entry.

use lydian_model::run_card::EntryResult;

use super::paired::Side;
use super::{Example, Results, WinsAndLosses};
use crate::aggregate::rounded;

/// Entries shown for each direction.
const EXAMPLES: usize = 3;

/// Counts the entries on which either run has the higher sentence chrF++ and shows the clearest ones.
pub(super) fn wins_and_losses(
    baseline: &Results<'_>,
    system: &Results<'_>,
    sides: [&Side; 2],
) -> WinsAndLosses {
    let mut gains: Vec<(f64, usize)> = (0..baseline.len())
        .map(|entry| {
            let [before, after] = sides.map(|side| side.sentence_score(entry));
            (after - before, entry)
        })
        .collect();
    // Equal gains keep the order of the corpus.
    gains.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let wins = gains.iter().filter(|(gain, _)| *gain > 0.0).count();
    let losses = gains.iter().filter(|(gain, _)| *gain < 0.0).count();
    let example = |&(_, entry): &(f64, usize)| example(baseline[entry], system[entry], entry, sides);
    WinsAndLosses {
        wins: wins as u64,
        losses: losses as u64,
        ties: (gains.len() - wins - losses) as u64,
        largest_gains: gains[..wins].iter().take(EXAMPLES).map(example).collect(),
        largest_losses: gains[gains.len() - losses..]
            .iter()
            .rev()
            .take(EXAMPLES)
            .map(example)
            .collect(),
    }
}

fn example(baseline: &EntryResult, system: &EntryResult, entry: usize, sides: [&Side; 2]) -> Example {
    let [before, after] = sides.map(|side| rounded(side.sentence_score(entry)));
    Example {
        entry_id: baseline.entry_id.clone(),
        source: baseline.source.clone(),
        expected: baseline.expected.clone(),
        baseline_output: baseline.predicted.clone(),
        system_output: system.predicted.clone(),
        baseline_score: before,
        system_score: after,
    }
}
