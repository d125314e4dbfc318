//! Findings of a validator: what, where, by which rule, why and what to do.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::EntryId;

pub mod findings;

pub use findings::Findings;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The document cannot be used.
    Error,
    /// The document can be used; somebody should look.
    Warning,
    /// Optional, worth having.
    Hint,
}

/// Where in a document a finding lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// One-based line of a line-based file or of a syntax error.
    pub line: Option<u64>,
    /// One-based column in characters.
    pub column: Option<u64>,
    /// JSON pointer (RFC 6901), such as `/entries/3/domain`.
    pub pointer: Option<String>,
    /// Id of the entry concerned.
    pub entry_id: Option<EntryId>,
}

/// One finding. Texts are lower-case fragments without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name of the check, such as `duplicate_id`.
    pub check: &'static str,
    /// The rule, such as `B §2.2` or `decision 2`.
    pub rule: &'static str,
    /// Where it lies.
    pub place: Place,
    /// What was found, with the offending value.
    pub message: String,
    /// What to do about it.
    pub fix: String,
}

impl Place {
    /// Returns the place of a JSON pointer.
    pub fn pointer(pointer: impl Into<String>) -> Self {
        Self {
            pointer: Some(pointer.into()),
            ..Self::default()
        }
    }

    /// Returns the place of a line.
    pub fn line(line: u64) -> Self {
        Self {
            line: Some(line),
            ..Self::default()
        }
    }
}

impl Diagnostic {
    /// Returns an error.
    pub fn error(
        check: &'static str,
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            check,
            rule,
            place,
            message: message.into(),
            fix: fix.into(),
        }
    }

    /// Returns a warning.
    pub fn warning(
        check: &'static str,
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(check, rule, place, message, fix)
        }
    }

    /// Returns a hint.
    pub fn hint(
        check: &'static str,
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Hint,
            ..Self::error(check, rule, place, message, fix)
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        write!(formatter, "{severity}[{}]", self.check)?;
        if let Some(line) = self.place.line {
            write!(formatter, " line {line}")?;
        }
        if let Some(column) = self.place.column {
            write!(formatter, ":{column}")?;
        }
        if let Some(pointer) = &self.place.pointer {
            // The pointer of the whole document is empty.
            let shown = if pointer.is_empty() {
                "the whole document"
            } else {
                pointer
            };
            write!(formatter, " {shown}")?;
        }
        if let Some(id) = &self.place.entry_id {
            write!(formatter, " (entry {id})")?;
        }
        write!(formatter, ": {} ({}); {}", self.message, self.rule, self.fix)
    }
}
