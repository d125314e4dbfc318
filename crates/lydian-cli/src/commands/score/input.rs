//! Reading line-based text: files or standard input, compressed or not, in any encoding, checked line by line.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use lydian_metrics::text::is_space;
use lydian_report::number::counted;

use super::arguments::{Arguments, InputArguments};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;

/// The lines of one stream of text, without white space at their ends.
pub(super) struct Lines {
    /// Where the lines come from, for messages.
    pub(super) name: String,
    text: String,
    spans: Vec<Range<usize>>,
}

impl Lines {
    /// Returns the lines.
    pub(super) fn all(&self) -> Vec<&str> {
        self.spans.iter().map(|span| &self.text[span.clone()]).collect()
    }

    /// Returns how many lines there are.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Cuts a text into lines at line feeds only.
    fn new(name: String, text: String) -> Self {
        let mut spans = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let end = text[start..]
                .find('\n')
                .map_or(text.len(), |length| start + length);
            let line = text[start..end].trim_end_matches(is_space);
            spans.push(start..start + line.len());
            start = end + 1;
        }
        Self { name, text, spans }
    }

    /// Takes the fields of tab-separated lines apart into one stream per column.
    ///
    /// `limit` is how many fields at most are split off; the last one keeps further tabs.
    fn columns(
        &self,
        columns: usize,
        limit: usize,
        name: impl Fn(usize) -> String,
    ) -> CommandResult<Vec<Self>> {
        let mut streams: Vec<Self> = (0..columns)
            .map(|column| Self {
                name: name(column),
                text: String::new(),
                spans: Vec::new(),
            })
            .collect();
        for (number, line) in self.all().into_iter().enumerate() {
            let fields: Vec<&str> = line.splitn(limit, '\t').collect();
            if fields.len() != columns {
                return Err(CommandError::new(
                    Exit::InvalidDocument,
                    format!(
                        "{}: line {} has {} tab-separated fields, expected {columns}",
                        self.name,
                        number + 1,
                        fields.len()
                    ),
                ));
            }
            for (stream, field) in streams.iter_mut().zip(fields) {
                let start = stream.text.len();
                stream.text.push_str(field);
                stream.spans.push(start..stream.text.len());
            }
        }
        Ok(streams)
    }
}

/// Everything that was read.
pub(super) struct Input {
    /// The outputs of each system.
    pub(super) systems: Vec<Lines>,
    /// The reference streams.
    pub(super) references: Vec<Lines>,
    /// The sources, if given.
    pub(super) source: Option<Lines>,
}

/// Reads references, outputs and sources and checks that they belong together.
pub(super) fn read(arguments: &Arguments) -> CommandResult<Input> {
    let input = &arguments.input;
    if arguments.refs.is_empty() {
        return Err(CommandError::new(Exit::Usage, "no reference file is given")
            .with_hint("put the references before -i: `lydian score ref.txt -i hyp.txt`"));
    }
    let references = references(arguments)?;
    let systems = systems(arguments)?;
    let source = input
        .source
        .as_deref()
        .map(|path| read_file(path, input))
        .transpose()?;
    for stream in systems.iter().chain(&source) {
        if stream.len() == 0 {
            return Err(CommandError::new(
                Exit::InvalidDocument,
                format!("{}: is empty", stream.name),
            ));
        }
        for reference in &references {
            check_lengths(stream, reference)?;
        }
    }
    Ok(Input {
        systems,
        references,
        source,
    })
}

fn check_lengths(stream: &Lines, reference: &Lines) -> CommandResult<()> {
    if stream.len() == reference.len() {
        return Ok(());
    }
    let (longer, shorter) = if stream.len() > reference.len() {
        (stream, reference)
    } else {
        (reference, stream)
    };
    let counterpart = shorter.len() + 1;
    Err(CommandError::new(
        Exit::InvalidDocument,
        format!(
            "{}: line {counterpart} has no counterpart, {} ends after {} (of {})",
            longer.name,
            shorter.name,
            counted(shorter.len() as u64, "line", "lines"),
            longer.len()
        ),
    )
    .with_hint("one line per segment on both sides; nothing is cut off silently"))
}

fn references(arguments: &Arguments) -> CommandResult<Vec<Lines>> {
    let input = &arguments.input;
    let files: Vec<Lines> = arguments
        .refs
        .iter()
        .map(|path| read_file(path, input))
        .collect::<CommandResult<_>>()?;
    match (input.num_refs, files.len()) {
        (1, _) => Ok(files),
        (0, _) => Err(CommandError::new(Exit::Usage, "--num-refs is at least 1")),
        (count, 1) => files[0].columns(count, count, |column| {
            format!("{} column {}", files[0].name, column + 1)
        }),
        _ => Err(CommandError::new(
            Exit::Usage,
            "--num-refs splits the lines of one reference file, but several files are given",
        )),
    }
}

fn systems(arguments: &Arguments) -> CommandResult<Vec<Lines>> {
    let input = &arguments.input;
    let Some(paths) = &input.input else {
        return from_stdin(input);
    };
    if paths.is_empty() {
        return Err(CommandError::new(Exit::Usage, "-i names no file"));
    }
    let paired = arguments.tests.paired_ar || arguments.tests.paired_bs;
    let mut systems: Vec<Lines> = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        if systems.iter().any(|system| system.name == name) {
            if paired && systems[0].name == name {
                continue;
            }
            return Err(CommandError::new(Exit::Usage, format!("{name} is given twice")));
        }
        systems.push(read_file(path, input)?);
    }
    Ok(systems)
}

/// Reads standard input; tabs in the first line say how many systems there are.
fn from_stdin(input: &InputArguments) -> CommandResult<Vec<Lines>> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| CommandError::from(error).context("cannot read standard input"))?;
    let lines = Lines::new(
        "standard input".to_owned(),
        decode("standard input", bytes, &input.encoding)?,
    );
    let count = lines.all().first().map_or(1, |line| line.split('\t').count());
    let mut systems = lines.columns(count, usize::MAX, |column| format!("System {}", column + 1))?;
    // sacreBLEU strips the fields of all lines but the first.
    for system in &mut systems {
        for span in system.spans.iter_mut().skip(1) {
            let field = &system.text[span.clone()];
            span.end = span.start + field.trim_end_matches(is_space).len();
        }
    }
    Ok(systems)
}

fn read_file(path: &Path, input: &InputArguments) -> CommandResult<Lines> {
    let name = path.display().to_string();
    let mut bytes = files::read(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut inflated = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_end(&mut inflated)
            .map_err(|error| {
                CommandError::from_error(Exit::InvalidDocument, error)
                    .context(format!("{name}: is not a complete gzip file"))
            })?;
        bytes = inflated;
    }
    let text = decode(&name, bytes, &input.encoding)?;
    Ok(Lines::new(name, text))
}

/// Turns bytes into text; bytes that are not of the encoding are an error with their line.
fn decode(name: &str, bytes: Vec<u8>, encoding: &str) -> CommandResult<String> {
    match encoding.to_ascii_lowercase().replace('_', "-").as_str() {
        "utf-8" | "utf8" => from_utf8(name, bytes),
        "utf-8-sig" => from_utf8(name, bytes).map(|text| match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => {
            Ok(bytes.into_iter().map(char::from).collect())
        }
        other => {
            let Some(known) = encoding_rs::Encoding::for_label(other.as_bytes()) else {
                return Err(
                    CommandError::new(Exit::Usage, format!("unknown encoding {encoding:?}"))
                        .with_hint("names such as utf-8, latin-1, utf-16, windows-1251, shift_jis are known"),
                );
            };
            let (text, _, malformed) = known.decode(&bytes);
            if malformed {
                let line = text
                    .split('\n')
                    .position(|line| line.contains('\u{fffd}'))
                    .unwrap_or(0)
                    + 1;
                return Err(CommandError::new(
                    Exit::InvalidDocument,
                    format!("{name}: line {line} is not {}", known.name()),
                ));
            }
            Ok(text.into_owned())
        }
    }
}

fn from_utf8(name: &str, bytes: Vec<u8>) -> CommandResult<String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let rest = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let (line, column) = (before.split(|&byte| byte == b'\n').count(), rest.len() + 1);
        CommandError::new(
            Exit::InvalidDocument,
            format!("{name}: line {line} is not UTF-8 (byte {column} of the line)"),
        )
        .with_hint("convert the file, or name its encoding with --encoding")
    })
}
