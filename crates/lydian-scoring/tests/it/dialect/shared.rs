//! Real texts beside the repository: skipped with a printed reason when they are absent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use lydian_model::dialect::Keyword;
use lydian_scoring::dialect::{
    ItemGuard, LanguageGate, coverage, find_refusal, suggest_keywords, without_quotes,
};

/// Returns a file of the shared dialect data, or prints why the test is skipped.
#[expect(clippy::print_stdout, reason = "says why a test is skipped")]
fn shared(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/dialect")
        .join(name);
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {}: {error}", path.display());
            None
        }
    }
}

#[test]
fn the_given_gate_table_yields_the_given_integer_scores() {
    let (Some(table), Some(cases)) = (shared("gsw_nb5_12k.tsv"), shared("langgate_cases.tsv")) else {
        return;
    };
    let gate = LanguageGate::parse(&table).unwrap();
    let mut right = 0;
    let rows: Vec<Vec<&str>> = cases
        .split('\n')
        .skip(1)
        .map(|line| line.split('\t').collect())
        .filter(|row: &Vec<_>| row.len() == 12)
        .collect();
    assert_eq!(rows.len(), 86);
    for row in &rows {
        let scores = gate.scores(row[3]);
        let mut expected = row[4..11].iter().map(|cell| cell.parse::<i64>().unwrap());
        let counts = (
            i64::try_from(scores.words).unwrap(),
            i64::try_from(scores.ngrams).unwrap(),
        );
        assert_eq!(
            (Some(counts.0), Some(counts.1)),
            (expected.next(), expected.next()),
            "{}",
            row[0]
        );
        assert!(expected.eq(scores.sums), "{}: {:?}", row[0], scores.sums);
        assert_eq!(scores.says_dialect(), row[11] == "yes", "{}", row[0]);
        right += usize::from(scores.says_dialect() == (row[1] == "gsw"));
    }
    assert_eq!(right, 84);
}

#[test]
fn refusal_patterns_hardly_ever_fire_on_translations() {
    let Some(hypotheses) = shared("text/fhnw_asr_hypotheses.tsv") else {
        return;
    };
    let mut counts = Vec::new();
    let column = |text: &str, at: usize| -> Vec<String> {
        text.lines()
            .skip(1)
            .filter_map(|line| line.split('\t').nth(at).map(str::to_owned))
            .collect()
    };
    let mut texts = vec![
        ("references", column(&hypotheses, 3)),
        ("hypotheses", column(&hypotheses, 4)),
    ];
    for name in ["ref.deu", "ref.gsw-BE", "ref.gsw-ZH", "src.eng"] {
        let Some(text) = shared(&format!("text/ntrex_newstest2019-{name}.txt")) else {
            return;
        };
        texts.push((name, text.lines().map(str::to_owned).collect()));
    }
    for (_, lines) in &texts {
        let hits: Vec<&String> = lines
            .iter()
            .filter(|line| find_refusal(line, ItemGuard::default()).is_some())
            .collect();
        counts.push(hits.len());
    }
    assert_eq!(counts, [0; 6]);
}

#[test]
fn the_shipped_gate_decides_the_given_cases() {
    let Some(cases) = shared("langgate_cases.tsv") else {
        return;
    };
    let gate = LanguageGate::shipped();
    let rows = cases
        .split('\n')
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let wrong: Vec<String> = rows
        .filter(|row| row.len() == 12 && gate.scores(row[3]).says_dialect() != (row[1] == "gsw"))
        .map(|row| row[0].to_owned())
        .collect();
    assert_eq!(wrong, ["lg-27"]);
}

#[test]
fn the_shipped_gate_stops_answers_that_kept_the_dialect_and_hardly_any_german() {
    let Some(hypotheses) = shared("text/fhnw_asr_hypotheses.tsv") else {
        return;
    };
    let gate = LanguageGate::shipped();
    let rows: Vec<Vec<&str>> = hypotheses
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    let references: BTreeSet<&str> = rows.iter().map(|row| row[3]).collect();
    let stopped = references
        .iter()
        .filter(|text| gate.scores(text).says_dialect())
        .count();
    assert_eq!((stopped, references.len()), (1, 863));
    let mut per_system: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *per_system.entry(row[0]).or_default() += usize::from(gate.scores(row[4]).says_dialect());
    }
    // The two wav2vec2 systems write down what they hear, often the dialect itself.
    let expected = BTreeMap::from([
        ("seamless-m4t-v2-large", 4),
        ("wav2vec2-1b-german-cv11", 111),
        ("wav2vec2-german-with-lm", 59),
        ("whisper-large-v2", 3),
        ("whisper-large-v3", 3),
        ("whisper-medium", 2),
    ]);
    assert_eq!(per_system, expected);
}

/// What every report of T1 on real outputs must count as: keywords as drafted, nothing edited.
#[test]
fn drafted_keywords_give_real_outputs_the_documented_distribution() {
    let Some(hypotheses) = shared("text/fhnw_asr_hypotheses.tsv") else {
        return;
    };
    let mut keywords: BTreeMap<&str, Vec<Keyword>> = BTreeMap::new();
    let (mut counts, mut between, mut scored) = ([0_usize; 3], 0, 0);
    let rows: Vec<Vec<&str>> = hypotheses
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    for row in &rows {
        let draft = keywords.entry(row[3]).or_insert_with(|| suggest_keywords(row[3]));
        if draft.is_empty() {
            continue;
        }
        assert!(coverage(draft, row[3]).is_complete(), "{}", row[3]);
        let reached = coverage(draft, row[4]);
        counts[usize::from(reached.score().points())] += 1;
        between += usize::from(
            reached
                .fraction()
                .is_some_and(|share| share > 0.84 && share < 0.85),
        );
        scored += 1;
    }
    assert_eq!(
        (counts, between, scored, keywords.len()),
        ([1223, 2311, 1638], 61, 5172, 863)
    );
}

#[test]
fn shuffled_outputs_score_zero() {
    let Some(hypotheses) = shared("text/fhnw_asr_hypotheses.tsv") else {
        return;
    };
    let rows: Vec<Vec<&str>> = hypotheses
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    let shifted = rows
        .iter()
        .zip(rows.iter().skip(101))
        .filter(|(row, other)| row[3] != other[3]);
    let above: Vec<u8> = shifted
        .map(|(row, other)| coverage(&suggest_keywords(row[3]), other[4]).score().points())
        .filter(|points| *points > 0)
        .collect();
    assert_eq!(above.len(), 0);
}

#[test]
fn a_german_frame_around_the_quoted_source_is_no_dialect_once_the_source_is_removed() {
    let (Some(dialect), Some(german)) = (
        shared("text/ntrex_newstest2019-ref.gsw-ZH.txt"),
        shared("text/ntrex_newstest2019-ref.deu.txt"),
    ) else {
        return;
    };
    let gate = LanguageGate::shipped();
    let framed: Vec<(String, &str)> = dialect
        .lines()
        .zip(german.lines())
        .skip(998)
        .map(|(dialect, german)| {
            (
                format!("Der Satz «{dialect}» bedeutet auf Hochdeutsch: {german}"),
                dialect,
            )
        })
        .collect();
    let before = framed
        .iter()
        .filter(|(answer, _)| gate.scores(answer).says_dialect())
        .count();
    let after = framed
        .iter()
        .filter(|(answer, source)| gate.scores(&without_quotes(answer, &[source]).0).says_dialect())
        .count();
    assert_eq!((before, after, framed.len()), (65, 0, 999));
}
