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

/// Pairs of source and reference seen so far, found by their source.
#[derive(Debug, Default)]
pub(super) struct SeenPairs {
    sources: SeenTexts,
    references: Vec<[u8; 4]>,
}

impl SeenPairs {
    /// Remembers a pair; if its source occurred before, returns where, and whether the reference was the same.
    pub(super) fn insert(
        &mut self,
        source: &str,
        reference: &str,
        place: &EntryPlace,
    ) -> Option<(FirstPlace, bool)> {
        let half = key(reference);
        let short = [half[0], half[1], half[2], half[3]];
        // Entries that could not be read leave gaps.
        let index = usize::try_from(place.index).unwrap_or(usize::MAX);
        if index < usize::MAX / 8 {
            self.references
                .resize(self.references.len().max(index + 1), [0; 4]);
            self.references[index] = short;
        }
        let first = self.sources.insert(source, place)?;
        let before = self.references.get(first.index as usize).copied();
        Some((first, before == Some(short)))
    }
}

/// Returns the first half of the text's SHA-256.
fn key(text: &str) -> [u8; 16] {
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
