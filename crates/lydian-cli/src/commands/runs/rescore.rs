//! `lydian runs rescore`: the same answers, scored by this version.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::Journal;
use lydian_model::{RunCard, Score, Sha256Hex};
use lydian_report::number;
use serde::Serialize;

use crate::documents::{self, CARD_FILE};
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::journal_error;
use crate::gate::GateArguments;
use crate::output::Context;
use crate::plan::Inputs;
use crate::{dialect_items, evaluate, files, semantic};

/// Name of the new card when `--out` names none.
const RESCORED_FILE: &str = "run-card-rescored.json";

/// Arguments of `lydian runs rescore`.
#[derive(Args)]
#[command(after_help = "\
The run's card stays as it is; the new one names it in derived_from. The method is not asked again;
with --semantic a scorer is asked about the outputs it has not scored yet.

Examples:
  lydian runs rescore runs/20261130T154100Z-1f0c3a7e
  lydian runs rescore runs/20261130T154100Z-1f0c3a7e --semantic scorers/e5 --out run-card-e5.json")]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where the corpus is now
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Semantic scorer that compares outputs with references: its scorer.json or folder
    #[arg(long, value_name = "SCORER")]
    semantic: Option<PathBuf>,
    /// Longest time for one answer of the scorer [default: 600]
    #[arg(long, value_name = "SECONDS", requires = "semantic", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: Option<u64>,
    /// Card to write [default: run-card-rescored.json in the run folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    gate: GateArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Rescored<'a> {
    schema: &'static str,
    run_card: &'a Path,
    derived_from: Option<&'a Sha256Hex>,
    same_scores: bool,
    chrf_plus_plus_before: Option<Score>,
    chrf_plus_plus: Option<Score>,
    composite_before: Option<Score>,
    composite: Option<Score>,
}

/// Scores the run again.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let contents = Journal::read(&arguments.folder).map_err(journal_error)?;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => arguments.folder.join(RESCORED_FILE),
    };
    if out.exists() {
        let message = format!("{} exists already", out.display());
        return Err(CommandError::new(Exit::Usage, message).with_hint("name another file with --out"));
    }
    let corpus_path = match &arguments.corpus {
        Some(path) => path.clone(),
        None => Inputs::recorded(&contents)?.corpus,
    };
    let corpus = documents::read_corpus_file(&corpus_path)?;
    if dialect_items::are_in(&corpus.corpus) {
        let message = format!(
            "{} is a run over dialect items, which has no card",
            arguments.folder.display()
        );
        return Err(CommandError::new(Exit::Usage, message).with_hint(format!(
            "`lydian dialect score {} {}` scores its answers again",
            files::quoted(&corpus_path),
            files::quoted(&arguments.folder)
        )));
    }
    if corpus.sha256 != contents.setup.dataset.sha256 {
        let message = format!("{} is not the corpus of this run", corpus_path.display());
        return Err(CommandError::new(Exit::InvalidDocument, message)
            .with_hint("say where the corpus is now with --corpus FILE"));
    }
    let has_card = arguments.folder.join(CARD_FILE).is_file();
    let before = has_card
        .then(|| documents::read_card(&arguments.folder))
        .transpose()?;
    if let Some(scorer) = &arguments.semantic {
        let scorer = semantic::read_scorer(scorer)?;
        semantic::refuse_to_send(&scorer, &corpus.corpus, &contents.setup.selection.segments)?;
        let run = (&corpus.corpus, &contents);
        semantic::score_run(&scorer, &arguments.folder, run, arguments.timeout, context)?;
    }
    let mut card = evaluate::card(&corpus.corpus, &contents, &arguments.folder)?;
    card.derived_from = before
        .as_ref()
        .and_then(|card| Sha256Hex::parse(&card.run_card_hash));
    card.seal();
    files::write_atomically(&out, &card.file_bytes())?;
    let rescored = rescored(&out, before.as_ref(), &card);
    if arguments.json {
        context.print_json(&rescored)?;
    } else {
        context.print(&text(&rescored))?;
        context.note(&format!("card    {}", out.display()));
    }
    Ok(arguments.gate.check(&card.scores, context))
}

fn rescored<'a>(out: &'a Path, before: Option<&RunCard>, card: &'a RunCard) -> Rescored<'a> {
    Rescored {
        schema: "lydian.rescored/1",
        run_card: out,
        derived_from: card.derived_from.as_ref(),
        same_scores: before.is_some_and(|before| before.scores == card.scores),
        chrf_plus_plus_before: before.and_then(|before| before.scores.chrf_plus_plus),
        chrf_plus_plus: card.scores.chrf_plus_plus,
        composite_before: before.and_then(|before| before.scores.composite),
        composite: card.scores.composite,
    }
}

fn text(rescored: &Rescored<'_>) -> String {
    let verdict = if rescored.same_scores {
        "the scores are the same"
    } else {
        "the scores differ"
    };
    format!(
        "{verdict}\nchrF++     {} → {}\ncomposite  {} → {}\n",
        number::points(rescored.chrf_plus_plus_before),
        number::points(rescored.chrf_plus_plus),
        number::share(rescored.composite_before),
        number::share(rescored.composite)
    )
}
