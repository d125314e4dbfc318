//! Unigram models: the sequence of pieces with the highest sum of scores.

use super::vocabulary::{Kind, Vocabulary};
use super::{Segment, char_length};

/// How much worse unknown text is than the worst piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The best way to a place in the text.
#[derive(Clone, Copy)]
struct Best {
    piece: usize,
    score: f32,
    start: usize,
}

/// Cuts a normalized text.
pub(super) fn encode(vocabulary: &Vocabulary, text: &[u8]) -> Vec<Segment> {
    let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
    let mut start = 0;
    while start < text.len() {
        let here = best[start].map_or(0.0, |best| best.score);
        let char_end = start + char_length(&text[start..]);
        let mut covered = false;
        vocabulary.for_each_prefix(&text[start..], |length, piece| {
            // A score is widened before it is added and the sum is compared before it is narrowed, as in the library.
            let score = match vocabulary.kind(piece) {
                Kind::Unused => return,
                Kind::UserDefined => f64::from(length as f32 * vocabulary.highest) - 0.1,
                _ => f64::from(vocabulary.score(piece)),
            };
            improve(&mut best[start + length], start, piece, score + f64::from(here));
            covered |= start + length == char_end;
        });
        if !covered {
            let score = vocabulary.lowest - UNKNOWN_PENALTY + here;
            improve(&mut best[char_end], start, vocabulary.unknown(), f64::from(score));
        }
        start = char_end;
    }
    let mut segments = Vec::new();
    let mut end = text.len();
    while let Some(Best { piece, start, .. }) = best[end] {
        segments.push(Segment { piece, start, end });
        end = start;
    }
    segments.reverse();
    segments
}

#[expect(clippy::cast_possible_truncation, reason = "scores are kept in 32 bits")]
fn improve(best: &mut Option<Best>, start: usize, piece: usize, score: f64) {
    if best.is_none_or(|best| score > f64::from(best.score)) {
        *best = Some(Best {
            piece,
            score: score as f32,
            start,
        });
    }
}
