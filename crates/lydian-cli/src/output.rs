//! The only place that prints: results on standard output, everything else on standard error.

use std::io::{self, IsTerminal, Write};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::environment;
use crate::error::{CommandError, CommandResult};
use crate::relative_paths::relative_to;

/// Options every command understands.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArguments {
    /// When to use colours; `NO_COLOR` is respected
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Output"
    )]
    color: ColorChoice,
    /// How to show progress
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "Output"
    )]
    progress: ProgressChoice,
    /// Print errors only
    #[arg(short, long, global = true, help_heading = "Output")]
    quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressChoice {
    /// A bar on a terminal, else plain lines
    #[default]
    Auto,
    /// Always a bar
    Bar,
    /// A line every ten seconds
    Plain,
    /// Nothing
    None,
}

/// Where and how a command prints.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    progress: ProgressChoice,
    quiet: bool,
    /// The working folder, where there is one whose path is text.
    folder: Option<String>,
}

impl Context {
    /// Returns the context the options ask for and sets the process-wide colour choice.
    pub(crate) fn new(arguments: &GlobalArguments) -> Self {
        match arguments.color {
            ColorChoice::Auto => {}
            ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
            ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        }
        let progress = match arguments.progress {
            _ if arguments.quiet => ProgressChoice::None,
            ProgressChoice::Auto if io::stderr().is_terminal() => ProgressChoice::Bar,
            ProgressChoice::Auto => ProgressChoice::Plain,
            chosen => chosen,
        };
        Self {
            progress,
            quiet: arguments.quiet,
            folder: environment::working_folder(),
        }
    }

    /// Returns how progress is shown; never `Auto`.
    pub(crate) const fn progress(&self) -> ProgressChoice {
        self.progress
    }

    /// Writes `text` to standard output as it is; colours are removed where they are not wanted.
    #[expect(clippy::unused_self, reason = "who prints holds a context")]
    pub(crate) fn print(&self, text: &str) -> CommandResult<()> {
        let mut stdout = anstream::stdout().lock();
        stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
            .map_err(write_failed)
    }

    /// Writes one JSON document and a line feed to standard output.
    #[expect(clippy::unused_self, reason = "who prints holds a context")]
    pub(crate) fn print_json<T: Serialize>(&self, document: &T) -> CommandResult<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer_pretty(&mut stdout, document)
            .map_err(io::Error::from)
            .and_then(|()| stdout.write_all(b"\n"))
            .and_then(|()| stdout.flush())
            .map_err(write_failed)
    }

    /// Writes `text` to standard error as it is, unless `--quiet` is given.
    pub(crate) fn print_to_stderr(&self, text: &str) {
        if !self.quiet {
            // Nothing can be reported when standard error itself is closed.
            let _written: io::Result<()> = anstream::stderr().lock().write_all(text.as_bytes());
        }
    }

    /// Writes a remark to standard error unless `--quiet` is given.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            stderr_line("note", anstyle::AnsiColor::Cyan, &self.relative(text));
        }
    }

    /// Writes a warning to standard error unless `--quiet` is given.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            stderr_line("warning", anstyle::AnsiColor::Yellow, &self.relative(text));
        }
    }

    /// Writes an error to standard error.
    pub(crate) fn error(&self, text: &str) {
        stderr_line("error", anstyle::AnsiColor::Red, &self.relative(text));
    }

    /// Writes the next step after an error to standard error.
    pub(crate) fn hint(&self, text: &str) {
        stderr_line("hint", anstyle::AnsiColor::Green, &self.relative(text));
    }
}

impl Context {
    fn relative(&self, text: &str) -> String {
        match &self.folder {
            Some(folder) => relative_to(folder, text),
            None => text.to_owned(),
        }
    }
}

fn write_failed(error: io::Error) -> CommandError {
    CommandError::from(error).context("cannot write to standard output")
}

fn stderr_line(label: &str, color: anstyle::AnsiColor, text: &str) {
    let style = anstyle::Style::new().bold().fg_color(Some(color.into()));
    // Nothing can be reported when standard error itself is closed.
    let _written: io::Result<()> = writeln!(anstream::stderr().lock(), "{style}{label}{style:#}: {text}");
}
