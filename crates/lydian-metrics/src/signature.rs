//! Signatures: how a score was computed, in sacreBLEU's format, parsed and compared.

use std::fmt;

use crate::error::MetricError;
use crate::metric::SignatureField;

/// The version of sacreBLEU whose numbers the parity mode reproduces.
pub const SACREBLEU_VERSION: &str = "2.6.0";

/// An ordered list of `key:value` fields.
///
/// ```
/// use lydian_metrics::{Metric, Signature, chrf::Chrf};
/// let signature = Chrf::plus_plus().signature(Some(1)).with_sacrebleu_version();
/// assert_eq!(signature.to_string(), "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0");
/// assert_eq!(signature.short(), "#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0");
/// let parsed: Signature = signature.to_string().parse()?;
/// parsed.require_same(&signature)?;
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    key: String,
    short: String,
    value: String,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}
impl Eq for Field {}

/// Keys that every metric shares, in the order in which signatures print them.
const SHARED: [(&str, &str); 9] = [
    ("nrefs", "#"),
    ("bs", "bs"),
    ("ar", "ar"),
    ("seed", "rs"),
    ("test", "t"),
    ("lang", "l"),
    ("origlang", "o"),
    ("subset", "S"),
    ("version", "v"),
];

impl Signature {
    /// Builds a signature from a reference count (`None`: it varies) and the metric's own fields.
    pub fn new(references: Option<usize>, fields: Vec<SignatureField>) -> Self {
        let count = references.map_or_else(|| "var".to_owned(), |n| n.to_string());
        let mut signature = Self {
            fields: Vec::with_capacity(fields.len() + 4),
        };
        signature.fields.push(Field {
            key: "nrefs".into(),
            short: "#".into(),
            value: count,
        });
        signature.fields.extend(fields.into_iter().map(|field| Field {
            key: field.key.into(),
            short: field.short.into(),
            value: field.value,
        }));
        signature
    }

    /// Sets one of the shared fields (`bs`, `ar`, `seed`, `test`, `lang`, `origlang`, `subset`, `version`) in its place,
    /// or a further field such as `norm` before the version.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        let value = value.into();
        if let Some(field) = self.fields.iter_mut().find(|field| field.key == key) {
            field.value = value;
            return self;
        }
        let short = SHARED
            .iter()
            .find(|(name, _)| *name == key)
            .map_or(key, |(_, short)| *short);
        let position = self.fields.iter().position(|field| rank(&field.key) > rank(key));
        let field = Field {
            key: key.into(),
            short: short.into(),
            value,
        };
        self.fields.insert(position.unwrap_or(self.fields.len()), field);
        self
    }

    /// Adds sacreBLEU's version, which belongs only to numbers computed in the parity mode.
    #[must_use]
    pub fn with_sacrebleu_version(self) -> Self {
        self.with("version", SACREBLEU_VERSION)
    }

    /// Returns the value of a field.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|field| field.key == key)
            .map(|field| field.value.as_str())
    }

    /// Returns the fields in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields
            .iter()
            .map(|field| (field.key.as_str(), field.value.as_str()))
    }

    /// Returns the form with abbreviated keys.
    pub fn short(&self) -> String {
        self.join(|field| &field.short)
    }

    /// Returns an error that names both signatures unless they are the same.
    pub fn require_same(&self, other: &Self) -> Result<(), MetricError> {
        if self == other {
            return Ok(());
        }
        Err(MetricError::SignatureMismatch {
            left: self.to_string(),
            right: other.to_string(),
        })
    }

    fn join<'a>(&'a self, key: impl Fn(&'a Field) -> &'a str) -> String {
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|field| format!("{}:{}", key(field), field.value))
            .collect();
        fields.join("|")
    }
}

/// Where a key stands: shared keys in their order, the metric's own after them, the version last.
fn rank(key: &str) -> usize {
    match SHARED.iter().position(|(name, _)| *name == key) {
        Some(8) => 9,
        Some(position) => position,
        None => 8,
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.join(|field| &field.key))
    }
}

impl std::str::FromStr for Signature {
    type Err = MetricError;

    /// Parses the long form; the text must hold `nrefs` first and no key twice.
    fn from_str(text: &str) -> Result<Self, MetricError> {
        let not_a_signature = || MetricError::NotASignature {
            text: text.to_owned(),
        };
        let mut fields: Vec<Field> = Vec::new();
        for part in text.split('|') {
            let (key, value) = part.split_once(':').ok_or_else(not_a_signature)?;
            if key.is_empty() || value.is_empty() || fields.iter().any(|field| field.key == key) {
                return Err(not_a_signature());
            }
            let short = SHARED
                .iter()
                .find(|(name, _)| *name == key)
                .map_or(key, |(_, short)| *short);
            fields.push(Field {
                key: key.into(),
                short: short.into(),
                value: value.into(),
            });
        }
        match fields.first() {
            Some(first) if first.key == "nrefs" => Ok(Self { fields }),
            _ => Err(not_a_signature()),
        }
    }
}
