//! How far the runs of a sweep have come, by their journals.

use lydian_harness::journal::{Contents, JOURNAL_FILE, Journal};
use lydian_model::fingerprint::setup_fingerprint;
use lydian_model::sweep::{IndexedRun, SweepIndex};
use lydian_model::{NanoUsd, counted};
use serde::Serialize;

use super::folder::SweepFolder;
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::journal_error;
use crate::files;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// Nothing was asked for.
    NotBegun,
    /// Some entries have no answer.
    Open,
    /// Every entry has one.
    Complete,
    /// It belongs to another part of the sweep.
    Elsewhere,
    /// Its journal cannot be read.
    Damaged,
}

impl Stage {
    /// Returns the name used in documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NotBegun => "not begun",
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Elsewhere => "elsewhere",
            Self::Damaged => "damaged",
        }
    }
}

/// One run with its state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RunProgress {
    /// The run.
    pub(crate) run: IndexedRun,
    /// How far it is.
    pub(crate) stage: Stage,
    /// Entries with an answer; null before it begins.
    pub(crate) answered: Option<u64>,
    /// Entries selected; null before it begins.
    pub(crate) entries: Option<u64>,
    /// What it is known to have paid.
    pub(crate) spent_usd: NanoUsd,
    /// What it may have paid beyond that: a budget counts it.
    pub(crate) perhaps_paid_usd: NanoUsd,
    /// Answers whose cost is not known.
    pub(crate) unknown_costs: u64,
    /// Calls of which nobody knows whether they were paid, after a killed execution.
    pub(crate) possibly_paid: u64,
    /// What stopped it, or the last failure of an entry without an answer, or what is wrong with the journal and what to do.
    pub(crate) problem: Option<String>,
}

/// Returns the state of every run of the list.
pub(crate) fn of(folder: &SweepFolder, index: &SweepIndex) -> Vec<RunProgress> {
    index
        .runs
        .iter()
        .enumerate()
        .map(|(place, run)| {
            let elsewhere = index.shard.is_some_and(|shard| !shard.holds(place));
            match contents(folder, run) {
                Ok(Some(contents)) => begun(run, &contents),
                Ok(None) if elsewhere => untouched(run, Stage::Elsewhere),
                Ok(None) => untouched(run, Stage::NotBegun),
                Err(error) => RunProgress {
                    perhaps_paid_usd: Journal::legible_budgeted(&folder.run(&run.id)),
                    problem: Some(error.told()),
                    ..untouched(run, Stage::Damaged)
                },
            }
        })
        .collect()
}

/// Returns what is wrong with each run whose journal cannot be read, and what to do.
pub(crate) fn damaged(states: &[RunProgress]) -> Vec<String> {
    let damaged = states.iter().filter(|state| state.stage == Stage::Damaged);
    damaged.filter_map(|state| state.problem.clone()).collect()
}

/// Returns what the journal of a run holds; `None` if the run has not begun.
pub(crate) fn contents(folder: &SweepFolder, run: &IndexedRun) -> CommandResult<Option<Contents>> {
    let path = folder.run(&run.id);
    if !path.join(JOURNAL_FILE).is_file() {
        return Ok(None);
    }
    let contents = Journal::read(&path).map_err(|error| {
        let next = format!(
            "or move {} away: the run is then made again",
            files::quoted(&path)
        );
        let error = journal_error(error);
        match error.exit() {
            Exit::InvalidDocument => error.and_hint(&next),
            _ => error,
        }
    })?;
    if setup_fingerprint(&contents.setup) != run.setup_fingerprint {
        return Err(CommandError::new(
            Exit::InvalidDocument,
            format!("{} holds a run with another setup", path.display()),
        )
        .with_hint("move the folder away; the run is then made again"));
    }
    Ok(Some(contents))
}

/// What all runs of a folder have cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Money {
    /// What is known to be paid.
    pub(crate) spent: NanoUsd,
    /// What may be paid beyond that.
    pub(crate) perhaps_paid: NanoUsd,
    /// Answers whose cost is not known.
    pub(crate) unknown_costs: u64,
}

impl Money {
    /// Returns what counts against a budget.
    pub(crate) fn budgeted(self) -> NanoUsd {
        self.spent + self.perhaps_paid
    }

    /// Returns the part that nobody can be sure of, as a sentence ends with it.
    pub(crate) fn doubt(self) -> String {
        let mut doubt = match self.perhaps_paid {
            NanoUsd::ZERO => String::new(),
            most => format!(
                ", and perhaps {:.6} USD more for calls without a known answer",
                most.dollars()
            ),
        };
        if self.unknown_costs > 0 {
            let answers = counted(self.unknown_costs, "answer", "answers");
            doubt += &format!(", and what {answers} of unknown cost took");
        }
        doubt
    }
}

/// Returns what all runs in the folder have cost, those included that the plan does not name any more, and of damaged journals
/// what can be read.
pub(crate) fn money(folder: &SweepFolder) -> CommandResult<Money> {
    let mut money = Money::default();
    for path in folder.run_folders()? {
        match Journal::read(&path) {
            Ok(contents) => {
                money.spent += contents.spent();
                money.perhaps_paid += contents.perhaps_paid();
                money.unknown_costs += contents.unknown_costs();
            }
            Err(_) => money.perhaps_paid += Journal::legible_budgeted(&path),
        }
    }
    Ok(money)
}

fn begun(run: &IndexedRun, contents: &Contents) -> RunProgress {
    let open = contents.open_entries().len() as u64;
    let entries = contents.setup.selection.entry_ids.len() as u64;
    RunProgress {
        run: run.clone(),
        stage: if open == 0 { Stage::Complete } else { Stage::Open },
        answered: Some(entries - open),
        entries: Some(entries),
        spent_usd: contents.spent(),
        perhaps_paid_usd: contents.perhaps_paid(),
        unknown_costs: contents.unknown_costs(),
        possibly_paid: contents.in_flight.len() as u64,
        problem: contents.stop.clone().filter(|_| open > 0).or_else(|| {
            let mut failures = contents.failures.values();
            failures.find_map(|failure| failure.error.clone())
        }),
    }
}

fn untouched(run: &IndexedRun, stage: Stage) -> RunProgress {
    RunProgress {
        run: run.clone(),
        stage,
        answered: None,
        entries: None,
        spent_usd: NanoUsd::ZERO,
        perhaps_paid_usd: NanoUsd::ZERO,
        unknown_costs: 0,
        possibly_paid: 0,
        problem: None,
    }
}
