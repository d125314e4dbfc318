//! Damaged files never crash or hang a look-up.
use crate::fixtures::{folder, read};
use lydian_hfstol::{Limits, SuggestLimits, Transducer, acceptor};
use proptest::prelude::*;

const WORDS: [&str; 8] = [
    "tok",
    "matłahka",
    "b",
    "linsali",
    "cholîek",
    "漢字-tok",
    "",
    "a\u{0}b",
];

fn transducers() -> Vec<Vec<u8>> {
    std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".hfstol"))
        .map(|name| read(&name))
        .collect()
}

fn try_all(bytes: &[u8]) {
    let Ok(transducer) = Transducer::new(bytes) else {
        return;
    };
    let mut searcher = transducer.searcher().with_limits(Limits {
        steps: 20_000,
        ..Limits::default()
    });
    for word in WORDS {
        searcher.lookup(word);
        searcher.accepts(word);
        searcher.suggest(
            word,
            &SuggestLimits {
                steps: 5_000,
                ..SuggestLimits::default()
            },
        );
    }
}

#[test]
fn every_cut_of_every_fixture_is_refused_or_read() {
    for bytes in transducers() {
        for end in 0..bytes.len() {
            try_all(&bytes[..end]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_bytes_never_panic(
        file in 0usize..12,
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(0u8), Just(0xff), Just(0x80), any::<u8>()]), 1..12),
    ) {
        let mut all = transducers();
        let index = file % all.len();
        let bytes = &mut all[index];
        for (place, value) in changes {
            let at = place.index(bytes.len());
            bytes[at] = value;
        }
        try_all(bytes);
    }

    #[test]
    fn changed_archives_never_panic(place in 0usize..1457, value in any::<u8>()) {
        let mut archive = read("toy.zhfst");
        archive[place] = value;
        if let Ok(bytes) = acceptor(&archive) {
            try_all(&bytes);
        }
    }
}
