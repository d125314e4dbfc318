//! What happens when an execution has ended: card, page, messages, exit code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lydian_harness::journal::{Contents, EndReason, Journal};
use lydian_harness::run::RunEnd;
use lydian_harness::translator::Stop;
use lydian_model::{Corpus, RunCard, Score};
use lydian_report::{number, terminal};
use serde::Serialize;

use super::upstreams;
use crate::dialect_run;
use crate::error::{CommandError, CommandResult, Exit};
use crate::evaluate::{self, Written};
use crate::execute::journal_error;
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::Plan;
use crate::{files, interrupts, semantic};

/// Columns a card takes on a terminal.
const WIDTH: terminal::Width = terminal::Width(100);

/// An execution that has ended.
pub(crate) struct Finished<'a> {
    /// The run folder.
    pub(crate) folder: PathBuf,
    /// What was run.
    pub(crate) plan: &'a Plan,
    /// How it ended.
    pub(crate) end: RunEnd,
    /// Scores it has to reach.
    pub(crate) gate: &'a GateArguments,
}

/// What an execution left behind.
struct Left {
    contents: Contents,
    card: Option<(RunCard, Written)>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reported {
    schema: &'static str,
    folder: PathBuf,
    run_card: Option<PathBuf>,
    report: Option<PathBuf>,
    run_id: String,
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
    /// Writes card and page from the journal, prints the card, and returns the exit code. A run that ended
    /// before its method was heard gets no card.
    pub(crate) fn report(self, json: bool, context: &Context) -> CommandResult {
        let Self {
            folder,
            plan,
            end,
            gate,
        } = self;
        let ended = Ended { folder, end };
        if plan.items.is_some() {
            return ended.report_items(plan, (json, gate), context);
        }
        let (folder, card_for) = (ended.folder.clone(), ended.card_for());
        let (corpus, asks) = (Arc::clone(&plan.corpus), ended.asks());
        if let Some(scorer) = plan.inputs.options.semantic.clone() {
            let (folder, corpus) = (folder.clone(), Arc::clone(&corpus));
            let (timeout, to) = (plan.inputs.options.timeout, context.clone());
            let asked = interrupts::until_signal(asks, None, move |_| {
                let asking = Asking {
                    scorer: &scorer,
                    timeout,
                    card_for,
                };
                asking.ask(&folder, &corpus.corpus, &to)
            })?;
            if let interrupts::Ended::Interrupted { written } = asked {
                return Err(ended.without_card(written));
            }
        }
        let left = interrupts::until_signal(asks, Some((context, "scoring")), move |gate| {
            left_behind(&folder, &corpus.corpus, card_for, gate)
        })?;
        let left = match left {
            interrupts::Ended::Finished(left) => left,
            interrupts::Ended::Interrupted { written } => return Err(ended.without_card(written)),
        };
        let text = match (&left.card, json) {
            (_, true) => Some(Printed::Json(Box::new(ended.reported(&left)))),
            (Some((card, written)), false) => {
                let text = terminal::card(card, written.floor.as_ref(), WIDTH);
                Some(Printed::Text(text))
            }
            (None, false) => None,
        };
        if let Some(text) = text {
            let to = context.clone();
            let printed = interrupts::until_signal(asks, None, move |_| text.print(&to))?;
            if matches!(printed, interrupts::Ended::Interrupted { .. }) {
                return Ok(Exit::Interrupted);
            }
        }
        if let Some((_, written)) = &left.card {
            context.note(&format!("card    {}", written.card.display()));
            context.note(&format!("report  {}", written.report.display()));
        }
        warn_of_upstreams(&left.contents, context);
        let reached = left
            .card
            .as_ref()
            .map_or(Exit::Done, |(card, _)| gate.check(&card.scores, context));
        Ok(match ended.exit(&left.contents, context) {
            Exit::Done => reached,
            exit => exit,
        })
    }
}

/// Makes the card from the journal, and writes it and its page.
fn left_behind(
    folder: &Path,
    corpus: &Corpus,
    card_for: CardFor,
    gate: &interrupts::Gate,
) -> CommandResult<Left> {
    let contents = Journal::read(folder).map_err(journal_error)?;
    let card = if card_for.needs_no_card(&contents) {
        None
    } else {
        let unwritten = |error: CommandError| {
            error.with_hint(format!(
                "every answer is in the journal: mend the cause, then `lydian resume {}` makes card and report",
                files::quoted(folder)
            ))
        };
        let card = evaluate::card(corpus, &contents, folder).map_err(unwritten)?;
        let written = evaluate::write_through(gate, folder, &card).map_err(unwritten)?;
        Some((card, written))
    };
    Ok(Left { contents, card })
}

/// A semantic scorer that is to compare the outputs of a run.
struct Asking<'a> {
    scorer: &'a Path,
    timeout: Option<u64>,
    card_for: CardFor,
}

impl Asking<'_> {
    /// Asks it. A run whose scorer fails is not lost: its card says why the score is missing.
    fn ask(&self, folder: &Path, corpus: &Corpus, context: &Context) -> CommandResult<()> {
        let contents = Journal::read(folder).map_err(journal_error)?;
        if self.card_for.needs_no_card(&contents) {
            return Ok(());
        }
        let asked = semantic::read_scorer(self.scorer).and_then(|scorer| {
            semantic::score_run(&scorer, folder, (corpus, &contents), self.timeout, context)
        });
        if let Err(error) = asked {
            context.warning(&error.to_string());
            context.hint(&format!(
                "`lydian runs rescore {} --semantic {}` asks again",
                files::quoted(folder),
                files::quoted(self.scorer)
            ));
        }
        Ok(())
    }
}

/// Of which runs a card is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardFor {
    /// Of any.
    Anything,
    /// Of those with at least one answer.
    Answers,
}

impl CardFor {
    fn needs_no_card(self, contents: &Contents) -> bool {
        contents.answers.is_empty() && self == Self::Answers
    }
}

/// What goes to standard output.
enum Printed {
    Text(String),
    Json(Box<Reported>),
}

impl Printed {
    fn print(&self, context: &Context) -> CommandResult<()> {
        match self {
            Self::Text(text) => context.print(text),
            Self::Json(document) => context.print_json(document),
        }
    }
}

/// How an execution ended, and where.
struct Ended {
    folder: PathBuf,
    end: RunEnd,
}

impl Ended {
    /// Says what a card needs: of a method that was heard, even a run without an answer says something.
    fn card_for(&self) -> CardFor {
        let heard = matches!(self.end.stop, Some(Stop::NoAnswers(_)));
        if heard || self.end.reason == EndReason::Finished {
            CardFor::Anything
        } else {
            CardFor::Answers
        }
    }

    /// Returns the number of signals that end what comes after the loop: one that the loop took is over.
    fn asks(&self) -> u32 {
        match self.end.reason {
            EndReason::Interrupted => 2,
            EndReason::Finished | EndReason::Stopped => 1,
        }
    }

    /// Writes what a run over dialect items leaves, and returns the exit code.
    fn report_items(
        &self,
        plan: &Plan,
        (json, gate): (bool, &GateArguments),
        context: &Context,
    ) -> CommandResult {
        let contents = Journal::read(&self.folder).map_err(journal_error)?;
        if let Some(items) = &plan.items {
            let run = dialect_run::Finished {
                folder: &self.folder,
                items: &items.all,
                contents: &contents,
                reason: self.end.reason,
            };
            run.write(plan.inputs.gate(), json, context)?;
        }
        warn_of_upstreams(&contents, context);
        Ok(match self.exit(&contents, context) {
            Exit::Done if !gate.is_empty() => {
                context.error("the gate is not met: dialect items have no score over all of them");
                Exit::GateNotMet
            }
            exit => exit,
        })
    }

    /// Returns what to say when a signal came before card and page were written.
    fn without_card(&self, written: usize) -> CommandError {
        let left = match written {
            0 => "before the card was written",
            1 => "after the card was written and before its report",
            _ => "after card and report were written",
        };
        CommandError::new(
            Exit::Interrupted,
            format!("interrupted {left}; the journal is complete"),
        )
        .with_hint(format!(
            "`lydian resume {}` makes card and report from it; nothing is asked for again",
            files::quoted(&self.folder)
        ))
    }

    /// Says how the run ended and what to do next.
    fn exit(&self, contents: &Contents, context: &Context) -> Exit {
        let open = contents.open_entries().len();
        let total = number::entries(contents.setup.selection.entry_ids.len() as u64);
        let resume = || {
            context.hint(&format!(
                "`lydian resume {}` goes on",
                files::quoted(&self.folder)
            ));
        };
        match (self.end.reason, &self.end.stop) {
            (EndReason::Stopped, Some(stop)) => {
                context.error(&format!(
                    "the run stopped with {open} of {total} unanswered: {stop}"
                ));
                if matches!(stop, Stop::Unpriced(_)) {
                    context.hint(
                        "a budget needs a price: run again into another folder with --prices FILE, or with --allow-unpriced",
                    );
                } else if matches!(stop, Stop::Budget { .. }) {
                    context.hint(&format!(
                        "`lydian resume {} --budget USD` goes on with a higher budget, which counts what is spent already",
                        files::quoted(&self.folder)
                    ));
                } else {
                    resume();
                }
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
                    files::quoted(&self.folder)
                ));
                Exit::Incomplete
            }
            _ => Exit::Done,
        }
    }

    fn reported(&self, left: &Left) -> Reported {
        let card = left.card.as_ref().map(|(card, _)| card);
        let written = left.card.as_ref().map(|(_, written)| written);
        let setup = &left.contents.setup;
        Reported {
            schema: "lydian.run/1",
            folder: self.folder.clone(),
            run_card: written.map(|written| written.card.clone()),
            report: written.map(|written| written.report.clone()),
            run_id: setup.run_id.clone(),
            ended: self.end.reason,
            entries: setup.selection.entry_ids.len(),
            unanswered: left.contents.open_entries().len(),
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
        // A program that cannot be started or does not keep to the form is wrong usage; one that fails leaves a card.
        Stop::Method(_) if contents.answers.is_empty() => Exit::Usage,
        Stop::Method(_) | Stop::NoAnswers(_) => Exit::Incomplete,
    }
}
