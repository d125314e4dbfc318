//! Comparison of runs: refusals, paired tests, corrections, reproduction.

use lydian_metrics::randomization::Randomization;
use lydian_metrics::{Corpus, Metric, chrf::Chrf};
use lydian_model::{Entry, Prediction, RunCard, Score, Sha256Hex};
use lydian_scoring::compare::{Comparison, Incomplete, MetricComparison, Refusal, compare};

use crate::sample::{self, SENTENCES, answers, honest};

fn card_of(output: impl Fn(usize, &Entry) -> String) -> RunCard {
    let entries = sample::entries();
    sample::card(&sample::setup(&entries), &entries, &answers(&entries, output))
}

fn honest_card() -> RunCard {
    card_of(|index, _| SENTENCES[index].2.to_owned())
}

fn copy_card() -> RunCard {
    card_of(|_, entry| entry.source.clone())
}

fn metric<'c>(comparison: &'c Comparison, system: usize, name: &str) -> &'c MetricComparison {
    let metrics = &comparison.systems[system].metrics;
    metrics.iter().find(|metric| metric.metric == name).unwrap()
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let card = honest_card();
    let comparison = compare(&[&card, &card], Incomplete::Refuse).unwrap();
    let system = &comparison.systems[0];
    assert_eq!(system.metrics.len(), 5);
    for metric in &system.metrics {
        assert_eq!(metric.p_value.get(), 1.0, "{}", metric.metric);
        assert_eq!(
            (
                metric.difference.get(),
                metric.lower.map(Score::get),
                metric.upper.map(Score::get)
            ),
            (0.0, Some(0.0), Some(0.0))
        );
        assert!(!metric.significant);
    }
    assert_eq!(system.entries.ties, 12);
    assert!(system.reproduction.agrees && system.reproduction.same_setup);
}

#[test]
fn a_clear_difference_is_significant_and_has_its_sign() {
    let (copy, honest) = (copy_card(), honest_card());
    let comparison = compare(&[&copy, &honest], Incomplete::Refuse).unwrap();
    let chrf = metric(&comparison, 0, "chrf_plus_plus");
    assert_eq!(chrf.system, honest.scores.chrf_plus_plus.unwrap());
    assert_eq!(chrf.baseline, copy.scores.chrf_plus_plus.unwrap());
    assert!(chrf.lower.unwrap().get() > 0.0 && chrf.significant);
    assert!(chrf.detectable_difference.unwrap().get() > 0.0);
    let ter = metric(&comparison, 0, "ter");
    assert!(ter.difference.get() < 0.0 && !ter.higher_is_better);
    assert!(!comparison.systems[0].reproduction.agrees);
    assert!(comparison.warnings[0].contains("too few entries for reliable intervals: 12"));
}

#[test]
fn the_p_value_is_that_of_approximate_randomisation_on_the_two_outputs() {
    let comparison = compare(&[&copy_card(), &honest_card()], Incomplete::Refuse).unwrap();
    let references: Vec<&str> = SENTENCES.iter().map(|(_, reference, _)| *reference).collect();
    let table = |outputs: Vec<&str>| Chrf::plus_plus().table(&Corpus::new(&outputs, &[&references]).unwrap());
    let copy = table(SENTENCES.iter().map(|(source, _, _)| *source).collect());
    let honest = table(SENTENCES.iter().map(|(_, _, output)| *output).collect());
    let test = Randomization::default()
        .test(&Chrf::plus_plus(), &honest, &copy)
        .unwrap();
    let found = metric(&comparison, 0, "chrf_plus_plus");
    assert!((found.p_value.get() - test.p_value).abs() < 1e-6);
    assert!((found.difference.get() - test.difference).abs() < 1e-6);
}

#[test]
fn several_runs_are_corrected_together() {
    let base = honest_card();
    let slightly = card_of(|index, entry| match index {
        0..=3 => entry.reference.clone(),
        _ => SENTENCES[index].2.to_owned(),
    });
    let comparison = compare(&[&base, &slightly, &copy_card(), &base], Incomplete::Refuse).unwrap();
    let p: Vec<f64> = (0..3)
        .map(|system| metric(&comparison, system, "chrf_plus_plus").p_value.get())
        .collect();
    let corrected: Vec<f64> = (0..3)
        .map(|system| metric(&comparison, system, "chrf_plus_plus").p_holm.get())
        .collect();
    let expected = lydian_metrics::multiple::holm(&p);
    for (found, expected) in corrected.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-6, "{corrected:?}");
    }
    assert!(corrected[0] > p[0]);
}

#[test]
fn examples_are_the_entries_with_the_clearest_differences() {
    let (honest, copy) = (honest_card(), copy_card());
    let comparison = compare(&[&copy, &honest], Incomplete::Refuse).unwrap();
    let entries = &comparison.systems[0].entries;
    assert_eq!(entries.wins + entries.losses + entries.ties, 12);
    let gain = |example: &lydian_scoring::compare::Example| {
        example.system_score.get() - example.baseline_score.get()
    };
    let shown: Vec<f64> = entries.largest_gains.iter().map(gain).collect();
    assert_eq!(shown.len(), 3);
    assert!(shown.windows(2).all(|pair| pair[0] >= pair[1]) && shown[2] > 0.0);
    assert!(entries.largest_losses.iter().all(|example| gain(example) < 0.0));
    let backwards = compare(&[&honest, &copy], Incomplete::Refuse).unwrap();
    assert_eq!(backwards.systems[0].entries.losses, entries.wins);
}

fn incomplete_card() -> RunCard {
    let entries = sample::entries();
    let mut predictions = honest(&entries);
    let id = entries[2].id.clone();
    predictions.insert(id.clone(), Prediction::failed(id, "time-out"));
    sample::card(&sample::setup(&entries), &entries, &predictions)
}

#[test]
fn an_incomplete_run_is_refused_or_its_failures_are_left_out() {
    let (whole, incomplete) = (copy_card(), incomplete_card());
    let refused = compare(&[&whole, &incomplete], Incomplete::Refuse).unwrap_err();
    assert!(matches!(
        refused,
        Refusal::Incomplete {
            failed: 1,
            total: 12,
            ..
        }
    ));
    let comparison = compare(&[&whole, &incomplete], Incomplete::LeaveOut).unwrap();
    assert_eq!((comparison.entries, comparison.left_out_failed), (11, 1));
    assert!(
        comparison
            .warnings
            .iter()
            .any(|warning| warning.contains("no answer"))
    );
    // Without the entry both sides are scored as if it had never been selected.
    let entries: Vec<Entry> = sample::entries()
        .into_iter()
        .filter(|e| e.id.as_str() != "2")
        .collect();
    let alone = sample::scored(&entries, &answers(&entries, |_, entry| entry.source.clone()));
    assert_eq!(
        metric(&comparison, 0, "chrf_plus_plus").baseline,
        alone.scores.chrf_plus_plus.unwrap()
    );
}

#[test]
fn runs_about_other_corpora_or_with_other_signatures_are_refused() {
    let card = honest_card();
    let mut other = card.clone();
    other.dataset.sha256 = Sha256Hex::of(b"another corpus");
    assert!(matches!(
        compare(&[&card, &other], Incomplete::Refuse),
        Err(Refusal::OtherCorpus { .. })
    ));
    let mut other = card.clone();
    other.scores.signatures.insert(
        "bleu".into(),
        "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|norm:nfc".into(),
    );
    let refused = compare(&[&card, &other], Incomplete::Refuse).unwrap_err();
    assert!(
        refused.to_string().contains("bleu has signature nrefs:1|case:lc"),
        "{refused}"
    );
    let mut other = card.clone();
    other.results[1].expected.push('x');
    assert!(matches!(
        compare(&[&card, &other], Incomplete::Refuse),
        Err(Refusal::OtherText { .. })
    ));
    assert_eq!(compare(&[&card], Incomplete::Refuse), Err(Refusal::TooFewRuns));
    let mut none = card.clone();
    none.results.clear();
    assert_eq!(
        compare(&[&card, &none], Incomplete::Refuse),
        Err(Refusal::NothingShared)
    );
}

#[test]
fn composites_of_different_metric_sets_are_not_compared() {
    let card = honest_card();
    let mut other = card.clone();
    other.scores.composite_profile = "A".into();
    let comparison = compare(&[&card, &other], Incomplete::Refuse).unwrap();
    let left_out = &comparison.systems[0].not_compared;
    let composite = left_out
        .iter()
        .find(|metric| metric.metric == "composite")
        .unwrap();
    assert_eq!(composite.reason, "the runs have different weight profiles");
    assert!(!comparison.systems[0].reproduction.agrees);
    assert!(
        comparison
            .warnings
            .iter()
            .any(|warning| warning.contains("changed after it was sealed"))
    );
}

#[test]
fn entries_that_one_run_does_not_cover_are_left_out() {
    let card = honest_card();
    let entries: Vec<Entry> = sample::entries().into_iter().take(10).collect();
    let part = sample::card(&sample::setup(&entries), &entries, &honest(&entries));
    let comparison = compare(&[&card, &part], Incomplete::Refuse).unwrap();
    assert_eq!((comparison.entries, comparison.left_out_not_shared), (10, 2));
    assert_eq!(metric(&comparison, 0, "chrf_plus_plus").difference.get(), 0.0);
}

#[test]
fn the_difference_on_a_single_entry_has_no_interval() {
    let entries = &sample::entries()[..1];
    let card = |output: &dyn Fn(usize, &Entry) -> String| {
        sample::card(&sample::setup(entries), entries, &answers(entries, output))
    };
    let first = card(&|_, entry| entry.source.clone());
    let second = card(&|index, _| SENTENCES[index].2.to_owned());
    let comparison = compare(&[&first, &second], Incomplete::Refuse).unwrap();
    for metric in &comparison.systems[0].metrics {
        let bounds = (metric.lower, metric.upper, metric.detectable_difference);
        assert_eq!(bounds, (None, None, None), "{}", metric.metric);
        let reason = metric.no_interval_reason.as_deref().unwrap();
        assert!(reason.contains("single entry"), "{reason}");
    }
}
