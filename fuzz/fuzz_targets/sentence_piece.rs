//! A SentencePiece model is read and used on a text, both from hostile bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_metrics::sentencepiece::SentencePiece;

fuzz_target!(|bytes: &[u8]| {
    let texts = ["", " a  b ", "Tous les êtres humains naissent libres", "日本語 😀\u{301}\0 <x>▁"];
    if let Ok(model) = SentencePiece::from_bytes("fuzz", bytes) {
        for text in texts {
            let pieces = model.pieces(text);
            assert!(pieces.iter().all(|piece| !piece.is_empty()));
        }
        let own = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        let _pieces = model.pieces(&own);
    }
});
