//! A key or token that was resolved from a reference and must never be written anywhere.

use std::fmt;

use serde_json::Value;

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

    /// Returns `body` with every occurrence replaced, also those that escapes of JSON hide; `None` if there is none.
    pub(crate) fn redact_body(&self, body: &str) -> Option<String> {
        let plain = (self.0.len() >= 4 && body.contains(&self.0)).then(|| self.redact(body));
        let text = plain.as_deref().unwrap_or(body);
        if text.contains('\\')
            && let Ok(mut value) = serde_json::from_str(text)
            && self.redact_value(&mut value)
        {
            return Some(value.to_string());
        }
        plain
    }

    /// Redacts every string and key; returns whether there was anything to redact.
    fn redact_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let redacted = self.redact(text);
                let found = redacted != *text;
                *text = redacted;
                found
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |found, item| self.redact_value(item) | found),
            Value::Object(fields) => {
                let mut found = false;
                let old = std::mem::take(fields);
                for (name, mut value) in old {
                    found |= self.redact_value(&mut value);
                    let redacted = self.redact(&name);
                    found |= redacted != name;
                    fields.insert(redacted, value);
                }
                found
            }
            _ => false,
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
    fn redaction_of_a_body_sees_through_escapes() {
        let secret = Secret::new("sk/canary".into());
        let redacted = |body: &str| secret.redact_body(body);
        assert_eq!(redacted(r#"{"a": "fine \n"}"#), None);
        assert_eq!(
            redacted("not JSON \\ sk/canary"),
            Some("not JSON \\ [redacted]".into())
        );
        for body in [
            r#"{"a":["x \u0073k/canary"]}"#,
            r#"{"a":["x sk\/canary"]}"#,
            r#"{"a":["x sk/canary"]}"#,
        ] {
            assert_eq!(redacted(body).unwrap(), r#"{"a":["x [redacted]"]}"#);
        }
        assert_eq!(
            redacted(r#"{"\u0073k/canary": 1}"#).unwrap(),
            r#"{"[redacted]":1}"#
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
