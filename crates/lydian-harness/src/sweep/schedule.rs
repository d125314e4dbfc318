//! Runs one after the other or several at a time, until all are done or going on makes no sense.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::journal::{Journal, JournalError};
use crate::run::{Control, Interruption, RunEnd, RunOptions, Work, run};

/// A run that can begin.
#[derive(Debug)]
pub struct Job {
    /// What is to be done.
    pub work: Work,
    /// Where it is written down.
    pub journal: Journal,
    /// How it is executed.
    pub options: RunOptions,
}

/// What to do after a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// Go on with the others.
    On,
    /// Begin nothing more and let what is in flight finish.
    Stop,
}

/// The runs of a sweep as the scheduler sees them.
pub trait Runs {
    /// Why a run cannot begin, or its end cannot be written down.
    type Error;

    /// Makes run `index` ready; `None` if there is nothing to do for it.
    fn begin(&mut self, index: usize) -> Result<Option<Job>, Self::Error>;

    /// Takes note of how run `index` ended.
    fn ended(&mut self, index: usize, end: Result<RunEnd, JournalError>) -> Result<Going, Self::Error>;
}

/// Who watches a sweep and may interrupt it.
pub struct Watch {
    /// What the user asked for.
    pub interruption: Arc<watch::Sender<Interruption>>,
    /// Is told how many entries have been asked for so far, over all runs.
    pub on_progress: Arc<dyn Fn(u64) + Send + Sync>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// Runs `indices` in order, `at_a_time` of them at the same time. A run is made ready only when its turn comes, so that
/// thousands of runs hold no files and no texts while they wait.
pub async fn schedule<R: Runs>(
    runs: &mut R,
    indices: &[usize],
    at_a_time: usize,
    watch: &Watch,
) -> Result<(), R::Error> {
    let mut waiting: VecDeque<usize> = indices.iter().copied().collect();
    let mut active: JoinSet<(usize, Result<RunEnd, JournalError>)> = JoinSet::new();
    let asked = Arc::new(AtomicU64::new(0));
    loop {
        while active.len() < at_a_time.max(1) && *watch.interruption.borrow() == Interruption::None {
            let Some(index) = waiting.pop_front() else { break };
            if let Some(job) = runs.begin(index)? {
                let control = control(watch, &asked);
                active.spawn(async move { (index, run(job.work, job.journal, job.options, control).await) });
            }
        }
        let Some(joined) = active.join_next().await else {
            return Ok(());
        };
        // A run that panicked leaves its journal behind; the next execution goes on from there.
        let Ok((index, end)) = joined else { continue };
        if runs.ended(index, end)? == Going::Stop {
            watch.interruption.send_if_modified(|interruption| {
                let first = *interruption == Interruption::None;
                if first {
                    *interruption = Interruption::Drain;
                }
                first
            });
        }
    }
}

/// Gives a run the sweep's interruption, and adds what it asks for to the sweep's count.
fn control(watch: &Watch, asked: &Arc<AtomicU64>) -> Control {
    let on_progress = Arc::clone(&watch.on_progress);
    let asked = Arc::clone(asked);
    let before = AtomicU64::new(0);
    Control {
        interruption: watch.interruption.subscribe(),
        on_progress: Box::new(move |of_run| {
            let more = of_run.saturating_sub(before.fetch_max(of_run, Ordering::Relaxed));
            on_progress(asked.fetch_add(more, Ordering::Relaxed) + more);
        }),
    }
}
