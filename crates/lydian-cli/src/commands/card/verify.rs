//! `lydian card verify`: is a card what its texts make it?

use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::{Contents, JOURNAL_FILE, JournalError};
use lydian_model::RunCard;
use lydian_model::run_card::file_form::FileForm;
use lydian_report::number::counted;
use lydian_scoring::verify::{Basis, FieldCheck, JournalSource, Sources, Verification, needs, verify};

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::language_cards::CardsArguments;
use crate::languages::Pair;
use crate::output::Context;

/// How many changed values are listed for people.
const LISTED: usize = 20;

/// Arguments of `lydian card verify`.
#[derive(Args)]
#[command(after_help = "\
Without options the scores are computed again from the texts in the card. The corpus confirms sources and
references, the journal the outputs, costs and times; --language computes the metrics that need the language.
Exit code 3 means that a value was changed.")]
pub(crate) struct Arguments {
    /// Run card, or the run folder that holds it
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Corpus file the run was made on
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Journal of the run, or the run folder that holds it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Compute the metrics of the languages again too, with their cards and the analyser; needs the corpus, which
    /// holds variants and gold analyses
    #[arg(long, requires = "corpus")]
    language: bool,
    #[command(flatten)]
    cards: CardsArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Verifies the card.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let (card, bytes) = documents::read_card_file(&arguments.run)?;
    let corpus = arguments
        .corpus
        .as_deref()
        .map(documents::read_corpus_file)
        .transpose()?;
    let journal = arguments.journal.as_deref().map(journal).transpose()?;
    let predictions = journal.as_ref().map(Contents::predictions).unwrap_or_default();
    let languages = arguments
        .language
        .then(|| languages(arguments, &card))
        .transpose()?;
    let sources = Sources {
        languages: languages.as_ref().map(Pair::languages),
        corpus: corpus.as_ref(),
        journal: journal.as_ref().map(|contents| JournalSource {
            setup: &contents.setup,
            predictions: &predictions,
            elapsed_seconds: Some(contents.active_seconds()),
        }),
        file: Some(&bytes),
    };
    let found = verify(&card, &sources).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(format!(
            "{}: its entries cannot be scored",
            arguments.run.display()
        ))
    })?;
    if arguments.json {
        context.print_json(&found)?;
    } else {
        context.print(&text(&found))?;
    }
    Ok(if found.intact {
        Exit::Done
    } else {
        Exit::InvalidDocument
    })
}

/// Opens the languages of the card; with another language card its numbers would differ whoever is right.
fn languages(arguments: &Arguments, card: &RunCard) -> CommandResult<Pair> {
    let dataset = &card.dataset;
    let pair = Pair::from_cards(
        &arguments.cards,
        &dataset.source_language,
        &dataset.target_language,
    )?;
    let stated = &card.environment.language_card;
    if *stated == pair.target_card {
        return Ok(pair);
    }
    let name = |card: &Option<String>| card.clone().unwrap_or_else(|| "no language card".to_owned());
    let message = format!(
        "{}: the run was scored with {}, here is {}",
        arguments.run.display(),
        name(stated),
        name(&pair.target_card)
    );
    Err(CommandError::new(Exit::InvalidDocument, message)
        .with_hint("say where the run's language cards are with --cards DIR, or verify without --language"))
}

fn journal(path: &Path) -> CommandResult<Contents> {
    let file = if path.is_dir() {
        path.join(JOURNAL_FILE)
    } else {
        path.to_owned()
    };
    // A missing file is the user's slip, found here with a hint about similar names.
    drop(files::open(&file)?);
    Contents::read(&file).map_err(|error| {
        let exit = match error {
            JournalError::Io { .. } => Exit::Internal,
            _ => Exit::InvalidDocument,
        };
        CommandError::from_error(exit, error)
    })
}

fn text(found: &Verification) -> String {
    let mut text = format!("run {}: {}\n", found.run_id, verdict(found));
    for change in found.changes.iter().take(LISTED) {
        text.push_str(&format!(
            "  {} is {}, expected {}\n",
            change.pointer, change.stated, change.expected
        ));
    }
    let listed = found.changes.len().min(LISTED) as u64;
    if found.change_count > listed {
        let rest = found.change_count - listed;
        text.push_str(&format!("  … and {rest} more; --json lists them\n"));
    }
    text.push('\n');
    text.push_str(&line(
        "hash",
        if found.hash_matches {
            "matches"
        } else {
            "does not match: the card was changed after it was sealed"
        },
    ));
    text.push_str(&line("file", &file(found.file.as_ref())));
    text.push_str(&line(
        "recomputed",
        &amount(found, |field| field.basis == Basis::Recomputed),
    ));
    let aggregated = amount(found, |field| field.basis == Basis::Aggregated);
    text.push_str(&line("added up", &format!("{aggregated}, from results[]")));
    for (needs, option) in NEEDED {
        let unchecked = |field: &FieldCheck| field.needs == Some(needs);
        if found.fields.iter().any(unchecked) {
            let values = amount(found, unchecked);
            text.push_str(&line("not checked", &format!("{values}: needs {needs}{option}")));
        }
    }
    text.push_str(&format!("\nEvery field by name: --json.\n{}\n", found.statement));
    text
}

/// What checking a field can need, in the order of what a reader is most likely to have, and how it is given.
const NEEDED: [(&str, &str); 7] = [
    (needs::CORPUS, " (--corpus FILE)"),
    (needs::JOURNAL, " (--journal DIR)"),
    (needs::LANGUAGE, ""),
    (needs::SCORER, ""),
    (needs::METHOD, ""),
    (needs::PROGRAM, ""),
    (needs::EARLIER, ""),
];

fn verdict(found: &Verification) -> String {
    let other = matches!(found.file, Some(FileForm::OtherDocument { .. }));
    match found.change_count {
        0 if other => "changed, the file is another document than the card that was read from it".to_owned(),
        0 => "intact".to_owned(),
        count => format!(
            "changed, {} not follow from the rest",
            counted(count, "value does", "values do")
        ),
    }
}

/// Says whether a program that hashes the file itself gets the hash of the card.
fn file(form: Option<&FileForm>) -> String {
    match form {
        None | Some(FileForm::Canonical) => "byte for byte as the card is written".to_owned(),
        Some(FileForm::Reformatted) => {
            "the same document, written in another way; only its canonical form has the hash".to_owned()
        }
        Some(FileForm::OtherDocument { pointer }) => {
            let place = if pointer.is_empty() {
                "the whole document"
            } else {
                pointer
            };
            format!("is another document: {place} is not written as in a card")
        }
    }
}

fn line(label: &str, text: &str) -> String {
    format!("{label:<13}{text}\n")
}

fn amount(found: &Verification, wanted: impl Fn(&FieldCheck) -> bool) -> String {
    let fields: Vec<&FieldCheck> = found.fields.iter().filter(|field| wanted(field)).collect();
    let values: u64 = fields.iter().map(|field| field.values).sum();
    format!(
        "{} of {}",
        counted(values, "value", "values"),
        counted(fields.len() as u64, "field", "fields")
    )
}
