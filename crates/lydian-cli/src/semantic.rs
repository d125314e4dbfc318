//! Asking a semantic scorer about the outputs of a run, and keeping what it says in the run's folder.

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
use lydian_model::{Corpus, Dataset, Entry, EntryId};

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::progress::Progress;
use crate::{environment, files};

/// Longest wait for a score; the first one may load a model.
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

/// Connects to a scorer. `folder` receives what a program writes to standard error.
pub(crate) async fn connect(
    scorer: &ScorerFolder,
    dataset: &Dataset,
    folder: Option<&Path>,
) -> CommandResult<Box<dyn SemanticScorer>> {
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
                timeout: TIMEOUT,
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

/// Asks the scorer about every output of a run that it has not scored yet.
pub(crate) fn score_run(
    scorer: &ScorerFolder,
    folder: &Path,
    (corpus, contents): (&Corpus, &Contents),
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
    let runtime = tokio::runtime::Runtime::new()?;
    let asked = runtime.block_on(async {
        let connected = connect(scorer, &corpus.dataset, Some(folder)).await?;
        ask(connected.as_ref(), &comparisons, &mut recorder, |asked| {
            progress.set(asked as u64);
        })
        .await
        .map_err(scorer_error)
    });
    progress.finish();
    asked
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
            "check address, model, key and command in the scorer's scorer.json",
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
