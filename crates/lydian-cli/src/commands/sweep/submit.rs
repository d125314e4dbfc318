//! `lydian sweep submit`: puts the runs of a plan into the shared queue.

use std::path::PathBuf;

use clap::Args;
use lydian_harness::sweep::queue::{Database, QueueStatus, Submitted};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::output::Context;
use crate::sweep::bind::{Sweep, SweepFile};
use crate::sweep::queue;

/// Arguments of `lydian sweep submit`.
#[derive(Args)]
#[command(after_help = "\
Runs that are queued already stay as they are; budget and rate limit are those of the last submission. No text of the
corpus is put into the queue: it holds ids, setups and answers. Setups hold the prompts and examples of the method.

Examples:
  lydian sweep submit sweep.toml --queue env:LYDIAN_QUEUE
  lydian sweep submit sweep.toml --queue env:LYDIAN_QUEUE --requeue-dead")]
pub(crate) struct Arguments {
    /// Plan, or a folder with sweep.toml
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// The PostgreSQL database: env:NAME, file: and a path, or an address without a password
    #[arg(long, value_name = "QUEUE")]
    queue: String,
    /// Entries that a worker leases at a time
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    chunk: u32,
    /// Try chunks again that were put aside after too many attempts
    #[arg(long)]
    requeue_dead: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Reported {
    schema: &'static str,
    name: String,
    submitted: Submitted,
    queue: QueueStatus,
}

/// Queues what is not queued yet.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let address = queue::address(&arguments.queue)?;
    let sweep = Sweep::open(SweepFile::read(&arguments.plan)?, None)?;
    let queued = queue::queued(&sweep)?;
    let index = sweep.index(None, context)?;
    let runs = queue::queued_runs(&sweep, &index, context)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let reported = runtime
        .block_on(async {
            let database = Database::open(&address).await?;
            let mut submitted = database.submit(&queued, &runs, arguments.chunk as usize).await?;
            if arguments.requeue_dead {
                submitted.requeued = database.requeue_dead(&queued.name).await?;
            }
            Ok(Reported {
                schema: "lydian.sweep-submit/1",
                queue: database.status(&queued.name).await?,
                name: queued.name.clone(),
                submitted,
            })
        })
        .map_err(queue::queue_error)?;
    if arguments.json {
        context.print_json(&reported)?;
    } else {
        let Submitted {
            new_runs,
            new_chunks,
            requeued,
        } = reported.submitted;
        context.print(&format!(
            "{new_runs} new runs in {new_chunks} chunks, {requeued} chunks tried again; {} runs are queued\n",
            reported.queue.runs
        ))?;
    }
    Ok(Exit::Done)
}
