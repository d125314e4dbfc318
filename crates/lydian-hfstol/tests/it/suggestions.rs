//! Similar words: found within the distance, accepted, and without end or harm on any file.
use crate::fixtures::read;
use lydian_hfstol::{Acceptance, SuggestLimits, Transducer};

fn near(fixture: &str, word: &str) -> Vec<(String, u8)> {
    let transducer = Transducer::new(read(fixture)).unwrap();
    let mut searcher = transducer.searcher();
    let found = searcher.suggest(word, &SuggestLimits::default());
    for suggestion in &found {
        assert_eq!(
            searcher.accepts(&suggestion.word),
            Acceptance::Accepted,
            "{}",
            suggestion.word
        );
    }
    found.into_iter().map(|s| (s.word, s.distance)).collect()
}

#[test]
fn one_missing_one_extra_and_one_wrong_letter_are_one_edit() {
    for word in ["chlî", "choolî", "chelî"] {
        assert_eq!(
            near("plain.olw.hfstol", word)[0],
            ("cholî".to_owned(), 1),
            "{word}"
        );
    }
    assert!(near("plain.olw.hfstol", "wapamew").contains(&("wâpamêw".to_owned(), 2)));
    assert_eq!(near("plain.olw.hfstol", "kaukana"), []);
}

#[test]
fn flags_hold_in_suggestions() {
    // `matłahta` breaks a flag, `tłahta` and `matłahka` keep it.
    let found = near("flags.olw.hfstol", "matłahtx");
    assert!(!found.is_empty());
    assert!(found.iter().all(|(word, _)| word != "matłahta"), "{found:?}");
    assert!(near("compound.olw.hfstol", "elsegå").is_empty());
}

#[test]
fn loops_and_characters_outside_the_alphabet_do_no_harm() {
    assert!(near("loop.olw.hfstol", "bb").iter().any(|(word, _)| word == "b"));
    assert_eq!(near("plain.olw.hfstol", "t漢k")[0].0, "tok");
    near("unknown.olw.hfstol", "漢字漢字");
}

#[test]
fn a_step_limit_ends_the_walk() {
    let transducer = Transducer::new(read("weighted.olw.hfstol")).unwrap();
    let limits = SuggestLimits {
        distance: 3,
        words: 100,
        steps: 50,
    };
    let few = transducer.searcher().suggest("linsalixlinsali", &limits);
    assert!(few.len() < 5);
}
