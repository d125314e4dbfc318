//! SentencePiece (Kudo and Richardson 2018): cuts a text into the pieces of a trained model, for spBLEU.
//!
//! Unigram and BPE models are read from the bytes of a `.model` file. The pieces are those that the
//! `sentencepiece` library finds.

mod bpe;
mod normalizer;
mod reader;
mod unigram;
mod vocabulary;

use std::fmt;

use self::normalizer::Normalizer;
use self::reader::{ModelType, Proto};
use self::vocabulary::{Kind, Vocabulary};

/// A model with the name that signatures use for it.
///
/// Two models are equal when their names and fingerprints are.
pub struct SentencePiece {
    name: String,
    fingerprint: u64,
    model_type: ModelType,
    vocabulary: Vocabulary,
    normalizer: Normalizer,
}

/// Why bytes are not a usable SentencePiece model.
///
/// ```
/// use lydian_metrics::sentencepiece::{ModelError, SentencePiece};
/// assert_eq!(SentencePiece::from_bytes("flores101", b"text").unwrap_err(), ModelError::NotAModel { byte: 0 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes break the rules of the file format.
    NotAModel {
        /// Where.
        byte: usize,
    },
    /// The model is neither unigram nor BPE.
    UnsupportedType {
        /// The number of the type in the file format.
        number: u64,
    },
    /// A piece is empty, there twice, or its score is not a number.
    BadPiece {
        /// Which piece, from 0.
        piece: usize,
    },
    /// The piece for unknown text is missing or there twice.
    UnknownPiece,
    /// The model falls back to bytes but lacks the piece of a byte.
    BytePiece {
        /// The byte.
        byte: u8,
    },
    /// The table of character replacements is damaged.
    BadReplacements,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel { byte } => {
                write!(f, "not a SentencePiece model: byte {byte} is not as expected")
            }
            Self::UnsupportedType { number } => {
                let name = match number {
                    3 => " (word)",
                    4 => " (char)",
                    _ => "",
                };
                write!(
                    f,
                    "model type {number}{name} is not supported, only unigram and BPE are"
                )
            }
            Self::BadPiece { piece } => {
                write!(f, "piece {piece} is empty, there twice, or has no proper score")
            }
            Self::UnknownPiece => f.write_str("not exactly one piece stands for unknown text"),
            Self::BytePiece { byte } => write!(f, "the piece <0x{byte:02X}> is missing"),
            Self::BadReplacements => f.write_str("the table of character replacements is damaged"),
        }
    }
}

impl std::error::Error for ModelError {}

impl SentencePiece {
    /// Reads a model; `name` is what signatures write behind `tok:`, such as `flores200`.
    ///
    /// ```
    /// use lydian_metrics::sentencepiece::SentencePiece;
    /// let bytes = include_bytes!("../tests/data/unigram.model");
    /// let model = SentencePiece::from_bytes("small", bytes)?;
    /// assert_eq!(model.pieces("Tous les êtres"), ["▁Tou", "s", "▁le", "s", "▁être", "s"]);
    /// # Ok::<(), lydian_metrics::sentencepiece::ModelError>(())
    /// ```
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Self, ModelError> {
        let proto = Proto::read(bytes)?;
        let model_type = ModelType::from_number(proto.model_type)?;
        let normalizer = Normalizer::new(&proto)?;
        Ok(Self {
            name: name.into(),
            fingerprint: fingerprint(bytes),
            model_type,
            vocabulary: Vocabulary::new(&proto)?,
            normalizer,
        })
    }

    /// Returns the name that signatures use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the pieces of a text.
    pub fn pieces(&self, text: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        self.for_each(text, |piece| pieces.push(piece.to_owned()));
        pieces
    }

    /// Calls `emit` with every piece of a text.
    pub(crate) fn for_each(&self, text: &str, mut emit: impl FnMut(&str)) {
        let normalized = self.normalizer.normalize(text, &self.vocabulary);
        let segments = match self.model_type {
            ModelType::Unigram => unigram::encode(&self.vocabulary, &normalized),
            ModelType::Bpe => bpe::encode(&self.vocabulary, &normalized),
        };
        // Unknown pieces that follow each other are one.
        let mut unknown: Option<(usize, usize)> = None;
        for segment in segments {
            let text = &normalized[segment.start..segment.end];
            if self.vocabulary.kind(segment.piece) == Kind::Unknown && !self.vocabulary.falls_back_to_bytes()
            {
                let start = unknown.map_or(segment.start, |(start, _)| start);
                unknown = Some((start, segment.end));
                continue;
            }
            if let Some((start, end)) = unknown.take() {
                emit(&String::from_utf8_lossy(&normalized[start..end]));
            }
            if self.vocabulary.kind(segment.piece) == Kind::Unknown {
                for byte in text {
                    emit(&byte_piece(*byte));
                }
            } else {
                emit(&String::from_utf8_lossy(text));
            }
        }
        if let Some((start, end)) = unknown {
            emit(&String::from_utf8_lossy(&normalized[start..end]));
        }
    }
}

impl PartialEq for SentencePiece {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.fingerprint == other.fingerprint
    }
}

impl Eq for SentencePiece {}

impl fmt::Debug for SentencePiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentencePiece")
            .field("name", &self.name)
            .field("model_type", &self.model_type)
            .finish_non_exhaustive()
    }
}

/// Returns the name of the piece of a byte.
fn byte_piece(byte: u8) -> String {
    format!("<0x{byte:02X}>")
}

/// A piece of a normalized text.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// The position of the piece in the model.
    piece: usize,
    /// Where it begins in the text.
    start: usize,
    /// Where it ends.
    end: usize,
}

/// Returns how many bytes the character that begins here has.
fn char_length(text: &[u8]) -> usize {
    let length = match text.first() {
        Some(0xf0..) => 4,
        Some(0xe0..) => 3,
        Some(0xc0..) => 2,
        _ => 1,
    };
    length.min(text.len())
}

/// FNV-1a, to tell models apart.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
