//! Dialect items and answers of arbitrary bytes are read and scored, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lydian_model::Sha256Hex;
use lydian_model::corpus::read::{ReadOptions, read_corpus};
use lydian_model::dialect::{AnswersFormat, Strictness, check_items, read_answers, read_items};
use lydian_scoring::dialect::{AnswersNote, LanguageGate, check_scorability, report};

/// Separates the item file from the answers to it.
const BETWEEN: &[u8] = b"\n---\n";

fuzz_target!(|bytes: &[u8]| {
    let at = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (items, answers) = match at {
        Some(at) => (&bytes[..at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, bytes),
    };
    let from_csv = read_answers(answers, AnswersFormat::Csv);
    let from_lines = read_answers(answers, AnswersFormat::JsonLines);
    let Ok(corpus) = read_corpus(items, &ReadOptions::default()) else { return };
    let (Some(items), _) = read_items(&corpus.corpus) else { return };
    check_items(&items, Strictness::Strict);
    check_scorability(&items);
    for file in [from_csv, from_lines].into_iter().flatten() {
        let digest = Sha256Hex::of(b"items");
        let scored = report(&items, digest, &file.answers, AnswersNote::default(), LanguageGate::shipped());
        let scored = scored.expect("the reader refuses two answers for one item");
        assert_eq!(scored.items.len(), items.items.len());
    }
});
