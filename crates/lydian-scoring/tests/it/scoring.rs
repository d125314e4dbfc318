//! Scores of whole runs: denominators, breakdowns, caveats, tiers, totals.

use std::collections::BTreeMap;

use lydian_model::prediction::{CostSource, Step};
use lydian_model::run_card::scores::Caveat;
use lydian_model::{Entry, EntryId, Finite, NanoUsd, Outcome, Prediction, TokenUsage};
use lydian_scoring::composite::Profile;
use lydian_scoring::{AnalyserUse, ScoringContext, TestLeak, score};

use crate::sample::{answers, entries, honest, scored};

fn caveat_names(scores: &lydian_model::run_card::Scores) -> Vec<&str> {
    scores.caveats.iter().map(|caveat| caveat.name.as_str()).collect()
}

fn note_named<'a>(scores: &'a lydian_model::run_card::Scores, name: &str) -> Option<&'a Caveat> {
    scores.notes.iter().find(|note| note.name == name)
}

#[test]
fn a_missing_prediction_counts_as_failed_and_as_empty_text() {
    let entries = entries();
    let mut predictions = honest(&entries);
    let removed = predictions.remove(&entries[3].id).unwrap();
    let missing = scored(&entries, &predictions);
    predictions.insert(
        removed.entry_id.clone(),
        Prediction::failed(removed.entry_id.clone(), "time-out"),
    );
    let failed = scored(&entries, &predictions);
    assert_eq!(missing.scores.total, 12);
    assert_eq!(missing.scores.errors, 1);
    assert_eq!(missing.scores.coverage.get(), 0.916_667);
    assert_eq!(missing.scores.chrf_plus_plus, failed.scores.chrf_plus_plus);
    assert_eq!(missing.results[3].outcome, Outcome::Failed);
    assert_eq!(missing.scores.quality_tier, "withheld");
    assert!(missing.scores.confidence_intervals["chrf_plus_plus"].incomplete);
}

#[test]
fn an_output_that_was_filtered_is_kept_but_not_scored() {
    let entries = entries();
    let mut predictions = honest(&entries);
    let full = scored(&entries, &predictions);
    predictions.get_mut(&entries[1].id).unwrap().outcome = Outcome::Filtered;
    let filtered = scored(&entries, &predictions);
    assert_eq!(full.scores.exact_matches, 4);
    assert_eq!(filtered.scores.exact_matches, 3);
    assert_eq!(filtered.results[1].predicted, "O can dorme na casa.");
    assert_eq!(filtered.results[1].chrf_score.unwrap().get(), 0.0);
    assert!(filtered.scores.chrf_plus_plus < full.scores.chrf_plus_plus);
    // Nothing failed: the provider answered, so the run is complete.
    assert_eq!(filtered.scores.coverage.get(), 1.0);
}

#[test]
fn corpus_scores_are_those_of_sacrebleu() {
    // sacreBLEU 2.6.0 on the NFC texts of the sample: chrF++, chrF, BLEU, TER.
    let scores = scored(&entries(), &honest(&entries())).scores;
    let expected = SACREBLEU.map(Some);
    let found = [scores.chrf_plus_plus, scores.chrf, scores.bleu, scores.ter]
        .map(|score| score.map(lydian_model::Score::get));
    assert_eq!(found, expected);
    assert_eq!(
        scores.signatures["chrf_plus_plus"],
        "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|norm:nfc"
    );
}

const SACREBLEU: [f64; 4] = [78.832_853, 78.154_780, 61.566_560, 17.647_059];

#[test]
fn a_breakdown_is_the_score_of_its_entries_alone() {
    let entries = entries();
    let predictions = honest(&entries);
    let whole = scored(&entries, &predictions);
    for level in 1..=3_u8 {
        let part: Vec<Entry> = entries
            .iter()
            .filter(|entry| entry.difficulty == Some(level))
            .cloned()
            .collect();
        let alone = scored(&part, &honest_subset(&part, &predictions));
        let subset = &whole.scores.by_difficulty[&level.to_string()];
        assert_eq!(subset.chrf_plus_plus, alone.scores.chrf_plus_plus);
        assert_eq!(subset.bleu, alone.scores.bleu);
        assert_eq!(subset.ter, alone.scores.ter);
        assert_eq!(subset.length_ratio, alone.scores.length_ratio);
        assert_eq!(subset.composite, alone.scores.composite);
        assert_eq!(subset.confidence_intervals, alone.scores.confidence_intervals);
    }
    assert_eq!(whole.scores.by_register["unspecified"].total, 6);
    assert_eq!(whole.scores.by_segment["development"].total, 12);
}

fn honest_subset(
    part: &[Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
) -> BTreeMap<EntryId, Prediction> {
    part.iter()
        .map(|entry| (entry.id.clone(), predictions[&entry.id].clone()))
        .collect()
}

#[test]
fn every_metric_is_a_number_or_has_a_reason() {
    let scores = scored(&entries(), &honest(&entries())).scores;
    let document = serde_json::to_value(&scores).unwrap();
    for (name, status) in &scores.metric_availability {
        assert_eq!(document[name].is_number(), status.available, "{name}");
        assert_eq!(status.reason.is_none(), status.available, "{name}");
    }
    for name in [
        "exact_match_rate",
        "equivalent_match_rate",
        "fst_acceptance_rate",
        "morphological_accuracy",
        "chrf_plus_plus",
        "chrf",
        "bleu",
        "ter",
        "semantic_score",
        "length_ratio",
        "code_switching_rate",
        "hallucination_rate",
        "terminology_adherence",
        "orthographic_accuracy",
        "consistency",
        "composite",
    ] {
        assert!(scores.metric_availability.contains_key(name), "{name}");
    }
}

#[test]
fn the_composite_is_the_mean_of_what_is_available_by_weight() {
    let scores = scored(&entries(), &honest(&entries())).scores;
    let chrf = scores.chrf_plus_plus.unwrap().get() / 100.0;
    let exact = scores.exact_match_rate.unwrap().get();
    let expected = (0.25 * chrf + 0.10 * exact) / 0.35;
    assert!((scores.composite.unwrap().get() - expected).abs() < 1e-6);
    assert_eq!(scores.composite_coverage.get(), 0.35);
    assert_eq!(scores.composite_weights["chrf_plus_plus"].get(), 0.714_286);
    assert_eq!(scores.composite_profile, "B");
    assert!(scores.notes.iter().any(|note| note.name == "thin_metrics"));
    assert!(scores.notes.iter().any(|note| note.name == "few_entries"));
}

#[test]
fn one_sentence_for_everything_gets_no_tier() {
    let entries = entries();
    let constant = scored(
        &entries,
        &answers(&entries, |_, _| "O mar está calmo hoxe.".into()),
    );
    assert_eq!(caveat_names(&constant.scores), ["near_constant_output"]);
    assert_eq!(constant.scores.quality_tier, "withheld");
    assert_eq!(constant.scores.claimable_tier, "withheld");
}

#[test]
fn copying_the_source_gets_no_tier_whatever_its_case_and_punctuation() {
    let entries = entries();
    let shouted = |entry: &Entry| format!("{}!", entry.source.to_uppercase());
    for copy in [
        (|entry: &Entry| entry.source.clone()) as fn(&Entry) -> String,
        shouted,
    ] {
        let copied = scored(&entries, &answers(&entries, |_, entry| copy(entry)));
        assert_eq!(caveat_names(&copied.scores), ["source_copy"]);
        assert!(
            copied
                .results
                .iter()
                .all(|result| result.flags.contains_key("source_copy"))
        );
    }
}

#[test]
fn an_output_equal_to_source_and_reference_is_no_copy() {
    let entries: Vec<Entry> = (0..12)
        .map(|number| {
            Entry::new(
                EntryId::integer(number),
                format!("Lugo {number}"),
                format!("Lugo {number}"),
            )
        })
        .collect();
    let same = scored(&entries, &answers(&entries, |_, entry| entry.source.clone()));
    assert_eq!(caveat_names(&same.scores), Vec::<&str>::new());
    assert_eq!(same.scores.quality_tier, "fluent");
    assert_eq!(same.scores.claimable_tier, "functional");
}

#[test]
fn padding_and_dropping_words_get_no_tier() {
    let entries = entries();
    let padded = scored(
        &entries,
        &answers(&entries, |_, entry| {
            format!("{} e tamén moitas cousas", entry.reference)
        }),
    );
    assert_eq!(caveat_names(&padded.scores), ["length_inflation"]);
    let first_word = |_, entry: &Entry| entry.reference.split(' ').take(2).collect();
    let dropped = scored(&entries, &answers(&entries, first_word));
    assert_eq!(caveat_names(&dropped.scores), ["length_deflation"]);
}

#[test]
fn outputs_far_below_the_untranslated_source_are_noted() {
    let entries = entries();
    let reversed = |_, entry: &Entry| entry.reference.chars().rev().collect();
    let harmful = scored(&entries, &answers(&entries, reversed)).scores;
    let note = note_named(&harmful, "below_floor").unwrap();
    let floor = scored(&entries, &answers(&entries, |_, entry| entry.source.clone())).scores;
    let points = |scores: &lydian_model::run_card::Scores| scores.chrf_plus_plus.unwrap().get();
    let stated = [points(&harmful), points(&floor)].map(|score| format!("{score:.1}"));
    assert!(
        stated.iter().all(|score| note.reason.contains(score)),
        "{}",
        note.reason
    );
    // Weak, and still better than half of nothing done.
    let halved = |_, entry: &Entry| {
        let kept = entry.reference.chars().count() * 7 / 10;
        entry.reference.chars().take(kept).collect()
    };
    let weak = scored(&entries, &answers(&entries, halved)).scores;
    assert!(note_named(&weak, "below_floor").is_none());
}

#[test]
fn a_pipeline_whose_checks_accept_nothing_is_noted() {
    let entries = entries();
    let step = |name: &str, ok| Step {
        name: name.to_owned(),
        ok,
        seconds: None,
        cost_usd: None,
        detail: None,
    };
    let of_checks = |steps: &dyn Fn(usize) -> Vec<Step>| {
        let mut predictions = honest(&entries);
        for (number, entry) in entries.iter().enumerate() {
            predictions.get_mut(&entry.id).unwrap().steps = steps(number);
        }
        scored(&entries, &predictions).scores
    };
    let rejected = || {
        vec![
            step("translate", true),
            step("check fst", false),
            step("repair", true),
            step("check fst", false),
            step("check length", true),
        ]
    };
    let never = of_checks(&|_| rejected());
    assert!(note_named(&never, "never_accepted").is_some());
    assert_eq!(
        never.chrf_plus_plus,
        scored(&entries, &honest(&entries)).scores.chrf_plus_plus
    );
    let once = of_checks(&|number| match number {
        7 => vec![step("translate", true), step("check fst", true)],
        _ => rejected(),
    });
    assert!(note_named(&once, "never_accepted").is_none());
    // A repair after which no check was made leaves what was rejected before.
    let unchecked = of_checks(&|_| vec![step("check fst", false), step("repair", true)]);
    assert!(note_named(&unchecked, "never_accepted").is_some());
    let without = of_checks(&|_| vec![step("translate", true), step("checksum", false)]);
    assert!(note_named(&without, "never_accepted").is_none());
}

#[test]
fn silence_gets_no_tier_and_no_points() {
    let entries = entries();
    let silent = scored(&entries, &answers(&entries, |_, _| String::new()));
    assert_eq!(silent.scores.outcomes["empty"], 12);
    assert_eq!(silent.scores.composite.unwrap().get(), 0.0);
    assert_eq!(silent.scores.ter.unwrap().get(), 100.0);
    assert_eq!(
        caveat_names(&silent.scores),
        ["near_constant_output", "length_deflation"]
    );
}

#[test]
fn a_leak_of_evaluated_entries_withholds_the_tier() {
    let entries = entries();
    let selected: Vec<&Entry> = entries.iter().collect();
    let leak = |id: EntryId| TestLeak {
        entry_id: id,
        place: "examples".into(),
    };
    let leaked = |id| {
        let context = ScoringContext {
            leaks: vec![leak(id)],
            ..ScoringContext::default()
        };
        score(&selected, &honest(&entries), &context).unwrap().scores
    };
    let scores = leaked(EntryId::integer(4));
    assert_eq!(caveat_names(&scores), ["test_leak"]);
    assert_eq!(
        scores.caveats[0].reason,
        "the method was shown evaluated entries: 4 in examples"
    );
    assert!(leaked(EntryId::integer(400)).caveats.is_empty());
}

#[test]
fn an_analyser_in_the_loop_is_noted_and_withholds_nothing() {
    let entries = entries();
    let selected: Vec<&Entry> = entries.iter().collect();
    let context = ScoringContext {
        analyser_use: AnalyserUse::InLoop,
        profile: Profile::A,
        ..ScoringContext::default()
    };
    let scores = score(&selected, &honest(&entries), &context).unwrap().scores;
    assert!(scores.notes.iter().any(|note| note.name == "analyser_in_loop"));
    assert_eq!(scores.quality_tier, "functional");
    assert_eq!(scores.composite_coverage.get(), 0.2);
}

fn paid(id: &EntryId, nanos: Option<u64>, cached: bool) -> Prediction {
    Prediction {
        cost_usd: nanos.map(NanoUsd::new),
        cost_source: if nanos.is_some() {
            CostSource::Table
        } else {
            CostSource::None
        },
        cached,
        latency_seconds: Finite::new(2.0),
        request_number: Some(1),
        usage: Some(TokenUsage {
            uncached_input: Some(30),
            cache_read: Some(10),
            cache_write: None,
            output_text: Some(5),
            reasoning: Some(15),
        }),
        ..Prediction::of_text(id.clone(), "Bos días")
    }
}

#[test]
fn totals_add_up_in_whole_nanodollars() {
    let entries: Vec<Entry> = (0..3)
        .map(|n| Entry::new(EntryId::integer(n), "Bom dia", "Bos días"))
        .collect();
    let predictions = |third: Option<u64>| -> BTreeMap<EntryId, Prediction> {
        [(0, Some(1), false), (1, Some(2), true), (2, third, false)]
            .into_iter()
            .map(|(n, nanos, cached)| (EntryId::integer(n), paid(&EntryId::integer(n), nanos, cached)))
            .collect()
    };
    let known = scored(&entries, &predictions(Some(4))).totals;
    assert_eq!(known.total_cost_usd.map(NanoUsd::nanos), Some(7));
    assert_eq!(known.spent_usd.map(NanoUsd::nanos), Some(5));
    assert_eq!(known.known_cost_usd, None);
    assert_eq!(
        (known.prompt_tokens, known.completion_tokens),
        (Some(120), Some(60))
    );
    assert_eq!(
        (known.reasoning_tokens, known.cached_tokens),
        (Some(45), Some(30))
    );
    assert_eq!(known.cost_per_source_char.unwrap().get(), 7e-9 / 21.0);
    assert_eq!((known.requests, known.cached_answers), (1, 1));
    assert_eq!(known.cost_source, CostSource::Table);

    let unknown = scored(&entries, &predictions(None)).totals;
    assert_eq!(unknown.total_cost_usd, None);
    assert_eq!(unknown.known_cost_usd.map(NanoUsd::nanos), Some(3));
    assert_eq!(unknown.cost_per_entry_usd, None);
    assert_eq!(unknown.cost_source, CostSource::None);
}

#[test]
fn latency_is_over_entries_and_over_requests() {
    let entries: Vec<Entry> = (0..3)
        .map(|n| Entry::new(EntryId::integer(n), "a", "b"))
        .collect();
    let mut predictions: BTreeMap<EntryId, Prediction> = (0..3)
        .map(|n| (EntryId::integer(n), paid(&EntryId::integer(n), Some(1), false)))
        .collect();
    let last = predictions.get_mut(&EntryId::integer(2)).unwrap();
    last.request_number = Some(2);
    last.latency_seconds = Finite::new(5.0);
    let context = ScoringContext {
        elapsed_seconds: Finite::new(9.0),
        ..ScoringContext::default()
    };
    let selected: Vec<&Entry> = entries.iter().collect();
    let scores = score(&selected, &predictions, &context).unwrap().scores;
    assert_eq!(scores.avg_latency_seconds.unwrap().get(), 3.0);
    assert_eq!(scores.request_latency_avg_seconds.unwrap().get(), 3.5);
    assert_eq!(scores.median_latency_seconds.unwrap().get(), 2.0);
    assert_eq!(scores.entries_per_minute.unwrap().get(), 20.0);
    assert_eq!(scores.tokens_per_second.unwrap().get(), 20.0);
}

#[test]
fn an_unknown_cost_leaves_the_cost_adjusted_score_null() {
    let scores = scored(&entries(), &honest(&entries())).scores;
    assert!(scores.composite.is_some());
    assert_eq!(scores.cost_adjusted_score, None);
    assert_eq!(scores.tokens_per_second, None);
}

#[test]
fn the_order_of_entries_changes_no_score_but_the_intervals() {
    let forward = entries();
    let mut backward = forward.clone();
    backward.reverse();
    let predictions = honest(&forward);
    let strip = |mut scores: lydian_model::run_card::Scores| {
        scores.confidence_intervals.clear();
        for subset in scores.by_difficulty.values_mut() {
            subset.confidence_intervals.clear();
        }
        scores
    };
    assert_eq!(
        strip(scored(&forward, &predictions).scores),
        strip(scored(&backward, &predictions).scores)
    );
}

#[test]
fn an_interval_encloses_its_score() {
    let scores = scored(&entries(), &honest(&entries())).scores;
    let document = serde_json::to_value(&scores).unwrap();
    let names: Vec<&String> = scores.confidence_intervals.keys().collect();
    assert_eq!(names, ["bleu", "chrf_plus_plus", "composite", "exact_match_rate"]);
    for (name, interval) in &scores.confidence_intervals {
        let value = document[name].as_f64().unwrap();
        let (lower, upper) = interval.bounds().unwrap();
        assert!(lower < value && value < upper, "{name}");
        assert_eq!(interval.reason, None);
        assert_eq!(
            (interval.resamples, interval.seed, interval.entries),
            (1000, 12345, 12)
        );
    }
}

#[test]
fn a_single_entry_has_no_interval_but_a_reason() {
    let entries = &entries()[..1];
    let scores = scored(entries, &honest(entries)).scores;
    let of_level = &scores.by_difficulty[&entries[0].difficulty.unwrap().to_string()];
    assert_eq!(of_level.confidence_intervals, scores.confidence_intervals);
    let names: Vec<&String> = scores.confidence_intervals.keys().collect();
    assert_eq!(names, ["bleu", "chrf_plus_plus", "composite", "exact_match_rate"]);
    for interval in scores.confidence_intervals.values() {
        assert_eq!(
            (interval.bounds(), interval.mean, interval.resamples),
            (None, None, 0)
        );
        assert!(interval.reason.as_deref().unwrap().contains("single entry"));
        let document = serde_json::to_value(interval).unwrap();
        assert!(document["lower"].is_null() && document["upper"].is_null());
        let read: lydian_model::run_card::scores::Interval = serde_json::from_value(document).unwrap();
        assert_eq!(read, *interval);
    }
    // Two entries show a spread, even where they agree.
    let two = scored(&sample_of_two(), &honest(&sample_of_two())).scores;
    assert!(two.confidence_intervals["chrf_plus_plus"].bounds().is_some());
}

fn sample_of_two() -> Vec<Entry> {
    entries().into_iter().take(2).collect()
}
