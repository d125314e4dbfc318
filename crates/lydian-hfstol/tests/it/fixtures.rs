//! The toy transducers answer as `hfst-lookup` of Debian hfst 3.16.0-5 does.
use lydian_hfstol::{Acceptance, Limit, Limits, Transducer, acceptor, is_archive};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub(crate) fn read(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

/// word → analyses with weights, in the form the expectations have them.
fn expected(name: &str) -> BTreeMap<String, Vec<String>> {
    let text = String::from_utf8(read(name)).unwrap();
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (word, rest) = line.split_once('\t').unwrap();
        answers.entry(word.to_owned()).or_default().push(rest.to_owned());
    }
    answers
}

fn answer(transducer: &Transducer<Vec<u8>>, word: &str) -> Vec<String> {
    let found = transducer.lookup(word);
    if found.analyses.is_empty() {
        return vec!["+?\tinf".to_owned()];
    }
    found
        .analyses
        .iter()
        .map(|a| format!("{}\t{:.6}", a.text(), a.weight()))
        .collect()
}

#[test]
fn every_fixture_answers_every_word_as_hfst_lookup_does() {
    for name in [
        "plain.ol",
        "plain.olw",
        "plain.noheader",
        "weighted.olw",
        "flags.ol",
        "flags.olw",
        "compound.olw",
        "unknown.ol",
        "unknown.olw",
    ] {
        let transducer = Transducer::new(read(&format!("{name}.hfstol"))).unwrap();
        let mut searcher = transducer.searcher();
        let answers = expected(&format!("{name}.expected.tsv"));
        assert!(answers.len() > 40, "{name}");
        for (word, expected) in answers {
            assert_eq!(answer(&transducer, &word), expected, "{name}: {word}");
            let accepted = expected[0] != "+?\tinf";
            assert_eq!(
                searcher.accepts(&word) == Acceptance::Accepted,
                accepted,
                "{name}: {word}"
            );
        }
    }
}

#[test]
fn loops_that_read_nothing_are_cut_and_said() {
    let transducer = Transducer::new(read("loop.olw.hfstol")).unwrap();
    for word in ["b", "c"] {
        let found = transducer.lookup(word);
        assert!(!found.analyses.is_empty(), "{word}");
        assert_eq!(found.truncated, Some(Limit::Cycle), "{word}");
        assert_eq!(transducer.searcher().accepts(word), Acceptance::Accepted);
    }
    let expected = expected("loop.olw.expected.tsv");
    for (word, expected) in expected.into_iter().filter(|(w, _)| w != "b" && w != "c") {
        assert_eq!(answer(&transducer, &word), expected, "{word}");
    }
}

#[test]
fn a_speller_archive_yields_its_acceptor() {
    let archive = read("toy.zhfst");
    assert!(is_archive(&archive));
    let transducer = Transducer::new(acceptor(&archive).unwrap()).unwrap();
    assert_eq!(transducer.searcher().accepts("tok"), Acceptance::Accepted);
    assert_eq!(transducer.searcher().accepts("tokx"), Acceptance::Rejected);
}

#[test]
fn symbols_are_whole_tags_and_the_word_itself_is_never_a_meta_symbol() {
    let transducer = Transducer::new(read("plain.olw.hfstol")).unwrap();
    let found = transducer.lookup("tok-in");
    assert_eq!(
        found.analyses[0].symbols().collect::<Vec<_>>(),
        ["t", "o", "k", "+N", "+Sg", "+Loc"]
    );
    assert!(transducer.input_symbols().any(|s| s == "ch"));
    let guesser = Transducer::new(read("unknown.olw.hfstol")).unwrap();
    let found = guesser.lookup("漢字");
    assert_eq!(
        found.analyses[0].symbols().collect::<Vec<_>>(),
        ["漢", "字", "+Guess"]
    );
    assert!(guesser.symbols().all(|s| !s.starts_with('@')));
}

#[test]
fn excluded_symbols_do_not_accept_a_word() {
    let transducer = Transducer::new(read("weighted.olw.hfstol")).unwrap();
    let mut strict = transducer.searcher().excluding(|symbol| symbol == "+Cmp#");
    assert_eq!(strict.accepts("lin"), Acceptance::Accepted);
    assert_eq!(strict.accepts("linlin"), Acceptance::Rejected);
    assert!(strict.lookup("linlin").analyses.is_empty());
    assert_eq!(transducer.searcher().accepts("linlin"), Acceptance::Accepted);
}

#[test]
fn limits_end_a_search_and_name_what_ended_it() {
    let transducer = Transducer::new(read("weighted.olw.hfstol")).unwrap();
    let with = |limits| transducer.searcher().with_limits(limits);
    let long = "lin".repeat(40);
    let found = with(Limits {
        word_symbols: 100,
        ..Limits::default()
    })
    .lookup(&long);
    assert_eq!(found.truncated, Some(Limit::WordLength));
    assert_eq!(
        with(Limits {
            word_symbols: 100,
            ..Limits::default()
        })
        .accepts(&long),
        Acceptance::Rejected
    );
    assert_eq!(
        with(Limits {
            steps: 20,
            ..Limits::default()
        })
        .lookup(&long)
        .truncated,
        Some(Limit::Steps)
    );
    assert_eq!(
        with(Limits {
            steps: 20,
            ..Limits::default()
        })
        .accepts(&long),
        Acceptance::Unknown
    );
    assert_eq!(
        with(Limits {
            depth: 20,
            ..Limits::default()
        })
        .lookup(&long)
        .truncated,
        Some(Limit::Depth)
    );
    let two = with(Limits {
        analyses: 1,
        ..Limits::default()
    })
    .lookup("linsali");
    assert_eq!((two.analyses.len(), two.truncated), (1, Some(Limit::Analyses)));
    assert_eq!(transducer.lookup(&long).analyses.len(), 1);
}

#[test]
fn a_word_of_many_thousand_characters_is_rejected_without_harm() {
    let transducer = Transducer::new(read("unknown.olw.hfstol")).unwrap();
    let long = "ab".repeat(50_000);
    assert_eq!(transducer.searcher().accepts(&long), Acceptance::Rejected);
    assert_eq!(transducer.lookup("").truncated, None);
}
