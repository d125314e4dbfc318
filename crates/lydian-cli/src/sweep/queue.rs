//! A sweep in the shared queue, as the command line reaches it.

use std::sync::Arc;
use std::time::Duration;

use lydian_harness::journal::{Journal, NewRun};
use lydian_harness::secret::SecretReference;
use lydian_harness::sweep::queue::{Database, QueueError, QueuedRun, QueuedSweep};
use lydian_model::run_setup::HARNESS_VERSION;
use lydian_model::sweep::SweepIndex;
use lydian_model::{NanoUsd, Segment};

use super::bind::{Binding, Sweep};
use super::folder::{SweepFolder, Which, copy_beside_journal};
use crate::commands::run::{execution, recorded_inputs};
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::journal_error;
use crate::output::Context;
use crate::plan::{Moment, Purpose};
use crate::{environment, evaluate, files};

/// Returns the address of the queue: what `env:NAME` or `file:PATH` holds, or the text itself if no password is in it.
pub(crate) fn address(text: &str) -> CommandResult<String> {
    let usage = |message: String| {
        CommandError::new(Exit::Usage, message).with_hint(
            "for example --queue env:LYDIAN_QUEUE, or postgres://user@host/database without a password",
        )
    };
    if text.starts_with("env:") || text.starts_with("file:") {
        let reference: SecretReference = text
            .parse()
            .map_err(|error| CommandError::from_error(Exit::Usage, error))?;
        let value = match &reference {
            SecretReference::Environment(name) => environment::variable(name).unwrap_or_default(),
            SecretReference::File(path) => String::from_utf8_lossy(&files::read(path.as_ref())?).into_owned(),
        };
        let value = value.trim().to_owned();
        return if value.is_empty() {
            Err(usage(format!("{text} holds no address of a queue")))
        } else {
            Ok(value)
        };
    }
    let authority = text.split_once("://").map_or("", |(_, rest)| rest);
    let user = authority.split_once('@').map_or("", |(user, _)| user);
    if user.contains(':') || text.contains("password") {
        return Err(usage(
            "the address of the queue holds a password, which everybody on this machine can see".into(),
        ));
    }
    Ok(text.to_owned())
}

/// Returns the sweep as the queue knows it. A corpus with secret entries is refused, whatever the plan selects: a shared
/// queue is no place for it (decision 29).
pub(crate) fn queued(sweep: &Sweep) -> CommandResult<QueuedSweep> {
    let secret = sweep
        .corpus
        .corpus
        .entries
        .iter()
        .filter(|entry| entry.segment.is_some_and(Segment::is_secret))
        .count();
    if secret > 0 {
        return Err(queue_error(QueueError::Secret(secret)));
    }
    let plan = &sweep.file.plan;
    Ok(QueuedSweep {
        name: plan.name.clone(),
        harness_version: HARNESS_VERSION.to_owned(),
        dataset_sha256: sweep.corpus.sha256.clone(),
        budget: plan.budget,
        allow_unpriced: plan.allow_unpriced,
        interval: plan
            .endpoint
            .requests_per_minute
            .map(|rate| Duration::from_secs_f64(60.0 / rate)),
    })
}

/// Returns every run of the sweep as it is queued.
pub(crate) fn queued_runs(
    sweep: &Sweep,
    index: &SweepIndex,
    context: &Context,
) -> CommandResult<Vec<QueuedRun>> {
    let shared = sweep.shared(None, NanoUsd::ZERO);
    (0..index.runs.len())
        .map(|place| {
            let binding = Binding {
                moment: Moment::now(),
                purpose: Purpose::Show,
                shared: &shared,
            };
            let plan = sweep.bind(place, binding, context)?;
            Ok(QueuedRun {
                setup_fingerprint: index.runs[place].setup_fingerprint.clone(),
                batch_size: plan.prepared.translator.batch_size(),
                setup: plan.setup,
            })
        })
        .collect()
}

/// Takes every run out of the queue that a worker has begun: journal, card and page. Returns how many there are.
pub(crate) async fn collect(
    database: &Arc<Database>,
    sweep: &Sweep,
    index: &SweepIndex,
    folder: &SweepFolder,
) -> CommandResult<usize> {
    let mut collected = 0;
    for (place, run) in index.runs.iter().enumerate() {
        let found = database
            .collect(&index.name, run.setup_fingerprint.as_str())
            .await
            .map_err(queue_error)?;
        let Some(found) = found else { continue };
        let path = folder.run(&run.id);
        let aside = path.with_extension("old");
        // The journal that was collected before holds no more than what the queue holds now.
        if path.exists() {
            if aside.exists() {
                std::fs::remove_dir_all(&aside)?;
            }
            std::fs::rename(&path, &aside)?;
        }
        let inputs = recorded_inputs(&sweep.inputs(place)?);
        let new_run = NewRun {
            setup: &found.setup,
            inputs: &inputs,
        };
        Journal::restore(&path, new_run, execution(&found.began), &found.records).map_err(journal_error)?;
        if aside.exists() {
            copy_beside_journal(&aside, &path, Which::All)?;
            std::fs::remove_dir_all(&aside)?;
        }
        let contents = Journal::read(&path).map_err(journal_error)?;
        if !contents.answers.is_empty() {
            evaluate::write(&path, &evaluate::card(&sweep.corpus.corpus, &contents, &path)?)?;
        }
        collected += 1;
    }
    Ok(collected)
}

/// Returns a queue's error with its exit code and next step.
pub(crate) fn queue_error(error: QueueError) -> CommandError {
    let (exit, hint) = match &error {
        QueueError::Address(_) => (Exit::Usage, "for example postgres://lydian@db.example/sweeps"),
        QueueError::Unreachable(_) => (
            Exit::Unavailable,
            "check host, port and access; what was answered is kept, and leases run out by themselves",
        ),
        QueueError::Refused(_) => (
            Exit::Internal,
            "the user needs the right to create tables and to write in the first schema of its search path",
        ),
        QueueError::NoSweep(_) => (Exit::Usage, "`lydian sweep submit PLAN --queue …` puts it there"),
        QueueError::Differs { .. } => (
            Exit::InvalidDocument,
            "all workers need one plan, one corpus file and one version of this program; give a changed sweep another name",
        ),
        QueueError::Row { .. } => (Exit::InvalidDocument, "the table was changed by something else"),
        QueueError::Secret(_) => (
            Exit::Usage,
            "secret segments are run by the governance organisation's node; split the public segments off with `lydian corpus split`",
        ),
        QueueError::Method(_) => (Exit::Usage, "`lydian sweep plan` checks the plan on this machine"),
    };
    CommandError::from_error(exit, error).with_hint(hint)
}
