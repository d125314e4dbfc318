//! Asking a semantic scorer about the outputs of a run, and keeping what it says in the run's folder.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use lydian_harness::journal::Contents;
use lydian_harness::secret::{Secret, SecretReference};
use lydian_harness::semantic::{
    Comparison, EmbeddingsScorer, EmbeddingsSettings, ProcessScorer, ProcessSettings, Recorder,
    RecorderError, ScorerError, ScorerFolder, SemanticScorer, ask, read_answers,
};
use lydian_model::semantic::{ScorerEntryPoint, SemanticAnswers};
use lydian_model::{Corpus, Dataset, Entry, EntryId, counted};

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::progress::{self, Progress};
use crate::{environment, files};

/// Longest wait for a score unless the user says otherwise; the first one may load a model.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Wait before a request that failed is repeated.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// File for what a scoring program writes to standard error.
const STDERR_FILE: &str = "scorer.stderr";

/// Reads a scorer's manifest.
pub(crate) fn read_scorer(path: &Path) -> CommandResult<ScorerFolder> {
    ScorerFolder::read(path).map_err(scorer_error)
}

/// Returns the answers in a run's folder.
pub(crate) fn answers(folder: &Path) -> CommandResult<Option<SemanticAnswers>> {
    read_answers(folder).map_err(|error| scorer_error(error.into()))
}

/// Connects to a scorer. `folder` receives what a program writes to standard error; `timeout` is the user's, in seconds.
pub(crate) async fn connect(
    scorer: &ScorerFolder,
    dataset: &Dataset,
    folder: Option<&Path>,
    timeout: Option<u64>,
) -> CommandResult<Box<dyn SemanticScorer>> {
    let timeout = timeout.map_or(TIMEOUT, Duration::from_secs);
    match &scorer.manifest.entry_point {
        ScorerEntryPoint::Embeddings {
            base_url,
            model,
            prefix,
            key,
        } => {
            let settings = EmbeddingsSettings {
                base_url: base_url.clone(),
                model: model.clone(),
                prefix: prefix.clone(),
                key: key.as_deref().map(secret).transpose()?,
                first_wait: FIRST_WAIT,
                timeout,
            };
            Ok(Box::new(EmbeddingsScorer::new(settings).map_err(scorer_error)?))
        }
        ScorerEntryPoint::Process {
            command,
            environment: names,
            parameters,
            ..
        } => {
            let settings = ProcessSettings {
                command: command.clone(),
                folder: scorer.folder.clone(),
                environment: environment::for_plugin(names),
                source_language: dataset.source_language.clone(),
                target_language: dataset.target_language.clone(),
                parameters: parameters.clone(),
                timeout,
                stderr_file: folder.map(|folder| folder.join(STDERR_FILE)),
            };
            Ok(Box::new(
                ProcessScorer::start(settings).await.map_err(scorer_error)?,
            ))
        }
    }
}

fn secret(reference: &str) -> CommandResult<Secret> {
    let reference: SecretReference = reference
        .parse()
        .map_err(|error| CommandError::from_error(Exit::Usage, error))?;
    let value = match &reference {
        SecretReference::Environment(name) => environment::variable(name).unwrap_or_default(),
        SecretReference::File(path) => String::from_utf8_lossy(&files::read(path.as_ref())?).into_owned(),
    };
    match value.trim() {
        "" => Err(CommandError::new(
            Exit::Authentication,
            format!("{reference} holds no key for the semantic scorer"),
        )),
        value => Ok(Secret::new(value.to_owned())),
    }
}

/// A corpus that names no segments may hold secret entries: before any text leaves this machine somebody has to have said
/// that it does not (decision 29).
pub(crate) fn refuse_to_send(
    scorer: &ScorerFolder,
    corpus: &Corpus,
    chosen: &[impl Sized],
) -> CommandResult<()> {
    let names_none = corpus.entries.iter().all(|entry| entry.segment.is_none());
    if !scorer.sends_text_away() || !names_none || !chosen.is_empty() {
        return Ok(());
    }
    let message = "the corpus names no segments, and the semantic scorer sends its text to another machine";
    Err(CommandError::new(Exit::Usage, message)
        .with_hint("if none of it is secret, say so with --segment development when the run is made"))
}

/// Asks the scorer about every output of a run that it has not scored yet. Why one has no score is written down too.
pub(crate) fn score_run(
    scorer: &ScorerFolder,
    folder: &Path,
    (corpus, contents): (&Corpus, &Contents),
    timeout: Option<u64>,
    context: &Context,
) -> CommandResult<()> {
    let comparisons = comparisons(corpus, contents);
    let mut recorder =
        Recorder::open(folder, &scorer.identity).map_err(|error| scorer_error(error.into()))?;
    let open = comparisons
        .iter()
        .filter(|comparison| !recorder.answers(comparison))
        .count();
    if open == 0 {
        return Ok(());
    }
    if scorer.sends_text_away() {
        context.note("the semantic scorer sends sources, outputs and references to another machine");
    }
    let mut progress = Progress::start(context, "scores", open as u64);
    let done = Cell::new(0);
    let runtime = tokio::runtime::Runtime::new()?;
    let work = async {
        let connected = connect(scorer, &corpus.dataset, Some(folder), timeout).await?;
        ask(connected.as_ref(), &comparisons, &mut recorder, |asked| {
            done.set(asked as u64);
        })
        .await
        .map_err(scorer_error)
    };
    let asked = runtime.block_on(progress::shown(work, || progress.set(done.get())));
    progress.finish();
    if let Err(error) = asked {
        // Where the record itself cannot be written, the first error says so.
        drop(recorder.write_failure(&comparisons, &error.to_string()));
        return Err(error);
    }
    warn_of_errors(&comparisons, &recorder.into_answers(), context);
    Ok(())
}

/// Says how many outputs have no score, and why the first has none.
fn warn_of_errors(comparisons: &[Comparison], answers: &SemanticAnswers, context: &Context) {
    let errors: Vec<&str> = comparisons
        .iter()
        .filter_map(|comparison| answers.by_entry.get(&comparison.entry_id)?.error.as_deref())
        .collect();
    if let Some(first) = errors.first() {
        context.warning(&format!(
            "the semantic scorer has no score for {} of {}, the first because: {first}",
            errors.len(),
            counted(comparisons.len() as u64, "output", "outputs")
        ));
    }
}

/// Returns what there is to compare: every entry whose output has text.
fn comparisons(corpus: &Corpus, contents: &Contents) -> Vec<Comparison> {
    let by_id: BTreeMap<&EntryId, &Entry> = corpus.entries.iter().map(|entry| (&entry.id, entry)).collect();
    let predictions = contents.predictions();
    contents
        .setup
        .selection
        .entry_ids
        .iter()
        .filter_map(|id| {
            let (entry, prediction) = (by_id.get(id)?, predictions.get(id)?);
            let output = prediction.scored_text();
            (!output.trim().is_empty()).then(|| Comparison {
                entry_id: id.clone(),
                source: entry.source.clone(),
                output: output.to_owned(),
                reference: entry.reference.clone(),
            })
        })
        .collect()
}

/// Returns a scorer's error with its exit code and next step.
pub(crate) fn scorer_error(error: ScorerError) -> CommandError {
    let (exit, hint) = match &error {
        ScorerError::Manifest { .. } | ScorerError::Digest(_) => (
            Exit::Usage,
            "a scorer is a scorer.json or the folder that holds one; the page about the semantic score shows both kinds",
        ),
        ScorerError::Unusable(_) => (
            Exit::Usage,
            "check address, model, key and command in the scorer's scorer.json; --timeout gives a slow one more time",
        ),
        ScorerError::Silent(_) => (
            Exit::Unavailable,
            "what it answered is kept: `lydian runs rescore DIR --semantic SCORER` asks for the rest",
        ),
        ScorerError::Record(RecorderError::OtherScorer { .. }) => (
            Exit::Usage,
            "move that file elsewhere to have the run scored by another scorer",
        ),
        ScorerError::Record(_) => (
            Exit::Internal,
            "restore the file from a copy, or move it elsewhere and ask again",
        ),
    };
    CommandError::from_error(exit, error).with_hint(hint)
}
