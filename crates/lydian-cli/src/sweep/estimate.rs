//! What a sweep will probably take: requests, money, time (B §10.2).

use lydian_harness::provider_method::{CostRange, Range};
use lydian_model::NanoUsd;
use lydian_model::sweep::IndexedRun;
use serde::Serialize;

use crate::error::CommandResult;
use crate::output::Context;
use crate::plan::estimate::estimate;
use crate::plan::{Moment, Purpose};

use super::bind::{Binding, Sweep};

/// The plan of a whole sweep.
#[derive(Serialize)]
pub(crate) struct SweepEstimate {
    /// Schema name and version.
    pub(crate) schema: &'static str,
    /// Name of the sweep.
    pub(crate) name: String,
    /// Runs.
    pub(crate) runs: usize,
    /// Entries of one run, the most of any.
    pub(crate) entries: usize,
    /// Entries of all runs.
    pub(crate) translations: u64,
    /// Requests to providers, retries after errors not counted.
    pub(crate) requests: Range,
    /// Runs by local programs, which send nothing.
    pub(crate) local_runs: usize,
    /// Cost of all runs whose price is known.
    pub(crate) known_cost_usd: CostRange,
    /// Cost of all runs; null when a price is unknown.
    pub(crate) cost_usd: Option<CostRange>,
    /// Models without a price.
    pub(crate) unpriced_models: Vec<String>,
    /// Budget of the plan.
    pub(crate) budget_usd: Option<NanoUsd>,
    /// Seconds at the known rate limit; null with a reason.
    pub(crate) seconds: Option<TimeRange>,
    /// Why there is no time.
    pub(crate) seconds_reason: Option<String>,
    /// The runs.
    pub(crate) plan: Vec<PlannedRun>,
}

/// Shortest and longest time expected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TimeRange {
    /// Shortest.
    pub(crate) low: f64,
    /// Longest.
    pub(crate) high: f64,
}

/// One run of the plan.
#[derive(Serialize)]
pub(crate) struct PlannedRun {
    /// The run.
    pub(crate) run: IndexedRun,
    /// Model or engine.
    pub(crate) model_slug: String,
    /// Entries.
    pub(crate) entries: usize,
    /// Requests; null for a local program.
    pub(crate) requests: Option<Range>,
    /// Cost; null for a local program or an unknown price.
    pub(crate) cost_usd: Option<CostRange>,
}

/// Estimates every run. Nothing is sent.
pub(crate) fn of(sweep: &Sweep, context: &Context) -> CommandResult<SweepEstimate> {
    let shared = sweep.shared(None, NanoUsd::ZERO);
    let mut runs = Vec::with_capacity(sweep.combinations.len());
    let mut unpriced = Vec::new();
    for index in 0..sweep.combinations.len() {
        let binding = Binding {
            moment: Moment::now(),
            purpose: Purpose::Show,
            shared: &shared,
        };
        let plan = sweep.bind(index, binding, context)?;
        let estimated = estimate(&plan)?;
        if estimated.as_ref().is_some_and(|found| found.price.is_none()) {
            unpriced.push(plan.setup.model_slug.clone());
        }
        runs.push(PlannedRun {
            run: sweep.indexed(index, &plan.setup),
            model_slug: plan.setup.model_slug.clone(),
            entries: plan.entries.len(),
            requests: estimated.as_ref().map(|found| found.estimate.requests),
            cost_usd: estimated.and_then(|found| found.estimate.cost_usd),
        });
    }
    unpriced.sort();
    unpriced.dedup();
    Ok(total(sweep, runs, unpriced))
}

fn total(sweep: &Sweep, runs: Vec<PlannedRun>, unpriced_models: Vec<String>) -> SweepEstimate {
    let plan = &sweep.file.plan;
    let requests = Range {
        low: runs
            .iter()
            .filter_map(|run| run.requests)
            .map(|one| one.low)
            .sum(),
        high: runs
            .iter()
            .filter_map(|run| run.requests)
            .map(|one| one.high)
            .sum(),
    };
    let known = CostRange {
        low: runs
            .iter()
            .filter_map(|run| run.cost_usd)
            .map(|one| one.low)
            .sum(),
        high: runs
            .iter()
            .filter_map(|run| run.cost_usd)
            .map(|one| one.high)
            .sum(),
    };
    let rate = plan.endpoint.requests_per_minute.filter(|_| requests.high > 0);
    let seconds = rate.map(|rate| TimeRange {
        low: requests.low as f64 * 60.0 / rate,
        high: requests.high as f64 * 60.0 / rate,
    });
    SweepEstimate {
        schema: "lydian.sweep-plan/1",
        name: plan.name.clone(),
        entries: runs.iter().map(|run| run.entries).max().unwrap_or(0),
        translations: runs.iter().map(|run| run.entries as u64).sum(),
        requests,
        local_runs: runs.iter().filter(|run| run.requests.is_none()).count(),
        cost_usd: unpriced_models.is_empty().then_some(known),
        known_cost_usd: known,
        unpriced_models,
        budget_usd: plan.budget,
        seconds_reason: seconds.is_none().then(|| {
            if requests.high == 0 {
                "nothing is sent to a provider".to_owned()
            } else {
                "no rate limit is known: set requests_per_minute under [endpoint]".to_owned()
            }
        }),
        seconds,
        runs: runs.len(),
        plan: runs,
    }
}
