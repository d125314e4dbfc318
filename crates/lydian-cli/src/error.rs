//! Errors of commands: cause, next step and exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use lydian_model::{Diagnostic, Findings, Severity};
use serde::Serialize;

use crate::findings::{self, Shown};
use crate::output::Context;

/// How a command ended; the numbers are stable and documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done, whatever the score.
    Done = 0,
    /// A fault of the program or the machine, such as a full disk.
    Internal = 1,
    /// Wrong arguments or configuration.
    Usage = 2,
    /// An invalid corpus or other document, or a refused comparison.
    InvalidDocument = 3,
    /// Authentication failed.
    Authentication = 4,
    /// Some entries have no answer; the card is written.
    Incomplete = 5,
    /// The budget is used up; the card is partial.
    Budget = 6,
    /// The provider is unavailable or a quota is used up; resume later.
    Unavailable = 7,
    /// A gate is not met, such as a reproduction outside 2 %.
    GateNotMet = 10,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) struct CommandError {
    exit: Exit,
    error: anyhow::Error,
    hint: Option<String>,
    findings: Option<Box<Findings>>,
}

/// What `--json` prints when a command stops before it has printed anything else.
#[derive(Serialize)]
struct Reported<'a> {
    schema: &'static str,
    exit_code: u8,
    error: String,
    hint: Option<&'a str>,
    findings: &'a [Diagnostic],
    finding_counts: Vec<FindingCount>,
}

/// How often a check fired; findings beyond a limit are counted only.
#[derive(Serialize)]
struct FindingCount {
    severity: Severity,
    check: &'static str,
    count: u64,
}

/// The result of a command.
pub(crate) type CommandResult<T = Exit> = Result<T, CommandError>;

impl CommandError {
    /// Returns an error with this exit code and message.
    pub(crate) fn new(exit: Exit, message: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> Self {
        Self {
            exit,
            error: anyhow::Error::msg(message),
            hint: None,
            findings: None,
        }
    }

    /// Returns an error with this exit code that keeps the causes of `error`.
    pub(crate) fn from_error(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit,
            error: error.into(),
            hint: None,
            findings: None,
        }
    }

    /// Adds what the user can do next.
    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds one more thing that the user can do.
    #[must_use]
    pub(crate) fn and_hint(mut self, more: &str) -> Self {
        self.hint = Some(match self.hint {
            Some(hint) => format!("{hint}, {more}"),
            None => more.to_owned(),
        });
        self
    }

    /// Adds what the user can do next, where anything is known.
    #[must_use]
    pub(crate) fn with_some_hint(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.with_hint(hint),
            None => self,
        }
    }

    /// Adds what was found in a document; it is printed below the message.
    #[must_use]
    pub(crate) fn with_findings(mut self, findings: Findings) -> Self {
        self.findings = Some(Box::new(findings));
        self
    }

    /// Puts `context` in front of the message.
    #[must_use]
    pub(crate) fn context(mut self, context: impl fmt::Display + Send + Sync + 'static) -> Self {
        self.error = self.error.context(context);
        self
    }

    /// Returns message and next step as one text, for a list of several.
    pub(crate) fn told(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{self}; {hint}"),
            None => self.to_string(),
        }
    }

    /// Returns the exit code.
    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }

    /// Returns what the user can do next.
    #[cfg(test)]
    pub(crate) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Prints the error to standard error, and with `--json` as a document to standard output; returns the exit code.
    pub(crate) fn report(self, context: &Context) -> Exit {
        context.error(&self.to_string());
        if let Some(findings) = &self.findings {
            context.print_errors(&findings::text(findings, Shown::Errors));
        }
        if let Some(hint) = &self.hint {
            context.hint(hint);
        }
        context.print_failure(&self.reported());
        self.exit
    }

    fn reported(&self) -> Reported<'_> {
        let findings = self.findings.as_deref();
        Reported {
            schema: "lydian.error/1",
            exit_code: self.exit as u8,
            error: self.to_string(),
            hint: self.hint.as_deref(),
            findings: findings.map_or(&[], Findings::kept),
            finding_counts: findings
                .into_iter()
                .flat_map(Findings::counts)
                .map(|(severity, check, count)| FindingCount {
                    severity,
                    check,
                    count,
                })
                .collect(),
        }
    }
}

/// The message and its causes in one line. Many errors name their cause themselves, and it is not said twice.
impl fmt::Display for CommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for cause in self.error.chain() {
            let cause = cause.to_string();
            if text.is_empty() {
                text = cause;
            } else if !text.ends_with(&cause) {
                text = format!("{text}: {cause}");
            }
        }
        formatter.write_str(&text)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::from_error(Exit::Internal, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_is_named_already_is_not_repeated() {
        let cause = io::Error::other("no space left");
        let error = CommandError::from(cause).context("cannot write a: no space left");
        assert_eq!(error.to_string(), "cannot write a: no space left");
        let error = CommandError::from(io::Error::other("no space left")).context("cannot write a");
        assert_eq!(error.to_string(), "cannot write a: no space left");
    }
}
