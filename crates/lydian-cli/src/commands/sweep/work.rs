//! `lydian sweep work`: works off a queued sweep, together with others.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lydian_harness::run::Interruption;
use lydian_harness::sweep::queue::{
    Database, MakeReady, QueuedSweep, Ready, Worker, WorkerEnd, WorkerSettings,
};
use lydian_harness::translator::Stop;
use lydian_model::sweep::SweepIndex;
use serde::Serialize;
use tokio::sync::watch;

use crate::error::{CommandResult, Exit};
use crate::evaluate::PROGRAM;
use crate::execute::listen;
use crate::output::Context;
use crate::plan::{Moment, Purpose, Shared};
use crate::sweep::bind::{Binding, Sweep, SweepFile};
use crate::sweep::queue;

/// Arguments of `lydian sweep work`.
#[derive(Args)]
#[command(after_help = "\
The worker needs the plan, the corpus and the methods on its own machine; it refuses a queue of another corpus file or
version. It ends when nothing is left. Killed or cut off, its leases run out and others go on; Ctrl-C gives them back.

Example:
  lydian sweep work sweep.toml --queue env:LYDIAN_QUEUE")]
pub(crate) struct Arguments {
    /// Plan, or a folder with sweep.toml
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// The PostgreSQL database: env:NAME, file: and a path, or an address without a password
    #[arg(long, value_name = "QUEUE")]
    queue: String,
    /// Chunks this worker works on at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    chunks: u16,
    /// Seconds after which a worker that gives no sign of life loses its chunks
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,
    /// Reference to the key, env:NAME or file: and a path; never the key itself
    #[arg(long, value_name = "REFERENCE")]
    key: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reported {
    schema: &'static str,
    chunks: u64,
    answers: u64,
    lost: u64,
    interrupted: bool,
    stop: Option<String>,
}

/// Works until nothing is left.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let address = queue::address(&arguments.queue)?;
    let sweep = Sweep::open(SweepFile::read(&arguments.plan)?, arguments.key.clone())?;
    let queued = queue::queued(&sweep)?;
    let index = sweep.index(None, context)?;
    let interruption = Arc::new(watch::Sender::new(Interruption::None));
    let runtime = tokio::runtime::Runtime::new()?;
    let end = runtime
        .block_on(async {
            tokio::spawn(listen(Arc::clone(&interruption), context.clone()));
            let database = Database::open(&address).await?;
            let settings = settings(arguments, &sweep, queued);
            let worker = Worker::join(database, settings).await?;
            let runs = index
                .runs
                .iter()
                .map(|run| run.setup_fingerprint.to_string())
                .collect();
            let shared = Shared {
                budget: None,
                pool: Some(worker.pool()),
                ..sweep.shared(None, lydian_model::NanoUsd::ZERO)
            };
            let make = make_ready(sweep, index, shared, context.clone());
            worker.work(runs, make, interruption.subscribe()).await
        })
        .map_err(queue::queue_error)?;
    report(&end, arguments.json, context)
}

fn settings(arguments: &Arguments, sweep: &Sweep, queued: QueuedSweep) -> WorkerSettings {
    WorkerSettings {
        sweep: queued,
        id: uuid::Uuid::new_v4().to_string(),
        program: PROGRAM.to_owned(),
        lease: Duration::from_secs(arguments.lease),
        concurrency: sweep.concurrency(),
        chunks: usize::from(arguments.chunks),
    }
}

/// Returns what makes a run of this plan ready on this machine.
fn make_ready(sweep: Sweep, index: SweepIndex, shared: Shared, context: Context) -> MakeReady {
    Box::new(move |fingerprint| {
        let place = index
            .runs
            .iter()
            .position(|run| run.setup_fingerprint.as_str() == fingerprint)
            .ok_or("the plan has no such run")?;
        let binding = Binding {
            moment: Moment::now(),
            purpose: Purpose::Run,
            shared: &shared,
        };
        let plan = sweep
            .bind(place, binding, &context)
            .map_err(|error| error.to_string())?;
        Ok(Ready {
            translator: plan.prepared.translator,
            entries: plan.entries,
        })
    })
}

fn report(end: &WorkerEnd, json: bool, context: &Context) -> CommandResult {
    if json {
        context.print_json(&Reported {
            schema: "lydian.sweep-work/1",
            chunks: end.chunks,
            answers: end.answers,
            lost: end.lost,
            interrupted: end.interrupted,
            stop: end.stop.as_ref().map(ToString::to_string),
        })?;
    } else {
        context.print(&format!(
            "{} chunks finished, {} answers kept, {} leases lost to others\n",
            end.chunks, end.answers, end.lost
        ))?;
    }
    Ok(match &end.stop {
        Some(stop) => {
            context.error(&format!("the worker stopped: {stop}"));
            exit_of(stop)
        }
        None if end.interrupted => Exit::Interrupted,
        None => Exit::Done,
    })
}

fn exit_of(stop: &Stop) -> Exit {
    match stop {
        Stop::Authentication(_) => Exit::Authentication,
        Stop::Unusable(_) | Stop::Unpriced(_) | Stop::Method(_) => Exit::Usage,
        Stop::Quota(_) | Stop::Unavailable { .. } => Exit::Unavailable,
        Stop::Budget { .. } => Exit::Budget,
        Stop::NoAnswers(_) => Exit::Incomplete,
        Stop::Log(_) => Exit::Internal,
    }
}
