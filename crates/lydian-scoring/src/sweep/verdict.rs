//! Does the method under test beat the best baseline (B §6.3)? Paired test, Holm over all runs under test (decision 31).

use std::collections::BTreeSet;

use lydian_model::run_card::RunCard;
use lydian_model::run_card::scores::Caveat;
use lydian_model::sweep::{DecidingMetric, Role};

use super::SweepRun;
use super::configurations::{complete, quality};
use super::document::{ComparedRun, Configuration, MethodVerdict, RunState, Verdict};
use crate::compare::{Comparison, Incomplete, compare};

/// Configurations named in a sentence.
const NAMED: usize = 3;
/// Notes that a verdict mentions, although they withhold no tier.
const GRAVE_NOTES: [&str; 2] = ["below_floor", "never_accepted"];

/// Returns the verdict, or why there is none.
pub(super) fn of(metric: DecidingMetric, runs: &[SweepRun], configurations: &[Configuration]) -> Verdict {
    let under_test: Vec<&SweepRun> = runs.iter().filter(|run| run.role == Role::UnderTest).collect();
    if under_test.is_empty() {
        return without(
            "no method of this sweep is marked role = \"under_test\"",
            Vec::new(),
        );
    }
    let not_compared: Vec<String> = under_test
        .iter()
        .filter(|run| super::configurations::state(run) != RunState::Complete)
        .map(|run| format!("{} is {}", run.id, super::configurations::state(run).name()))
        .collect();
    if let Some(reason) = baselines_to_wait_for(configurations) {
        return Verdict {
            sentence: format!("No verdict yet: {reason}."),
            ..without(&reason, not_compared)
        };
    }
    let Some(best) = best_baseline(configurations) else {
        return without("no baseline has a complete run", not_compared);
    };
    let compared: Vec<(&SweepRun, &RunCard)> = complete(under_test.iter().copied()).collect();
    if compared.is_empty() {
        return without("no run under test is complete", not_compared);
    }
    let Some((baseline, baseline_card)) = best_run(metric, runs, best) else {
        return without("no baseline has a complete run", not_compared);
    };
    let cards: Vec<&RunCard> = std::iter::once(baseline_card)
        .chain(compared.iter().map(|(_, card)| *card))
        .collect();
    let comparison = match compare(&cards, Incomplete::Refuse) {
        Ok(comparison) => comparison,
        Err(refusal) => return without(&refusal.to_string(), not_compared),
    };
    let results = compared_runs(metric, &comparison, &compared);
    let methods: Vec<MethodVerdict> = configurations
        .iter()
        .filter(|one| one.role == Role::UnderTest)
        .filter_map(|one| of_configuration(one, &results, &compared))
        .collect();
    if methods.is_empty() {
        let reason = format!("{} is not available in both", metric.title());
        return without(&reason, not_compared);
    }
    Verdict {
        sentence: sentence(metric, best, &methods),
        best_baseline: Some(best.id.clone()),
        compared_with: Some(baseline.id.clone()),
        methods,
        not_compared,
        reason: None,
        test: Some(format!(
            "{}, {} trials, Holm over {} runs under test",
            comparison.test.name,
            comparison.test.trials,
            compared.len()
        )),
    }
}

fn without(reason: &str, not_compared: Vec<String>) -> Verdict {
    Verdict {
        sentence: format!("There is no verdict: {}.", reason.trim_end_matches('.')),
        best_baseline: None,
        compared_with: None,
        methods: Vec::new(),
        not_compared,
        reason: Some(reason.to_owned()),
        test: None,
    }
}

/// Says which baselines have no complete run: the best of the others need not be the best of all.
fn baselines_to_wait_for(configurations: &[Configuration]) -> Option<String> {
    let open: Vec<&str> = configurations
        .iter()
        .filter(|one| one.role == Role::Baseline && one.complete == 0)
        .map(|one| one.label.as_str())
        .collect();
    match open.as_slice() {
        [] => None,
        [only] => Some(format!("baseline {only} is not complete")),
        many => Some(format!(
            "{} baselines are not complete: {}",
            many.len(),
            first_few(many)
        )),
    }
}

/// Returns the first names of a list, and how many more there are.
fn first_few<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(NAMED) {
        0 => shown.join("; "),
        more => format!("{} and {more} more", shown.join("; ")),
    }
}

/// Returns the baseline with the highest mean; of equal ones the first.
fn best_baseline(configurations: &[Configuration]) -> Option<&Configuration> {
    let mut best: Option<(&Configuration, f64)> = None;
    for one in configurations.iter().filter(|one| one.role == Role::Baseline) {
        let Some(quality) = one.quality else { continue };
        if best.is_none_or(|(_, highest)| quality.get() > highest) {
            best = Some((one, quality.get()));
        }
    }
    best.map(|(one, _)| one)
}

/// Returns the best complete run of a configuration: a method has to beat the baseline on its best day.
fn best_run<'r>(
    metric: DecidingMetric,
    runs: &'r [SweepRun],
    configuration: &Configuration,
) -> Option<(&'r SweepRun, &'r RunCard)> {
    let mut best: Option<(&SweepRun, &RunCard, f64)> = None;
    for (run, card) in complete(runs).filter(|(run, _)| configuration.runs.contains(&run.id)) {
        let Some(value) = quality(metric, card) else {
            continue;
        };
        if best.is_none_or(|(.., highest)| value.get() > highest) {
            best = Some((run, card, value.get()));
        }
    }
    best.map(|(run, card, _)| (run, card))
}

fn compared_runs(
    metric: DecidingMetric,
    comparison: &Comparison,
    compared: &[(&SweepRun, &RunCard)],
) -> Vec<ComparedRun> {
    comparison
        .systems
        .iter()
        .zip(compared)
        .filter_map(|(system, (run, _))| {
            let found = system.metrics.iter().find(|one| one.metric == metric.name())?;
            Some(ComparedRun {
                run: run.id.clone(),
                baseline: found.baseline,
                score: found.system,
                difference: found.difference,
                lower: found.lower,
                upper: found.upper,
                p_value: found.p_value,
                p_holm: found.p_holm,
                better: found.significant && found.difference.get() > 0.0,
                detectable_difference: found.detectable_difference,
            })
        })
        .collect()
}

fn of_configuration(
    configuration: &Configuration,
    results: &[ComparedRun],
    compared: &[(&SweepRun, &RunCard)],
) -> Option<MethodVerdict> {
    let runs: Vec<ComparedRun> = results
        .iter()
        .filter(|result| configuration.runs.contains(&result.run))
        .cloned()
        .collect();
    if runs.is_empty() {
        return None;
    }
    let found = |of: fn(&RunCard) -> &[Caveat]| -> Vec<String> {
        let own = compared
            .iter()
            .filter(|(run, _)| configuration.runs.contains(&run.id));
        let names: BTreeSet<&str> = own
            .flat_map(|(_, card)| of(card))
            .map(|one| one.name.as_str())
            .collect();
        names.into_iter().map(str::to_owned).collect()
    };
    let caveats = found(|card| &card.scores.caveats);
    Some(MethodVerdict {
        configuration: configuration.id.clone(),
        label: configuration.label.clone(),
        beats_best_baseline: caveats.is_empty() && runs.iter().all(|run| run.better),
        caveats,
        notes: found(|card| &card.scores.notes),
        runs,
    })
}

fn sentence(metric: DecidingMetric, best: &Configuration, methods: &[MethodVerdict]) -> String {
    let winners: Vec<&str> = methods
        .iter()
        .filter(|method| method.beats_best_baseline)
        .map(|method| method.label.as_str())
        .collect();
    let against = format!("the best baseline, {}, in {}", best.label, metric.title());
    let verdict = match (winners.as_slice(), methods) {
        ([], [only]) => format!("{} does not beat {against}.", only.label),
        ([], many) => format!(
            "None of {} configurations under test beats {against}.",
            many.len()
        ),
        ([winner], [_]) => format!("{winner} beats {against}."),
        (winners, many) => format!(
            "{} of {} configurations under test beat {against}: {}.",
            winners.len(),
            many.len(),
            winners.join("; ")
        ),
    };
    format!("{verdict}{}", reservations(methods))
}

/// Returns the sentences that follow a verdict: who is better and does not count, and whose outputs are of little use.
fn reservations(methods: &[MethodVerdict]) -> String {
    let mut told = String::new();
    let discounted: Vec<String> = methods
        .iter()
        .filter(|method| !method.caveats.is_empty() && method.runs.iter().all(|run| run.better))
        .map(|method| format!("{} ({})", method.label, method.caveats.join(", ")))
        .collect();
    if !discounted.is_empty() {
        told.push_str(&format!(
            " Higher scores that do not count, with caveats: {}.",
            first_few(&discounted)
        ));
    }
    let noted: Vec<String> = methods
        .iter()
        .filter_map(|method| {
            let names = method.notes.iter().map(String::as_str);
            let grave: Vec<&str> = names.filter(|name| GRAVE_NOTES.contains(name)).collect();
            (!grave.is_empty()).then(|| format!("{} ({})", method.label, grave.join(", ")))
        })
        .collect();
    if !noted.is_empty() {
        told.push_str(&format!(" Noted: {}.", first_few(&noted)));
    }
    told
}
