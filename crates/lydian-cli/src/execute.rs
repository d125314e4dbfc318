//! One execution of a run: the loop with signals and progress around it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lydian_harness::journal::{Journal, JournalError};
use lydian_harness::run::{Control, Interruption, RunEnd, RunOptions, Work, run};
use lydian_model::EntryId;
use lydian_report::number::counted;
use tokio::sync::watch;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::{files, interrupts};

/// How long calls in flight may take to finish after Ctrl-C.
pub(crate) const GRACE: Duration = Duration::from_secs(30);

/// Asks the method for every entry that has no answer yet.
pub(crate) fn execute(
    plan: &Plan,
    journal: Journal,
    answered: BTreeSet<EntryId>,
    context: &Context,
) -> CommandResult<RunEnd> {
    let open = plan.entries.len() - answered.len();
    let progress = Arc::new(Mutex::new(Some(Progress::start(context, "entries", open as u64))));
    let shown = Arc::clone(&progress);
    let on_progress = move |asked| {
        let mut progress = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = progress.as_mut() {
            progress.set(asked);
        }
    };
    let work = Work {
        translator: Arc::clone(&plan.prepared.translator),
        entries: plan.entries.clone(),
        answered,
    };
    let options = RunOptions {
        concurrency: plan
            .inputs
            .options
            .concurrency
            .unwrap_or(plan.prepared.concurrency),
        grace: GRACE,
    };
    let interruption = Arc::new(watch::Sender::new(Interruption::None));
    let control = Control {
        interruption: interruption.subscribe(),
        on_progress: Box::new(on_progress),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let end = runtime.block_on(async {
        tokio::spawn(listen(interruption, context.clone()));
        run(work, journal, options, control).await
    });
    let finished = progress.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(progress) = finished {
        progress.finish();
    }
    show_notes(&plan.prepared.translator.take_notes(), context);
    end.map_err(journal_error)
}

/// Shows what the method remarked, the first remarks of many.
pub(crate) fn show_notes(notes: &[String], context: &Context) {
    const SHOWN: usize = 10;
    for note in notes.iter().take(SHOWN) {
        context.note(&format!("the method remarks: {note}"));
    }
    if notes.len() > SHOWN {
        let more = (notes.len() - SHOWN) as u64;
        context.note(&format!("and {}", counted(more, "more remark", "more remarks")));
    }
}

/// Turns the first signal into a pause and the second into an end.
pub(crate) async fn listen(interruption: Arc<watch::Sender<Interruption>>, context: Context) {
    let Some(mut received) = interrupts::received() else {
        context.warning(
            "signals cannot be received: Ctrl-C ends this run at once; `lydian resume` continues it",
        );
        return;
    };
    if received.wait_for(|count| *count >= 1).await.is_err() {
        return;
    }
    interruption.send_replace(Interruption::Drain);
    context.note(&format!(
        "interrupted: waiting up to {} s for calls in flight; press Ctrl-C again to end at once",
        GRACE.as_secs()
    ));
    if received.wait_for(|count| *count >= 2).await.is_ok() {
        interruption.send_replace(Interruption::Abort);
    }
}

/// Says after a failed write how the run in `folder` goes on.
pub(crate) fn resumable(folder: &Path) -> impl FnOnce(CommandError) -> CommandError {
    let folder = files::quoted(folder);
    move |error| {
        match error.exit() {
        Exit::Internal => error.with_hint(format!(
            "what was answered before is kept: check free space and permissions, then `lydian resume {folder}` goes on"
        )),
        _ => error,
    }
    }
}

/// Returns a journal's error with its exit code and next step.
pub(crate) fn journal_error(error: JournalError) -> CommandError {
    let (exit, hint) = match &error {
        JournalError::Exists { .. } => (
            Exit::Usage,
            "a run folder is never overwritten: name another, or continue it with `lydian resume`",
        ),
        JournalError::Missing { .. } => (Exit::Usage, "give the folder that `lydian run` made"),
        JournalError::Locked { .. } => (Exit::Usage, "wait until it is done, or end that process"),
        JournalError::NoSetup { .. } => (
            Exit::InvalidDocument,
            "nothing was asked for yet: delete the folder and run again",
        ),
        JournalError::Damaged { .. } | JournalError::Unreadable { .. } => (
            Exit::InvalidDocument,
            "the file was changed or the disk is failing; restore it from a copy, the answers before and after the line are whole",
        ),
        JournalError::Schema { .. } => (
            Exit::InvalidDocument,
            "use the version that wrote it, or a newer one",
        ),
        JournalError::NotMade { on_a_file: true, .. } => (
            Exit::Usage,
            "a part of the path is a file: name another folder with --out DIR; nothing was run",
        ),
        JournalError::NotMade { .. } => (
            Exit::Internal,
            "nothing was run: check free space and permissions, or name another folder with --out DIR",
        ),
        JournalError::Io { .. } | JournalError::Failed { .. } => (
            Exit::Internal,
            "what was answered before is kept; check free space and permissions, then `lydian resume`",
        ),
    };
    CommandError::from_error(exit, error).with_hint(hint)
}
