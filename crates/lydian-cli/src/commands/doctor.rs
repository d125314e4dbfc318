//! `lydian doctor`: what this machine has of what methods and checks can use.

use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian doctor`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian doctor
  lydian doctor --json

Nothing is sent anywhere. Of keys only the name of the variable is shown, never the value.")]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Findings {
    schema: &'static str,
    version: &'static str,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Check {
    name: &'static str,
    state: State,
    finding: String,
    next_step: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Usable.
    Ready,
    /// Absent; only what needs it is affected.
    Absent,
    /// Something that will make runs fail.
    Problem,
}

/// Prints the findings. Only a problem that would make any run fail is an error.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let checks = vec![writable_folder(), utf8_locale(), apertium(), chromium(), keys()];
    let exit = if checks.iter().any(|check| check.state == State::Problem) {
        Exit::Internal
    } else {
        Exit::Done
    };
    let findings = Findings {
        schema: "lydian.doctor/1",
        version: env!("CARGO_PKG_VERSION"),
        checks,
    };
    if arguments.json {
        context.print_json(&findings)?;
        return Ok(exit);
    }
    let mut text = format!("lydian {}\n", findings.version);
    for check in &findings.checks {
        let state = match check.state {
            State::Ready => "ready",
            State::Absent => "absent",
            State::Problem => "PROBLEM",
        };
        text.push_str(&format!("{:<18}{state:<9}{}\n", check.name, check.finding));
        if let Some(next_step) = &check.next_step {
            text.push_str(&format!("{:27}{next_step}\n", ""));
        }
    }
    context.print(&text)?;
    Ok(exit)
}

fn writable_folder() -> Check {
    let here = Path::new(".");
    match tempfile::Builder::new().prefix(".lydian-").tempfile_in(here) {
        Ok(_probe) => Check {
            name: "working folder",
            state: State::Ready,
            finding: "runs can be written here".to_owned(),
            next_step: None,
        },
        Err(error) => Check {
            name: "working folder",
            state: State::Problem,
            finding: format!("cannot be written: {}", files::without_aside(error)),
            next_step: Some("change to another folder or give --out".to_owned()),
        },
    }
}

fn utf8_locale() -> Check {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()))
        .unwrap_or_default();
    let utf8 = locale.to_ascii_lowercase().replace('-', "").contains("utf8");
    Check {
        name: "locale",
        state: if utf8 { State::Ready } else { State::Absent },
        finding: if locale.is_empty() { "not set".to_owned() } else { locale },
        next_step: (!utf8).then(|| {
            "files are always read and written as UTF-8; a terminal may show letters wrongly (export LANG=C.UTF-8)".to_owned()
        }),
    }
}

fn apertium() -> Check {
    match first_line("apertium", &["-l"]) {
        Some(output) => {
            let modes: Vec<&str> = output.split_whitespace().collect();
            Check {
                name: "Apertium",
                state: State::Ready,
                finding: format!("{} modes: {}", modes.len(), modes.join(" ")),
                next_step: None,
            }
        }
        None => Check {
            name: "Apertium",
            state: State::Absent,
            finding: "the engine is not installed; recorded outputs still work".to_owned(),
            next_step: Some("apt-get install apertium apertium-pt-gl".to_owned()),
        },
    }
}

fn chromium() -> Check {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(|program| first_line(program, &["--version"]));
    Check {
        name: "Chromium",
        state: if found.is_some() {
            State::Ready
        } else {
            State::Absent
        },
        next_step: found
            .is_none()
            .then(|| "only the project's own page checks need it".to_owned()),
        finding: found.unwrap_or_else(|| "not installed".to_owned()),
    }
}

fn keys() -> Check {
    let names = [
        "LYDIAN_API_KEY",
        "OPENROUTER_API_KEY",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
    ];
    let set: Vec<&str> = names
        .into_iter()
        .filter(|name| variable(name).is_some_and(|value| !value.is_empty()))
        .collect();
    Check {
        name: "keys",
        state: if set.is_empty() {
            State::Absent
        } else {
            State::Ready
        },
        finding: if set.is_empty() {
            "none set; only remote methods need one".to_owned()
        } else {
            set.join(" ")
        },
        next_step: None,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is where the environment is read"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns the output of a program on one line, or `None` if it cannot be started or fails.
fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    (output.status.success() && !text.is_empty()).then_some(text)
}
