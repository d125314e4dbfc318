//! Corpus and journal to run card: the one place where running and scoring meet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lydian_harness::journal::Contents;
use lydian_model::run_card::{Environment, Measured, Scores};
use lydian_model::{Corpus, Entry, EntryId, RunCard, RunSetup};
use lydian_scoring::{AnalyserUse, ScoringContext, score};

use crate::documents::CARD_FILE;
use crate::error::{CommandError, CommandResult, Exit};
use crate::interrupts::Gate;
use crate::languages::Pair;
use crate::{files, leaks, report_page, semantic};

/// Name of the page in a run folder.
pub(crate) const REPORT_FILE: &str = "report.html";

/// Name and version of this program, as journals and cards record it.
pub(crate) const PROGRAM: &str = concat!("lydian ", env!("CARGO_PKG_VERSION"));

/// Returns the card of a run: a pure function of corpus, journal, the answers of a semantic scorer that lie in the run's
/// folder, and this program (decision 25).
pub(crate) fn card(corpus: &Corpus, contents: &Contents, folder: &Path) -> CommandResult<RunCard> {
    let setup = &contents.setup;
    let by_id: BTreeMap<&EntryId, &Entry> = corpus.entries.iter().map(|entry| (&entry.id, entry)).collect();
    let find = |id: &EntryId| {
        by_id.get(id).copied().ok_or_else(|| {
            CommandError::new(
                Exit::InvalidDocument,
                format!("the corpus has no entry {id} any more"),
            )
        })
    };
    let entries = setup
        .selection
        .entry_ids
        .iter()
        .map(find)
        .collect::<CommandResult<Vec<_>>>()?;
    let predictions = contents.predictions();
    let elapsed_seconds = contents.active_seconds();
    let languages = Pair::open(&setup.dataset.source_language, &setup.dataset.target_language)?;
    let answers = semantic::answers(folder)?;
    let context = ScoringContext {
        elapsed_seconds: Some(elapsed_seconds),
        leaks: leaks::leaks(&entries, setup),
        semantic: answers.as_ref(),
        analyser_use: analyser_use(setup),
        ..ScoringContext::for_languages(&languages.source, &languages.target)
    };
    let scored = score(&entries, &predictions, &context)
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))?;
    let mut served = setup
        .selection
        .entry_ids
        .iter()
        .filter_map(|id| predictions.get(id)?.served.as_ref());
    let measured = Measured {
        elapsed_seconds,
        model_id: served.find_map(|served| served.model_id.clone()),
        scores: scored.scores,
        totals: scored.totals,
        results: scored.results,
        environment: Environment {
            program: PROGRAM.to_owned(),
            scorer_version: env!("CARGO_PKG_VERSION").to_owned(),
            language_card: languages.target_card,
        },
    };
    Ok(RunCard::new(setup, measured))
}

/// A method that names an analyser version has consulted an analyser of the language.
fn analyser_use(setup: &RunSetup) -> AnalyserUse {
    if setup.fst_version.is_some() {
        AnalyserUse::InLoop
    } else {
        AnalyserUse::Independent
    }
}

/// The files a run folder holds for people.
pub(crate) struct Written {
    /// The card.
    pub(crate) card: PathBuf,
    /// The page.
    pub(crate) report: PathBuf,
    /// What the unchanged source scores on the same entries.
    pub(crate) floor: Option<Scores>,
}

/// Writes card and page into the run folder, each as a whole or not at all.
pub(crate) fn write(folder: &Path, card: &RunCard) -> CommandResult<Written> {
    write_through(&Gate::default(), folder, card)
}

/// Writes card and page like [`write()`], each only if the gate is open.
pub(crate) fn write_through(gate: &Gate, folder: &Path, card: &RunCard) -> CommandResult<Written> {
    let written = Written {
        card: folder.join(CARD_FILE),
        report: folder.join(REPORT_FILE),
        floor: report_page::floor(card),
    };
    gate.write(|| files::write_atomically(&written.card, &card.file_bytes()))?;
    let page = report_page::page(std::slice::from_ref(card), written.floor.as_ref());
    gate.write(|| files::write_atomically(&written.report, page.as_bytes()))?;
    Ok(written)
}
