//! A run card of arbitrary bytes is read or refused, and what was read has a hash and canonical bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_model::run_card::read::read_run_card;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(card) = read_run_card(bytes) {
        let again = read_run_card(&card.file_bytes()).expect("a written card can be read");
        assert_eq!(again.computed_hash(), card.computed_hash());
    }
});
