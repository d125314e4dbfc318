//! No file and no word can hang or crash the transducer reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_hfstol::Transducer;

fuzz_target!(|input: (&[u8], &str)| {
    let (bytes, word) = input;
    if let Ok(transducer) = Transducer::new(bytes) {
        let _found = transducer.lookup(word);
    }
});
