//! `lydian dialect measure`: how often the scorer's own parts err, on cases whose reading is known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lydian_model::Sha256Hex;
use lydian_model::dialect::{Letter, Options, PartOfSpeech};
use lydian_scoring::dialect::{
    ExpectedLetter, LetterCase, MEASUREMENT_SCHEMA, Rate, RefusalCase, StemCase, TranslationCase,
    measure_coverage, measure_letters, measure_refusals, measure_stems,
};
use serde::Serialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian dialect measure`.
#[derive(Args)]
#[command(after_help = "\
Tables are TSV with a header. letters: option_set, response_escaped, expected_kind, expected_letter, and the options in
--options. refusals: response, expected_pattern_hit. stems: ref, pos, output, should. coverage: reference_de,
hypothesis_de. For refusals a text file counts too: no line of it is a refusal. `train-gate --measure` measures the
language gate.

Examples:
  lydian dialect measure letters fixtures/dialect/mcq_public.tsv --options fixtures/dialect/mcq_option_sets.json
  lydian dialect measure refusals fixtures/dialect/refusal_cases.tsv
  lydian dialect measure stems fixtures/dialect/stem_pairs.tsv")]
pub(super) struct Arguments {
    /// What to measure
    #[arg(value_enum)]
    part: Part,
    /// Cases
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// JSON file of the option sets that the cases name
    #[arg(long, value_name = "FILE", required_if_eq("part", "letters"))]
    options: Option<PathBuf>,
    /// Column of the texts, where it has another name
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The parts of the scorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The reader of letters
    Letters,
    /// The refusal patterns
    Refusals,
    /// The stemmer
    Stems,
    /// T1 on outputs, with drafted keywords
    Coverage,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Measured {
    schema: &'static str,
    file: String,
    sha256: Sha256Hex,
    rates: Vec<Rate>,
}

/// Measures and prints.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let cases = Cases::read(&arguments.file)?;
    let column = |usual: &'static str| arguments.column.as_deref().unwrap_or(usual);
    let rates = match arguments.part {
        Part::Letters => {
            let sets = option_sets(arguments.options.as_deref())?;
            measure_letters(&cases.each(|row| letter_case(row, column("response_escaped"), &sets))?)
        }
        Part::Refusals => measure_refusals(&cases.each(|row| refusal_case(row, column("response")))?),
        Part::Stems => measure_stems(&cases.each(stem_case)?),
        Part::Coverage => {
            measure_coverage(&cases.each(|row| translation_case(row, column("hypothesis_de")))?)
        }
    };
    let measured = Measured {
        schema: MEASUREMENT_SCHEMA,
        file: arguments
            .file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        sha256: cases.sha256,
        rates,
    };
    if arguments.json {
        context.print_json(&measured)?;
    } else {
        context.print(&measured.rates.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn line(rate: &Rate) -> String {
    let share = rate.share;
    let value = match (share.share, share.interval) {
        (Some(value), Some([lower, upper])) => format!(
            "{:6.2} % [{:.2}, {:.2}]",
            value.get() * 100.0,
            lower.get() * 100.0,
            upper.get() * 100.0
        ),
        _ => "no cases".to_owned(),
    };
    format!(
        "{:<24} {:>6} of {:<6} {value}\n",
        rate.name, share.count, share.of
    )
}

/// A table of cases, or a text whose lines are cases with the one column `text`.
struct Cases {
    name: String,
    sha256: Sha256Hex,
    header: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

/// One case: its cells by column, and its line for messages.
struct Row<'a> {
    cases: &'a Cases,
    line: usize,
    cells: &'a [String],
}

impl Cases {
    fn read(path: &Path) -> CommandResult<Self> {
        let bytes = files::read(path)?;
        let sha256 = Sha256Hex::of(&bytes);
        let name = path.display().to_string();
        let text = String::from_utf8(bytes)
            .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error).context(name.clone()))?;
        let is_table = path.extension().is_some_and(|extension| extension == "tsv");
        let cells = |line: &str| -> Vec<String> {
            if is_table {
                line.split('\t').map(str::to_owned).collect()
            } else {
                vec![line.to_owned()]
            }
        };
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
        let mut rows: Vec<(usize, Vec<String>)> = lines.map(|(at, line)| (at + 1, cells(line))).collect();
        let header = if is_table && !rows.is_empty() {
            rows.remove(0).1
        } else {
            vec!["text".to_owned()]
        };
        let invalid = |message: String| Err(CommandError::new(Exit::InvalidDocument, message));
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != header.len()) {
            return invalid(format!(
                "{name}: line {line}: {} cells, the header has {}",
                row.len(),
                header.len()
            ));
        }
        if rows.is_empty() {
            return invalid(format!("{name}: there are no cases"));
        }
        Ok(Self {
            name,
            sha256,
            header,
            rows,
        })
    }

    fn each<T>(&self, case: impl Fn(&Row<'_>) -> CommandResult<T>) -> CommandResult<Vec<T>> {
        let row = |(line, cells): &(usize, Vec<String>)| {
            case(&Row {
                cases: self,
                line: *line,
                cells,
            })
        };
        self.rows.iter().map(row).collect()
    }
}

impl Row<'_> {
    fn find(&self, column: &str) -> Option<&str> {
        let at = self.cases.header.iter().position(|name| name == column)?;
        self.cells.get(at).map(String::as_str)
    }

    fn cell(&self, column: &str) -> CommandResult<&str> {
        self.find(column).ok_or_else(|| {
            CommandError::new(
                Exit::InvalidDocument,
                format!("{}: there is no column {column}", self.cases.name),
            )
            .with_hint(format!("the columns are {}", self.cases.header.join(", ")))
        })
    }

    fn unknown(&self, column: &str, value: &str, known: &str) -> CommandError {
        CommandError::new(
            Exit::InvalidDocument,
            format!("{}: line {}: {column} is `{value}`", self.cases.name, self.line),
        )
        .with_hint(format!("write {known}"))
    }
}

fn option_sets(path: Option<&Path>) -> CommandResult<BTreeMap<String, Options>> {
    let Some(path) = path else {
        return Err(CommandError::new(Exit::Usage, "letters need --options FILE"));
    };
    serde_json::from_slice(&files::read(path)?).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })
}

fn letter_case(row: &Row<'_>, column: &str, sets: &BTreeMap<String, Options>) -> CommandResult<LetterCase> {
    let set = row.cell("option_set")?;
    let options = sets.get(set).cloned().ok_or_else(|| {
        row.unknown(
            "option_set",
            set,
            &format!("one of {}", sets.keys().cloned().collect::<Vec<_>>().join(", ")),
        )
    })?;
    let kind = row.cell("expected_kind")?;
    let letter = row.cell("expected_letter")?;
    let expected = match kind {
        "letter" => Letter::from_capital(letter)
            .map(ExpectedLetter::Letter)
            .ok_or_else(|| row.unknown("expected_letter", letter, "A, B, C or D"))?,
        "none" => ExpectedLetter::None,
        "ambiguous" => ExpectedLetter::Ambiguous,
        other => return Err(row.unknown("expected_kind", other, "letter, none or ambiguous")),
    };
    Ok(LetterCase {
        options,
        answer: row.cell(column)?.replace("\\n", "\n"),
        expected,
    })
}

/// A file that does not say which texts refuse holds none that do.
fn refusal_case(row: &Row<'_>, column: &str) -> CommandResult<RefusalCase> {
    let refuses = match row.find("expected_pattern_hit") {
        None | Some("no") => false,
        Some("yes") => true,
        Some(other) => return Err(row.unknown("expected_pattern_hit", other, "yes or no")),
    };
    let text = match row.find("text") {
        Some(text) => text,
        None => row.cell(column)?,
    };
    Ok(RefusalCase {
        text: text.to_owned(),
        refuses,
    })
}

fn stem_case(row: &Row<'_>) -> CommandResult<StemCase> {
    let pos = row.cell("pos")?;
    let same = match row.cell("should")? {
        "match" => true,
        "no" => false,
        other => return Err(row.unknown("should", other, "match or no")),
    };
    Ok(StemCase {
        keyword: row.cell("ref")?.to_owned(),
        pos: PartOfSpeech::from_tag(pos)
            .ok_or_else(|| row.unknown("pos", pos, "NOUN, VERB, PROPN, ADJ or NUM"))?,
        output: row.cell("output")?.to_owned(),
        same,
    })
}

fn translation_case(row: &Row<'_>, column: &str) -> CommandResult<TranslationCase> {
    Ok(TranslationCase {
        reference: row.cell("reference_de")?.to_owned(),
        output: row.cell(column)?.to_owned(),
    })
}
