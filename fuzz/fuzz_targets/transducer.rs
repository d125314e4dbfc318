//! No file and no word can hang or crash the transducer reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_hfstol::{SuggestLimits, Transducer, acceptor, is_archive};

fuzz_target!(|input: (&[u8], &str)| {
    let (bytes, word) = input;
    let unpacked = if is_archive(bytes) { acceptor(bytes).ok() } else { None };
    let bytes = unpacked.as_deref().unwrap_or(bytes);
    if let Ok(transducer) = Transducer::new(bytes) {
        let mut searcher = transducer.searcher();
        let _found = searcher.lookup(word);
        let _accepted = searcher.accepts(word);
        let limits = SuggestLimits {
            steps: 10_000,
            ..SuggestLimits::default()
        };
        let _near = searcher.suggest(word, &limits);
    }
});
