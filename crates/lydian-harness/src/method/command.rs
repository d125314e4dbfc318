//! Any program that answers one line with one line, kept alive between entries.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lydian_model::{EntryId, Finite, Outcome, Prediction, SourceEntry};
use tokio::time::Instant;

use super::copy::local;
use super::service::ITEM_PROMPTS;
use super::{Method, MethodError, MethodSetup, PrepareOptions, Prepared};
use crate::item_prompt::ItemPrompts;
use crate::line_process::{LineProcess, LineProcessError};
use crate::translator::{BoxFuture, CallLog, Stop, Translator};

const TIMEOUT: Duration = Duration::from_secs(60);
/// The first answer of a process may have to wait for a model to be loaded.
const START_TIMEOUT: Duration = Duration::from_secs(600);
/// How long a program may take to end after its input was closed.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Ends without an answer, one after the other, after which the program is taken to be broken.
const MOST_DEATHS: u32 = 5;

/// Returns the `model_slug` of a command.
pub(super) fn model_slug(command: &[String]) -> String {
    let program = command.first().map_or("", String::as_str);
    let name = Path::new(program).file_name().unwrap_or_default();
    format!("command/{}", name.to_string_lossy())
}

/// Prepares the program, to be run in the method's folder.
pub(super) fn prepare(
    method: &Method,
    command: &[String],
    options: &PrepareOptions,
) -> Result<Prepared, MethodError> {
    let folder = std::path::absolute(&method.folder).map_err(|source| MethodError::Io {
        path: method.folder.clone(),
        source,
    })?;
    let mut setup = MethodSetup::plain(method, model_slug(command))?;
    let service = &options.service;
    if let Some(items) = &service.items {
        let prompts = serde_json::json!(items.recorded(None));
        setup.parameters.insert(ITEM_PROMPTS.into(), prompts);
    }
    Ok(Prepared {
        translator: Arc::new(Command {
            process: LineProcess::new(command.to_vec(), folder),
            timeout: options.timeout.unwrap_or(TIMEOUT),
            start_timeout: options.timeout.unwrap_or(START_TIMEOUT),
            idle: Mutex::default(),
            deaths: AtomicU32::new(0),
            items: service.items.clone(),
            languages: (service.source_language.clone(), service.target_language.clone()),
        }),
        setup,
        concurrency: 1,
        excluded: Vec::new(),
    })
}

/// Refuses entries that do not fit on a line.
pub(super) fn check_entries(entries: &[SourceEntry]) -> Result<(), MethodError> {
    let broken: Vec<&str> = entries
        .iter()
        .filter(|entry| entry.prompt.is_none() && !fits_on_a_line(&entry.source))
        .map(|entry| entry.id.as_str())
        .collect();
    if broken.is_empty() {
        return Ok(());
    }
    let shown = broken.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    let more = match broken.len() {
        0..=5 => String::new(),
        count => format!(" and {} more", count - 5),
    };
    Err(MethodError::Entries {
        problem: format!(
            "the source of entry {shown}{more} holds a line break, and a command gets one line per entry"
        ),
        hint: "use the plugin protocol, which carries any text, or leave these entries out".into(),
    })
}

fn fits_on_a_line(source: &str) -> bool {
    !source.contains(['\n', '\r'])
}

/// Translates with as many processes of a program as are asked at a time.
#[derive(Debug)]
pub struct Command {
    process: LineProcess,
    timeout: Duration,
    start_timeout: Duration,
    idle: Mutex<Vec<Worker>>,
    deaths: AtomicU32,
    items: Option<ItemPrompts>,
    languages: (String, String),
}

/// A process and the entries it answered since it was started.
#[derive(Debug)]
struct Worker {
    process: LineProcess,
    answered: Vec<EntryId>,
}

impl Command {
    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self) -> Worker {
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| Worker {
            process: self.process.unstarted(),
            answered: Vec::new(),
        })
    }

    /// Returns the line that the program is given: the source, or a question with its text and options.
    fn line(&self, entry: &SourceEntry) -> String {
        let languages = (self.languages.0.as_str(), self.languages.1.as_str());
        let asked = self.items.as_ref().and_then(|items| items.line(entry, languages));
        asked.unwrap_or_else(|| entry.source.clone())
    }

    async fn prediction(&self, entry: &SourceEntry) -> Result<Prediction, Stop> {
        let line = self.line(entry);
        if !fits_on_a_line(&line) {
            let problem = "the source holds a line break, which a command cannot be given";
            return Ok(Prediction {
                attempts: 0,
                ..Prediction::failed(entry.id.clone(), problem)
            });
        }
        let mut worker = self.worker();
        if worker.process.has_unasked_output().await {
            self.idle().push(worker);
            return Err(Stop::Method(
                "the program wrote more lines than it was given; remarks belong on standard error".into(),
            ));
        }
        let timeout = if worker.answered.is_empty() {
            self.start_timeout
        } else {
            self.timeout
        };
        let began = Instant::now();
        let answer = worker.process.ask_bytes(&line, timeout).await;
        let prediction = match answer {
            Ok(line) => {
                self.deaths.store(0, Ordering::Relaxed);
                worker.answered.push(entry.id.clone());
                of_line(entry.id.clone(), line)
            }
            Err(error @ (LineProcessError::NoProgram | LineProcessError::Start { .. })) => {
                return Err(Stop::Method(error.to_string()));
            }
            Err(error) => {
                worker.answered.clear();
                if self.deaths.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_DEATHS {
                    return Err(Stop::NoAnswers(format!("{MOST_DEATHS} times in a row, {error}")));
                }
                Prediction::failed(entry.id.clone(), error.to_string())
            }
        };
        self.idle().push(worker);
        Ok(local(Prediction {
            latency_seconds: Finite::new(began.elapsed().as_secs_f64()),
            ..prediction
        }))
    }
}

fn of_line(id: EntryId, line: Vec<u8>) -> Prediction {
    match String::from_utf8(line) {
        Ok(text) => Prediction::of_text(id, text),
        Err(error) => Prediction {
            outcome: Outcome::Unparsable,
            raw_output: Some(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            error: Some("the answer is not UTF-8".into()),
            ..Prediction::of_text(id, "")
        },
    }
}

impl Translator for Command {
    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        _log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        Box::pin(async move {
            let mut predictions = Vec::with_capacity(entries.len());
            for entry in entries {
                predictions.push(self.prediction(entry).await?);
            }
            Ok(predictions)
        })
    }

    /// A greeting before the first answer shifts every answer by one line, and only at the end is a line left over. So
    /// the answers of a process that wrote more lines than it was given are withdrawn.
    fn shut_down(&self) -> BoxFuture<'_, Vec<Prediction>> {
        Box::pin(async move {
            let workers = std::mem::take(&mut *self.idle());
            let mut withdrawn = Vec::new();
            for mut worker in workers {
                let left = worker.process.finish(END_TIMEOUT).await;
                if left == 0 {
                    continue;
                }
                let problem = format!(
                    "withdrawn: the program wrote {left} more lines than it was given, so its answers may belong to other entries"
                );
                withdrawn.extend(
                    worker
                        .answered
                        .into_iter()
                        .map(|id| Prediction::failed(id, problem.clone())),
                );
            }
            withdrawn
        })
    }
}

#[cfg(test)]
mod tests;
