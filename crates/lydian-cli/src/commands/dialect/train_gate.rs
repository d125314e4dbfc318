//! `lydian dialect train-gate`: the language gate's table from texts, and its errors on other texts.

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_model::Sha256Hex;
use lydian_model::dialect::{GATE_TEXTS_SCHEMA, GateText, GateTexts};
use lydian_scoring::dialect::{GateClass, LanguageGate, TrainingText, gate_text_note, sentences, train_gate};
use serde::Serialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian dialect train-gate`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lydian dialect train-gate texts.json --texts downloads --out gate.tsv
  lydian dialect train-gate texts.json --texts downloads --measure heldout.json --json

A list of texts names the digest, licence and attribution of each; a file that differs is refused.
With --measure the table is also tried on the texts of a second list. The lists behind the shipped table
stand in the documentation.")]
pub(super) struct Arguments {
    /// List of the texts to train on
    #[arg(value_name = "LIST")]
    list: PathBuf,
    /// Folders in which the texts lie
    #[arg(long, value_name = "FOLDER", required = true, num_args = 1..)]
    texts: Vec<PathBuf>,
    /// File for the table
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List of texts on which the trained table is measured
    #[arg(long, value_name = "LIST")]
    measure: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Trained {
    schema: &'static str,
    sha256: Sha256Hex,
    same_as_shipped: bool,
    measured: Vec<Measured>,
}

/// How often the gate takes the sentences of a text for the dialect.
#[derive(Serialize)]
struct Measured {
    class: String,
    file: String,
    judged: u64,
    taken_for_dialect: u64,
    too_short: u64,
}

/// Trains, writes and measures.
pub(super) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let list = read_list(&arguments.list)?;
    let texts = list
        .texts
        .iter()
        .map(|text| training_text(text, &arguments.texts))
        .collect::<CommandResult<Vec<_>>>()?;
    let table = train_gate(&texts, &list.table_license).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(arguments.list.display().to_string())
    })?;
    if let Some(out) = &arguments.out {
        files::write_atomically(out, table.as_bytes())?;
    }
    let measured = match &arguments.measure {
        Some(path) => measure(path, &arguments.texts, &table)?,
        None => Vec::new(),
    };
    let trained = Trained {
        schema: "lydian.dialect-gate-training/1",
        sha256: Sha256Hex::of(table.as_bytes()),
        same_as_shipped: table == LanguageGate::shipped_table(),
        measured,
    };
    if arguments.json {
        context.print_json(&trained)?;
    } else if arguments.out.is_none() && trained.measured.is_empty() {
        context.print_data(&table)?;
    } else {
        context.print(&lines(&trained))?;
    }
    Ok(Exit::Done)
}

fn lines(trained: &Trained) -> String {
    let same = if trained.same_as_shipped {
        "the same as"
    } else {
        "other than"
    };
    let mut text = format!("table    sha256 {}, {same} the shipped one\n", trained.sha256);
    for row in &trained.measured {
        text.push_str(&format!(
            "{:<4} {}: {} of {} sentences taken for the dialect ({} too short to judge)\n",
            row.class, row.file, row.taken_for_dialect, row.judged, row.too_short
        ));
    }
    text
}

fn measure(path: &Path, folders: &[PathBuf], table: &str) -> CommandResult<Vec<Measured>> {
    let gate = LanguageGate::parse(table).map_err(|error| CommandError::from_error(Exit::Internal, error))?;
    let measured = |text: &GateText| {
        let mut row = Measured {
            class: text.class.clone(),
            file: text.file.clone(),
            judged: 0,
            taken_for_dialect: 0,
            too_short: 0,
        };
        for sentence in read_sentences(text, folders)? {
            let scores = gate.scores(&sentence);
            let counter = if scores.is_judged() {
                &mut row.judged
            } else {
                &mut row.too_short
            };
            *counter += 1;
            row.taken_for_dialect += u64::from(scores.says_dialect());
        }
        Ok(row)
    };
    read_list(path)?.texts.iter().map(measured).collect()
}

fn read_list(path: &Path) -> CommandResult<GateTexts> {
    let name = path.display().to_string();
    let list: GateTexts = serde_json::from_slice(&files::read(path)?)
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error).context(name.clone()))?;
    if list.schema != GATE_TEXTS_SCHEMA {
        let message = format!(
            "{name}: the schema is `{}`, expected `{GATE_TEXTS_SCHEMA}`",
            list.schema
        );
        return Err(CommandError::new(Exit::InvalidDocument, message));
    }
    Ok(list)
}

fn training_text(text: &GateText, folders: &[PathBuf]) -> CommandResult<TrainingText> {
    let class = GateClass::from_name(&text.class).ok_or_else(|| {
        CommandError::new(
            Exit::InvalidDocument,
            format!("{}: `{}` is no class", text.file, text.class),
        )
        .with_hint("use gsw, de, en, fr or it")
    })?;
    let sentences = read_sentences(text, folders)?;
    Ok(TrainingText {
        class,
        note: gate_text_note(text, sentences.len()),
        sentences,
    })
}

fn read_sentences(text: &GateText, folders: &[PathBuf]) -> CommandResult<Vec<String>> {
    let plain_name = Path::new(&text.file)
        .file_name()
        .is_some_and(|name| name == text.file.as_str());
    let invalid = |message: String| CommandError::new(Exit::InvalidDocument, message);
    if !plain_name {
        return Err(invalid(format!(
            "`{}` is no file name; folders are given with --texts",
            text.file
        )));
    }
    let path = folders
        .iter()
        .map(|folder| folder.join(&text.file))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            CommandError::new(Exit::Usage, format!("{} is in none of the folders", text.file))
                .with_hint(&text.attribution)
        })?;
    let bytes = files::read(&path)?;
    let found = Sha256Hex::of(&bytes);
    if found != text.sha256 {
        return Err(invalid(format!(
            "{}: the digest is {found}, the list says {}",
            path.display(),
            text.sha256
        )));
    }
    let content = String::from_utf8(bytes).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })?;
    let all = sentences(text.format, &content).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })?;
    match text.sentences {
        None => Ok(all),
        Some((first, last)) => first
            .checked_sub(1)
            .and_then(|start| all.get(start..last))
            .map(<[String]>::to_vec)
            .ok_or_else(|| {
                invalid(format!(
                    "{}: there are {} sentences, the list wants {first} to {last}",
                    path.display(),
                    all.len()
                ))
            }),
    }
}
