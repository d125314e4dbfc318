//! How hard each entry is: where all methods fail lies a linguistic problem (B §6.3).

use std::collections::BTreeMap;

use lydian_model::Score;
use lydian_model::run_card::EntryResult;

use super::SweepRun;
use super::configurations::complete;
use super::document::EntryDifficulty;

/// Sentence chrF++ that at least one run must reach for an entry not to count as one where all fail.
pub const ALL_FAIL_BELOW: f64 = 30.0;

/// Returns every entry that some complete run covers, the hardest first.
pub(super) fn difficulties(runs: &[SweepRun]) -> Vec<EntryDifficulty> {
    let mut by_entry: BTreeMap<&str, Vec<(&str, &EntryResult)>> = BTreeMap::new();
    for (run, card) in complete(runs) {
        for result in &card.results {
            let of_entry = by_entry.entry(&result.entry_id).or_default();
            of_entry.push((&run.id, result));
        }
    }
    let mut list: Vec<EntryDifficulty> = by_entry.values().filter_map(|results| one(results)).collect();
    // The sort is stable and starts from the order of ids, so that ties have one order.
    list.sort_by(|left, right| {
        let key = |entry: &EntryDifficulty| (entry.best_chrf.get(), entry.mean_chrf.get());
        let ((best, mean), (other_best, other_mean)) = (key(left), key(right));
        best.total_cmp(&other_best).then(mean.total_cmp(&other_mean))
    });
    list
}

fn one(results: &[(&str, &EntryResult)]) -> Option<EntryDifficulty> {
    let (_, first) = results.first()?;
    let score = |result: &EntryResult| result.chrf_score.map_or(0.0, Score::get);
    let sum: f64 = results.iter().map(|(_, result)| score(result)).sum();
    let mut best = results[0];
    for candidate in results {
        if score(candidate.1) > score(best.1) {
            best = *candidate;
        }
    }
    let count = |holds: fn(&EntryResult) -> bool| -> u64 {
        results.iter().filter(|(_, result)| holds(result)).count() as u64
    };
    Some(EntryDifficulty {
        entry_id: first.entry_id.clone(),
        source: first.source.clone(),
        expected: first.expected.clone(),
        difficulty: first.difficulty.clone(),
        runs: results.len() as u64,
        mean_chrf: Score::new(sum / results.len() as f64)?,
        best_chrf: Score::new(score(best.1))?,
        best_run: best.0.to_owned(),
        exact_matches: count(|result| result.exact_match),
        hallucinations: count(|result| result.hallucination_detected == Some(true)),
        all_fail: score(best.1) < ALL_FAIL_BELOW,
    })
}
