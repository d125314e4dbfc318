//! Scores of recorded model runs equal those that sacreBLEU gave when they were recorded.

use std::fs;
use std::path::Path;

use lydian_metrics::length::graphemes;
use lydian_model::{Entry, EntryId, Score};
use serde_json::Value;

use crate::sample::{answers, scored};

#[test]
#[expect(clippy::print_stdout, reason = "says why a test is skipped")]
fn recorded_runs_have_their_recorded_scores() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/runs");
    let Ok(files) = fs::read_dir(&folder) else {
        println!("skipped: {} does not exist here", folder.display());
        return;
    };
    let (mut runs, mut other_lengths, mut case_differences) = (0, 0, 0);
    let mut differences = Vec::new();
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let run: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let recorded = run["entries"].as_array().unwrap();
        // Ids are not always unique in the recordings, so that entries are numbered here.
        let entries: Vec<Entry> = (0..)
            .zip(recorded)
            .map(|(n, entry)| {
                Entry::new(
                    EntryId::integer(n),
                    text(&entry["source"]),
                    text(&entry["expected"]),
                )
            })
            .collect();
        let outputs: Vec<String> = recorded.iter().map(|entry| text(&entry["predicted"])).collect();
        let scored = scored(&entries, &answers(&entries, |index, _| outputs[index].clone()));
        let (scores, results) = (scored.scores, scored.results);
        let mut compare = |name: &str, found: Option<Score>, unit: f64| {
            let (recorded, found) = (run["overall"][name].as_f64().unwrap(), found.unwrap().get());
            if (found - recorded).abs() > unit / 2.0 + 1e-6 {
                let file = path.file_name().unwrap().to_string_lossy();
                differences.push(format!("{file} {name}: recorded {recorded}, here {found}"));
            }
        };
        compare("corpus_chrf", scores.chrf_plus_plus, 0.01);
        compare("corpus_bleu", scores.bleu, 0.01);
        compare("corpus_ter", scores.ter, 0.01);
        // The recordings count code points where this project counts grapheme clusters (decision 12).
        let same_length = |text: &str| graphemes(text) == text.chars().count();
        if outputs
            .iter()
            .chain(entries.iter().map(|entry| &entry.reference))
            .all(|text| same_length(text))
        {
            compare("avg_length_ratio", scores.length_ratio, 0.0001);
        } else {
            other_lengths += 1;
        }
        // The recordings fold case in an exact match, this project does not (decision 3).
        for (result, entry) in results.iter().zip(recorded) {
            let folded = result.predicted.trim().to_lowercase() == result.expected.trim().to_lowercase();
            assert_eq!(
                entry["exact_match"].as_bool().unwrap(),
                folded,
                "{}",
                result.source
            );
            case_differences += usize::from(folded != result.exact_match);
        }
        runs += 1;
    }
    assert_eq!((runs, other_lengths, case_differences), (24, 1, 7));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
