//! What happens to a text before it is cut: character replacements (such as NFKC), white space.

use super::reader::{Proto, Switch};
use super::vocabulary::Vocabulary;
use super::{ModelError, char_length};

/// Stands for a space in pieces: U+2581.
const SPACE: &[u8] = "\u{2581}".as_bytes();
/// Only so many rules that match at one place are looked at.
const MOST_RULES: usize = 32;

/// The normalization of a model.
#[derive(Debug)]
pub(super) struct Normalizer {
    /// A double-array trie of what is replaced; empty when nothing is.
    trie: Vec<u32>,
    /// The replacements, each ended by a zero byte.
    replacements: Vec<u8>,
    dummy_prefix: Switch,
    remove_extra: Switch,
    escape: Switch,
    as_suffix: Switch,
}

impl Normalizer {
    /// Takes the rules over.
    pub(super) fn new(proto: &Proto<'_>) -> Result<Self, ModelError> {
        let (trie, replacements) = match proto.replacements {
            [] => (Vec::new(), Vec::new()),
            table => split_table(table).ok_or(ModelError::BadReplacements)?,
        };
        Ok(Self {
            trie,
            replacements,
            dummy_prefix: proto.dummy_prefix,
            remove_extra: proto.remove_extra_whitespace,
            escape: proto.escape_whitespace,
            as_suffix: proto.whitespace_as_suffix,
        })
    }

    /// Returns the text as pieces see it.
    pub(super) fn normalize(&self, text: &str, vocabulary: &Vocabulary) -> Vec<u8> {
        let removes = self.remove_extra == Switch::On;
        let mut rest = text.as_bytes();
        while removes && !rest.is_empty() {
            let (replacement, length) = self.replace(rest, vocabulary);
            if replacement != b" " {
                break;
            }
            rest = &rest[length..];
        }
        if rest.is_empty() {
            return Vec::new();
        }
        let space = if self.escape == Switch::On { SPACE } else { b" " };
        let mut normalized = Vec::with_capacity(rest.len() * 3 / 2 + 3);
        if self.as_suffix == Switch::Off && self.dummy_prefix == Switch::On {
            normalized.extend_from_slice(space);
        }
        let mut after_space = removes;
        while !rest.is_empty() {
            let (mut replacement, length) = self.replace(rest, vocabulary);
            while after_space && let Some(behind) = replacement.strip_prefix(b" ") {
                replacement = behind;
            }
            if !replacement.is_empty() {
                for &byte in replacement {
                    match byte {
                        b' ' => normalized.extend_from_slice(space),
                        _ => normalized.push(byte),
                    }
                }
                after_space = replacement.ends_with(b" ");
            }
            rest = &rest[length..];
            after_space &= removes;
        }
        while removes && normalized.ends_with(space) {
            normalized.truncate(normalized.len() - space.len());
        }
        if self.as_suffix == Switch::On && self.dummy_prefix == Switch::On {
            normalized.extend_from_slice(space);
        }
        normalized
    }

    /// Returns what the beginning of a text becomes, and how long that beginning is.
    fn replace<'a>(&'a self, text: &'a [u8], vocabulary: &Vocabulary) -> (&'a [u8], usize) {
        if let Some(length) = vocabulary.user_defined_prefix(text) {
            return (&text[..length], length);
        }
        if let Some((length, start)) = self.longest_rule(text)
            && let Some(replacement) = self.replacements.get(start..)
        {
            let end = replacement.iter().position(|&byte| byte == 0);
            return (&replacement[..end.unwrap_or(replacement.len())], length);
        }
        let length = char_length(text);
        (&text[..length], length)
    }

    /// Returns the length and the value of the longest rule that matches.
    fn longest_rule(&self, text: &[u8]) -> Option<(usize, usize)> {
        let mut longest = None;
        let mut found = 0;
        let mut place = offset(*self.trie.first()?);
        for (index, &byte) in text.iter().enumerate() {
            place ^= usize::from(byte);
            let Some(&unit) = self.trie.get(place) else { break };
            // The label is the low byte; the highest bit marks values, which are no labels.
            if unit & 0x8000_00ff != u32::from(byte) {
                break;
            }
            place ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                let Some(&leaf) = self.trie.get(place) else { break };
                longest = Some((index + 1, (leaf & 0x7fff_ffff) as usize));
                found += 1;
                if found == MOST_RULES {
                    break;
                }
            }
        }
        longest
    }
}

/// Returns how far the children of a unit are away.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize
}

/// Splits the table into trie and replacements: the trie's size in bytes, the trie, the rest.
fn split_table(table: &[u8]) -> Option<(Vec<u32>, Vec<u8>)> {
    let (size, rest) = table.split_first_chunk::<4>()?;
    let (trie, replacements) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
    let (units, left) = trie.as_chunks::<4>();
    if units.is_empty() || !left.is_empty() || replacements.last() != Some(&0) {
        return None;
    }
    let trie = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
    Some((trie, replacements.to_vec()))
}
