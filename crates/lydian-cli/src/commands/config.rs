//! `lydian config`: which settings are in force, and where each comes from.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lydian_harness::method::Method;
use serde::Serialize;

use super::run;
use crate::environment;
use crate::error::{CommandResult, Exit};
use crate::language_cards::CardsArguments;
use crate::output::Context;
use crate::plan::explained::{Told, settings};
use crate::plan::{Choice, MethodOptions, method_error};
use crate::setting::{Origin, Setting};

/// Arguments of `lydian config`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Say which settings are in force and where each comes from
    Explain(Box<ExplainArguments>),
}

/// Arguments of `lydian config explain`.
#[derive(Args)]
#[command(after_help = "\
An option comes before the environment, the environment before a file, a file before the default. There is no
configuration file: what belongs to a method stands in its manifest, what belongs to a folder in its example.toml.
Of a key only its place is shown. Nothing is sent or written.

Examples:
  lydian config explain
  lydian config explain examples/por-glg
  lydian config explain corpus.json --method my-method --budget 2.50")]
pub(crate) struct ExplainArguments {
    /// Corpus file or example folder of a run to explain too
    #[arg(value_name = "CORPUS")]
    corpus: Option<PathBuf>,
    /// Method of that run
    #[arg(
        short,
        long,
        value_name = "METHOD",
        help_heading = "Method",
        requires = "corpus"
    )]
    method: Option<String>,
    #[command(flatten)]
    options: MethodOptions,
    #[command(flatten)]
    choice: Choice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Explained {
    schema: &'static str,
    program: Vec<Setting>,
    /// Null when no run was asked about.
    run: Option<Vec<Setting>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let ConfigCommand::Explain(arguments) = &arguments.command;
    let explained = Explained {
        schema: "lydian.settings/1",
        program: program(context),
        run: arguments
            .corpus
            .as_deref()
            .map(|corpus| of_run(corpus, arguments))
            .transpose()?,
    };
    if arguments.json {
        context.print_json(&explained)?;
    } else {
        let mut text = table("the program", &explained.program);
        if let Some(run) = &explained.run {
            text.push_str(&format!("\n{}", table("this run", run)));
        }
        context.print(&text)?;
    }
    Ok(Exit::Done)
}

/// Returns the settings of every command.
fn program(context: &Context) -> Vec<Setting> {
    let mut settings = vec![context.color_setting(), context.progress_setting()];
    settings.push(CardsArguments::from_environment().setting());
    settings.push(environment::cache_setting());
    for (name, variable, usual) in [
        ("seed of score", "SACREBLEU_SEED", "12345"),
        ("format of score", "SACREBLEU_FORMAT", "json"),
    ] {
        settings.push(match environment::variable(variable) {
            Some(value) => Setting::new(name, value, Origin::Environment(variable)),
            None => Setting::new(name, usual, Origin::Default),
        });
    }
    // The address of a proxy may hold a password.
    let proxies = [
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ];
    let set = |name: &&str| environment::variable(name).is_some();
    settings.push(match proxies.into_iter().find(set) {
        Some(variable) => Setting::new("proxy", "set", Origin::Environment(variable)),
        None => Setting::new("proxy", "none", Origin::Default),
    });
    settings
}

fn of_run(corpus: &Path, arguments: &ExplainArguments) -> CommandResult<Vec<Setting>> {
    let inputs = run::inputs(corpus, arguments.method.as_deref(), &arguments.options)?;
    let method = Method::find(&inputs.method, Path::new("."))
        .and_then(|method| method.with_parameters(&inputs.options.set))
        .map_err(method_error)?;
    let folder = corpus.is_dir().then(|| run::example_file(corpus));
    let or_folder = |flag: Option<&'static str>| match (flag, &folder) {
        (Some(flag), _) => Origin::CommandLine(flag),
        (None, Some(file)) => Origin::File(file.clone()),
        (None, None) => Origin::Default,
    };
    let corpus_from = match &folder {
        Some(file) => Origin::File(file.clone()),
        None => Origin::CommandLine("CORPUS"),
    };
    let predictions_given = arguments.options.predictions.is_some();
    Ok(settings(&Told {
        inputs: &inputs,
        choice: &arguments.choice,
        method: &method,
        corpus_from,
        method_from: or_folder(arguments.method.as_ref().map(|_| "--method")),
        predictions_from: inputs
            .options
            .predictions
            .is_some()
            .then(|| or_folder(predictions_given.then_some("--predictions"))),
    }))
}

fn table(title: &str, settings: &[Setting]) -> String {
    let name_width = settings
        .iter()
        .map(|setting| setting.name.chars().count())
        .max()
        .unwrap_or(0);
    let value_width = settings
        .iter()
        .map(|setting| setting.value.chars().count())
        .max()
        .unwrap_or(0)
        .min(50);
    let lines = settings.iter().map(|setting| {
        format!(
            "  {:<name_width$}  {:<value_width$}  {}\n",
            setting.name, setting.value, setting.from
        )
    });
    format!("{title}\n{}", lines.collect::<String>())
}
