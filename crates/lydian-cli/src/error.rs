//! Errors of commands: cause, next step and exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

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
        }
    }

    /// Returns an error with this exit code that keeps the causes of `error`.
    pub(crate) fn from_error(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit,
            error: error.into(),
            hint: None,
        }
    }

    /// Adds what the user can do next.
    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Puts `context` in front of the message.
    #[must_use]
    pub(crate) fn context(mut self, context: impl fmt::Display + Send + Sync + 'static) -> Self {
        self.error = self.error.context(context);
        self
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

    /// Prints the error to standard error and returns the exit code. A closed pipe is not an error.
    pub(crate) fn report(self, context: &Context) -> Exit {
        let broken_pipe = self.error.chain().any(|cause| {
            cause
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        });
        if broken_pipe {
            return Exit::Done;
        }
        context.error(&format!("{:#}", self.error));
        if let Some(hint) = &self.hint {
            context.hint(hint);
        }
        self.exit
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#}", self.error)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::from_error(Exit::Internal, error)
    }
}
