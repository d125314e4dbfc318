//! The Apertium engine, one process per entry.
//!
//! A process per entry costs a tenth of a second and buys isolation: no entry sees another, an entry may hold line
//! feeds, and a crash takes one entry with it. Apertium's null-flush mode was tried: version 3.8.3 loses the separators.
//! `-u` leaves out the `*` before unknown words, which is no part of a translation.

use std::path::{Path, PathBuf};
use std::process::{Command as BlockingCommand, Stdio};
use std::sync::Arc;
use std::time::Duration;

use lydian_model::method::{Access, Dependency, DependencyKind, EntryPoint};
use lydian_model::{Finite, MethodManifest, Prediction, Sha256Hex, SourceEntry};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::time::Instant;

use super::copy::local;
use super::{Method, MethodError, MethodSetup, PrepareOptions, Prepared, builtin};
use crate::line_process::ProcessGroup;
use crate::method_digest::file_sha256;
use crate::translator::{BoxFuture, CallLog, Stop, Translator};

const PROGRAM: &str = "apertium";
/// Where the distributions put the language data.
const DATA_FOLDERS: [&str; 2] = ["/usr/share/apertium", "/usr/local/share/apertium"];
const TIMEOUT: Duration = Duration::from_secs(60);
/// Longest output that is read.
const MAX_OUTPUT: u64 = 16 * 1024 * 1024;

/// Returns the `model_slug` of a mode (decision 17).
pub(super) fn model_slug(mode: &str) -> String {
    format!("apertium/{mode}")
}

/// Returns the manifest of a mode of the installed engine, pinned to what is installed.
pub(super) fn manifest(mode: &str) -> Result<MethodManifest, MethodError> {
    let installed = Installed::find(mode)?;
    let dependency = |id: &str, kind, license: &str, pin: String, notes: &str| Dependency {
        id: id.to_owned(),
        kind,
        license: license.to_owned(),
        access: Access::Mirrored,
        source: Some("the machine's package manager".into()),
        pin: Some(pin),
        substitutable: None,
        redistributable: Some(true),
        transferable: Some(true),
        notes: Some(notes.to_owned()),
    };
    let mut dependencies = vec![dependency(
        PROGRAM,
        DependencyKind::Software,
        "GPL-2.0-or-later",
        installed.version.clone(),
        "engine",
    )];
    if let Some(data) = &installed.data_sha256 {
        dependencies.push(dependency(
            &format!("apertium-data-{mode}"),
            DependencyKind::Data,
            "GPL-2.0-only OR GPL-2.0-or-later OR GPL-3.0-or-later",
            format!("sha256:{data}"),
            "language data of the Apertium project are under the GPL; the package says which version",
        ));
    }
    let entry_point = EntryPoint::Apertium {
        mode: mode.to_owned(),
    };
    let method_id = format!("apertium-{}", mode.to_ascii_lowercase());
    Ok(MethodManifest {
        version: Some(installed.version),
        dependencies,
        ..builtin::bare(&method_id, &format!("Apertium {mode}"), entry_point)
    })
}

/// Prepares the mode of the installed engine.
pub(super) fn prepare(
    method: &Method,
    mode: &str,
    options: &PrepareOptions,
) -> Result<Prepared, MethodError> {
    let installed = Installed::find(mode)?;
    let mut setup = MethodSetup::plain(method, model_slug(mode))?;
    let mut record = |name: &str, value: Value| setup.parameters.insert(name.to_owned(), value);
    record("apertium_version", installed.version.into());
    record("unknown_words", "unmarked".into());
    if let Some(data) = installed.data_sha256 {
        record("language_data_sha256", data.as_str().into());
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(Prepared {
        translator: Arc::new(Apertium {
            mode: mode.to_owned(),
            timeout: options.timeout.unwrap_or(TIMEOUT),
        }),
        setup,
        concurrency: cores,
        excluded: Vec::new(),
    })
}

/// What is installed for a mode.
struct Installed {
    version: String,
    data_sha256: Option<Sha256Hex>,
}

impl Installed {
    fn find(mode: &str) -> Result<Self, MethodError> {
        if mode.is_empty() {
            return Err(no_mode(output_of(&["-l"]).as_deref()));
        }
        if !is_mode_name(mode) {
            return Err(MethodError::Field {
                method_id: format!("apertium:{mode}"),
                problem: "a mode is letters, digits, - and _, such as pt-gl".into(),
            });
        }
        let Some(version) = output_of(&["-V"]) else {
            return Err(MethodError::NotInstalled {
                problem: "the program apertium is not installed".into(),
                hint: format!("apt install apertium {}", packages(mode)),
            });
        };
        let modes = output_of(&["-l"]).unwrap_or_default();
        if !modes.split_whitespace().any(|installed| installed == mode) {
            let known: Vec<&str> = modes.split_whitespace().collect();
            return Err(MethodError::NotInstalled {
                problem: format!("Apertium has no mode {mode}; installed are {}", known.join(", ")),
                hint: format!("apt install {}", packages(mode)),
            });
        }
        let version = version.trim().trim_start_matches("Apertium").trim().to_owned();
        Ok(Self {
            version,
            data_sha256: data_sha256(mode),
        })
    }
}

/// Returns the error of a method without a mode; `modes` is what the engine lists, `None` when it is not installed.
fn no_mode(modes: Option<&str>) -> MethodError {
    let known: Vec<&str> = modes.unwrap_or_default().split_whitespace().collect();
    let (problem, hint) = match known.first() {
        Some(first) => (
            format!("apertium needs a mode; installed are {}", known.join(", ")),
            format!("for example --method apertium:{first}"),
        ),
        None => (
            "apertium needs a mode, and none is installed".to_owned(),
            "apt install apertium apertium-pt-gl, then --method apertium:pt-gl".to_owned(),
        ),
    };
    MethodError::NotInstalled { problem, hint }
}

fn is_mode_name(mode: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_@".contains(&byte);
    !mode.is_empty() && !mode.starts_with('-') && mode.bytes().all(allowed)
}

/// A package holds both directions of a pair, so its name can be either way round.
fn packages(mode: &str) -> String {
    match mode.split_once(['-', '_']) {
        Some((one, other)) => format!("apertium-{one}-{other}   (or apertium-{other}-{one})"),
        None => format!("apertium-{mode}"),
    }
}

fn output_of(arguments: &[&str]) -> Option<String> {
    let output = BlockingCommand::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the digest of the mode's pipeline and of every data file it names, if they are found.
fn data_sha256(mode: &str) -> Option<Sha256Hex> {
    let pipeline = DATA_FOLDERS
        .iter()
        .map(|folder| Path::new(folder).join("modes").join(format!("{mode}.mode")))
        .find_map(|path| std::fs::read_to_string(path).ok())?;
    let quoted = pipeline.split('\'').skip(1).step_by(2);
    let files: Option<Vec<(String, Sha256Hex)>> = quoted
        .map(PathBuf::from)
        .map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((name, file_sha256(&path).ok()?))
        })
        .collect();
    Some(Sha256Hex::of_canonical(&(pipeline.trim(), files?)))
}

/// Translates with one mode.
#[derive(Clone, Debug)]
pub struct Apertium {
    mode: String,
    timeout: Duration,
}

impl Apertium {
    async fn prediction(&self, entry: &SourceEntry) -> Prediction {
        let began = Instant::now();
        let translated = tokio::time::timeout(self.timeout, self.translated(&entry.source)).await;
        let prediction = match translated {
            Ok(Ok(output)) => Prediction::of_text(entry.id.clone(), output),
            Ok(Err(problem)) => Prediction::failed(entry.id.clone(), problem),
            Err(_) => {
                let seconds = self.timeout.as_secs();
                Prediction::failed(
                    entry.id.clone(),
                    format!("apertium gave no answer within {seconds} s"),
                )
            }
        };
        local(Prediction {
            latency_seconds: Finite::new(began.elapsed().as_secs_f64()),
            ..prediction
        })
    }

    /// Returns what the engine says. Some modes print nothing and exit with success; that is an empty output.
    async fn translated(&self, source: &str) -> Result<String, String> {
        let mut command = Command::new(PROGRAM);
        command
            .args(["-u", &self.mode])
            // Apertium reads and writes in the encoding of the locale.
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut command)
            .map_err(|error| format!("apertium cannot be started: {error}"))?;
        let child = group.child();
        let missing = || "apertium has no pipes".to_owned();
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        // Writing and reading at the same time: a pipe holds less than a long entry.
        let write = async {
            let written = stdin.write_all(source.as_bytes()).await;
            let written = written.and(stdin.write_all(b"\n").await);
            drop(stdin);
            written
        };
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let mut limited = stdout.take(MAX_OUTPUT);
        let mut limited_errors = stderr.take(MAX_OUTPUT);
        let (written, read, _) = tokio::join!(
            write,
            limited.read_to_end(&mut output),
            limited_errors.read_to_end(&mut errors)
        );
        let status = child.wait().await;
        read.map_err(|error| format!("the output of apertium cannot be read: {error}"))?;
        let status = status.map_err(|error| format!("apertium was lost: {error}"))?;
        if !status.success() {
            let said = String::from_utf8_lossy(&errors);
            let last = said.trim().lines().last().unwrap_or_default();
            return Err(format!("apertium ended with {status}: {last}"));
        }
        written.map_err(|error| format!("apertium did not read its input: {error}"))?;
        let output =
            String::from_utf8(output).map_err(|_| "the output of apertium is not UTF-8".to_owned())?;
        Ok(output.strip_suffix('\n').unwrap_or(&output).to_owned())
    }
}

impl Translator for Apertium {
    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        _log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        Box::pin(async move {
            let mut predictions = Vec::with_capacity(entries.len());
            for entry in entries {
                predictions.push(self.prediction(entry).await);
            }
            Ok(predictions)
        })
    }
}

#[cfg(test)]
#[expect(clippy::print_stderr, reason = "a skipped test says why")]
mod tests {
    use super::*;
    use lydian_model::{EntryId, Outcome};

    async fn translated(mode: &str, source: &str) -> Option<Prediction> {
        if let Err(error) = Installed::find(mode) {
            eprintln!("skipped: {error}");
            return None;
        }
        let apertium = Apertium {
            mode: mode.into(),
            timeout: TIMEOUT,
        };
        let entry = SourceEntry {
            id: EntryId::integer(1),
            source: source.into(),
            context: None,
            register: None,
            domain: None,
            prompt: None,
            options: Vec::new(),
        };
        Some(apertium.prediction(&entry).await)
    }

    #[tokio::test]
    async fn unknown_words_carry_no_mark() {
        if let Some(prediction) = translated("pt-gl", "Todos os zzzqq nascem livres.").await {
            assert_eq!(prediction.output, "Todos os zzzqq nacen libres.");
            assert_eq!(prediction.outcome, Outcome::Ok);
        }
    }

    #[tokio::test]
    async fn a_line_feed_inside_an_entry_stays() {
        if let Some(prediction) = translated("pt-gl", "Todos nascem livres.\nTodos.").await {
            assert_eq!(prediction.output, "Todos nacen libres.\nTodos.");
        }
    }

    #[tokio::test]
    async fn a_mode_that_prints_nothing_gives_an_empty_outcome() {
        if let Some(prediction) = translated("rus-ukr", "Все люди рождаются свободными.").await
        {
            assert_eq!(
                (prediction.outcome, prediction.output.as_str()),
                (Outcome::Empty, "")
            );
        }
    }

    #[test]
    fn a_mode_that_is_an_option_or_a_path_is_refused() {
        for mode in ["-d", "../x", "a b"] {
            assert!(
                matches!(Installed::find(mode), Err(MethodError::Field { .. })),
                "{mode}"
            );
        }
    }

    #[test]
    fn a_mode_that_is_not_installed_names_the_package() {
        let Err(MethodError::NotInstalled { hint, .. }) = Installed::find("xx-yy") else {
            panic!("xx-yy exists");
        };
        assert!(
            hint.contains("apertium-xx-yy") && hint.contains("apertium-yy-xx"),
            "{hint}"
        );
    }
}
