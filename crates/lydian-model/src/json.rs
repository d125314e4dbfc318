//! Reading JSON that nobody vouches for: encoding, size, depth and duplicate keys are checked while it streams.

pub(crate) mod guard;
pub(crate) mod syntax;
pub(crate) mod unique;
pub(crate) mod value;

/// Deepest nesting of arrays and objects in any document.
pub(crate) const MAX_DEPTH: usize = 64;

/// Returns `key` as a token of a JSON pointer (RFC 6901).
pub(crate) fn pointer_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
