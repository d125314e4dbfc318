//! Corpus files of any format, as the corpus commands read them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lydian_model::corpus::import::{Format, ImportOptions, aligned, delimited, json_lines, spreadsheet, tmx};
use lydian_model::corpus::read::{CorpusFile, Outline, ReadError, Target, read_with, stream_corpus};

use super::envelope::EnvelopeArguments;
use crate::error::{CommandError, CommandResult, Exit};
use crate::{documents, files};

/// How to read input files.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InputArguments {
    /// Format of the input; by default the file name's ending decides
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    from: Option<FormatChoice>,
    /// Encoding of text that is neither UTF-8 nor marked UTF-16, such as windows-1252
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    encoding: Option<String>,
    /// Sheet of a workbook; by default the first one with a source column
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    sheet: Option<String>,
    #[command(flatten)]
    envelope: EnvelopeArguments,
}

/// A format by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// A corpus in JSON
    Json,
    /// One JSON object per line
    Jsonl,
    /// Tab-separated lines with a header
    Tsv,
    /// Comma- or semicolon-separated, as spreadsheets write it
    Csv,
    /// An Excel workbook
    Xlsx,
    /// A translation memory
    Tmx,
    /// Plain text, one sentence per line
    Text,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Json => Self::Json,
            FormatChoice::Jsonl => Self::JsonLines,
            FormatChoice::Tsv => Self::Tsv,
            FormatChoice::Csv => Self::Csv,
            FormatChoice::Xlsx => Self::Xlsx,
            FormatChoice::Tmx => Self::Tmx,
            FormatChoice::Text => Self::Lines,
        }
    }
}

/// A corpus to read: one file, or a source file and files of references.
pub(crate) struct Input<'arguments> {
    arguments: &'arguments InputArguments,
    paths: &'arguments [PathBuf],
    entry_defaults: serde_json::Map<String, serde_json::Value>,
}

impl<'arguments> Input<'arguments> {
    /// Returns the input made of `paths`; several must be line-aligned text.
    pub(crate) fn new(
        arguments: &'arguments InputArguments,
        paths: &'arguments [PathBuf],
    ) -> CommandResult<Self> {
        let input = Self {
            arguments,
            paths,
            entry_defaults: serde_json::Map::new(),
        };
        let text = input.format() == Format::Lines;
        if text && paths.len() < 2 {
            let message = format!(
                "{}: plain text needs a second file with its translations",
                paths[0].display()
            );
            return Err(CommandError::new(Exit::Usage, message)
                .with_hint("lydian corpus import dev.en dev.fr; or name the format with --from"));
        }
        if !text && paths.len() > 1 {
            return Err(CommandError::new(
                Exit::Usage,
                "several input files are only read as line-aligned text",
            )
            .with_hint("import one file at a time, or say --from text"));
        }
        Ok(input)
    }

    /// Fills fields that entries lack.
    #[must_use]
    pub(crate) fn with_entry_defaults(
        mut self,
        defaults: serde_json::Map<String, serde_json::Value>,
    ) -> Self {
        self.entry_defaults = defaults;
        self
    }

    fn format(&self) -> Format {
        match self.arguments.from {
            Some(choice) => choice.into(),
            None => match Format::of_file(&file_name(&self.paths[0])) {
                // One file cannot be aligned text: a pipe or a file without an ending holds a corpus in JSON.
                Format::Lines if self.paths.len() == 1 => Format::Json,
                format => format,
            },
        }
    }

    fn options(&self) -> ImportOptions {
        let mut read = self.arguments.envelope.read_options(&self.paths[0]);
        if let (Format::Lines, [source, reference, ..]) = (self.format(), self.paths) {
            read.defaults =
                aligned::with_languages_of_files(&read.defaults, &file_name(source), &file_name(reference));
        }
        ImportOptions {
            read,
            entry_defaults: self.entry_defaults.clone(),
            encoding: self.arguments.encoding.clone(),
            sheet: self.arguments.sheet.clone(),
        }
    }

    /// Opens the files; what is read from them goes to a target later.
    pub(crate) fn open(&self) -> CommandResult<OpenInput> {
        let files = self
            .paths
            .iter()
            .map(|path| files::open(path))
            .collect::<CommandResult<Vec<File>>>()?;
        Ok(OpenInput {
            format: self.format(),
            options: self.options(),
            files,
        })
    }

    /// Returns the name of the input for messages.
    pub(crate) fn name(&self) -> String {
        let names: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        names.join(" + ")
    }

    /// Reads the corpus; errors end the command and are all in what it says.
    pub(crate) fn read(&self) -> CommandResult<CorpusFile> {
        let open = self.open()?;
        match read_with(|target| open.stream(target)) {
            Ok(file) => Ok(file),
            Err(error @ ReadError::Io(_)) => Err(documents::invalid(self.name(), error)),
            Err(error) => Err(documents::invalid(self.name(), error).with_hint("nothing was written")),
        }
    }
}

/// Files that are open for reading.
pub(crate) struct OpenInput {
    format: Format,
    options: ImportOptions,
    files: Vec<File>,
}

impl OpenInput {
    /// Streams the entries.
    pub(crate) fn stream(self, target: &mut Target<'_>) -> io::Result<Option<Outline>> {
        let options = &self.options;
        let mut files = self.files.into_iter();
        let Some(mut first) = files.next() else {
            return Ok(None);
        };
        match self.format {
            Format::Json => stream_corpus(first, &options.read, target),
            Format::JsonLines => json_lines::read(first, options, target),
            Format::Tsv => delimited::read_tsv(first, options, target),
            Format::Csv => delimited::read_csv(first, options, target),
            Format::Tmx => tmx::read(first, options, target),
            Format::Lines => aligned::read(first, files.collect(), options, target),
            Format::Xlsx => {
                let mut bytes = Vec::new();
                first.read_to_end(&mut bytes)?;
                spreadsheet::read(&bytes, options, target)
            }
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
