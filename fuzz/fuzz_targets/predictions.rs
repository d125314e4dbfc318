//! Predictions of arbitrary bytes are read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_model::predictions::read_predictions;

fuzz_target!(|bytes: &[u8]| {
    let _read = read_predictions(bytes);
});
