//! Executing the runs of a sweep in its folder: what is missing, and nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lydian_harness::journal::{Contents, EndReason, Journal, JournalError, NewRun};
use lydian_harness::run::{Interruption, RunEnd, RunOptions, Work};
use lydian_harness::sweep::schedule::{Going, Job, Runs, Watch, schedule};
use lydian_harness::translator::Stop;
use lydian_model::corpus::read::CorpusFile;
use lydian_model::method::EntryPoint;
use lydian_model::sweep::SweepIndex;
use lydian_report::number;
use tokio::sync::watch;

use super::bind::{Binding, Sweep};
use super::folder::SweepFolder;
use super::progress::{self, Stage};
use crate::commands::run::{execution, outcome, recorded_inputs};
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::{GRACE, journal_error, listen, show_notes};
use crate::interrupts::{self, Gate};
use crate::output::Context;
use crate::plan::difference::differences;
use crate::plan::{Moment, Plan, Purpose, Shared, timestamp};
use crate::progress::Progress;
use crate::{evaluate, files};

/// Runs of local programs are made one at a time: they share the machine, and their speed is measured.
const LOCAL_AT_A_TIME: usize = 1;

/// A sweep with everything its execution needs.
pub(crate) struct Execution<'a> {
    /// The plan, bound.
    pub(crate) sweep: &'a Sweep,
    /// Its runs.
    pub(crate) index: &'a SweepIndex,
    /// Where they are written.
    pub(crate) folder: &'a SweepFolder,
    /// What they share.
    pub(crate) shared: Shared,
    /// How many runs behind providers go on at the same time.
    pub(crate) at_a_time: usize,
    /// Where messages go.
    pub(crate) context: &'a Context,
}

/// How an execution ended.
pub(crate) struct Ended {
    /// Runs that were complete before.
    pub(crate) complete_before: usize,
    /// Runs that this execution worked on.
    pub(crate) executed: usize,
    /// What the numbers of the exit code say.
    pub(crate) exit: Exit,
    /// Whether a signal ended the scoring of a run: its journal is complete, its card is made by the next execution.
    pub(crate) unscored: bool,
    /// Whether the budget stopped a run.
    pub(crate) budget_used_up: bool,
    /// Whether a budget without a price stopped a run.
    pub(crate) unpriced: bool,
}

impl Execution<'_> {
    /// Makes every run of this part that is not complete.
    pub(crate) fn run(self) -> CommandResult<Ended> {
        let states = progress::of(self.folder, self.index);
        let own = |place: &usize| self.index.shard.is_none_or(|shard| shard.holds(*place));
        let open: Vec<usize> = (0..states.len())
            .filter(own)
            .filter(|place| states[*place].stage != Stage::Damaged)
            .filter(|place| {
                states[*place].stage != Stage::Complete
                    || !self
                        .folder
                        .run(&states[*place].run.id)
                        .join(crate::documents::CARD_FILE)
                        .is_file()
            })
            .collect();
        let complete_before = (0..states.len())
            .filter(own)
            .filter(|place| states[*place].stage == Stage::Complete && !open.contains(place))
            .count();
        let (providers, local): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|place| self.is_behind_a_provider(**place));
        let entries: u64 = open
            .iter()
            .map(|place| {
                let state = &states[*place];
                state.entries.map_or_else(
                    || self.sweep.corpus.corpus.entries.len() as u64,
                    |entries| entries - state.answered.unwrap_or(0),
                )
            })
            .sum();
        let progress = Arc::new(Mutex::new(Some(Progress::start(
            self.context,
            "entries",
            entries,
        ))));
        let shown = Arc::clone(&progress);
        let watch = Watch {
            interruption: Arc::new(watch::Sender::new(Interruption::None)),
            on_progress: Arc::new(move |asked| {
                if let Some(progress) = shown.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                    progress.set(asked);
                }
            }),
        };
        let at_a_time = self.at_a_time;
        let context = self.context.clone();
        let mut runs = Executing {
            execution: self,
            active: BTreeMap::new(),
            ends: Vec::new(),
            unscored: false,
            budget_used_up: false,
            unpriced: false,
        };
        let runtime = tokio::runtime::Runtime::new()?;
        let scheduled = runtime.block_on(async {
            tokio::spawn(listen(Arc::clone(&watch.interruption), context));
            schedule(&mut runs, &local, LOCAL_AT_A_TIME, &watch).await?;
            schedule(&mut runs, &providers, at_a_time, &watch).await
        });
        let finished = progress.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(progress) = finished {
            progress.finish();
        }
        scheduled.map_err(|error| match error.exit() {
            Exit::Internal => error.with_hint(
                "what was answered before is kept: check free space and permissions, then the same command goes on",
            ),
            _ => error,
        })?;
        Ok(Ended {
            complete_before,
            executed: runs.ends.len(),
            exit: runs.exit(*watch.interruption.borrow(), open.len()),
            unscored: runs.unscored,
            budget_used_up: runs.budget_used_up,
            unpriced: runs.unpriced,
        })
    }

    fn is_behind_a_provider(&self, place: usize) -> bool {
        self.sweep
            .method(place)
            .is_some_and(|method| matches!(method.manifest.entry_point, EntryPoint::Provider { .. }))
    }
}

/// Runs in execution.
struct Executing<'a> {
    execution: Execution<'a>,
    active: BTreeMap<usize, Plan>,
    ends: Vec<(usize, Exit)>,
    /// Whether a signal ended the scoring of a run; no other is scored after that.
    unscored: bool,
    budget_used_up: bool,
    unpriced: bool,
}

impl Runs for Executing<'_> {
    type Error = CommandError;

    fn begin(&mut self, index: usize) -> CommandResult<Option<Job>> {
        let Execution {
            sweep,
            index: list,
            folder,
            shared,
            context,
            ..
        } = &self.execution;
        let run = &list.runs[index];
        let path = folder.run(&run.id);
        let known = progress::contents(folder, run)?;
        let moment = known.as_ref().map_or_else(Moment::now, |contents| Moment {
            run_id: contents.setup.run_id.clone(),
            timestamp: contents.setup.timestamp.clone(),
        });
        let complete = known
            .as_ref()
            .is_some_and(|contents| contents.open_entries().is_empty());
        let binding = Binding {
            moment,
            purpose: if complete { Purpose::Show } else { Purpose::Run },
            shared,
        };
        let plan = sweep.bind(index, binding, context)?;
        if let (true, Some(contents)) = (complete, &known) {
            // Killed between the last answer and the card.
            let corpus = Arc::clone(&sweep.corpus);
            self.score(corpus, contents.clone(), path, 1)?;
            return Ok(None);
        }
        let (journal, answered) = match &known {
            None => {
                let recorded = recorded_inputs(&plan.inputs);
                let new_run = NewRun {
                    setup: &plan.setup,
                    inputs: &recorded,
                };
                let began = execution(&plan.setup.timestamp);
                (
                    Journal::create(&path, new_run, began).map_err(journal_error)?,
                    None,
                )
            }
            Some(contents) => {
                refuse_other_setup(&path, contents, &plan)?;
                // A partial card would pass for that of the whole run, should this process be killed before it writes another.
                for file in [crate::documents::CARD_FILE, evaluate::REPORT_FILE] {
                    remove(&path.join(file))?;
                }
                let (journal, contents) =
                    Journal::resume(&path, execution(&timestamp())).map_err(journal_error)?;
                (journal, Some(contents))
            }
        };
        plan.prepared.translator.keep_files_in(&path);
        let job = Job {
            work: Work {
                translator: Arc::clone(&plan.prepared.translator),
                entries: plan.entries.clone(),
                answered: answered
                    .map(|contents| contents.answers.into_keys().collect())
                    .unwrap_or_default(),
            },
            journal,
            options: RunOptions {
                concurrency: plan
                    .inputs
                    .options
                    .concurrency
                    .unwrap_or(plan.prepared.concurrency),
                grace: GRACE,
            },
        };
        self.active.insert(index, plan);
        Ok(Some(job))
    }

    fn ended(&mut self, index: usize, end: Result<RunEnd, JournalError>) -> CommandResult<Going> {
        let Execution {
            sweep,
            index: list,
            folder,
            context,
            ..
        } = &self.execution;
        let run = &list.runs[index];
        let path = folder.run(&run.id);
        if let Some(plan) = self.active.remove(&index) {
            show_notes(&plan.prepared.translator.take_notes(), context);
        }
        let end = end.map_err(journal_error)?;
        let contents = Journal::read(&path).map_err(journal_error)?;
        let corpus = Arc::clone(&sweep.corpus);
        let open = contents.open_entries().len();
        let total = number::entries(contents.setup.selection.entry_ids.len() as u64);
        let exit = match &end.stop {
            Some(stop) => {
                context.warning(&format!(
                    "{}: stopped with {open} of {total} unanswered: {stop}",
                    run.title()
                ));
                outcome::exit_of(stop, &contents)
            }
            None if open > 0 => {
                context.warning(&format!("{}: {open} of {total} without an answer", run.title()));
                Exit::Incomplete
            }
            None => {
                context.note(&format!("{}: {total}, {}", run.title(), files::quoted(&path)));
                Exit::Done
            }
        };
        self.ends.push((index, exit));
        self.budget_used_up |= matches!(end.stop, Some(Stop::Budget { .. }));
        self.unpriced |= matches!(end.stop, Some(Stop::Unpriced(_)));
        // A signal that the run's loop took does not end its scoring too.
        let took = end.reason == EndReason::Interrupted && interrupts::count() > 0;
        self.score(corpus, contents, path, 1 + u32::from(took))?;
        Ok(match end.stop {
            // The scheduler may hear of the signal later than the scoring did.
            _ if self.unscored => Going::Stop,
            // What stops one run of this kind stops them all.
            Some(Stop::Budget { .. } | Stop::Authentication(_) | Stop::Log(_)) => Going::Stop,
            _ => Going::On,
        })
    }
}

impl Executing<'_> {
    /// Makes the card of a run, unless the user asks so many times to end, or asked while an earlier one was made.
    fn score(
        &mut self,
        corpus: Arc<CorpusFile>,
        contents: Contents,
        path: PathBuf,
        asks: u32,
    ) -> CommandResult<()> {
        if self.unscored || contents.answers.is_empty() {
            return Ok(());
        }
        let work = move |gate: &Gate| {
            let card = evaluate::card(&corpus.corpus, &contents, &path)?;
            evaluate::write_through(gate, &path, &card).map(drop)
        };
        // Waiting takes a runtime of its own, and this thread is inside one.
        let scored = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| interrupts::until_signal(asks, None, work));
            waiting.join()
        });
        let scored = scored.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.unscored = matches!(scored, interrupts::Ended::Interrupted { .. });
        Ok(())
    }

    /// Returns the exit code that says most about what to do next.
    fn exit(&self, interruption: Interruption, open: usize) -> Exit {
        const ORDER: [Exit; 6] = [
            Exit::Internal,
            Exit::Authentication,
            Exit::Budget,
            Exit::Unavailable,
            Exit::Usage,
            Exit::Incomplete,
        ];
        let has = |exit: &Exit| self.ends.iter().any(|(_, end)| end == exit);
        let of_runs = ORDER.into_iter().find(has);
        match of_runs {
            Some(exit) if exit != Exit::Incomplete => exit,
            _ if interruption != Interruption::None
                && (of_runs.is_some() || self.ends.len() < open || self.unscored) =>
            {
                Exit::Interrupted
            }
            Some(exit) => exit,
            None => Exit::Done,
        }
    }
}

fn remove(file: &Path) -> CommandResult<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(CommandError::from(error).context(format!("cannot remove {}", file.display())))
        }
        _ => Ok(()),
    }
}

/// A run goes on only as what it began.
fn refuse_other_setup(path: &Path, contents: &Contents, plan: &Plan) -> CommandResult<()> {
    let changed = differences(&contents.setup, &plan.setup);
    if changed.is_empty() {
        return Ok(());
    }
    let fields: Vec<&str> = changed.iter().map(|one| one.field.as_str()).collect();
    Err(CommandError::new(
        Exit::InvalidDocument,
        format!(
            "{} cannot go on, because its setup has changed: {}",
            path.display(),
            fields.join(", ")
        ),
    )
    .with_hint("move the folder away; the run is then made again"))
}
