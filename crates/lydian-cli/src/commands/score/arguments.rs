//! The options of `lydian score`: those of `sacrebleu` 2.6.0 under the same names, and some of our own.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::gate::{Threshold, threshold};

/// Arguments of `lydian score`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Reference files, one segment per line; more than one file is more than one reference per segment
    #[arg(value_name = "REF")]
    pub(super) refs: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) input: InputArguments,
    #[command(flatten)]
    pub(super) metrics: MetricArguments,
    #[command(flatten)]
    pub(super) bleu: BleuArguments,
    #[command(flatten)]
    pub(super) chrf: ChrfArguments,
    #[command(flatten)]
    pub(super) ter: TerArguments,
    #[command(flatten)]
    pub(super) tests: TestArguments,
    #[command(flatten)]
    pub(super) report: ReportArguments,
    #[command(flatten)]
    pub(super) downloads: DownloadArguments,
}

const EXAMPLES: &str = "\
Examples:
  lydian score ref.txt -i hyp.txt -m bleu chrf ter
  lydian score ref.txt -i hyp.txt -m chrf --chrf-word-order 2 --confidence -f text
  lydian score ref.txt -i base.txt new.txt -m chrf bleu --paired-ar -f text
  lydian score ref1.txt.gz ref2.txt.gz -i hyp.txt -m bleu --json
  lydian score ref.txt -i hyp.txt -m chrf --explain 17
  lydian score ref.txt -i hyp.txt -tok flores200 --spm-model flores200.model
  lydian score ref.txt -i hyp.txt -m chrf --fail-under chrf=55      exit code 10 if it scores less
  cat hyp.txt | lydian score ref.txt -b -w 4

All options of sacrebleu 2.6.0 work under their names, short ones such as -tok, -sl, -cw, -ci too.";

/// What is scored.
#[derive(Args)]
pub(super) struct InputArguments {
    /// Files with system outputs; without this option they are read from standard input
    #[arg(short, long, value_name = "HYP", num_args = 0.., help_heading = "Input")]
    pub(super) input: Option<Vec<PathBuf>>,
    /// Split the lines of the reference file at tabs into this many references (short: -nr)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_most(1_000), help_heading = "Input")]
    pub(super) num_refs: usize,
    /// Encoding of the files
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value = "utf-8",
        help_heading = "Input"
    )]
    pub(super) encoding: String,
    /// Source texts, one segment per line: warns when outputs repeat them
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(super) source: Option<PathBuf>,
    /// Source and target language, such as en-zh; chooses BLEU's tokenizer
    #[arg(short, long, value_name = "PAIR", help_heading = "Input")]
    pub(super) language_pair: Option<String>,
}

/// Which metrics are computed, and how.
#[derive(Args)]
pub(super) struct MetricArguments {
    /// Metrics to compute
    #[arg(short, long, value_enum, num_args = 1.., default_values = ["bleu"], help_heading = "Metrics")]
    pub(super) metrics: Vec<MetricName>,
    /// Score every segment (short: -sl)
    #[arg(long, help_heading = "Metrics")]
    pub(super) sentence_level: bool,
    /// Arithmetic: sacreBLEU's to the last bit, or 64-bit floats that are the same on every machine
    #[arg(long, value_enum, default_value_t, help_heading = "Metrics")]
    pub(super) numeric: NumericName,
    /// Show for segment N which n-grams matched and what that makes of the score
    #[arg(long, value_name = "N", help_heading = "Metrics")]
    pub(super) explain: Option<usize>,
}

/// The name of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum MetricName {
    /// BLEU
    Bleu,
    /// Character error rate
    Cer,
    /// chrF, chrF+ and chrF++
    Chrf,
    /// Share of outputs that equal a reference
    Exact,
    /// Translation edit rate
    Ter,
    /// Word error rate
    Wer,
}

/// The name of a numeric mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum NumericName {
    /// 64-bit floats, portable logarithms
    Exact,
    /// sacreBLEU 2.6.0 with NumPy 2
    #[default]
    Sacrebleu,
}

/// Options of BLEU.
#[derive(Args)]
pub(super) struct BleuArguments {
    /// What an order without matches counts as
    #[arg(short, long, value_enum, default_value_t, help_heading = "BLEU")]
    pub(super) smooth_method: SmoothingName,
    /// The value for floor (0.1 without this option) or add-k (1) (short: -sv)
    #[arg(long, value_name = "VALUE", help_heading = "BLEU")]
    pub(super) smooth_value: Option<f64>,
    /// How texts are cut into tokens (short: -tok)
    #[arg(long, value_name = "NAME", help_heading = "BLEU")]
    pub(super) tokenize: Option<String>,
    /// `SentencePiece` model for the tokenizers spm, flores101, flores200 and spBLEU-1K
    #[arg(long, value_name = "FILE", help_heading = "BLEU")]
    pub(super) spm_model: Option<PathBuf>,
    /// Ignore case in BLEU (short: -lc)
    #[arg(long, help_heading = "BLEU")]
    pub(super) lowercase: bool,
    /// Do not warn about texts that look tokenized
    #[arg(long, help_heading = "BLEU")]
    pub(super) force: bool,
    /// The longest n-gram
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "BLEU")]
    pub(super) bleu_max_order: usize,
    /// Leave out orders for which the output is too short
    #[arg(long, help_heading = "BLEU")]
    pub(super) bleu_effective_order: bool,
}

/// The name of a smoothing method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SmoothingName {
    /// Nothing: an order without matches makes the score 0
    None,
    /// A fixed number of matches
    Floor,
    /// A number added to matches and totals from order 2 on
    AddK,
    /// Half a match, a quarter at the next such order, and so on
    #[default]
    Exp,
}

/// Options of chrF.
#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "the options' own names")]
pub(super) struct ChrfArguments {
    /// The longest character n-gram (short: -cc)
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "chrF")]
    pub(super) chrf_char_order: usize,
    /// The longest word n-gram; 2 makes it chrF++ (short: -cw)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "chrF")]
    pub(super) chrf_word_order: usize,
    /// How much recall weighs against precision
    #[arg(long, value_name = "BETA", default_value_t = 2, help_heading = "chrF")]
    pub(super) chrf_beta: u32,
    /// Count white space in character n-grams
    #[arg(long, help_heading = "chrF")]
    pub(super) chrf_whitespace: bool,
    /// Ignore case in chrF
    #[arg(long, help_heading = "chrF")]
    pub(super) chrf_lowercase: bool,
    /// Average F over all orders, as chrF++.py, NLTK and Moses do
    #[arg(long, help_heading = "chrF")]
    pub(super) chrf_eps_smoothing: bool,
}

/// Options of TER.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of sacreBLEU")]
pub(super) struct TerArguments {
    /// Let case count in TER
    #[arg(long, help_heading = "TER")]
    pub(super) ter_case_sensitive: bool,
    /// Split or remove Asian characters too; needs one of the next two options
    #[arg(long, help_heading = "TER")]
    pub(super) ter_asian_support: bool,
    /// Remove punctuation
    #[arg(long, help_heading = "TER")]
    pub(super) ter_no_punct: bool,
    /// Split punctuation off and resolve entities
    #[arg(long, help_heading = "TER")]
    pub(super) ter_normalized: bool,
}

/// Intervals and tests.
#[derive(Args)]
pub(super) struct TestArguments {
    /// Report a 95 % interval by resampling segments (short: -ci)
    #[arg(long, help_heading = "Intervals and tests")]
    pub(super) confidence: bool,
    /// Number of resamples (short: -cin)
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = at_most(MOST_SAMPLES),
        help_heading = "Intervals and tests"
    )]
    pub(super) confidence_n: usize,
    /// Test every system against the first by approximate randomisation (short: -par)
    #[arg(long, help_heading = "Intervals and tests", conflicts_with = "paired_bs")]
    pub(super) paired_ar: bool,
    /// Test every system against the first by paired bootstrap; too many false alarms, for comparison only (short: -pbs)
    #[arg(long, help_heading = "Intervals and tests")]
    pub(super) paired_bs: bool,
    /// Number of randomisation trials; 0 for the default (short: -parn)
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = at_most(MOST_SAMPLES),
        help_heading = "Intervals and tests"
    )]
    pub(super) paired_ar_n: usize,
    /// Number of paired resamples; 0 for the default (short: -pbsn)
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = at_most(MOST_SAMPLES),
        help_heading = "Intervals and tests"
    )]
    pub(super) paired_bs_n: usize,
    /// Measure how often tests and intervals claim a difference where there is none, on N pairs made by chance of the
    /// segments of two systems
    #[arg(
        long,
        value_name = "N",
        value_parser = at_most(MOST_TRIALS),
        help_heading = "Intervals and tests",
        conflicts_with_all = ["paired_ar", "paired_bs", "confidence"]
    )]
    pub(super) calibrate: Option<usize>,
    /// Accepted for compatibility; all cores are used
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, hide = true)]
    pub(super) paired_jobs: i64,
}

/// More samples need more memory than they add digits.
const MOST_SAMPLES: usize = 1_000_000;

/// Each trial makes all tests once; so many tell 5 % from 5.3 %.
const MOST_TRIALS: usize = 20_000;

/// Accepts whole numbers up to a limit, beyond which memory or a formatter would give out.
fn at_most(most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(format!("expected a number from 0 to {most}")),
    }
}

/// What is printed.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of sacreBLEU")]
pub(super) struct ReportArguments {
    /// Exit with code 10 unless every system reaches this score, such as chrf=55; at most this for ter; may be repeated
    #[arg(long, value_name = "METRIC=VALUE", value_parser = threshold, help_heading = "Report")]
    pub(super) fail_under: Vec<Threshold>,
    /// Print one JSON document of our own with full precision
    #[arg(long, help_heading = "Report")]
    pub(super) json: bool,
    /// Output format; json, text and latex are sacreBLEU's (the variable `SACREBLEU_FORMAT` wins)
    #[arg(short, long, value_enum, default_value_t, help_heading = "Report")]
    pub(super) format: FormatName,
    /// Print the score only
    #[arg(short = 'b', long, help_heading = "Report")]
    pub(super) score_only: bool,
    /// Digits after the decimal point
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = at_most(100), help_heading = "Report")]
    pub(super) width: usize,
    /// Short signatures (short: -sh)
    #[arg(long, help_heading = "Report")]
    pub(super) short: bool,
    /// Print results by original language, which only test sets have
    #[arg(short, long, help_heading = "Report")]
    pub(super) detail: bool,
    /// No colours (short: -nc)
    #[arg(long, help_heading = "Report")]
    pub(super) no_color: bool,
}

/// The name of an output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    /// sacreBLEU's JSON
    #[default]
    Json,
    /// sacreBLEU's text
    Text,
    /// sacreBLEU's table for LaTeX
    Latex,
    /// A row per score, tab-separated, full precision
    Tsv,
    /// A table for Markdown documents
    Markdown,
}

/// Options of `sacrebleu` that need a download.
#[derive(Args)]
pub(super) struct DownloadArguments {
    /// Not supported: names a test set that sacrebleu downloads
    #[arg(short, long, value_name = "NAME", hide = true)]
    pub(super) test_set: Option<String>,
    #[arg(long, hide = true)]
    pub(super) list: bool,
    #[arg(long, alias = "cite", hide = true)]
    pub(super) citation: bool,
    #[arg(long, value_name = "NAME", hide = true)]
    pub(super) download: Option<String>,
    #[arg(long, value_name = "FIELD", num_args = 1.., hide = true)]
    pub(super) echo: Option<Vec<String>>,
    #[arg(long, value_name = "LANG", hide = true)]
    pub(super) origlang: Option<String>,
    #[arg(long, value_name = "NAME", hide = true)]
    pub(super) subset: Option<String>,
}

impl DownloadArguments {
    /// Returns the option of this group that was given, if any.
    pub(super) fn given(&self) -> Option<&'static str> {
        [
            ("--test-set", self.test_set.is_some()),
            ("--list", self.list),
            ("--citation", self.citation),
            ("--download", self.download.is_some()),
            ("--echo", self.echo.is_some()),
            ("--origlang", self.origlang.is_some()),
            ("--subset", self.subset.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

/// sacreBLEU's options with one hyphen and several letters.
const LONG_FORMS: [(&str, &str); 16] = [
    ("-ol", "--origlang"),
    ("-nr", "--num-refs"),
    ("-sl", "--sentence-level"),
    ("-sv", "--smooth-value"),
    ("-tok", "--tokenize"),
    ("-lc", "--lowercase"),
    ("-cc", "--chrf-char-order"),
    ("-cw", "--chrf-word-order"),
    ("-ci", "--confidence"),
    ("-cin", "--confidence-n"),
    ("-par", "--paired-ar"),
    ("-pbs", "--paired-bs"),
    ("-parn", "--paired-ar-n"),
    ("-pbsn", "--paired-bs-n"),
    ("-sh", "--short"),
    ("-nc", "--no-color"),
];

/// Rewrites options such as `-tok` behind `score` to their long forms; everything else stays as it is.
pub(crate) fn with_long_forms(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut behind_score = false;
    let mut literal = false;
    arguments
        .map(|argument| {
            if !behind_score || literal {
                behind_score |= argument == "score";
                return argument;
            }
            literal = argument == "--";
            long_form(&argument).unwrap_or(argument)
        })
        .collect()
}

fn long_form(argument: &OsStr) -> Option<OsString> {
    let text = argument.to_str()?;
    let (name, value) = text
        .split_once('=')
        .map_or((text, None), |(name, value)| (name, Some(value)));
    let (_, long) = LONG_FORMS.iter().find(|(short, _)| *short == name)?;
    Some(value.map_or_else(|| (*long).into(), |value| format!("{long}={value}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(words: &str) -> String {
        let rewritten = with_long_forms(words.split(' ').map(OsString::from));
        rewritten
            .iter()
            .map(|word| word.to_str().unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn short_options_of_several_letters_work_behind_score_only() {
        assert_eq!(
            rewritten("lydian score ref -tok=zh -sl -w 4 -- -sl"),
            "lydian score ref --tokenize=zh --sentence-level -w 4 -- -sl"
        );
        assert_eq!(rewritten("lydian run -sl"), "lydian run -sl");
    }
}
