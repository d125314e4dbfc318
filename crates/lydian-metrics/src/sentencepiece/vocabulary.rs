//! The pieces of a model, found by their text.

use rustc_hash::FxHashMap;

use super::reader::{Proto, Switch};
use super::{ModelError, byte_piece};

/// What a piece is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Part of texts.
    Normal,
    /// Stands for what no other piece covers.
    Unknown,
    /// A mark such as the end of a sentence; never part of a text.
    Control,
    /// Always kept whole.
    UserDefined,
    /// Known but not to be used.
    Unused,
    /// One byte of what no other piece covers.
    Byte,
}

/// The pieces of a model.
#[derive(Debug)]
pub(super) struct Vocabulary {
    kinds: Vec<Kind>,
    scores: Vec<f32>,
    /// Texts with the positions of pieces that may be part of a text, sorted.
    sorted: Vec<(Box<[u8]>, usize)>,
    by_text: FxHashMap<Box<[u8]>, usize>,
    /// Pieces that may not: they hide pieces of the same text from [`Vocabulary::find`].
    reserved: FxHashMap<Box<[u8]>, usize>,
    user_defined: Vec<(Box<[u8]>, usize)>,
    unknown: usize,
    byte_fallback: Switch,
    /// The lowest score of a normal piece.
    pub(super) lowest: f32,
    /// The highest, or the smallest positive number if that is higher.
    pub(super) highest: f32,
}

impl Vocabulary {
    /// Takes the pieces over and checks them as the library does.
    pub(super) fn new(proto: &Proto<'_>) -> Result<Self, ModelError> {
        let mut vocabulary = Self {
            kinds: Vec::with_capacity(proto.pieces.len()),
            scores: proto.pieces.iter().map(|piece| piece.score).collect(),
            sorted: Vec::new(),
            by_text: FxHashMap::default(),
            reserved: FxHashMap::default(),
            user_defined: Vec::new(),
            unknown: 0,
            byte_fallback: proto.byte_fallback,
            lowest: f32::MAX,
            highest: f32::MIN_POSITIVE,
        };
        let mut unknown = None;
        for (position, piece) in proto.pieces.iter().enumerate() {
            let bad = ModelError::BadPiece { piece: position };
            if piece.text.is_empty() || !piece.score.is_finite() {
                return Err(bad);
            }
            let kind = match piece.kind {
                1 => Kind::Normal,
                2 => Kind::Unknown,
                3 => Kind::Control,
                4 => Kind::UserDefined,
                5 => Kind::Unused,
                6 => Kind::Byte,
                _ => return Err(bad),
            };
            vocabulary.kinds.push(kind);
            let text: Box<[u8]> = piece.text.into();
            let in_texts = matches!(kind, Kind::Normal | Kind::UserDefined | Kind::Unused);
            if in_texts {
                vocabulary.sorted.push((text.clone(), position));
            }
            let map = if in_texts {
                &mut vocabulary.by_text
            } else {
                &mut vocabulary.reserved
            };
            if map.insert(text.clone(), position).is_some() {
                return Err(bad);
            }
            match kind {
                Kind::Normal => {
                    vocabulary.lowest = vocabulary.lowest.min(piece.score);
                    vocabulary.highest = vocabulary.highest.max(piece.score);
                }
                Kind::UserDefined => vocabulary.user_defined.push((text, position)),
                Kind::Unknown if unknown.is_some() => return Err(ModelError::UnknownPiece),
                Kind::Unknown => unknown = Some(position),
                _ => {}
            }
        }
        vocabulary.unknown = unknown.ok_or(ModelError::UnknownPiece)?;
        vocabulary.sorted.sort_unstable();
        vocabulary.user_defined.sort_unstable();
        if proto.byte_fallback == Switch::On {
            let known = |byte: &u8| vocabulary.reserved.contains_key(byte_piece(*byte).as_bytes());
            if let Some(byte) = (0..=255).find(|byte| !known(byte)) {
                return Err(ModelError::BytePiece { byte });
            }
        }
        Ok(vocabulary)
    }

    /// Returns what a piece is for.
    pub(super) fn kind(&self, piece: usize) -> Kind {
        self.kinds[piece]
    }

    /// Returns the score of a piece.
    pub(super) fn score(&self, piece: usize) -> f32 {
        self.scores[piece]
    }

    /// Returns the piece for unknown text.
    pub(super) fn unknown(&self) -> usize {
        self.unknown
    }

    /// Returns whether unknown text is written as bytes.
    pub(super) fn falls_back_to_bytes(&self) -> bool {
        self.byte_fallback == Switch::On
    }

    /// Returns the piece that may be part of a text and has this text.
    pub(super) fn in_texts(&self, text: &[u8]) -> Option<usize> {
        self.by_text.get(text).copied()
    }

    /// Returns the piece with this text, reserved ones first, or the unknown one.
    pub(super) fn find(&self, text: &[u8]) -> usize {
        self.reserved
            .get(text)
            .or_else(|| self.by_text.get(text))
            .copied()
            .unwrap_or(self.unknown)
    }

    /// Calls `found` with the length and the position of every piece the text begins with, shortest first.
    pub(super) fn for_each_prefix(&self, text: &[u8], found: impl FnMut(usize, usize)) {
        prefixes(&self.sorted, text, found);
    }

    /// Returns the length of the longest user-defined piece the text begins with.
    pub(super) fn user_defined_prefix(&self, text: &[u8]) -> Option<usize> {
        if self.user_defined.is_empty() {
            return None;
        }
        let mut longest = None;
        prefixes(&self.user_defined, text, |length, _| longest = Some(length));
        longest
    }
}

/// Walks down the sorted texts: after `depth` bytes those between two bounds begin like the text.
fn prefixes(sorted: &[(Box<[u8]>, usize)], text: &[u8], mut found: impl FnMut(usize, usize)) {
    let mut candidates = sorted;
    for (depth, byte) in text.iter().enumerate() {
        let from = candidates.partition_point(|(piece, _)| piece[depth] < *byte);
        candidates = &candidates[from..];
        let to = candidates.partition_point(|(piece, _)| piece[depth] == *byte);
        candidates = &candidates[..to];
        if let Some((piece, position)) = candidates.first()
            && piece.len() == depth + 1
        {
            found(depth + 1, *position);
            candidates = &candidates[1..];
        }
        if candidates.is_empty() {
            return;
        }
    }
}
