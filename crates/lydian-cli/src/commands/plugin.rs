//! `lydian plugin`: whether a program speaks the plugin protocol.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use lydian_harness::method::Method;
use lydian_harness::method::service::environment_names;
use lydian_harness::plugin::{self, Conformance, PluginSettings, RunInfo};
use lydian_model::method::EntryPoint;
use serde::Serialize;

use crate::environment;
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;
use crate::plan::method_error;

/// Arguments of `lydian plugin`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(Subcommand)]
enum PluginCommand {
    /// Try out everything the protocol allows and say what goes wrong
    Check(CheckArguments),
    /// Print the JSON Schema of the protocol
    Schema,
}

/// Arguments of `lydian plugin check`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian plugin check my-plugin
  lydian plugin check examples/plugins/python --json")]
struct CheckArguments {
    /// Method folder, or its manifest
    #[arg(value_name = "METHOD")]
    method: PathBuf,
    /// Tag of the source language the plugin is told
    #[arg(long, value_name = "TAG", default_value = "en")]
    source: String,
    /// Tag of the target language the plugin is told
    #[arg(long, value_name = "TAG", default_value = "und")]
    target: String,
    /// Longest wait for one translation
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Checked<'a> {
    schema: &'static str,
    passed: bool,
    #[serde(rename = "result")]
    conformance: &'a Conformance,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    match &arguments.command {
        PluginCommand::Check(arguments) => check(arguments, context),
        PluginCommand::Schema => {
            context.print(&plugin::schema())?;
            Ok(Exit::Done)
        }
    }
}

fn check(arguments: &CheckArguments, context: &Context) -> CommandResult {
    let name = arguments.method.to_string_lossy();
    let method = Method::find(&name, Path::new("")).map_err(method_error)?;
    let EntryPoint::Plugin { command, .. } = &method.manifest.entry_point else {
        let message = format!("{} is not a plugin", method.manifest.method_id);
        return Err(
            CommandError::new(Exit::Usage, message).with_hint("its entry_point must have the type plugin")
        );
    };
    let run = RunInfo {
        source_lang: arguments.source.clone(),
        target_lang: arguments.target.clone(),
        seed: None,
        params: method.manifest.parameters.clone(),
    };
    let settings = PluginSettings {
        environment: environment::for_plugin(environment_names(&method)),
        entry_timeout: Duration::from_secs(arguments.timeout),
        ..PluginSettings::new(command.clone(), method.folder.clone(), run)
    };
    let conformance = tokio::runtime::Runtime::new()?.block_on(Conformance::check(&settings));
    let passed = conformance.passed();
    if arguments.json {
        let checked = Checked {
            schema: "lydian.plugin-check/1",
            passed,
            conformance: &conformance,
        };
        context.print_json(&checked)?;
    } else {
        for check in &conformance.checks {
            let line = match &check.problem {
                None => format!("ok      {}\n", check.name),
                Some(problem) => format!("failed  {}: {problem}\n", check.name),
            };
            context.print(&line)?;
        }
    }
    Ok(if passed { Exit::Done } else { Exit::GateNotMet })
}
