//! Reads item files, answers files and gate tables from disk.

use std::path::Path;

use lydian_model::corpus::read::{ReadOptions, read_corpus};
use lydian_model::dialect::{
    AnswersFile, AnswersFormat, DialectItems, Strictness, check_items, read_answers, read_items,
};
use lydian_model::{Diagnostic, Severity, Sha256Hex};
use lydian_scoring::dialect::{AnswersNote, DialectReport, LanguageGate, check_scorability, report};

use crate::documents;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// An item file and all findings about it, errors first.
pub(super) struct ItemFile {
    /// The items; `None` when there is an error.
    pub(super) items: Option<DialectItems>,
    /// The digest of the file.
    pub(super) sha256: Sha256Hex,
    /// The findings.
    pub(super) findings: Vec<Diagnostic>,
}

/// Reads an item file with every check.
pub(super) fn read(path: &Path, strictness: Strictness) -> CommandResult<ItemFile> {
    let bytes = files::read(path)?;
    let sha256 = Sha256Hex::of(&bytes);
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let options = ReadOptions {
        file_name,
        ..ReadOptions::default()
    };
    let corpus = match read_corpus(bytes.as_slice(), &options) {
        Ok(corpus) => corpus,
        Err(error) if error.diagnostics().is_empty() => return Err(documents::invalid(path, &error)),
        Err(error) => {
            return Ok(ItemFile {
                items: None,
                sha256,
                findings: error.diagnostics(),
            });
        }
    };
    let (items, found) = read_items(&corpus.corpus);
    let mut findings = corpus.diagnostics;
    findings.extend(found);
    if let Some(items) = &items {
        findings.extend(check_items(items, strictness));
        findings.extend(check_scorability(items));
    }
    findings.sort_by_key(|finding| finding.severity);
    let usable = findings.iter().all(|finding| finding.severity != Severity::Error);
    Ok(ItemFile {
        items: items.filter(|_| usable),
        sha256,
        findings,
    })
}

/// Reads items that must be usable; warnings are counted on standard error.
pub(super) fn read_usable(path: &Path, context: &Context) -> CommandResult<(DialectItems, Sha256Hex)> {
    let file = read(path, Strictness::Draft)?;
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
                path.display()
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
            "{warnings} warnings; see `lydian dialect validate {}`",
            path.display()
        ));
    }
    Ok((items, file.sha256))
}

/// Reads an answers file: CSV by its name, else JSON Lines.
pub(super) fn read_answers_file(path: &Path, context: &Context) -> CommandResult<AnswersFile> {
    let csv = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let format = if csv {
        AnswersFormat::Csv
    } else {
        AnswersFormat::JsonLines
    };
    let file = read_answers(&files::read(path)?, format).map_err(|error| documents::invalid(path, &error))?;
    for finding in &file.diagnostics {
        context.warning(&format!("{}: {finding}", path.display()));
    }
    Ok(file)
}

/// Reads a gate table, or returns the shipped one.
pub(super) fn read_gate(path: Option<&Path>) -> CommandResult<LanguageGate> {
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

/// Scores an answers file; answers for unknown items are warned about and not counted.
pub(super) fn score(
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
            "{}: {} answers are for items that the dataset does not have and are not counted, such as {}",
            answers.display(),
            unknown.len(),
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
        context.warning(&format!(
            "{} items have no answer and count as wrong",
            scored.answers.missing
        ));
    }
    Ok(scored)
}
