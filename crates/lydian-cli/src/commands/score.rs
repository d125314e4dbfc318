//! `lydian score`: scores files as sacreBLEU does, with the same options and the same output.

mod arguments;
mod calibrate;
mod classic;
mod document;
mod evaluate;
mod explain;
mod gate;
mod grid;
mod input;
mod lint;
mod python;
mod settings;
mod tokenizer;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use lydian_metrics::{Corpus, MetricError};
use lydian_report::tame::tame;

pub(crate) use arguments::{Arguments, with_long_forms};

use self::arguments::FormatName;
use self::classic::ScoreLine;
use self::document::SentenceScores;
use self::input::{Input, Lines};
use self::settings::{Environment, Level, Settings};
use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Scores the outputs and prints the result.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let settings = Settings::new(arguments, &environment())?;
    let own_format =
        arguments.report.json || matches!(settings.format, FormatName::Tsv | FormatName::Markdown);
    check_combination(arguments, &settings, own_format)?;
    let input = input::read(arguments)?;
    if settings.test.is_paired() && input.systems.len() == 1 {
        return Err(
            CommandError::new(Exit::Usage, "a paired test needs several systems")
                .with_hint("name several output files behind -i, the baseline first"),
        );
    }
    if arguments.tests.confidence && input.systems.len() > 1 && !own_format {
        return Err(CommandError::new(Exit::Usage, "--confidence is for one system")
            .with_hint("use --paired-ar to compare systems, or --json for intervals of each"));
    }
    lint::warn(&input, arguments, context);
    let corpora = corpora(&input)?;
    refuse_endless(&settings, &input, &corpora)?;
    let names: Vec<String> = input.systems.iter().map(|system| system.name.clone()).collect();
    if let Some(trials) = arguments.tests.calibrate {
        let report = calibrate::calibrate(trials, &names, &corpora, &settings)?;
        if arguments.report.json {
            context.print_json(&report)?;
        } else {
            context.print(&report.text())?;
        }
        return Ok(Exit::Done);
    }
    if let Some(segment) = arguments.metrics.explain {
        context.print(&explain::explain(segment, &names, &corpora, &settings)?)?;
        return Ok(Exit::Done);
    }
    let mut missed = Vec::new();
    let text = match settings.level {
        Level::Sentence if !own_format => sentence_lines(&corpora, &settings, arguments)?,
        _ => {
            let columns = evaluate::evaluate(&settings, &corpora)?;
            missed = gate::missed(&arguments.report.fail_under, &names, &columns)?;
            let sentences = (settings.level == Level::Sentence).then(|| sentence_scores(&corpora, &settings));
            if arguments.report.json {
                context.print_json(&document::document(&names, &columns, sentences, &settings))?;
                return Ok(gated(&missed, context));
            }
            let shown: Vec<String> = names.iter().map(|name| tame(name)).collect();
            match (settings.format, sentences) {
                (FormatName::Tsv, Some(sentences)) => {
                    let metrics: Vec<String> = settings
                        .sentence_metrics
                        .iter()
                        .map(|metric| metric.name())
                        .collect();
                    document::sentences_tsv(&shown, &sentences, &metrics)
                }
                (FormatName::Tsv, None) => document::tsv(&shown, &columns),
                (FormatName::Markdown, _) => document::markdown(&shown, &columns, arguments.report.width),
                (format, _) if names.len() == 1 => {
                    let text = classic::single(&columns, &arguments.report, format);
                    if arguments.report.detail {
                        text + NO_SUBSETS
                    } else {
                        text
                    }
                }
                (FormatName::Json, _) => classic::several(
                    &names,
                    &columns,
                    &arguments.report,
                    FormatName::Json,
                    settings.test,
                ),
                (format, _) => classic::several(&shown, &columns, &arguments.report, format, settings.test),
            }
        }
    };
    context.print_styled(&text)?;
    Ok(gated(&missed, context))
}

/// Says what was not reached and returns the exit code.
fn gated(missed: &[String], context: &Context) -> Exit {
    for message in missed {
        context.error(message);
    }
    if missed.is_empty() {
        Exit::Done
    } else {
        Exit::GateNotMet
    }
}

/// What sacreBLEU prints for `--detail` without a test set.
const NO_SUBSETS: &str = "No subset information found. Consider using --origlang argument.\n";

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is where the environment is read"
)]
fn environment() -> Environment {
    Environment {
        seed: std::env::var("SACREBLEU_SEED").ok(),
        format: std::env::var("SACREBLEU_FORMAT").ok(),
        sacrebleu: std::env::var_os("SACREBLEU")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".sacrebleu"))),
        entropy: RandomState::new().hash_one(0),
    }
}

fn check_combination(arguments: &Arguments, settings: &Settings, own_format: bool) -> CommandResult<()> {
    let refuse = |message: &str| Err(CommandError::new(Exit::Usage, message.to_owned()));
    if settings.level == Level::Corpus {
        return Ok(());
    }
    if !arguments.report.fail_under.is_empty() {
        return refuse("--fail-under is about scores over all segments");
    }
    if arguments.metrics.metrics.len() > 1 && !own_format {
        return refuse(
            "only one metric can be used for single segments in this format; --json takes several",
        );
    }
    if arguments.tests.confidence || settings.test.is_paired() {
        return refuse("there are no intervals and tests for single segments");
    }
    Ok(())
}

/// Pairs the outputs of each system with the references.
fn corpora(input: &Input) -> CommandResult<Vec<Corpus<'_>>> {
    let references: Vec<Vec<&str>> = input.references.iter().map(Lines::all).collect();
    input
        .systems
        .iter()
        .map(|system| Corpus::new(&system.all(), &references))
        .collect::<Result<_, MetricError>>()
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))
}

/// Refuses texts a metric would need minutes or more memory than there is for.
fn refuse_endless(settings: &Settings, input: &Input, corpora: &[Corpus<'_>]) -> CommandResult<()> {
    for (corpus, system) in corpora.iter().zip(&input.systems) {
        for metric in &settings.metrics {
            metric.check(corpus).map_err(|error| {
                CommandError::from_error(Exit::InvalidDocument, error)
                    .context(system.name.clone())
                    .with_hint("cut the texts into segments, one per line, or leave this metric out")
            })?;
        }
    }
    Ok(())
}

/// Returns the lines sacreBLEU prints for single segments.
fn sentence_lines(
    corpora: &[Corpus<'_>],
    settings: &Settings,
    arguments: &Arguments,
) -> CommandResult<String> {
    let [corpus] = corpora else {
        return Err(CommandError::new(
            Exit::Usage,
            "only one system can be scored by segment in this format",
        )
        .with_hint("--json takes several systems"));
    };
    let metric = &*settings.metrics[0];
    let signature = evaluate::complete(metric.signature(corpus.reference_count()), settings);
    let signature = if arguments.report.short {
        signature.short()
    } else {
        signature.to_string()
    };
    let table = metric.table(corpus);
    let name = metric.name();
    let mut text = String::new();
    for row in table.rows() {
        let verbose = metric.verbose(row, settings.numeric);
        let line = ScoreLine {
            name: &name,
            signature: signature.clone(),
            score: metric.score(row, settings.numeric),
            interval: None,
            verbose: verbose.as_deref(),
        };
        text += &line.text(&arguments.report);
        text.push('\n');
    }
    Ok(text)
}

/// Returns the scores of all segments of all systems.
fn sentence_scores(corpora: &[Corpus<'_>], settings: &Settings) -> Vec<SentenceScores> {
    corpora
        .iter()
        .map(|corpus| {
            let mut scores = vec![BTreeMap::new(); corpus.len()];
            for metric in &settings.sentence_metrics {
                let name = metric.name();
                for (scores, row) in scores.iter_mut().zip(metric.table(corpus).rows()) {
                    scores.insert(name.clone(), metric.score(row, settings.numeric));
                }
            }
            scores
        })
        .collect()
}
