//! Properties of scoring that hold for any texts.

use std::collections::BTreeMap;

use lydian_model::run_card::Scores;
use lydian_model::{Entry, EntryId, Outcome, Prediction, canonical_bytes};
use lydian_scoring::verify::{Sources, verify};
use lydian_scoring::{Scored, ScoringContext};
use proptest::prelude::*;

use crate::sample;

/// Reference, output, outcome and difficulty of an entry.
type Row = (String, String, usize, u8);

/// Words of several scripts, white space of several kinds, marks, and now and then anything at all.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => "[a-dá-é]{1,5}",
        2 => "[а-г]{1,4}",
        1 => "[\u{300}-\u{303}\u{200b}\u{1c}\u{a0}.,!?'’-]{1,2}",
        1 => any::<String>(),
    ];
    prop::collection::vec(word, 1..7).prop_map(|words| words.join(" "))
}

fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((text(), text(), 0..Outcome::ALL.len(), 1..4_u8), 1..most)
}

fn run(rows: &[Row]) -> (Vec<Entry>, BTreeMap<EntryId, Prediction>) {
    let entries: Vec<Entry> = (0..)
        .zip(rows)
        .map(|(id, (reference, _, _, difficulty))| Entry {
            difficulty: Some(*difficulty),
            ..Entry::new(EntryId::integer(id), format!("source {id}"), reference)
        })
        .collect();
    let predictions = entries
        .iter()
        .zip(rows)
        .map(|(entry, (_, output, outcome, _))| {
            let prediction = Prediction {
                outcome: Outcome::ALL[*outcome],
                ..Prediction::of_text(entry.id.clone(), output)
            };
            (entry.id.clone(), prediction)
        })
        .collect();
    (entries, predictions)
}

fn scored(entries: &[Entry], predictions: &BTreeMap<EntryId, Prediction>) -> Scored {
    sample::scored(entries, predictions)
}

/// Resampling draws entries by their position; everything else is independent of it.
fn without_intervals(mut scores: Scores) -> Scores {
    scores.confidence_intervals.clear();
    for subset in scores.by_difficulty.values_mut() {
        subset.confidence_intervals.clear();
    }
    scores
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_entries_is_irrelevant(rows in rows(16), shift in 0..16_usize) {
        let (entries, predictions) = run(&rows);
        let mut moved = entries.clone();
        moved.rotate_left(shift % entries.len());
        moved.reverse();
        prop_assert_eq!(
            without_intervals(scored(&entries, &predictions).scores),
            without_intervals(scored(&moved, &predictions).scores)
        );
    }

    #[test]
    fn counts_of_the_parts_add_up_to_those_of_the_whole(rows in rows(16)) {
        let (entries, predictions) = run(&rows);
        let scores = scored(&entries, &predictions).scores;
        let parts = scores.by_difficulty.values();
        prop_assert_eq!(parts.clone().map(|part| part.total).sum::<u64>(), scores.total);
        prop_assert_eq!(parts.clone().map(|part| part.errors).sum::<u64>(), scores.errors);
        prop_assert_eq!(parts.clone().map(|part| part.exact_matches).sum::<u64>(), scores.exact_matches);
        for (outcome, count) in &scores.outcomes {
            prop_assert_eq!(parts.clone().map(|part| part.outcomes[outcome]).sum::<u64>(), *count);
        }
    }

    #[test]
    fn the_number_of_threads_is_irrelevant(rows in rows(40)) {
        let (entries, predictions) = run(&rows);
        let bytes = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| canonical_bytes(&scored(&entries, &predictions).scores))
        };
        prop_assert_eq!(bytes(1), bytes(3));
    }

    #[test]
    fn any_card_survives_its_file_and_is_intact(rows in rows(12)) {
        let (entries, predictions) = run(&rows);
        let card = sample::card(&sample::setup(&entries), &entries, &predictions);
        let card = lydian_model::run_card::read::read_run_card(&card.file_bytes()).unwrap();
        // The sample setup names a model that these answers do not.
        let found = verify(&card, &Sources::default()).unwrap();
        let changed: Vec<String> = found.changes.into_iter().map(|change| change.pointer).collect();
        prop_assert_eq!(changed, ["/model_id"]);
    }

    #[test]
    fn not_answering_never_pays(rows in rows(12), silent in 0..12_usize) {
        let (entries, mut predictions) = run(&rows);
        let before = scored(&entries, &predictions).scores;
        let entry = &entries[silent % entries.len()];
        if let Some(prediction) = predictions.get_mut(&entry.id) {
            prediction.outcome = Outcome::Refused;
        }
        let after = scored(&entries, &predictions).scores;
        prop_assert!(after.exact_match_rate <= before.exact_match_rate);
        prop_assert_eq!(after.coverage >= before.coverage, true);
    }
}

#[test]
fn the_order_of_predictions_and_the_context_default_change_nothing() {
    let entries = sample::entries();
    let selected: Vec<&Entry> = entries.iter().collect();
    let forward = sample::honest(&entries);
    let backward: BTreeMap<EntryId, Prediction> = forward.clone().into_iter().rev().collect();
    let of = |predictions| lydian_scoring::score(&selected, predictions, &ScoringContext::default()).unwrap();
    assert_eq!(of(&forward), of(&backward));
}
