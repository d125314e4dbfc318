//! A sweep plan bound to the corpus and the methods it names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lydian_harness::budget::Budget;
use lydian_harness::endpoint::Unpriced;
use lydian_harness::method::service::Endpoints;
use lydian_harness::method::{Method, Origin};
use lydian_harness::pool::{LocalPool, Pool};
use lydian_model::corpus::read::CorpusFile;
use lydian_model::fingerprint::setup_fingerprint;
use lydian_model::run_setup::HARNESS_VERSION;
use lydian_model::sweep::{Combination, INDEX_SCHEMA, IndexedRun, Shard, SweepIndex};
use lydian_model::{NanoUsd, RunSetup, Sha256Hex, SweepPlan};
use serde_json::Value;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::plan::{
    Choice, Inputs, MethodOptions, Moment, Order, Plan, Purpose, ServiceArguments, Shared, Wanted,
    method_error,
};
use crate::{documents, files};

/// Calls at a time over all runs when the plan does not say.
const CONCURRENCY: usize = 8;

/// A plan as it was read.
pub(crate) struct SweepFile {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// What it says.
    pub(crate) plan: SweepPlan,
}

impl SweepFile {
    /// Reads a plan; `path` is the file or the folder that holds `sweep.toml`.
    pub(crate) fn read(path: &Path) -> CommandResult<Self> {
        let path = if path.is_dir() {
            path.join("sweep.toml")
        } else {
            path.to_owned()
        };
        refuse_pipe(&path)?;
        let text = String::from_utf8(files::read(&path)?).map_err(|error| {
            CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
        })?;
        let plan = SweepPlan::read(&text).map_err(|problems| {
            let lines: Vec<String> = problems
                .iter()
                .map(|problem| format!("{}: {problem}", path.display()))
                .collect();
            CommandError::new(Exit::InvalidDocument, lines.join("\n"))
                .with_hint("docs/reference/sweep-plan.md lists every key of a plan")
        })?;
        Ok(Self { path, text, plan })
    }

    /// Returns the first line that sets a key of this name, from 1.
    fn line_that_sets(&self, is_meant: impl Fn(&str) -> bool) -> Option<usize> {
        let key = |line: &str| {
            Some(
                line.split_once('=')?
                    .0
                    .trim()
                    .trim_matches(['"', '\''])
                    .to_owned(),
            )
        };
        let mut lines = self.text.lines();
        let place = lines.position(|line| key(line).is_some_and(|key| is_meant(&key)))?;
        Some(place + 1)
    }

    fn folder(&self) -> &Path {
        self.path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    }
}

/// A sweep is read again when it goes on, and a pipe holds its text once, if anybody writes into it at all.
fn refuse_pipe(path: &Path) -> CommandResult<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(CommandError::new(
            Exit::Usage,
            format!("{}: is a pipe or a device, expected a file", path.display()),
        )),
        _ => Ok(()),
    }
}

/// A plan with its corpus, ready to make runs of its combinations.
pub(crate) struct Sweep {
    /// The plan.
    pub(crate) file: SweepFile,
    /// Its runs.
    pub(crate) combinations: Vec<Combination>,
    /// The corpus.
    pub(crate) corpus: Arc<CorpusFile>,
    methods: Vec<BoundMethod>,
    corpus_path: PathBuf,
    choice: Choice,
    key: Option<String>,
}

/// A method of the plan as it was found.
struct BoundMethod {
    name: String,
    found: Method,
    predictions: Option<PathBuf>,
}

/// How one run of a sweep is planned.
pub(crate) struct Binding<'a> {
    /// Identity and time.
    pub(crate) moment: Moment,
    /// Whether anything will be sent.
    pub(crate) purpose: Purpose,
    /// What it shares with the others.
    pub(crate) shared: &'a Shared,
}

impl Sweep {
    /// Finds corpus and methods of a plan. Nothing is sent or written. `key` takes the place of the plan's reference.
    pub(crate) fn open(file: SweepFile, key: Option<String>) -> CommandResult<Self> {
        let folder = file.folder();
        let corpus_path = folder.join(&file.plan.corpus);
        refuse_pipe(&corpus_path)?;
        let corpus = documents::read_corpus_file(&corpus_path)?;
        let methods = file
            .plan
            .methods
            .iter()
            .map(|method| {
                let found = Method::find(&method.method, folder).map_err(|error| {
                    method_error(error).context(format!("{}: method {}", file.path.display(), method.id))
                })?;
                let name = match found.origin {
                    Origin::BuiltIn => method.method.clone(),
                    Origin::File => folder.join(&method.method).to_string_lossy().into_owned(),
                };
                Ok(BoundMethod {
                    name,
                    found,
                    predictions: method.predictions.as_ref().map(|file| folder.join(file)),
                })
            })
            .collect::<CommandResult<Vec<_>>>()?;
        Ok(Self {
            combinations: file.plan.combinations(),
            choice: Choice::of_sweep(&file.plan),
            corpus: Arc::new(corpus),
            methods,
            corpus_path,
            key,
            file,
        })
    }

    /// Returns what all runs share when `part` of budget and rate is theirs and `spent` is gone already.
    pub(crate) fn shared(&self, shard: Option<Shard>, spent: NanoUsd) -> Shared {
        let plan = &self.file.plan;
        let parts = shard.map_or(1, |shard| shard.of);
        let unpriced = if plan.allow_unpriced {
            Unpriced::Allowed
        } else {
            Unpriced::Refused
        };
        let budget = plan
            .budget
            .map(|budget| NanoUsd::new(budget.nanos() / u64::from(parts)))
            .map(|limit| (Arc::new(Budget::new(limit, spent)), unpriced));
        let rate = plan
            .endpoint
            .requests_per_minute
            .map(|rate| rate / f64::from(parts));
        let pool: Arc<dyn Pool> = Arc::new(LocalPool::new(self.concurrency(), rate));
        Shared {
            corpus: Arc::clone(&self.corpus),
            endpoints: Endpoints::default(),
            budget,
            pool: Some(pool),
        }
    }

    /// Returns the method of the run at `index`, unless recorded outputs take its place.
    pub(crate) fn method(&self, index: usize) -> Option<&Method> {
        let bound = &self.methods[self.combinations[index].method];
        bound.predictions.is_none().then_some(&bound.found)
    }

    /// Returns how many calls are made at a time, over all runs.
    pub(crate) fn concurrency(&self) -> usize {
        self.file.plan.endpoint.concurrency.unwrap_or(CONCURRENCY)
    }

    /// Returns the inputs of the run at `index`, as its journal keeps them.
    pub(crate) fn inputs(&self, index: usize) -> CommandResult<Inputs> {
        let combination = &self.combinations[index];
        let method = &self.file.plan.methods[combination.method];
        let bound = &self.methods[combination.method];
        let seed = combination
            .seed
            .map(|seed| ("seed".to_owned(), Value::from(seed)));
        let fixed = method.parameters.iter();
        let set = fixed
            .chain(&combination.coordinates)
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain(seed)
            .collect();
        let service = ServiceArguments::of_sweep(&self.file.plan.endpoint, self.file.folder())
            .overridden(self.key.clone(), None);
        let options = MethodOptions {
            predictions: bound.predictions.clone(),
            concurrency: self.file.plan.endpoint.concurrency,
            timeout: None,
            set,
            sample: combination.seed.unwrap_or(0),
            semantic: None,
            service,
        };
        Inputs::new(&self.corpus_path, &bound.name, options)
    }

    /// Plans the run at `index`.
    pub(crate) fn bind(&self, index: usize, binding: Binding<'_>, context: &Context) -> CommandResult<Plan> {
        let combination = &self.combinations[index];
        let order = Order {
            inputs: self.inputs(index)?,
            wanted: Wanted::Chosen(&self.choice),
            moment: binding.moment,
            purpose: binding.purpose,
            spent: NanoUsd::ZERO,
            shared: Some(binding.shared),
        };
        Plan::new(order, context).map_err(|error| {
            let told = error.to_string();
            let is_meant = |name: &str| {
                told.contains(&format!("parameter {name:?}")) || told.contains(&format!("parameter {name}:"))
            };
            let line = self.file.line_that_sets(is_meant);
            error.context(format!(
                "{}:{} run {} {}",
                self.file.path.display(),
                line.map_or_else(String::new, |line| format!(" line {line}:")),
                self.file.plan.methods[combination.method].id,
                combination.label()
            ))
        })
    }

    /// Lists the runs with their identities. Nothing is sent.
    pub(crate) fn index(&self, shard: Option<Shard>, context: &Context) -> CommandResult<SweepIndex> {
        let shared = self.shared(None, NanoUsd::ZERO);
        let mut runs = Vec::with_capacity(self.combinations.len());
        for index in 0..self.combinations.len() {
            let binding = Binding {
                moment: Moment::now(),
                purpose: Purpose::Show,
                shared: &shared,
            };
            runs.push(self.indexed(index, &self.bind(index, binding, context)?.setup));
        }
        self.refuse_equal_runs(&runs)?;
        Ok(SweepIndex {
            schema: INDEX_SCHEMA.to_owned(),
            name: self.file.plan.name.clone(),
            plan_sha256: Sha256Hex::of(self.file.text.as_bytes()),
            harness_version: HARNESS_VERSION.to_owned(),
            metric: self.file.plan.metric,
            dataset_sha256: self.corpus.sha256.clone(),
            budget_usd: self.file.plan.budget,
            shard,
            runs,
        })
    }

    /// Returns the entry of a run in the list.
    pub(crate) fn indexed(&self, index: usize, setup: &RunSetup) -> IndexedRun {
        let combination = &self.combinations[index];
        let method = &self.file.plan.methods[combination.method];
        let setup_fingerprint = setup_fingerprint(setup);
        IndexedRun {
            id: IndexedRun::id_of(&setup_fingerprint),
            setup_fingerprint,
            method: method.id.clone(),
            role: method.role,
            coordinates: combination.coordinates.clone(),
            seed: combination.seed,
            label: combination.label(),
        }
    }

    /// Two points of the space that are one setup would be one run counted twice.
    fn refuse_equal_runs(&self, runs: &[IndexedRun]) -> CommandResult<()> {
        let mut seen: std::collections::BTreeMap<&str, &IndexedRun> = std::collections::BTreeMap::new();
        for run in runs {
            if let Some(other) = seen.insert(&run.id, run) {
                let message = format!(
                    "{}: the runs {:?} and {:?} are one and the same setup",
                    self.file.path.display(),
                    other.title(),
                    run.title()
                );
                return Err(CommandError::new(Exit::InvalidDocument, message)
                    .with_hint("take one of them out of the plan; an axis that changes nothing is no axis"));
            }
        }
        Ok(())
    }
}
