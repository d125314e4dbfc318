//! A corpus of arbitrary bytes is read or refused, and what was read survives being written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_model::corpus::read::{ReadOptions, read_corpus};

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::default();
    if let Ok(file) = read_corpus(bytes, &options) {
        let written = serde_json::to_vec(&file.corpus).expect("a corpus can be written");
        let again = read_corpus(written.as_slice(), &options).expect("a written corpus can be read");
        assert_eq!(again.corpus, file.corpus);
    }
});
