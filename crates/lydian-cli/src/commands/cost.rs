//! `lydian cost`: what sweeps, a language and a programme cost (B §10).

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lydian_model::cost_assumptions::{Amounts, Component, CostAssumptions, DEFAULTS};
use lydian_report::number::counted;
use serde::Serialize;

use super::sweep::plan;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian cost`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lydian cost language                              establish a language, and keep it
  lydian cost programme --languages 5 --new 5       a year of a programme
  lydian cost sweep sweep.toml                      requests, money and time of a sweep
  lydian cost --assumptions > mine.toml             the figures, to edit
  lydian cost language --from mine.toml

What a single run costs, `lydian run CORPUS --method METHOD --dry-run` says."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print the assumptions as a file to edit
    #[arg(long)]
    assumptions: bool,
}

/// What to know the cost of.
#[derive(Subcommand)]
enum Command {
    /// Establishing a language and keeping it
    Language(Assumed),
    /// A year of a programme of several languages
    Programme(Programme),
    /// A sweep
    Sweep(plan::Arguments),
}

/// Where the figures come from.
#[derive(Args)]
struct Assumed {
    /// Your own figures, in the form that --assumptions prints
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How large the programme is.
#[derive(Args)]
struct Programme {
    /// Languages kept in this year, new ones included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    languages: u32,
    /// Languages established in this year
    #[arg(long, value_name = "N", default_value_t = 0)]
    new: u32,
    #[command(flatten)]
    assumed: Assumed,
}

/// What `cost language --json` prints.
#[derive(Serialize)]
struct LanguageCost {
    schema: &'static str,
    as_of: String,
    once: Vec<Component>,
    yearly: Vec<Component>,
    establishing_usd: Amounts,
    keeping_usd_per_year: Amounts,
}

/// What `cost programme --json` prints.
#[derive(Serialize)]
struct ProgrammeCost {
    schema: &'static str,
    as_of: String,
    languages: u32,
    new_languages: u32,
    usd_per_year: Amounts,
}

/// Answers the question.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        _ if arguments.assumptions => context.print(DEFAULTS)?,
        Some(Command::Language(assumed)) => language(assumed, context)?,
        Some(Command::Programme(programme)) => self::programme(programme, context)?,
        Some(Command::Sweep(plan)) => return plan::run(plan, context),
        None => {
            return Err(CommandError::new(Exit::Usage, "what is to be costed?")
                .with_hint("`lydian cost language`, `cost programme --languages 5`, `cost sweep PLAN`"));
        }
    }
    Ok(Exit::Done)
}

fn assumptions(assumed: &Assumed) -> CommandResult<CostAssumptions> {
    let Some(path) = &assumed.from else {
        return Ok(CostAssumptions::defaults());
    };
    let invalid = |error: anyhow::Error| {
        CommandError::from_error(Exit::InvalidDocument, error)
            .context(path.display().to_string())
            .with_hint("`lydian cost --assumptions` prints a file of this form")
            .with_some_hint(files::curly_hint(path))
    };
    let text = String::from_utf8(files::read(path)?).map_err(|error| invalid(error.into()))?;
    CostAssumptions::read(&text).map_err(|error| invalid(error.into()))
}

fn language(assumed: &Assumed, context: &Context) -> CommandResult<()> {
    let assumptions = assumptions(assumed)?;
    let cost = LanguageCost {
        schema: "lydian.cost-language/1",
        establishing_usd: assumptions.establishing(),
        keeping_usd_per_year: assumptions.keeping(),
        as_of: assumptions.as_of.clone(),
        once: assumptions.establish.clone(),
        yearly: assumptions.yearly.clone(),
    };
    if assumed.json {
        return context.print_json(&cost);
    }
    let mut rows = String::new();
    for (components, when) in [(&cost.once, "once"), (&cost.yearly, "a year")] {
        for one in components {
            rows.push_str(&format!(
                "{:<24}{:>17} USD {when:<7} {}\n",
                one.name,
                shown(one.usd),
                one.remarks
            ));
        }
    }
    context.print(&format!(
        "{rows}\n{:<24}{:>17} USD         all of the above, the first year\n{:<24}{:>17} USD a year  {}\nassumptions of {}; `lydian cost --assumptions` prints them\n",
        "establish a language",
        shown(cost.establishing_usd),
        "keep it",
        shown(cost.keeping_usd_per_year),
        assumptions.keeping_remarks(),
        cost.as_of
    ))
}

fn programme(programme: &Programme, context: &Context) -> CommandResult<()> {
    let Programme {
        languages,
        new,
        assumed,
    } = programme;
    if new > languages {
        let message = format!(
            "{} more than the {languages} of the programme",
            counted(u64::from(*new), "new language is", "new languages are")
        );
        return Err(CommandError::new(Exit::Usage, message).with_hint("--languages counts new ones too"));
    }
    let assumptions = assumptions(assumed)?;
    let cost = ProgrammeCost {
        schema: "lydian.cost-programme/1",
        usd_per_year: assumptions.programme(*languages, *new),
        languages: *languages,
        new_languages: *new,
        as_of: assumptions.as_of,
    };
    if assumed.json {
        return context.print_json(&cost);
    }
    context.print(&format!(
        "{}, {new} of them new: {} USD in this year\nassumptions of {}; `lydian cost --assumptions` prints them\n",
        counted(u64::from(*languages), "language", "languages"),
        shown(cost.usd_per_year),
        cost.as_of
    ))
}

fn shown(amounts: Amounts) -> String {
    let whole = |amount: lydian_model::NanoUsd| {
        let dollars = amount.nanos().div_ceil(1_000_000_000);
        lydian_report::number::count(dollars)
    };
    format!("{}–{}", whole(amounts.low()), whole(amounts.high()))
}
