//! A key or token that was resolved from a reference and must never be written anywhere.

use std::fmt;

/// A secret value. It cannot be printed, compared or serialised; only the transport reads it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value that the caller read from the place its reference names.
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// Returns the value for the one place that puts it on the wire.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns `text` with every occurrence of this secret replaced, for messages that come back from a provider.
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < 4 {
            text.to_owned()
        } else {
            text.replace(&self.0, "[redacted]")
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret([redacted])")
    }
}

/// Says where a secret is to be read: `env:NAME` or `file:PATH`. Values themselves are refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretReference {
    /// An environment variable.
    Environment(String),
    /// A file whose trimmed content is the secret.
    File(String),
}

/// A text that is not a secret reference.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a key must be a reference such as env:LYDIAN_API_KEY or file:PATH, not a value")]
pub struct NotAReference;

impl std::str::FromStr for SecretReference {
    type Err = NotAReference;

    fn from_str(text: &str) -> Result<Self, NotAReference> {
        let variable = |name: &str| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match text.split_once(':') {
            Some(("env", name)) if variable(name) => Ok(Self::Environment(name.to_owned())),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.to_owned())),
            _ => Err(NotAReference),
        }
    }
}

impl fmt::Display for SecretReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => write!(formatter, "env:{name}"),
            Self::File(path) => write!(formatter, "file:{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_does_not_show_the_value() {
        assert_eq!(
            format!("{:?}", Secret::new("sk-canary".into())),
            "Secret([redacted])"
        );
    }

    #[test]
    fn redaction_removes_every_occurrence() {
        let secret = Secret::new("sk-canary".into());
        assert_eq!(
            secret.redact("bad key sk-canary (sk-canary)"),
            "bad key [redacted] ([redacted])"
        );
    }

    #[test]
    fn a_literal_key_is_not_a_reference() {
        assert_eq!("sk-canary".parse::<SecretReference>(), Err(NotAReference));
        assert_eq!("env:".parse::<SecretReference>(), Err(NotAReference));
        assert_eq!("env:1A".parse::<SecretReference>(), Err(NotAReference));
        assert_eq!("env:A B".parse::<SecretReference>(), Err(NotAReference));
    }

    #[test]
    fn references_keep_their_text() {
        for text in ["env:LYDIAN_API_KEY", "file:/run/secrets/key:1"] {
            assert_eq!(text.parse::<SecretReference>().unwrap().to_string(), text);
        }
    }
}
