//! `lydian sweep plan`: what a sweep would run.

use std::path::PathBuf;

use clap::Args;
use lydian_harness::provider_method::{CostRange, Range};
use lydian_model::Finite;
use lydian_report::{number, table, terminal};

use crate::error::{CommandResult, Exit};
use crate::output::Context;
use crate::sweep::bind::{Sweep, SweepFile};
use crate::sweep::estimate::{self, SweepEstimate};

/// Runs that are listed; `--json` holds them all.
const SHOWN: usize = 200;

/// Arguments of `lydian sweep plan`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian sweep plan examples/por-glg-sweep
  lydian sweep plan sweep.toml --json

Needs neither key nor network.")]
pub(crate) struct Arguments {
    /// Plan, or a folder with sweep.toml
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Shows the plan.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let sweep = Sweep::open(SweepFile::read(&arguments.plan)?, None)?;
    let planned = estimate::of(&sweep, context)?;
    if arguments.json {
        context.print_json(&planned)?;
    } else {
        context.print(&text(&planned))?;
    }
    Ok(Exit::Done)
}

fn text(planned: &SweepEstimate) -> String {
    let mut runs = table::new(terminal::Width(120));
    runs.set_header([
        "run",
        "method",
        "role",
        "coordinates",
        "entries",
        "requests",
        "USD",
    ]);
    for one in planned.plan.iter().take(SHOWN) {
        runs.add_row([
            one.run.id.clone(),
            one.run.method.clone(),
            one.run.role.name().to_owned(),
            one.run.label.clone(),
            number::count(one.entries as u64),
            one.requests.map_or_else(|| "local".to_owned(), range),
            one.cost_usd.map_or_else(|| number::MISSING.to_owned(), cost),
        ]);
    }
    let more = match planned.plan.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("and {more} more runs; --json lists them all\n"),
    };
    let total = match (&planned.cost_usd, planned.unpriced_models.as_slice()) {
        (Some(_), _) if planned.requests.high == 0 => "none: nothing is sent to a provider".to_owned(),
        (Some(total), _) => format!("{} USD", cost(*total)),
        (None, models) => {
            let verb = if models.len() == 1 { "has" } else { "have" };
            let others = if planned.plan.iter().any(|run| run.cost_usd.is_some()) {
                format!("; {} USD for the others", cost(planned.known_cost_usd))
            } else {
                String::new()
            };
            format!("unknown: {} {verb} no price{others}", models.join(", "))
        }
    };
    let budget = planned.budget_usd.map_or_else(String::new, |budget| {
        let short = planned.known_cost_usd.high > budget;
        let remark = if short {
            ", less than the sweep may cost"
        } else {
            ""
        };
        format!("budget    {} USD{remark}\n", budget.dollars())
    });
    let time = match (planned.seconds, &planned.seconds_reason) {
        _ if planned.requests.high == 0 => "that of the local programs".to_owned(),
        (Some(time), _) => {
            let show = |seconds: f64| number::seconds(Finite::new(seconds));
            if planned.requests.low == planned.requests.high {
                show(time.low)
            } else {
                format!("{} to {}", show(time.low), show(time.high))
            }
        }
        (None, reason) => format!("unknown: {}", reason.clone().unwrap_or_default()),
    };
    format!(
        "{runs}\n{more}\nruns      {} ({} local)\nentries   {}, {} translations\nrequests  {}\ncost      {total}\n{budget}time      {time}\nNothing was sent or written.\n",
        planned.runs,
        planned.local_runs,
        number::count(planned.entries as u64),
        number::count(planned.translations),
        range(planned.requests),
    )
}

fn range(range: Range) -> String {
    if range.low == range.high {
        number::count(range.low)
    } else {
        format!("{}–{}", number::count(range.low), number::count(range.high))
    }
}

fn cost(range: CostRange) -> String {
    format!("{:.4}–{:.4}", range.low.dollars(), range.high.dollars())
}
