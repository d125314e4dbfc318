//! Remembers which texts occurred where, in 32 bytes each.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::corpus::read::EntryPlace;

#[expect(
    clippy::disallowed_types,
    reason = "looked up once per entry and never iterated"
)]
type Seen = std::collections::HashMap<[u8; 16], FirstPlace>;

/// Texts seen so far, by half of their SHA-256.
#[derive(Debug, Default)]
pub(super) struct SeenTexts {
    seen: Seen,
}

/// Where a text occurred first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FirstPlace {
    index: u32,
    line: u32,
    json: bool,
}

impl SeenTexts {
    /// Remembers `text`; returns its first place if it occurred before.
    pub(super) fn insert(&mut self, text: &str, place: &EntryPlace) -> Option<FirstPlace> {
        match self.seen.entry(key(text)) {
            std::collections::hash_map::Entry::Occupied(first) => Some(*first.get()),
            std::collections::hash_map::Entry::Vacant(vacant) => {
                vacant.insert(FirstPlace {
                    index: u32::try_from(place.index).unwrap_or(u32::MAX),
                    line: u32::try_from(place.line).unwrap_or(u32::MAX),
                    json: place.pointer.is_some(),
                });
                None
            }
        }
    }
}

/// Returns the first half of the text's SHA-256.
pub(super) fn key(text: &str) -> [u8; 16] {
    let digest = Sha256::digest(text.as_bytes());
    let mut half = [0; 16];
    half.copy_from_slice(&digest[..16]);
    half
}

impl fmt::Display for FirstPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.json {
            write!(formatter, "/entries/{} (line {})", self.index, self.line)
        } else {
            write!(formatter, "line {}", self.line)
        }
    }
}
