//! From options to metrics, tests and seeds.

use std::path::PathBuf;

use lydian_metrics::bleu::{Bleu, BleuConfig, Order, Smoothing, Tokenizer};
use lydian_metrics::chrf::{Averaging, Chrf, ChrfConfig, Whitespace};
use lydian_metrics::edit_rate::{EditRate, Unit};
use lydian_metrics::exact::ExactMatch;
use lydian_metrics::ter::{AsianSupport, Normalization, Punctuation, Ter, TerConfig};
use lydian_metrics::text::Case;
use lydian_metrics::{Metric, Numeric};

use super::arguments::{
    Arguments, BleuArguments, ChrfArguments, FormatName, MetricName, NumericName, SmoothingName,
    TerArguments, TestArguments,
};
use super::tokenizer;
use crate::error::{CommandError, CommandResult, Exit};

/// The longest n-gram that is sensible; more would only cost memory.
const LONGEST: usize = 1000;

/// What is to be computed and how it is to be printed.
pub(super) struct Settings {
    /// The metrics, in the order of the options, each once.
    pub(super) metrics: Vec<Box<dyn Metric>>,
    /// The metrics as they score single segments.
    pub(super) sentence_metrics: Vec<Box<dyn Metric>>,
    /// The arithmetic.
    pub(super) numeric: Numeric,
    /// Whether every segment is scored.
    pub(super) level: Level,
    /// The intervals and tests.
    pub(super) test: Test,
    /// The seed of resamples and trials.
    pub(super) seed: Seed,
    /// The output format.
    pub(super) format: FormatName,
}

/// Whether a corpus or each of its segments is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// One score per system.
    Corpus,
    /// One score per segment.
    Sentence,
}

/// Which intervals or tests are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Scores only.
    None,
    /// An interval for each score.
    Confidence(usize),
    /// Paired approximate randomisation with so many trials.
    Randomization(usize),
    /// Paired bootstrap with so many resamples.
    Bootstrap(usize),
}

impl Test {
    /// Returns whether systems are compared with the first one.
    pub(super) fn is_paired(self) -> bool {
        matches!(self, Self::Randomization(_) | Self::Bootstrap(_))
    }
}

/// The seed, and how signatures write it.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    /// The number the stream starts from.
    pub(super) value: u64,
    /// The text of the signature's `seed` field.
    pub(super) label: String,
}

/// What the environment says.
pub(super) struct Environment {
    /// `SACREBLEU_SEED`.
    pub(super) seed: Option<String>,
    /// `SACREBLEU_FORMAT`.
    pub(super) format: Option<String>,
    /// The folder where sacreBLEU keeps what it downloaded.
    pub(super) sacrebleu: Option<PathBuf>,
    /// A number from the operating system, for the seed `none`.
    pub(super) entropy: u64,
}

impl Settings {
    /// Builds the settings or says which option is wrong.
    pub(super) fn new(arguments: &Arguments, environment: &Environment) -> CommandResult<Self> {
        if let Some(option) = arguments.downloads.given() {
            return Err(CommandError::new(
                Exit::Usage,
                format!(
                    "{option} belongs to the test sets that sacrebleu downloads; lydian does not download"
                ),
            )
            .with_hint(
                "save the references once with `sacrebleu -t wmt22 -l en-de --echo ref > ref.txt`, then \
                 `lydian score ref.txt -i hyp.txt -l en-de`",
            ));
        }
        let pair = arguments.input.language_pair.as_deref();
        // `-l sentence` reads like a level; as a language pair it would be an error.
        let sentence = arguments.metrics.sentence_level || pair == Some("sentence");
        let target = match pair {
            None | Some("sentence" | "corpus") => None,
            Some(pair) => Some(target_language(pair)?),
        };
        let mut names: Vec<MetricName> = Vec::new();
        for &name in &arguments.metrics.metrics {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let order = if sentence || arguments.bleu.bleu_effective_order {
            Order::Effective
        } else {
            Order::Full
        };
        let tokenizer = if names.contains(&MetricName::Bleu) {
            tokenizer::choose(&arguments.bleu, target, environment)?
        } else {
            Tokenizer::default()
        };
        let build = |order| -> CommandResult<Vec<Box<dyn Metric>>> {
            names
                .iter()
                .map(|&name| metric(name, arguments, &tokenizer, order))
                .collect()
        };
        Ok(Self {
            metrics: build(order)?,
            sentence_metrics: build(Order::Effective)?,
            numeric: match arguments.metrics.numeric {
                NumericName::Exact => Numeric::Exact,
                NumericName::Sacrebleu => Numeric::Sacrebleu,
            },
            level: if sentence { Level::Sentence } else { Level::Corpus },
            test: test(&arguments.tests),
            seed: seed(environment)?,
            format: format(arguments, environment),
        })
    }
}

fn target_language(pair: &str) -> CommandResult<&str> {
    pair.split('-')
        .nth(1)
        .filter(|target| !target.is_empty())
        .ok_or_else(|| {
            CommandError::new(Exit::Usage, format!("{pair:?} is not a language pair")).with_hint(
                "write source and target with a hyphen, such as en-zh; for single segments use -sl",
            )
        })
}

fn format(arguments: &Arguments, environment: &Environment) -> FormatName {
    match environment.format.as_deref().map(str::to_lowercase).as_deref() {
        Some("json") => FormatName::Json,
        Some("text") => FormatName::Text,
        Some("latex") => FormatName::Latex,
        _ if arguments.report.detail && arguments.report.format == FormatName::Json => FormatName::Text,
        _ => arguments.report.format,
    }
}

fn test(tests: &TestArguments) -> Test {
    let or_default = |count: usize, default: usize| if count == 0 { default } else { count };
    if tests.paired_ar {
        Test::Randomization(or_default(tests.paired_ar_n, 10_000))
    } else if tests.paired_bs {
        Test::Bootstrap(or_default(tests.paired_bs_n, 1000))
    } else if tests.confidence && tests.confidence_n > 1 {
        Test::Confidence(tests.confidence_n)
    } else {
        Test::None
    }
}

fn seed(environment: &Environment) -> CommandResult<Seed> {
    let label = environment
        .seed
        .clone()
        .unwrap_or_else(|| "12345".to_owned())
        .to_lowercase();
    if label == "none" {
        return Ok(Seed {
            value: environment.entropy,
            label,
        });
    }
    match label.trim().parse() {
        Ok(value) => Ok(Seed { value, label }),
        Err(_) => Err(CommandError::new(
            Exit::Usage,
            format!("SACREBLEU_SEED is {label:?}, expected a non-negative integer below 2^64 or none"),
        )),
    }
}

fn metric(
    name: MetricName,
    arguments: &Arguments,
    tokenizer: &Tokenizer,
    order: Order,
) -> CommandResult<Box<dyn Metric>> {
    Ok(match name {
        MetricName::Bleu => Box::new(Bleu::new(bleu(&arguments.bleu, tokenizer, order)?)),
        MetricName::Cer => Box::new(EditRate::new(Unit::Character)),
        MetricName::Chrf => Box::new(Chrf::new(chrf(&arguments.chrf)?)),
        MetricName::Exact => Box::new(ExactMatch),
        MetricName::Ter => Box::new(Ter::new(ter(&arguments.ter))),
        MetricName::Wer => Box::new(EditRate::new(Unit::Word)),
    })
}

fn case(lower: bool) -> Case {
    if lower { Case::Lower } else { Case::Mixed }
}

fn bleu(arguments: &BleuArguments, tokenizer: &Tokenizer, order: Order) -> CommandResult<BleuConfig> {
    let max_order = in_range("--bleu-max-order", arguments.bleu_max_order, 1)?;
    let smoothing = match arguments.smooth_method {
        SmoothingName::None => Smoothing::None,
        SmoothingName::Exp => Smoothing::Exponential,
        SmoothingName::Floor => Smoothing::Floor(arguments.smooth_value.unwrap_or(0.1)),
        SmoothingName::AddK => Smoothing::AddK(arguments.smooth_value.unwrap_or(1.0)),
    };
    Ok(BleuConfig {
        tokenizer: tokenizer.clone(),
        case: case(arguments.lowercase),
        smoothing,
        max_order,
        order,
    })
}

fn chrf(arguments: &ChrfArguments) -> CommandResult<ChrfConfig> {
    let averaging = if arguments.chrf_eps_smoothing {
        Averaging::Epsilon
    } else {
        Averaging::EffectiveOrder
    };
    let whitespace = if arguments.chrf_whitespace {
        Whitespace::Kept
    } else {
        Whitespace::Removed
    };
    let char_order = in_range("--chrf-char-order", arguments.chrf_char_order, 0)?;
    let word_order = in_range("--chrf-word-order", arguments.chrf_word_order, 0)?;
    if char_order + word_order == 0 {
        return Err(CommandError::new(
            Exit::Usage,
            "chrF needs character or word n-grams, both orders are 0",
        ));
    }
    Ok(ChrfConfig {
        char_order,
        word_order,
        beta: arguments.chrf_beta,
        case: case(arguments.chrf_lowercase),
        whitespace,
        averaging,
    })
}

fn ter(arguments: &TerArguments) -> TerConfig {
    TerConfig {
        normalization: if arguments.ter_normalized {
            Normalization::On
        } else {
            Normalization::Off
        },
        punctuation: if arguments.ter_no_punct {
            Punctuation::Removed
        } else {
            Punctuation::Kept
        },
        asian_support: if arguments.ter_asian_support {
            AsianSupport::On
        } else {
            AsianSupport::Off
        },
        case: case(!arguments.ter_case_sensitive),
    }
}

fn in_range(option: &str, value: usize, least: usize) -> CommandResult<usize> {
    if (least..=LONGEST).contains(&value) {
        return Ok(value);
    }
    Err(CommandError::new(
        Exit::Usage,
        format!("{option} is {value}, expected {least} to {LONGEST}"),
    ))
}
