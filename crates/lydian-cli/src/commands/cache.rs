//! `lydian cache`: the stored answers of providers.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lydian_harness::cache::{Cache, CacheError, CacheListing};
use lydian_report::number::{self, counted};
use serde::Serialize;

use crate::environment;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian cache`.
#[derive(Args)]
#[command(after_help = "\
Only complete answers are stored, under everything that was sent. A stored answer holds the source text.

Examples:
  lydian cache ls
  lydian cache prune --older-than 90
  lydian cache prune --model gpt-4.1-mini
  lydian cache verify")]
pub(crate) struct Arguments {
    /// Folder of the cache [default: lydian/answers in the user's cache folder]
    #[arg(long, global = true, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: CacheCommand,
}

#[derive(Subcommand)]
enum CacheCommand {
    /// List what is stored, by endpoint and model
    Ls,
    /// Remove entries
    Prune(PruneArguments),
    /// Compare every entry with its digests
    Verify,
}

/// Arguments of `lydian cache prune`. All conditions must hold.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct PruneArguments {
    /// Stored more than so many days ago
    #[arg(long, value_name = "DAYS")]
    older_than: Option<u32>,
    /// Of this model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Of an endpoint whose address contains this
    #[arg(long, value_name = "TEXT")]
    endpoint: Option<String>,
    /// Damaged entries only
    #[arg(long)]
    damaged: bool,
    /// Everything
    #[arg(long, conflicts_with_all = ["older_than", "model", "endpoint", "damaged"])]
    all: bool,
}

#[derive(Serialize)]
struct Group {
    endpoint: String,
    model: String,
    entries: u64,
    bytes: u64,
    oldest: String,
    newest: String,
}

#[derive(Serialize)]
struct Listed<'a> {
    schema: &'static str,
    folder: &'a std::path::Path,
    entries: u64,
    bytes: u64,
    damaged: u64,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Pruned {
    schema: &'static str,
    removed: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct Verified<'a> {
    schema: &'static str,
    entries: u64,
    damaged: Vec<&'a CacheListing>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => environment::cache_folder()?,
    };
    let cache = Cache::new(folder);
    match &arguments.command {
        CacheCommand::Ls => list(&cache, arguments.json, context),
        CacheCommand::Prune(conditions) => prune(&cache, conditions, arguments.json, context),
        CacheCommand::Verify => verify(&cache, arguments.json, context),
    }
}

fn list(cache: &Cache, json: bool, context: &Context) -> CommandResult {
    let entries = cache.list().map_err(cache_error)?;
    let listed = Listed {
        schema: "lydian.cache-list/1",
        folder: cache.folder(),
        entries: entries.len() as u64,
        bytes: entries.iter().map(|entry| entry.bytes).sum(),
        damaged: entries.iter().filter(|entry| entry.problem.is_some()).count() as u64,
        groups: groups(&entries),
    };
    if json {
        context.print_json(&listed)?;
        return Ok(Exit::Done);
    }
    context.print(&format!("{}\n", cache.folder().display()))?;
    for group in &listed.groups {
        context.print(&format!(
            "{:>16}  {:>16}  {} to {}  {} {}\n",
            number::entries(group.entries),
            counted(group.bytes, "byte", "bytes"),
            group.oldest,
            group.newest,
            group.endpoint,
            group.model
        ))?;
    }
    if listed.damaged > 0 {
        context.warning(&format!(
            "{} not used because of damage",
            number::entries(listed.damaged)
        ));
        context.hint("`lydian cache verify` names them, `lydian cache prune --damaged` removes them");
    }
    Ok(Exit::Done)
}

fn groups(entries: &[CacheListing]) -> Vec<Group> {
    let mut groups: std::collections::BTreeMap<(&str, &str), Group> = std::collections::BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.problem.is_none()) {
        let group = groups
            .entry((&entry.endpoint, &entry.model))
            .or_insert_with(|| Group {
                endpoint: entry.endpoint.clone(),
                model: entry.model.clone(),
                entries: 0,
                bytes: 0,
                oldest: entry.stored_at.clone(),
                newest: entry.stored_at.clone(),
            });
        group.entries += 1;
        group.bytes += entry.bytes;
        group.oldest = group.oldest.clone().min(entry.stored_at.clone());
        group.newest = group.newest.clone().max(entry.stored_at.clone());
    }
    groups.into_values().collect()
}

fn prune(cache: &Cache, conditions: &PruneArguments, json: bool, context: &Context) -> CommandResult {
    let before = conditions.older_than.map(days_ago);
    let (removed, bytes) = cache
        .prune(|entry| {
            conditions.all
                || (before
                    .as_ref()
                    .is_none_or(|before| entry.stored_at < *before && !entry.stored_at.is_empty())
                    && conditions
                        .model
                        .as_ref()
                        .is_none_or(|model| entry.model == *model)
                    && conditions
                        .endpoint
                        .as_ref()
                        .is_none_or(|part| entry.endpoint.contains(part))
                    && (!conditions.damaged || entry.problem.is_some()))
        })
        .map_err(cache_error)?;
    if json {
        context.print_json(&Pruned {
            schema: "lydian.cache-prune/1",
            removed,
            bytes,
        })?;
    } else {
        context.print(&format!(
            "{} removed, {}\n",
            number::entries(removed),
            counted(bytes, "byte", "bytes")
        ))?;
    }
    Ok(Exit::Done)
}

/// Returns the RFC 3339 time so many days ago; such times sort as texts.
fn days_ago(days: u32) -> String {
    let span = jiff::SignedDuration::from_hours(24 * i64::from(days));
    let then = jiff::Timestamp::now()
        .checked_sub(span)
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{then:.0}")
}

fn verify(cache: &Cache, json: bool, context: &Context) -> CommandResult {
    let entries = cache.list().map_err(cache_error)?;
    let damaged: Vec<&CacheListing> = entries.iter().filter(|entry| entry.problem.is_some()).collect();
    let exit = if damaged.is_empty() {
        Exit::Done
    } else {
        Exit::InvalidDocument
    };
    if json {
        let verified = Verified {
            schema: "lydian.cache-verify/1",
            entries: entries.len() as u64,
            damaged,
        };
        context.print_json(&verified)?;
        return Ok(exit);
    }
    for entry in &damaged {
        context.print(&format!(
            "{}: {}\n",
            entry.key,
            entry.problem.as_deref().unwrap_or_default()
        ))?;
    }
    context.print(&format!(
        "{} of {} whole\n",
        entries.len() - damaged.len(),
        number::entries(entries.len() as u64)
    ))?;
    Ok(exit)
}

fn cache_error(error: CacheError) -> CommandError {
    CommandError::from_error(Exit::Internal, error).with_hint("check the folder's permissions")
}
