//! The folder of a sweep: its plan, the list of its runs, and a run folder for each.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use lydian_harness::journal::{self, JOURNAL_FILE};
use lydian_model::sweep::{INDEX_SCHEMA, SweepIndex};

use crate::documents::CARD_FILE;
use crate::error::{CommandError, CommandResult, Exit};
use crate::evaluate::REPORT_FILE;
use crate::files;

/// Name of the list of runs.
pub(crate) const INDEX_FILE: &str = "sweep.json";
/// Name of the plan's copy.
const PLAN_FILE: &str = "sweep.toml";
/// Name of the folder that holds the run folders.
const RUNS: &str = "runs";
/// Held by the process that runs the sweep.
const LOCK_FILE: &str = "sweep.lock";

/// A sweep's folder.
pub(crate) struct SweepFolder {
    /// Where it is.
    pub(crate) path: PathBuf,
    _lock: Option<File>,
}

impl SweepFolder {
    /// Makes the folder, or takes over the one of an earlier execution, and writes plan and list into it. One process at
    /// a time has it, so that a budget cannot be spent twice.
    pub(crate) fn take(path: &Path, index: &SweepIndex, plan: &str) -> CommandResult<Self> {
        if path.join(INDEX_FILE).exists() {
            refuse_another_sweep(path, index)?;
        } else if fs::read_dir(path).is_ok_and(|mut items| items.next().is_some()) && !is_beginning(path) {
            return Err(CommandError::new(
                Exit::Usage,
                format!("{} exists and holds no sweep", path.display()),
            )
            .with_hint("name another folder with --out DIR"));
        }
        let runs = path.join(RUNS);
        fs::create_dir_all(&runs).map_err(|error| {
            CommandError::from(error).context(format!("cannot create {}", runs.display()))
        })?;
        let lock = lock(path)?;
        files::write_atomically(&path.join(PLAN_FILE), plan.as_bytes())?;
        let mut list = serde_json::to_vec_pretty(index).map_err(std::io::Error::from)?;
        list.push(b'\n');
        files::write_atomically(&path.join(INDEX_FILE), &list)?;
        Ok(Self {
            path: path.to_owned(),
            _lock: Some(lock),
        })
    }

    /// Opens a sweep's folder for reading.
    pub(crate) fn open(path: &Path) -> CommandResult<(Self, SweepIndex)> {
        let index = read_index(path)?;
        let folder = Self {
            path: path.to_owned(),
            _lock: None,
        };
        Ok((folder, index))
    }

    /// Returns the same folder for a thread that only reads.
    pub(crate) fn reader(&self) -> Self {
        Self {
            path: self.path.clone(),
            _lock: None,
        }
    }

    /// Returns the folder of a run.
    pub(crate) fn run(&self, id: &str) -> PathBuf {
        self.path.join(RUNS).join(id)
    }

    /// Returns the run folders, those that belong to no run of the plan included, by name.
    pub(crate) fn run_folders(&self) -> CommandResult<Vec<PathBuf>> {
        let runs = self.path.join(RUNS);
        let items = match fs::read_dir(&runs) {
            Ok(items) => items,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(CommandError::from(error).context(format!("cannot read {}", runs.display())));
            }
        };
        let mut folders: Vec<PathBuf> = items
            .filter_map(Result::ok)
            .map(|item| item.path())
            .filter(|path| path.join(JOURNAL_FILE).is_file())
            .collect();
        folders.sort();
        Ok(folders)
    }

    /// Returns how many runs stand in the folder that the plan does not name any more.
    pub(crate) fn stray(&self, index: &SweepIndex) -> CommandResult<usize> {
        let known: BTreeSet<&str> = index.runs.iter().map(|run| run.id.as_str()).collect();
        let folders = self.run_folders()?;
        Ok(folders
            .iter()
            .filter(|folder| {
                let name = folder.file_name().and_then(|name| name.to_str());
                name.is_none_or(|name| !known.contains(name))
            })
            .count())
    }
}

/// Returns whether a folder holds only what [`SweepFolder::take`] makes before the list of runs: a full disk stopped it there.
fn is_beginning(path: &Path) -> bool {
    let own = [PLAN_FILE, LOCK_FILE, RUNS];
    let is_own = |name: &std::ffi::OsStr| {
        name.to_str()
            .is_some_and(|name| own.contains(&name) || name.starts_with(".lydian-"))
    };
    path.join(LOCK_FILE).is_file()
        && fs::read_dir(path)
            .is_ok_and(|mut items| items.all(|item| item.is_ok_and(|item| is_own(&item.file_name()))))
        && fs::read_dir(path.join(RUNS)).is_ok_and(|mut runs| runs.next().is_none())
}

/// Which files of a run folder are copied into another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All.
    All,
    /// Those that are not there.
    Missing,
}

/// Copies what stands in a run folder beside the journal and is not made from it: the answers of a semantic scorer, what programs
/// wrote to standard error, further cards. Returns how many files were copied.
pub(crate) fn copy_beside_journal(from: &Path, to: &Path, which: Which) -> CommandResult<usize> {
    const MADE_FROM_IT: [&str; 4] = [JOURNAL_FILE, journal::LOCK_FILE, CARD_FILE, REPORT_FILE];
    let unreadable = |error| CommandError::from(error).context(format!("cannot read {}", from.display()));
    let mut copied = 0;
    for item in fs::read_dir(from).map_err(unreadable)? {
        let path = item.map_err(unreadable)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let target = to.join(name);
        let wanted = which == Which::All || !target.exists();
        // A name that begins with a dot is a file that was being written when its process was killed.
        if path.is_file() && wanted && !name.starts_with('.') && !MADE_FROM_IT.contains(&name) {
            files::write_atomically(&target, &files::read(&path)?)?;
            copied += 1;
        }
    }
    Ok(copied)
}

/// Reads the list of runs of a folder.
fn read_index(path: &Path) -> CommandResult<SweepIndex> {
    let file = path.join(INDEX_FILE);
    if !file.is_file() {
        return Err(
            CommandError::new(Exit::Usage, format!("{} holds no {INDEX_FILE}", path.display()))
                .with_hint("give the folder that `lydian sweep run` made"),
        );
    }
    let bytes = files::read(&file)?;
    let invalid = |problem: String| {
        CommandError::new(Exit::InvalidDocument, format!("{}: {problem}", file.display()))
            .with_hint("`lydian sweep run` writes the list again")
    };
    let index: SweepIndex = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
    if index.schema != INDEX_SCHEMA {
        return Err(invalid(format!(
            "schema {:?} is not known; known is {INDEX_SCHEMA:?}",
            index.schema
        )));
    }
    Ok(index)
}

/// A folder keeps the runs of one sweep over one corpus file; the plan may change.
fn refuse_another_sweep(path: &Path, index: &SweepIndex) -> CommandResult<()> {
    let kept = match read_index(path) {
        Ok(kept) => kept,
        // The list is written again; every run folder says itself what it is.
        Err(error) if error.exit() == Exit::InvalidDocument && path.join(RUNS).is_dir() => return Ok(()),
        Err(error) => return Err(error),
    };
    let problem = if kept.name != index.name {
        format!("holds the sweep {:?}, not {:?}", kept.name, index.name)
    } else if kept.dataset_sha256 != index.dataset_sha256 {
        "holds runs over another version of the corpus file".to_owned()
    } else if kept.shard != index.shard {
        let shown = |shard: Option<lydian_model::sweep::Shard>| {
            shard.map_or_else(|| "the whole sweep".to_owned(), |shard| format!("part {shard}"))
        };
        format!("holds {}, not {}", shown(kept.shard), shown(index.shard))
    } else {
        return Ok(());
    };
    Err(
        CommandError::new(Exit::InvalidDocument, format!("{} {problem}", path.display()))
            .with_hint("name another folder with --out DIR"),
    )
}

fn lock(path: &Path) -> CommandResult<File> {
    let file = path.join(LOCK_FILE);
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&file)
        .map_err(|error| CommandError::from(error).context(format!("cannot open {}", file.display())))?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(TryLockError::WouldBlock) => Err(CommandError::new(
            Exit::Usage,
            format!("{} is in use by another process", path.display()),
        )
        .with_hint("wait until it is done; `lydian sweep status` shows how far it is")),
        Err(TryLockError::Error(error)) => {
            Err(CommandError::from(error).context(format!("cannot lock {}", file.display())))
        }
    }
}
