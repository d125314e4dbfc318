//! `lydian sweep merge`: the parts of a sweep, made on several machines, as one.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::{Contents, JOURNAL_FILE, Journal};
use lydian_harness::sweep::queue::Database;
use lydian_model::sweep::{IndexedRun, SweepIndex};
use lydian_report::sweep::{Format, report};
use lydian_report::terminal::Width;
use serde::Serialize;

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::evaluate;
use crate::execute::journal_error;
use crate::files;
use crate::output::Context;
use crate::sweep::bind::{Sweep, SweepFile};
use crate::sweep::folder::SweepFolder;
use crate::sweep::{matrix, progress, queue, write_report};

/// Arguments of `lydian sweep merge`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian sweep merge whole part-1 part-2 part-3 --corpus corpus.json
  lydian sweep merge whole --plan sweep.toml --queue env:LYDIAN_QUEUE

Every card is computed again from its journal, so that it is the card of one machine. The parts are left as they are.")]
pub(crate) struct Arguments {
    /// Folder to make
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Folders of the parts
    #[arg(
        required_unless_present = "queue",
        conflicts_with = "queue",
        value_name = "PART"
    )]
    parts: Vec<PathBuf>,
    /// Take the runs out of the shared queue: env:NAME, file: and a path, or an address without a password
    #[arg(long, value_name = "QUEUE", requires = "plan")]
    queue: Option<String>,
    /// The plan of the queued sweep
    #[arg(long, value_name = "PLAN", requires = "queue")]
    plan: Option<PathBuf>,
    /// The corpus file [default: where the parts found it]
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Merged {
    schema: &'static str,
    folder: PathBuf,
    report: PathBuf,
    runs: usize,
    taken_over: usize,
    complete: usize,
    missing: usize,
    verdict: String,
}

/// A run as one part has it.
struct Candidate {
    folder: PathBuf,
    contents: Contents,
}

/// Merges the parts.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let (folder, index, merged) = match (&arguments.queue, &arguments.plan) {
        (Some(queue), Some(plan)) => of_queue(arguments, queue, plan, context)?,
        _ => of_parts(arguments)?,
    };
    shown(arguments, &folder, &index, merged, context)
}

/// Takes a sweep out of the queue.
fn of_queue(
    arguments: &Arguments,
    address: &str,
    plan: &Path,
    context: &Context,
) -> CommandResult<(SweepFolder, SweepIndex, usize)> {
    let address = queue::address(address)?;
    let sweep = Sweep::open(SweepFile::read(plan)?, None)?;
    let index = sweep.index(None, context)?;
    let folder = SweepFolder::take(&arguments.out, &index, &sweep.file.text)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let merged = runtime.block_on(async {
        let database = Database::open(&address).await.map_err(queue::queue_error)?;
        queue::collect(&database, &sweep, &index, &folder).await
    })?;
    Ok((folder, index, merged))
}

/// Takes a sweep from the folders of its parts.
fn of_parts(arguments: &Arguments) -> CommandResult<(SweepFolder, SweepIndex, usize)> {
    let parts = arguments
        .parts
        .iter()
        .map(|path| SweepFolder::open(path))
        .collect::<CommandResult<Vec<_>>>()?;
    let index = common_index(&parts)?;
    let folder = SweepFolder::take(&arguments.out, &index, &plan_text(&parts[0].0.path)?)?;
    let mut merged = 0;
    for run in &index.runs {
        let kept = progress::contents(&folder, run)?;
        if let Some(best) = best(&parts, run)? {
            let open = best.contents.open_entries().len();
            let has_card = folder.run(&run.id).join(documents::CARD_FILE).is_file();
            if !has_card || kept.is_none_or(|kept| kept.open_entries().len() > open) {
                take_over(&folder, run, &best, arguments.corpus.as_deref())?;
            }
            merged += 1;
        }
    }
    Ok((folder, index, merged))
}

/// Writes and shows the matrix.
fn shown(
    arguments: &Arguments,
    folder: &SweepFolder,
    index: &SweepIndex,
    merged: usize,
    context: &Context,
) -> CommandResult {
    let matrix = matrix::of(folder, index, None)?;
    let page = write_report(folder, &matrix)?;
    let states = progress::of(folder, index)?;
    let complete = states
        .iter()
        .filter(|state| state.stage == progress::Stage::Complete)
        .count();
    let missing = index.runs.len() - merged;
    if arguments.json {
        context.print_json(&Merged {
            schema: "lydian.sweep-merge/1",
            folder: folder.path.clone(),
            report: page,
            runs: index.runs.len(),
            taken_over: merged,
            complete,
            missing,
            verdict: matrix.verdict.sentence.clone(),
        })?;
    } else {
        context.print(&report(&matrix, Format::Terminal(Width(140))))?;
        context.note(&format!("report  {}", page.display()));
    }
    if complete == index.runs.len() {
        return Ok(Exit::Done);
    }
    context.warning(&format!(
        "{} of {} runs are not complete, {missing} of them not begun",
        index.runs.len() - complete,
        index.runs.len()
    ));
    context.hint("`lydian sweep run PLAN --out OUT` makes what is missing, `merge` again takes over what the parts finish");
    Ok(Exit::Incomplete)
}

/// Returns the list of runs that all parts share, for the whole sweep.
fn common_index(parts: &[(SweepFolder, SweepIndex)]) -> CommandResult<SweepIndex> {
    let (first_folder, first) = &parts[0];
    for (folder, index) in parts {
        let problem = if index.name != first.name {
            "another sweep"
        } else if index.dataset_sha256 != first.dataset_sha256 {
            "another version of the corpus file"
        } else if index.harness_version != first.harness_version {
            "another version of the evaluation protocol"
        } else if index.runs != first.runs {
            "another list of runs"
        } else {
            continue;
        };
        return Err(CommandError::new(
            Exit::InvalidDocument,
            format!(
                "{} holds {problem} than {}",
                folder.path.display(),
                first_folder.path.display()
            ),
        )
        .with_hint(
            "parts of one sweep are made from one plan, one corpus file and one version of this program",
        ));
    }
    Ok(SweepIndex {
        shard: None,
        ..first.clone()
    })
}

fn plan_text(part: &Path) -> CommandResult<String> {
    let path = part.join("sweep.toml");
    String::from_utf8(files::read(&path)?).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })
}

/// Returns the run of the part that has most of it. Two parts that both finished it must agree.
fn best(parts: &[(SweepFolder, SweepIndex)], run: &IndexedRun) -> CommandResult<Option<Candidate>> {
    let mut best: Option<Candidate> = None;
    for (folder, _) in parts {
        let Some(contents) = progress::contents(folder, run)? else {
            continue;
        };
        let candidate = Candidate {
            folder: folder.run(&run.id),
            contents,
        };
        best = Some(match best {
            None => candidate,
            Some(kept) => better(kept, candidate)?,
        });
    }
    Ok(best)
}

fn better(kept: Candidate, candidate: Candidate) -> CommandResult<Candidate> {
    let open = |of: &Candidate| of.contents.open_entries().len();
    if open(&candidate) < open(&kept) {
        return Ok(candidate);
    }
    let differs = |id: &lydian_model::EntryId| {
        let output = |of: &Candidate| of.contents.answers.get(id).map(|answer| answer.output.clone());
        output(&kept) != output(&candidate)
    };
    if open(&candidate) == 0 && kept.contents.setup.selection.entry_ids.iter().any(differs) {
        return Err(CommandError::new(
            Exit::InvalidDocument,
            format!(
                "{} and {} are the same run with different answers",
                kept.folder.display(),
                candidate.folder.display()
            ),
        )
        .with_hint("keep the one that counts and take the other part's run folder away"));
    }
    Ok(kept)
}

/// Copies a journal into the merged folder and computes its card.
fn take_over(
    folder: &SweepFolder,
    run: &IndexedRun,
    best: &Candidate,
    corpus: Option<&Path>,
) -> CommandResult<()> {
    let target = folder.run(&run.id);
    std::fs::create_dir_all(&target)
        .map_err(|error| CommandError::from(error).context(format!("cannot create {}", target.display())))?;
    let journal = files::read(&best.folder.join(JOURNAL_FILE))?;
    files::write_atomically(&target.join(JOURNAL_FILE), &journal)?;
    let contents = Journal::read(&target).map_err(journal_error)?;
    if contents.answers.is_empty() {
        return Ok(());
    }
    let corpus_path = match corpus {
        Some(path) => path.to_owned(),
        None => crate::plan::Inputs::recorded(&contents)?.corpus,
    };
    let corpus = documents::read_corpus_file(&corpus_path)?;
    if corpus.sha256 != contents.setup.dataset.sha256 {
        return Err(CommandError::new(
            Exit::InvalidDocument,
            format!("{} is not the corpus of this sweep", corpus_path.display()),
        )
        .with_hint("say where it is with --corpus FILE"));
    }
    let card = evaluate::card(&corpus.corpus, &contents, &target)?;
    evaluate::write(&target, &card)?;
    Ok(())
}
