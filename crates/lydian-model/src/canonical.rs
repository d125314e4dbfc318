//! Canonical JSON (RFC 8785) and SHA-256 digests.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

/// Returns the RFC 8785 (JCS) form of `document`.
///
/// # Panics
/// Never for this crate's documents: their maps have string keys and their numbers are finite by type.
pub fn canonical_bytes<T: Serialize>(document: &T) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(document).expect("documents have string keys and finite numbers")
}

/// A SHA-256 digest as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Sha256Hex(String);

impl Sha256Hex {
    /// Returns the digest of `bytes`.
    ///
    /// ```
    /// use lydian_model::Sha256Hex;
    /// assert!(Sha256Hex::of(b"").as_str().starts_with("e3b0c44298fc1c14"));
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_digest(&Sha256::digest(bytes))
    }

    /// Returns the digest of the canonical JSON of `document`.
    pub fn of_canonical<T: Serialize>(document: &T) -> Self {
        Self::of(&canonical_bytes(document))
    }

    /// Returns the digest whose 32 bytes are given.
    pub fn from_digest(digest: &[u8]) -> Self {
        Self(digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
            hex.push(char::from(DIGITS[usize::from(byte & 15)]));
            hex
        }))
    }

    /// Returns `text` as a digest if it is 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = text.len() == 64
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        valid.then(|| Self(text.to_owned()))
    }

    /// Returns the 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Sha256Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("expected 64 lower-case hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_numbers_follow_ecmascript() {
        let value = serde_json::json!({"b": 1.0, "a": 1e-7, "c": 1e21});
        assert_eq!(canonical_bytes(&value), br#"{"a":1e-7,"b":1,"c":1e+21}"#);
    }

    #[test]
    fn upper_case_digests_are_refused() {
        assert!(Sha256Hex::parse(&"A".repeat(64)).is_none());
        assert!(Sha256Hex::parse(&"a".repeat(63)).is_none());
    }
}
