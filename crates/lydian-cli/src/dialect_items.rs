//! Reads item files, answers files and gate tables from disk.

use std::path::Path;

use lydian_harness::journal::Journal;
use lydian_model::corpus::read::{CorpusFile, ReadOptions, read_corpus};
use lydian_model::dialect::{
    AnswersFile, AnswersFormat, DialectItems, ITEMS_KIND, Strictness, check_items, read_answers, read_items,
};
use lydian_model::{Corpus, Diagnostic, Severity, Sha256Hex};
use lydian_report::number::counted;
use lydian_scoring::dialect::{AnswersNote, DialectReport, LanguageGate, check_scorability, report};

use crate::dialect_run;
use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::journal_error;
use crate::files;
use crate::output::Context;

/// Warnings about corpora that mean nothing for items: reports break down by dialect and spelling only, and several
/// questions about one text are wanted.
const OF_CORPORA: [&str; 5] = [
    "source_repeats",
    "missing_provenance",
    "missing_difficulty",
    "missing_register",
    "missing_domain",
];

/// An item file and all findings about it, errors first.
pub(crate) struct ItemFile {
    /// The items; `None` when there is an error.
    pub(crate) items: Option<DialectItems>,
    /// The digest of the file.
    pub(crate) sha256: Sha256Hex,
    /// The findings.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Returns whether a corpus says that it holds dialect items.
pub(crate) fn are_in(corpus: &Corpus) -> bool {
    corpus
        .dataset
        .extra
        .get("kind")
        .is_some_and(|kind| kind == ITEMS_KIND)
}

/// Reads an item file with every check.
pub(crate) fn read(path: &Path, strictness: Strictness) -> CommandResult<ItemFile> {
    let bytes = files::read(path)?;
    let options = ReadOptions {
        file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..ReadOptions::default()
    };
    match read_corpus(bytes.as_slice(), &options) {
        Ok(corpus) => Ok(checked(&corpus, strictness)),
        Err(error) if error.diagnostics().is_empty() => Err(documents::invalid(path.display(), error)),
        Err(error) => Ok(ItemFile {
            items: None,
            sha256: Sha256Hex::of(&bytes),
            findings: error.diagnostics(),
        }),
    }
}

fn checked(corpus: &CorpusFile, strictness: Strictness) -> ItemFile {
    let (items, found) = read_items(&corpus.corpus);
    let about_items = |finding: &&Diagnostic| !OF_CORPORA.contains(&finding.check);
    let mut findings: Vec<Diagnostic> = corpus.diagnostics.iter().filter(about_items).cloned().collect();
    findings.extend(found);
    if let Some(items) = &items {
        findings.extend(check_items(items, strictness));
        findings.extend(check_scorability(items));
    }
    findings.sort_by_key(|finding| finding.severity);
    let usable = findings.iter().all(|finding| finding.severity != Severity::Error);
    ItemFile {
        items: items.filter(|_| usable),
        sha256: corpus.sha256.clone(),
        findings,
    }
}

/// Reads items that must be usable; warnings are counted on standard error.
pub(crate) fn read_usable(path: &Path, context: &Context) -> CommandResult<(DialectItems, Sha256Hex)> {
    let file = read(path, Strictness::Draft)?;
    let sha256 = file.sha256.clone();
    Ok((expect_usable(file, path, context)?, sha256))
}

/// Returns the items of a corpus that must be usable.
pub(crate) fn usable(corpus: &CorpusFile, path: &Path, context: &Context) -> CommandResult<DialectItems> {
    expect_usable(checked(corpus, Strictness::Draft), path, context)
}

fn expect_usable(file: ItemFile, path: &Path, context: &Context) -> CommandResult<DialectItems> {
    let Some(items) = file.items else {
        let errors: Vec<String> = file
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| format!("{}: {finding}", path.display()))
            .collect();
        return Err(
            CommandError::new(Exit::InvalidDocument, errors.join("\n")).with_hint(format!(
                "`lydian dialect validate {}` shows warnings too",
                files::quoted(path)
            )),
        );
    };
    let warnings = file
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Warning)
        .count();
    if warnings > 0 {
        context.note(&format!(
            "{}; see `lydian dialect validate {}`",
            counted(warnings as u64, "warning", "warnings"),
            files::quoted(path)
        ));
    }
    Ok(items)
}

/// Reads an answers file: a table by its name, else JSON Lines.
fn read_answers_file(path: &Path, context: &Context) -> CommandResult<AnswersFile> {
    let table = path.extension().is_some_and(|extension| {
        ["csv", "tsv"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    let format = if table {
        AnswersFormat::Csv
    } else {
        AnswersFormat::JsonLines
    };
    let file = read_answers(&files::read(path)?, format)
        .map_err(|error| documents::invalid(path.display(), error))?;
    for finding in &file.diagnostics {
        context.warning(&format!("{}: {finding}", path.display()));
    }
    Ok(file)
}

/// Reads a gate table, or returns the shipped one.
pub(crate) fn read_gate(path: Option<&Path>) -> CommandResult<LanguageGate> {
    let Some(path) = path else {
        return Ok(LanguageGate::shipped().clone());
    };
    let text = String::from_utf8(files::read(path)?).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })?;
    LanguageGate::parse(&text).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
    })
}

/// Scores answers: a file of them, or the folder of a run over these items.
pub(crate) fn score(
    dataset: &(DialectItems, Sha256Hex),
    answers: &Path,
    name: Option<&str>,
    gate: &LanguageGate,
    context: &Context,
) -> CommandResult<DialectReport> {
    if answers.is_dir() {
        return score_run(dataset, answers, name, gate);
    }
    score_file(dataset, answers, name, gate, context)
}

fn score_run(
    (items, sha256): &(DialectItems, Sha256Hex),
    folder: &Path,
    name: Option<&str>,
    gate: &LanguageGate,
) -> CommandResult<DialectReport> {
    let contents = Journal::read(folder).map_err(journal_error)?;
    let began_with = &contents.setup.dataset.sha256;
    if began_with != sha256 {
        let message = format!(
            "{}: the run is over other items (sha256 {began_with} instead of {sha256})",
            folder.display()
        );
        return Err(CommandError::new(Exit::InvalidDocument, message)
            .with_hint("give the item file that the run began with"));
    }
    let mut scored = dialect_run::report(items, &contents, gate)?;
    if let Some(name) = name {
        name.clone_into(&mut scored.answers.name);
    }
    Ok(scored)
}

/// Answers for unknown items are warned about and not counted.
fn score_file(
    (items, sha256): &(DialectItems, Sha256Hex),
    answers: &Path,
    name: Option<&str>,
    gate: &LanguageGate,
    context: &Context,
) -> CommandResult<DialectReport> {
    let file = read_answers_file(answers, context)?;
    let file_name = || {
        answers
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let note = AnswersNote {
        name: name.map_or_else(file_name, str::to_owned),
        sha256: Some(file.sha256),
        ..AnswersNote::default()
    };
    let scored = report(items, sha256.clone(), &file.answers, note, gate).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error).context(answers.display().to_string())
    })?;
    let unknown = &scored.answers.unknown_ids;
    if !unknown.is_empty() {
        let some: Vec<&str> = unknown
            .iter()
            .take(5)
            .map(lydian_model::EntryId::as_str)
            .collect();
        context.warning(&format!(
            "{}: {} for an item that the dataset does not have and not counted, such as {}",
            answers.display(),
            counted(unknown.len() as u64, "answer is", "answers are"),
            some.join(", ")
        ));
    }
    if unknown.len() == file.answers.len() {
        let message = format!(
            "{}: no answer belongs to an item of the dataset",
            answers.display()
        );
        return Err(CommandError::new(Exit::InvalidDocument, message)
            .with_hint("check that the answers belong to these items"));
    }
    if scored.answers.missing > 0 {
        let missing = counted(scored.answers.missing, "item has", "items have");
        context.warning(&format!("{missing} no answer: score 0"));
    }
    Ok(scored)
}
