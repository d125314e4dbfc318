//! A morphological analyser: a transducer with what the card says about it.
use crate::card::{AnalyserCard, TagStyle};
use lydian_hfstol::{Acceptance, ReadError, Transducer};
use sha2::{Digest, Sha256};

/// A transducer and how its answers are read.
#[derive(Debug)]
pub struct Analyser {
    transducer: Transducer<Vec<u8>>,
    card: AnalyserCard,
    sha256: String,
}

/// Why an analyser cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AnalyserError {
    /// The file is no transducer that can be read.
    #[error("analyser: {0}")]
    Unreadable(#[from] ReadError),
    /// The file is not the one the card pins.
    #[error("analyser: the file has sha256 {found}, the card pins {pinned}")]
    OtherFile {
        /// The hash in the card.
        pinned: String,
        /// The hash of the file.
        found: String,
    },
}

/// What the self test says about a transducer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelfTestVerdict {
    /// Every listed word is accepted, every listed string rejected.
    Works,
    /// It rejects words and reads analyses: a generator, turned the wrong way round.
    Generator,
    /// It accepts none of the words.
    Dead,
    /// It rejects some words, or accepts some strings that are none.
    Differs {
        /// Words it should accept.
        rejected: Vec<String>,
        /// Strings it should reject.
        accepted: Vec<String>,
    },
}

impl Analyser {
    /// Opens the bytes of a `.hfstol` file or `.zhfst` archive; compares the hash where the card pins one.
    pub fn open(bytes: Vec<u8>, card: &AnalyserCard) -> Result<Self, AnalyserError> {
        let sha256 = hex_sha256(&bytes);
        if let Some(pinned) = &card.sha256
            && *pinned != sha256
        {
            return Err(AnalyserError::OtherFile {
                pinned: pinned.clone(),
                found: sha256,
            });
        }
        let bytes = if lydian_hfstol::is_archive(&bytes) {
            lydian_hfstol::acceptor(&bytes)?
        } else {
            bytes
        };
        Ok(Self {
            transducer: Transducer::new(bytes)?,
            card: card.clone(),
            sha256,
        })
    }

    /// Returns the SHA-256 of the file.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns the version for run cards: the publisher's name for it, else the beginning of its hash.
    pub fn version(&self) -> String {
        self.card
            .version
            .clone()
            .unwrap_or_else(|| format!("sha256:{}", &self.sha256[..16]))
    }

    /// Returns the card's entry for this analyser.
    pub fn card(&self) -> &AnalyserCard {
        &self.card
    }

    /// Returns the transducer.
    pub fn transducer(&self) -> &Transducer<Vec<u8>> {
        &self.transducer
    }

    /// Returns whether a tag takes away an analysis's right to accept a word.
    pub fn excludes(&self, symbol: &str) -> bool {
        matches_any(&self.card.excluded_tags, symbol)
    }

    /// Returns whether a tag says nothing about the form.
    pub fn ignores(&self, symbol: &str) -> bool {
        matches_any(&self.card.ignored_tags, symbol)
    }

    /// Tells a working analyser from a generator and from a dead one, by the words its card lists.
    pub fn self_test(&self) -> SelfTestVerdict {
        let mut searcher = self.transducer.searcher().excluding(|s| self.excludes(s));
        let mut accepts = |word: &String| searcher.accepts(word) == Acceptance::Accepted;
        let test = &self.card.self_test;
        let rejected: Vec<String> = test.accepts.iter().filter(|w| !accepts(w)).cloned().collect();
        let accepted: Vec<String> = test.rejects.iter().filter(|w| accepts(w)).cloned().collect();
        if rejected.is_empty() && accepted.is_empty() {
            return SelfTestVerdict::Works;
        }
        let all_rejected = rejected.len() == test.accepts.len();
        if all_rejected && test.analyses.iter().any(&mut accepts) {
            return SelfTestVerdict::Generator;
        }
        if all_rejected {
            SelfTestVerdict::Dead
        } else {
            SelfTestVerdict::Differs { rejected, accepted }
        }
    }

    /// Returns whether analyses carry tags.
    pub fn has_tags(&self) -> bool {
        self.card.tags != TagStyle::None
    }
}

/// Returns the SHA-256 of bytes in lower-case hexadecimal digits.
pub fn hex_sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            for nibble in [byte >> 4, byte & 15] {
                hex.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
            }
            hex
        })
}

/// A pattern is a tag, or the beginning of tags with a `*` at its end.
fn matches_any(patterns: &[String], symbol: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => symbol.starts_with(start),
        None => pattern == symbol,
    })
}
