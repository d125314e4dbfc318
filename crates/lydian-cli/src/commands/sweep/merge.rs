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
use crate::sweep::folder::{SweepFolder, Which, copy_beside_journal};
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
    damaged: Vec<String>,
}

/// A run as the part has it that has most of it.
struct Candidate {
    contents: Contents,
    /// The run's folder there, then those of the other parts.
    folders: Vec<PathBuf>,
}

/// The merged sweep.
struct Merge {
    folder: SweepFolder,
    index: SweepIndex,
    /// Runs that some part has begun.
    taken_over: usize,
    /// What could not be read in the parts, and what to do.
    damaged: Vec<String>,
}

/// Merges the parts.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let merge = match (&arguments.queue, &arguments.plan) {
        (Some(queue), Some(plan)) => of_queue(arguments, queue, plan, context)?,
        _ => of_parts(arguments)?,
    };
    shown(arguments, merge, context)
}

/// Takes a sweep out of the queue.
fn of_queue(arguments: &Arguments, address: &str, plan: &Path, context: &Context) -> CommandResult<Merge> {
    let address = queue::address(address)?;
    let sweep = Sweep::open(SweepFile::read(plan)?, None)?;
    let index = sweep.index(None, context)?;
    let folder = SweepFolder::take(&arguments.out, &index, &sweep.file.text)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let taken_over = runtime.block_on(async {
        let database = Database::open(&address).await.map_err(queue::queue_error)?;
        queue::collect(&database, &sweep, &index, &folder).await
    })?;
    Ok(Merge {
        folder,
        index,
        taken_over,
        damaged: Vec::new(),
    })
}

/// Takes a sweep from the folders of its parts.
fn of_parts(arguments: &Arguments) -> CommandResult<Merge> {
    let parts = arguments
        .parts
        .iter()
        .map(|path| SweepFolder::open(path))
        .collect::<CommandResult<Vec<_>>>()?;
    let index = common_index(&parts)?;
    let folder = SweepFolder::take(&arguments.out, &index, &plan_text(&parts[0].0.path)?)?;
    let mut merged = Merge {
        folder,
        index,
        taken_over: 0,
        damaged: Vec::new(),
    };
    for place in 0..merged.index.runs.len() {
        merged.run(place, &parts, arguments.corpus.as_deref())?;
    }
    Ok(merged)
}

impl Merge {
    /// Takes a run over from the part that has most of it, unless the merged folder has as much.
    fn run(
        &mut self,
        place: usize,
        parts: &[(SweepFolder, SweepIndex)],
        corpus: Option<&Path>,
    ) -> CommandResult<()> {
        let run = &self.index.runs[place];
        let Some(best) = best(parts, run, &mut self.damaged)? else {
            return Ok(());
        };
        self.taken_over += 1;
        let target = self.folder.run(&run.id);
        let further = match progress::contents(&self.folder, run) {
            Ok(Some(kept)) => kept.open_entries().len() > best.contents.open_entries().len(),
            Ok(None) | Err(_) => true,
        };
        let mut changed = further;
        if further {
            take_journal(&target, &best)?;
        }
        // What an earlier part lacks, such as the answers of a scorer, another part with the same run may have.
        for (at, folder) in best.folders.iter().enumerate() {
            let which = if further && at == 0 {
                Which::All
            } else {
                Which::Missing
            };
            changed |= copy_beside_journal(folder, &target, which)? > 0;
        }
        if changed || !target.join(documents::CARD_FILE).is_file() {
            write_card(&target, corpus)?;
        }
        Ok(())
    }
}

/// Writes and shows the matrix.
fn shown(arguments: &Arguments, merge: Merge, context: &Context) -> CommandResult {
    let Merge {
        folder,
        index,
        taken_over,
        mut damaged,
    } = merge;
    let found = matrix::of(&folder, &index, None)?;
    let (matrix, unreadable) = (found.matrix, found.damaged);
    let page = write_report(&folder, &matrix)?;
    let states = progress::of(&folder, &index);
    damaged.extend(progress::damaged(&states));
    damaged.extend(unreadable.into_iter().map(|(_, problem)| problem));
    let complete = states
        .iter()
        .filter(|state| state.stage == progress::Stage::Complete)
        .count();
    let missing = index.runs.len() - taken_over;
    if arguments.json {
        context.print_json(&Merged {
            schema: "lydian.sweep-merge/1",
            folder: folder.path.clone(),
            report: page,
            runs: index.runs.len(),
            taken_over,
            complete,
            missing,
            verdict: matrix.verdict.sentence.clone(),
            damaged: damaged.clone(),
        })?;
    } else {
        context.print(&report(&matrix, Format::Terminal(Width(140))))?;
        context.note(&format!("report  {}", page.display()));
    }
    for problem in &damaged {
        context.warning(&format!("left out: {problem}"));
    }
    let exit = if damaged.is_empty() {
        Exit::Incomplete
    } else {
        Exit::InvalidDocument
    };
    if complete == index.runs.len() {
        return Ok(if damaged.is_empty() { Exit::Done } else { exit });
    }
    context.warning(&format!(
        "{} of {} runs are not complete, {missing} of them not begun",
        index.runs.len() - complete,
        index.runs.len()
    ));
    context.hint("`lydian sweep run PLAN --out OUT` makes what is missing, `merge` again takes over what the parts finish");
    Ok(exit)
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

/// Returns the run of the part that has most of it. Two parts that both finished it must agree. A journal that cannot be read is
/// noted and left out.
fn best(
    parts: &[(SweepFolder, SweepIndex)],
    run: &IndexedRun,
    damaged: &mut Vec<String>,
) -> CommandResult<Option<Candidate>> {
    let mut best: Option<Candidate> = None;
    for (folder, _) in parts {
        let contents = match progress::contents(folder, run) {
            Ok(Some(contents)) => contents,
            Ok(None) => continue,
            Err(error) => {
                damaged.push(error.told());
                continue;
            }
        };
        let candidate = Candidate {
            folders: vec![folder.run(&run.id)],
            contents,
        };
        best = Some(match best {
            None => candidate,
            Some(kept) => better(kept, candidate)?,
        });
    }
    Ok(best)
}

fn better(mut kept: Candidate, mut candidate: Candidate) -> CommandResult<Candidate> {
    let open = |of: &Candidate| of.contents.open_entries().len();
    if open(&candidate) < open(&kept) {
        candidate.folders.append(&mut kept.folders);
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
                kept.folders[0].display(),
                candidate.folders[0].display()
            ),
        )
        .with_hint("keep the one that counts and take the other part's run folder away"));
    }
    kept.folders.append(&mut candidate.folders);
    Ok(kept)
}

/// Copies a journal into the merged folder.
fn take_journal(target: &Path, best: &Candidate) -> CommandResult<()> {
    std::fs::create_dir_all(target)
        .map_err(|error| CommandError::from(error).context(format!("cannot create {}", target.display())))?;
    let journal = files::read(&best.folders[0].join(JOURNAL_FILE))?;
    files::write_atomically(&target.join(JOURNAL_FILE), &journal)
}

/// Computes the card of a run folder, if its journal holds any answer.
fn write_card(target: &Path, corpus: Option<&Path>) -> CommandResult<()> {
    let contents = Journal::read(target).map_err(journal_error)?;
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
    let card = evaluate::card(&corpus.corpus, &contents, target)?;
    evaluate::write(target, &card)?;
    Ok(())
}
