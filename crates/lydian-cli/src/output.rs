//! The only place that prints: results on standard output, everything else on standard error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use lydian_report::tame::{tame_json, tame_lines};
use serde::Serialize;

use crate::environment;
use crate::error::{CommandError, CommandResult, Exit};
use crate::relative_paths::relative_to;
use crate::setting::{Origin, Setting};

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
    color: ColorChoice,
    progress: ProgressChoice,
    progress_asked: ProgressChoice,
    quiet: bool,
    /// The working folder, where there is one whose path is text.
    folder: Option<String>,
    failures: Failures,
    /// Whether anything went to standard output.
    printed: Arc<AtomicBool>,
}

/// Where the error of a command is written beside standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failures {
    /// Nowhere.
    AsText,
    /// As a document on standard output, because `--json` promises one.
    AsJson,
}

impl Context {
    /// Returns the context the options ask for and sets the process-wide colour choice.
    pub(crate) fn new(arguments: &GlobalArguments, failures: Failures) -> Self {
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
            color: arguments.color,
            progress,
            progress_asked: arguments.progress,
            quiet: arguments.quiet,
            folder: environment::working_folder(),
            failures,
            printed: Arc::default(),
        }
    }

    /// Says when colours are used, and why.
    pub(crate) fn color_setting(&self) -> Setting {
        let name = "colours";
        match self.color {
            ColorChoice::Always => Setting::new(name, "always", Origin::flag("--color")),
            ColorChoice::Never => Setting::new(name, "never", Origin::flag("--color")),
            ColorChoice::Auto if environment::variable("NO_COLOR").is_some() => {
                Setting::new(name, "never", Origin::Environment("NO_COLOR"))
            }
            ColorChoice::Auto => Setting::new(name, "on a terminal", Origin::Default),
        }
    }

    /// Says how progress is shown, and why.
    pub(crate) fn progress_setting(&self) -> Setting {
        let value = match self.progress {
            ProgressChoice::Bar => "a bar",
            ProgressChoice::None => "nothing",
            ProgressChoice::Auto | ProgressChoice::Plain => "a line every ten seconds",
        };
        let from = match self.progress_asked {
            _ if self.quiet => Origin::flag("--quiet"),
            ProgressChoice::Auto => Origin::Derived("whether standard error is a terminal"),
            _ => Origin::flag("--progress"),
        };
        Setting::new("progress", value, from)
    }

    /// Returns how progress is shown; never `Auto`.
    pub(crate) const fn progress(&self) -> ProgressChoice {
        self.progress
    }

    /// Writes `text` for people to standard output; what names and texts of files could do to a terminal is taken out.
    pub(crate) fn print(&self, text: &str) -> CommandResult<()> {
        self.print_styled(&tame_lines(text))
    }

    /// Writes `text` with colours, which are removed where they are not wanted. Whoever coloured it has tamed what it
    /// holds of files.
    pub(crate) fn print_styled(&self, text: &str) -> CommandResult<()> {
        self.printed.store(true, Ordering::Relaxed);
        print(text)
    }

    /// Writes a document that programs read on to standard output: to a file or a pipe every byte, to a terminal like
    /// [`Self::print`].
    pub(crate) fn print_data(&self, text: &str) -> CommandResult<()> {
        if io::stdout().is_terminal() {
            return self.print(text);
        }
        self.printed.store(true, Ordering::Relaxed);
        let mut stdout = io::stdout().lock();
        judged(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
    }

    /// Writes one JSON document and a line feed to standard output; characters that act on a terminal are escaped.
    pub(crate) fn print_json<T: Serialize>(&self, document: &T) -> CommandResult<()> {
        self.printed.store(true, Ordering::Relaxed);
        let text = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
        let mut stdout = io::stdout().lock();
        judged(writeln!(stdout, "{}", tame_json(&text)).and_then(|()| stdout.flush()))
    }

    /// Writes the document of an error to standard output if `--json` is given and nothing stands there yet.
    pub(crate) fn print_failure<T: Serialize>(&self, document: &T) {
        if self.failures == Failures::AsJson && !self.printed.load(Ordering::Relaxed) {
            // The error is on standard error already; that it cannot be written here changes nothing.
            drop(self.print_json(document));
        }
    }

    /// Writes text as [`Self::print_styled`] does, but to standard error and not when `--quiet` is given.
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

    /// Writes lines below an error as [`Self::print_styled`] does, but to standard error.
    #[expect(clippy::unused_self, reason = "who prints holds a context")]
    pub(crate) fn print_errors(&self, text: &str) {
        // Nothing can be reported when standard error itself is closed.
        let _written: io::Result<()> = anstream::stderr().lock().write_all(text.as_bytes());
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

/// Writes `text` to standard output; colours are removed where they are not wanted.
fn print(text: &str) -> CommandResult<()> {
    let mut stdout = anstream::stdout().lock();
    judged(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// A reader that has seen enough closes the pipe; only other failures are errors.
fn judged(written: io::Result<()>) -> CommandResult<()> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandError::from(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Prints help, a version or what is wrong with the arguments; returns the exit code.
pub(crate) fn usage(error: &clap::Error) -> Exit {
    let plain = error.render().to_string();
    let text = match tame_lines(&plain) {
        Cow::Borrowed(_) => error.render().ansi().to_string(),
        Cow::Owned(tamed) => tamed,
    };
    if error.use_stderr() {
        // Nothing can be reported when standard error itself is closed.
        let _written: io::Result<()> = anstream::stderr().lock().write_all(text.as_bytes());
        return Exit::Usage;
    }
    match print(&text) {
        Ok(()) => Exit::Done,
        Err(error) => {
            stderr_line("error", anstyle::AnsiColor::Red, &error.to_string());
            error.exit()
        }
    }
}

fn stderr_line(label: &str, color: anstyle::AnsiColor, text: &str) {
    let style = anstyle::Style::new().bold().fg_color(Some(color.into()));
    // Nothing can be reported when standard error itself is closed.
    let _written: io::Result<()> = writeln!(
        anstream::stderr().lock(),
        "{style}{label}{style:#}: {}",
        tame_lines(text)
    );
}
