//! `lydian card verify`: is a card what its texts make it?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::{Contents, JOURNAL_FILE, JournalError};
use lydian_model::RunCard;
use lydian_report::number::counted;
use lydian_scoring::verify::{Basis, JournalSource, Sources, Verification, verify};

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
    let card = documents::read_card(&arguments.run)?;
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
    let mut text = if found.intact {
        format!("run {}: intact\n", found.run_id)
    } else {
        let values = counted(found.change_count, "value does", "values do");
        format!(
            "run {}: changed, {values} not follow from the rest\n",
            found.run_id
        )
    };
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
    text.push_str(&format!(
        "hash                      {}\n",
        if found.hash_matches {
            "matches"
        } else {
            "does not match: the card was changed after it was sealed"
        }
    ));
    text.push_str(&summary(found, Basis::Recomputed, "recomputed"));
    text.push_str(&summary(found, Basis::Aggregated, "aggregated from results[]"));
    for (needs, fields) in unchecked(found) {
        text.push_str(&format!(
            "not checked               needs {needs}: {}\n",
            fields.join(", ")
        ));
    }
    text.push_str(&format!("\n{}\n", found.statement));
    text
}

fn summary(found: &Verification, basis: Basis, label: &str) -> String {
    let checked: Vec<_> = found.fields.iter().filter(|field| field.basis == basis).collect();
    let values: u64 = checked.iter().map(|field| field.values).sum();
    format!(
        "{label:<26}{}, {}\n",
        counted(checked.len() as u64, "field", "fields"),
        counted(values, "value", "values")
    )
}

/// Returns the unchecked fields by what checking them needs; parts of a field are taken together.
fn unchecked(found: &Verification) -> BTreeMap<&str, Vec<String>> {
    let mut unchecked: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for field in &found.fields {
        let Some(needs) = field.needs else { continue };
        let name = match field.field.split('.').collect::<Vec<_>>().as_slice() {
            ["scores", "metric_availability", ..] => "scores.metric_availability".to_owned(),
            ["method_config", ..] => "method_config".to_owned(),
            ["environment", ..] => "environment".to_owned(),
            ["results[]", name, ..] => format!("results[].{}", name.trim_end_matches("[]")),
            _ => field.field.clone(),
        };
        let names = unchecked.entry(needs).or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    unchecked
}
