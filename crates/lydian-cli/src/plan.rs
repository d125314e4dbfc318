//! What a run is to do: corpus, method, entries and setup, before anything is sent or written.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lydian_harness::budget::Budget;
use lydian_harness::endpoint::Unpriced;
use lydian_harness::journal::Contents;
use lydian_harness::method::replay::Recorded;
use lydian_harness::method::service::{Endpoints, ServiceOptions, sends_text_away};
use lydian_harness::method::{self, Method, MethodError, Origin, PrepareOptions, Prepared};
use lydian_harness::pool::Pool;
use lydian_model::corpus::read::CorpusFile;
use lydian_model::predictions::read_predictions;
use lydian_model::run_setup::Selection;
use lydian_model::{Entry, EntryId, NanoUsd, RunSetup, SourceEntry};
use lydian_report::number::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::{documents, files, semantic};

mod dialect;
pub(crate) mod difference;
pub(crate) mod estimate;
pub(crate) mod explained;
mod selection;
mod service;

pub(crate) use dialect::{DialectInputs, Items};
pub(crate) use selection::Choice;
pub(crate) use service::{Purpose, ServiceArguments};

/// Where corpus and method are and how the method is called; kept in the journal, so that `resume` finds them again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inputs {
    /// The corpus file.
    pub(crate) corpus: PathBuf,
    /// Name of the method, or path of its manifest.
    pub(crate) method: String,
    /// Options of the method.
    pub(crate) options: MethodOptions,
    /// What a run over dialect items needs beside; `None` for plain corpora.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dialect: Option<DialectInputs>,
}

/// How the method is called.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MethodOptions {
    /// Recorded outputs to take instead of running the method: JSON Lines of {"id", "output"}
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) predictions: Option<PathBuf>,
    /// Calls at a time [default: what suits the method]
    #[arg(long, value_name = "N", value_parser = concurrency, help_heading = "Method")]
    pub(crate) concurrency: Option<usize>,
    /// Longest time for one answer of a local program [default: 60, for the first answer 600] and of a semantic scorer [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Method")]
    pub(crate) timeout: Option<u64>,
    /// Parameter of the method to use instead of its own, such as temperature=0.3; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment, help_heading = "Method")]
    #[serde(default)]
    pub(crate) set: Vec<(String, Value)>,
    /// Number of the repetition, so that a repeat is not answered from stored answers.
    #[arg(skip)]
    #[serde(default)]
    pub(crate) sample: u32,
    /// Semantic scorer that compares outputs with references when the run ends: its scorer.json or folder
    #[arg(long, value_name = "SCORER", help_heading = "Scoring")]
    #[serde(default)]
    pub(crate) semantic: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) service: ServiceArguments,
}

/// Reads `NAME=VALUE`; a value that is not JSON is text.
fn assignment(text: &str) -> Result<(String, Value), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            Ok((name.to_owned(), parsed))
        }
        _ => Err("expected NAME=VALUE".into()),
    }
}

fn concurrency(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=4096) => Ok(number),
        _ => Err("expected a number from 1 to 4096".into()),
    }
}

/// Identity and time of a run.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// UUID v4.
    pub(crate) run_id: String,
    /// RFC 3339 UTC time.
    pub(crate) timestamp: String,
}

impl Moment {
    /// Returns a new identity and the present time.
    pub(crate) fn now() -> Self {
        Self {
            run_id: uuid::Uuid::new_v4().to_string(),
            timestamp: timestamp(),
        }
    }
}

/// Returns the present time in RFC 3339, to the second.
pub(crate) fn timestamp() -> String {
    let now = jiff::Timestamp::now();
    format!("{:.0}", now.round(jiff::Unit::Second).unwrap_or(now))
}

/// A run that can begin.
pub(crate) struct Plan {
    /// Where everything was found.
    pub(crate) inputs: Inputs,
    /// The corpus.
    pub(crate) corpus: Arc<CorpusFile>,
    /// The method, ready to translate.
    pub(crate) prepared: Prepared,
    /// What is to be run.
    pub(crate) setup: RunSetup,
    /// The selected entries, as the method sees them.
    pub(crate) entries: Vec<SourceEntry>,
    /// The method.
    pub(crate) method: Method,
    /// What a provider or plugin is asked with.
    pub(crate) service: ServiceOptions,
    /// The dialect items, when these are run.
    pub(crate) items: Option<Items>,
}

/// Which entries to plan for.
pub(crate) enum Wanted<'a> {
    /// Those a user chooses.
    Chosen(&'a Choice),
    /// Those an earlier execution chose.
    Selected(&'a Selection),
}

/// What a plan is made from.
pub(crate) struct Order<'a> {
    /// Corpus, method and options.
    pub(crate) inputs: Inputs,
    /// Which entries.
    pub(crate) wanted: Wanted<'a>,
    /// Identity and time.
    pub(crate) moment: Moment,
    /// Whether anything will be sent.
    pub(crate) purpose: Purpose,
    /// What earlier executions of the run spent.
    pub(crate) spent: NanoUsd,
    /// What the run shares with the other runs of a sweep.
    pub(crate) shared: Option<&'a Shared>,
}

/// What the runs of a sweep have in common.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The corpus.
    pub(crate) corpus: Arc<CorpusFile>,
    /// One state per provider and model.
    pub(crate) endpoints: Endpoints,
    /// One budget.
    pub(crate) budget: Option<(Arc<Budget>, Unpriced)>,
    /// One rate.
    pub(crate) pool: Option<Arc<dyn Pool>>,
}

impl Plan {
    /// Reads corpus and method and chooses the entries. Nothing is sent or written.
    pub(crate) fn new(order: Order<'_>, context: &Context) -> CommandResult<Self> {
        let Order { inputs, wanted, .. } = order;
        let corpus = match order.shared {
            Some(shared) => Arc::clone(&shared.corpus),
            None => Arc::new(documents::read_corpus_file(&inputs.corpus)?),
        };
        let items = dialect::items(&inputs, &corpus, context)?;
        if items.is_none() && order.shared.is_none() {
            note_findings(&corpus, &inputs.corpus, context);
        }
        let method = Method::find(&inputs.method, Path::new("."))
            .and_then(|method| method.with_parameters(&inputs.options.set))
            .map_err(method_error)?;
        let dataset = &corpus.corpus.dataset;
        let unknown = method
            .check_languages(&dataset.source_language, &dataset.target_language)
            .map_err(method_error)?;
        if let Some(unknown) = unknown {
            context.warning(&unknown);
        }
        let recorded = recorded(&inputs, &method, &corpus)?;
        let replays = recorded.is_some();
        if !replays && sends_text_away(&method, inputs.options.service.base_url()) {
            refuse_unnamed_segments(&corpus, &wanted, "method")?;
        }
        if let Some(scorer) = &inputs.options.semantic
            && semantic::read_scorer(scorer)?.sends_text_away()
        {
            refuse_unnamed_segments(&corpus, &wanted, "semantic scorer")?;
        }
        let service = inputs.options.service.options(&service::Surroundings {
            method: &method,
            dataset: &corpus.corpus.dataset,
            purpose: order.purpose,
            spent: order.spent,
        })?;
        let service = ServiceOptions {
            concurrency: inputs.options.concurrency,
            timeouts: inputs.options.timeout.map(service::timeouts),
            sample: inputs.options.sample,
            items: items.as_ref().map(|items| items.prompts.clone()),
            ..service
        };
        let service = match order.shared {
            Some(shared) => shared.over(service),
            None => service,
        };
        let options = PrepareOptions {
            recorded,
            timeout: inputs.options.timeout.map(Duration::from_secs),
            service: service.clone(),
        };
        let prepared = method::prepare(&method, options).map_err(method_error)?;
        let selection = match wanted {
            Wanted::Chosen(choice) => match &items {
                Some(items) => items.select(&corpus.corpus, choice, &prepared.excluded)?,
                None => choice.of(&corpus.corpus, &prepared.excluded)?,
            },
            Wanted::Selected(selection) => selection.clone(),
        };
        selection::refuse_secret(&corpus.corpus, &selection)?;
        let entries = match &items {
            Some(items) => items.source_entries(&selection)?,
            None => source_entries(&corpus, &selection)?,
        };
        if !replays {
            method.check_entries(&entries).map_err(method_error)?;
        }
        let setup = prepared.setup.clone().of_run(
            order.moment.run_id,
            order.moment.timestamp,
            corpus.identity(),
            selection,
        );
        Ok(Self {
            inputs,
            corpus,
            prepared,
            setup,
            entries,
            method,
            service,
            items,
        })
    }
}

impl Shared {
    /// Puts what is shared in the place of a run's own.
    fn over(&self, service: ServiceOptions) -> ServiceOptions {
        ServiceOptions {
            endpoints: self.endpoints.clone(),
            budget: self.budget.clone(),
            pool: self.pool.clone(),
            ..service
        }
    }
}

/// A file that names no segments may hold secret entries; before any text leaves this machine somebody has to say that
/// it does not (decision 29).
fn refuse_unnamed_segments(corpus: &CorpusFile, wanted: &Wanted<'_>, sender: &str) -> CommandResult<()> {
    let names_none = corpus.corpus.entries.iter().all(|entry| entry.segment.is_none());
    let said = match wanted {
        Wanted::Chosen(choice) => choice.names_segments(),
        Wanted::Selected(_) => true,
    };
    if said || !names_none {
        return Ok(());
    }
    let message = format!("the corpus names no segments, and the {sender} sends its text to another machine");
    Err(CommandError::new(Exit::Usage, message)
        .with_hint("if none of it is secret, say so with --segment development"))
}

impl Inputs {
    /// Returns the inputs that a journal keeps.
    pub(crate) fn recorded(contents: &Contents) -> CommandResult<Self> {
        serde_json::from_value(Value::Object(contents.inputs.clone())).map_err(|error| {
            CommandError::from_error(Exit::InvalidDocument, error)
                .context("the journal does not say where corpus and method are")
        })
    }

    /// Returns inputs with every path made absolute, so that they hold from any folder.
    pub(crate) fn new(corpus: &Path, method: &str, options: MethodOptions) -> CommandResult<Self> {
        let absolute = |path: &Path| std::path::absolute(path).map_err(CommandError::from);
        let found = Method::find(method, Path::new(".")).map_err(method_error)?;
        let method = match found.origin {
            Origin::BuiltIn => method.to_owned(),
            Origin::File => {
                let path = absolute(&found.manifest_path())?;
                path.into_os_string().into_string().map_err(|path| {
                    CommandError::new(Exit::Usage, format!("{}: the path is not UTF-8", path.display()))
                })?
            }
        };
        let MethodOptions {
            predictions,
            semantic,
            service,
            ..
        } = options;
        Ok(Self {
            corpus: absolute(corpus)?,
            method,
            options: MethodOptions {
                predictions: predictions.as_deref().map(absolute).transpose()?,
                semantic: semantic.as_deref().map(absolute).transpose()?,
                service: service.absolute()?,
                ..options
            },
            dialect: None,
        })
    }

    /// Returns the language gate table named for a run over dialect items.
    pub(crate) fn gate(&self) -> Option<&Path> {
        self.dialect.as_ref()?.gate.as_deref()
    }

    /// Returns the inputs of a run over dialect items.
    pub(crate) fn of_items(self, dialect: DialectInputs) -> CommandResult<Self> {
        Ok(Self {
            dialect: Some(dialect.absolute()?),
            ..self
        })
    }
}

fn note_findings(corpus: &CorpusFile, path: &Path, context: &Context) {
    let warnings = corpus.diagnostics.len();
    if warnings > 0 {
        context.note(&format!(
            "{} on the corpus; `lydian corpus validate {}` shows more",
            counted(warnings as u64, "remark", "remarks"),
            files::quoted(path)
        ));
    }
}

/// Reads the recorded outputs that the user or the method names.
fn recorded(inputs: &Inputs, method: &Method, corpus: &CorpusFile) -> CommandResult<Option<Recorded>> {
    let named = inputs
        .options
        .predictions
        .clone()
        .or_else(|| method.predictions_file());
    let Some(path) = named else {
        return Ok(None);
    };
    let file = read_predictions(BufReader::new(files::open(&path)?))
        .map_err(|error| documents::invalid(path.display(), error))?;
    let ids: BTreeSet<&EntryId> = corpus.corpus.entries.iter().map(|entry| &entry.id).collect();
    file.unknown_ids(|id| ids.contains(id))
        .map_err(|error| documents::invalid(path.display(), error))?;
    Ok(Some(Recorded::new(file)))
}

fn source_entries(corpus: &CorpusFile, selection: &Selection) -> CommandResult<Vec<SourceEntry>> {
    let by_id: BTreeMap<&EntryId, &Entry> = corpus
        .corpus
        .entries
        .iter()
        .map(|entry| (&entry.id, entry))
        .collect();
    let find = |id: &EntryId| {
        by_id
            .get(id)
            .map(|entry| SourceEntry::from(*entry))
            .ok_or_else(|| {
                CommandError::new(
                    Exit::InvalidDocument,
                    format!("the corpus has no entry {id} any more"),
                )
            })
    };
    selection.entry_ids.iter().map(find).collect()
}

/// Returns a method's error with its exit code and next step.
pub(crate) fn method_error(error: MethodError) -> CommandError {
    let (exit, hint) = match &error {
        MethodError::Unknown { .. } => (Exit::Usage, format!("a method is {}", method::builtin::FORMS)),
        MethodError::NoManifest { .. } => (Exit::Usage, "`lydian method init` writes a method folder".into()),
        MethodError::Io { .. } | MethodError::Digest(_) => {
            (Exit::Usage, "check the path and its permissions".into())
        }
        MethodError::NoPredictions { .. } => (Exit::Usage, "give --predictions FILE".into()),
        MethodError::Languages { .. } => (
            Exit::Usage,
            "take another method or corpus; if it does translate them, add the pair to supported_pairs in its manifest".into(),
        ),
        MethodError::NotInstalled { hint, .. } | MethodError::Entries { hint, .. } => {
            (Exit::Usage, hint.clone())
        }
        MethodError::Manifest { .. }
        | MethodError::Field { .. }
        | MethodError::Dependencies { .. }
        | MethodError::ClassDiffers { .. } => (
            Exit::InvalidDocument,
            "`lydian method check` shows what the manifest declares and what follows from it".into(),
        ),
    };
    let curly = match &error {
        MethodError::Manifest { path, .. } => files::curly_hint(path),
        _ => None,
    };
    CommandError::from_error(exit, error)
        .with_hint(hint)
        .with_some_hint(curly)
}
