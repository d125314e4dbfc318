//! `lydian corpus convert`: a corpus in another format.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_model::Corpus;
use lydian_model::corpus::export::{self, ExportError};
use lydian_model::corpus::import::Format;
use lydian_report::number::counted;

use super::import::refuse_existing;
use super::input::{FormatChoice, Input, InputArguments};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian corpus convert`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian corpus convert corpus.json --to csv -o corpus.csv
  lydian corpus convert corpus.json --to text -o dev.en -o dev.fr
  lydian corpus convert corpus.json --to jsonl | head -3

JSON and JSON Lines hold everything. Other formats leave fields out, which is said; what an entry cannot be written
as (a line feed in a TSV cell) is an error and nothing is written.")]
pub(crate) struct Arguments {
    /// Corpus file
    file: PathBuf,
    /// Format to write; by default the ending of the output file decides
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<FormatChoice>,
    /// File to write; for plain text two, sources first
    #[arg(short, long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// Replace output files that exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    input: InputArguments,
}

/// Reads the corpus and writes it.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let format = match (arguments.to, arguments.out.first()) {
        (Some(choice), _) => choice.into(),
        (None, Some(path)) => Format::of_file(&path.to_string_lossy()),
        (None, None) => {
            return Err(
                CommandError::new(Exit::Usage, "the output format is not stated").with_hint("--to csv")
            );
        }
    };
    let wanted = if format == Format::Lines { 2 } else { 1 };
    if arguments.out.len() != wanted && (wanted == 2 || !arguments.out.is_empty()) {
        let message = format!(
            "{} needs {}",
            format.name(),
            counted(wanted as u64, "output file", "output files")
        );
        return Err(CommandError::new(Exit::Usage, message).with_hint("-o FILE"));
    }
    for path in &arguments.out {
        refuse_existing(path, arguments.force)?;
    }
    let paths = std::slice::from_ref(&arguments.file);
    let file = Input::new(&arguments.input, paths)?.read()?;
    let left_out = export::left_out(&file.corpus, format);
    if !left_out.is_empty() {
        context.warning(&format!("{} leaves out: {}", format.name(), left_out.join(", ")));
    }
    write(&file.corpus, format, &arguments.out, context)?;
    Ok(Exit::Done)
}

fn write(corpus: &Corpus, format: Format, paths: &[PathBuf], context: &Context) -> CommandResult<()> {
    let mut first = Vec::new();
    if let [sources, references] = paths {
        let mut second = Vec::new();
        export::write_lines(corpus, &mut first, &mut second).map_err(refused)?;
        files::write_atomically(sources, &first)?;
        return files::write_atomically(references, &second);
    }
    export::write(corpus, format, &mut first).map_err(refused)?;
    match paths.first().map(PathBuf::as_path) {
        Some(path) if path != Path::new("-") => files::write_atomically(path, &first),
        _ => context.print_data(&String::from_utf8_lossy(&first)),
    }
}

fn refused(error: ExportError) -> CommandError {
    let exit = match error {
        ExportError::Io(_) => Exit::Internal,
        ExportError::NotRepresentable { .. } => Exit::InvalidDocument,
        ExportError::NotWritten(_) => Exit::Usage,
    };
    CommandError::from_error(exit, error)
        .with_hint("jsonl and csv hold line feeds and tabs; nothing was written")
}
