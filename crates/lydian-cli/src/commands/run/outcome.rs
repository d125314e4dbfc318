//! What happens when an execution has ended: card, page, messages, exit code.

use std::path::{Path, PathBuf};

use lydian_harness::journal::{Contents, EndReason, Journal};
use lydian_harness::run::RunEnd;
use lydian_harness::translator::Stop;
use lydian_model::{RunCard, Score};
use lydian_report::{number, terminal};
use serde::Serialize;

use super::upstreams;
use crate::dialect_run;
use crate::error::{CommandResult, Exit};
use crate::evaluate::{self, Written};
use crate::execute::journal_error;
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::{Inputs, Plan};
use crate::{files, semantic};

/// Columns a card takes on a terminal.
const WIDTH: terminal::Width = terminal::Width(100);

/// An execution that has ended.
pub(crate) struct Finished<'a> {
    /// The run folder.
    pub(crate) folder: &'a Path,
    /// What was run.
    pub(crate) plan: &'a Plan,
    /// How it ended.
    pub(crate) end: RunEnd,
    /// Scores it has to reach.
    pub(crate) gate: &'a GateArguments,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reported<'a> {
    schema: &'static str,
    folder: &'a Path,
    run_card: Option<PathBuf>,
    report: Option<PathBuf>,
    run_id: &'a str,
    ended: EndReason,
    entries: usize,
    unanswered: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Headline>,
    fingerprint: Option<String>,
    setup_fingerprint: Option<String>,
    run_card_hash: Option<String>,
}

/// The numbers most people ask for first.
#[derive(Serialize)]
struct Headline {
    chrf_plus_plus: Option<f64>,
    bleu: Option<f64>,
    ter: Option<f64>,
    exact_match_rate: Option<f64>,
    composite: Option<f64>,
    coverage: f64,
}

impl Finished<'_> {
    /// Writes card and page from the journal, prints the card, and returns the exit code. A run without a single
    /// answer gets no card.
    pub(crate) fn report(&self, json: bool, context: &Context) -> CommandResult {
        let contents = Journal::read(self.folder).map_err(journal_error)?;
        let open = contents.open_entries().len();
        if let Some(items) = &self.plan.items {
            let run = dialect_run::Finished {
                folder: self.folder,
                items: &items.all,
                contents: &contents,
                reason: self.end.reason,
            };
            run.write(self.plan.inputs.gate(), json, context)?;
            warn_of_upstreams(&contents, context);
            let exit = self.exit(&contents, open, context);
            return Ok(match exit {
                Exit::Done if !self.gate.is_empty() => {
                    context.error("the gate is not met: dialect items have no score over all of them");
                    Exit::GateNotMet
                }
                exit => exit,
            });
        }
        let nothing_answered = contents.answers.is_empty() && self.end.reason != EndReason::Finished;
        let written = if nothing_answered {
            None
        } else {
            self.ask_semantic_scorer(&contents, context)?;
            let card = evaluate::card(&self.plan.corpus.corpus, &contents, self.folder)?;
            let written = evaluate::write(self.folder, &card)?;
            if !json {
                context.print(&terminal::card(&card, written.floor.as_ref(), WIDTH))?;
            }
            Some((card, written))
        };
        if json {
            context.print_json(&self.reported(&contents, written.as_ref()))?;
        }
        if let Some((_, written)) = &written {
            context.note(&format!("card    {}", written.card.display()));
            context.note(&format!("report  {}", written.report.display()));
        }
        warn_of_upstreams(&contents, context);
        let gate = written
            .as_ref()
            .map_or(Exit::Done, |(card, _)| self.gate.check(&card.scores, context));
        Ok(match self.exit(&contents, open, context) {
            Exit::Done => gate,
            exit => exit,
        })
    }

    /// Has the scorer that the run names compare the outputs. A run whose scorer fails is not lost: its card says why
    /// the score is missing.
    fn ask_semantic_scorer(&self, contents: &Contents, context: &Context) -> CommandResult<()> {
        let Some(scorer) = Inputs::recorded(contents)?.options.semantic else {
            return Ok(());
        };
        let asked = semantic::read_scorer(&scorer).and_then(|scorer| {
            semantic::score_run(
                &scorer,
                self.folder,
                (&self.plan.corpus.corpus, contents),
                context,
            )
        });
        if let Err(error) = asked {
            context.warning(&error.to_string());
            context.hint(&format!(
                "`lydian runs rescore {} --semantic {}` asks again",
                files::quoted(self.folder),
                files::quoted(&scorer)
            ));
        }
        Ok(())
    }

    /// Says how the run ended and what to do next.
    fn exit(&self, contents: &Contents, open: usize, context: &Context) -> Exit {
        let total = number::entries(contents.setup.selection.entry_ids.len() as u64);
        let resume = || {
            context.hint(&format!("`lydian resume {}` goes on", files::quoted(self.folder)));
        };
        match (self.end.reason, &self.end.stop) {
            (EndReason::Stopped, Some(stop)) => {
                context.error(&format!(
                    "the run stopped with {open} of {total} unanswered: {stop}"
                ));
                resume();
                exit_of(stop, contents)
            }
            (EndReason::Interrupted, _) => {
                context.warning(&format!("interrupted with {open} of {total} unanswered"));
                resume();
                Exit::Interrupted
            }
            _ if open > 0 => {
                let why = contents
                    .failures
                    .values()
                    .find_map(|failure| failure.error.as_deref());
                context.warning(&format!(
                    "{open} of {total} without an answer, the first because: {}",
                    why.unwrap_or("no reason is known")
                ));
                context.hint(&format!(
                    "`lydian resume {}` asks for them again",
                    files::quoted(self.folder)
                ));
                Exit::Incomplete
            }
            _ => Exit::Done,
        }
    }

    fn reported<'a>(&'a self, contents: &'a Contents, written: Option<&(RunCard, Written)>) -> Reported<'a> {
        let card = written.map(|(card, _)| card);
        Reported {
            schema: "lydian.run/1",
            folder: self.folder,
            run_card: written.map(|(_, written)| written.card.clone()),
            report: written.map(|(_, written)| written.report.clone()),
            run_id: &contents.setup.run_id,
            ended: self.end.reason,
            entries: contents.setup.selection.entry_ids.len(),
            unanswered: contents.open_entries().len(),
            scores: card.map(Headline::of),
            fingerprint: card.map(|card| card.fingerprint.to_string()),
            setup_fingerprint: card.map(|card| card.setup_fingerprint.to_string()),
            run_card_hash: card.map(|card| card.run_card_hash.clone()),
        }
    }
}

fn warn_of_upstreams(contents: &Contents, context: &Context) {
    if let Some(warning) = upstreams::mixed(contents) {
        context.warning(&warning);
        context.hint("pin the upstream provider with the router's own parameter, such as `provider`");
    }
}

impl Headline {
    fn of(card: &RunCard) -> Self {
        let scores = &card.scores;
        Self {
            chrf_plus_plus: scores.chrf_plus_plus.map(Score::get),
            bleu: scores.bleu.map(Score::get),
            ter: scores.ter.map(Score::get),
            exact_match_rate: scores.exact_match_rate.map(Score::get),
            composite: scores.composite.map(Score::get),
            coverage: scores.coverage.get(),
        }
    }
}

/// Returns the exit code of what made going on pointless.
pub(crate) fn exit_of(stop: &Stop, contents: &Contents) -> Exit {
    match stop {
        Stop::Authentication(_) => Exit::Authentication,
        Stop::Unusable(_) | Stop::Unpriced(_) => Exit::Usage,
        Stop::Quota(_) | Stop::Unavailable { .. } => Exit::Unavailable,
        Stop::Budget { .. } => Exit::Budget,
        Stop::Log(_) => Exit::Internal,
        Stop::Method(_) if contents.answers.is_empty() => Exit::Usage,
        Stop::Method(_) => Exit::Incomplete,
    }
}
