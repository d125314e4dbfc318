//! A run over dialect items: from its journal to the report, the one place where answers and keys meet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lydian_harness::journal::{Contents, EndReason};
use lydian_harness::method::service::ITEM_PROMPTS;
use lydian_model::dialect::{DialectItem, DialectItems, ItemPromptText, ItemType};
use lydian_model::fingerprint::setup_fingerprint;
use lydian_model::{Entry, EntryId, NanoUsd, Prediction, RunSetup, Sha256Hex};
use lydian_report::dialect::Format;
use lydian_report::terminal::Width;
use lydian_scoring::dialect::{AnswersNote, DialectReport, LanguageGate, RunNote, Share};
use serde::Serialize;

use crate::error::{CommandError, CommandResult, Exit};
use crate::evaluate::REPORT_FILE;
use crate::output::Context;
use crate::{dialect_items, files, leaks};

/// Name of the report in a run folder.
pub(crate) const DIALECT_REPORT_FILE: &str = "dialect-report.json";
/// Columns of a report on a terminal.
pub(crate) const WIDTH: Width = Width(140);

/// Returns the report of a run: a pure function of items, journal and gate.
pub(crate) fn report(
    items: &DialectItems,
    contents: &Contents,
    gate: &LanguageGate,
) -> CommandResult<DialectReport> {
    let setup = &contents.setup;
    let by_id: BTreeMap<&EntryId, &DialectItem> = items.items.iter().map(|item| (&item.id, item)).collect();
    let find = |id: &EntryId| {
        by_id.get(id).map(|item| (*item).clone()).ok_or_else(|| {
            CommandError::new(
                Exit::InvalidDocument,
                format!("the file has no item {id} any more"),
            )
        })
    };
    let selected = setup
        .selection
        .entry_ids
        .iter()
        .map(find)
        .collect::<CommandResult<Vec<_>>>()?;
    let note = AnswersNote {
        name: format!("{} ({})", setup.method.method_id, setup.model_slug),
        run: Some(run_note(setup, &selected)?),
        ..AnswersNote::default()
    };
    let asked = DialectItems {
        items: selected,
        ..items.clone()
    };
    let answers: Vec<Prediction> = contents.predictions().into_values().collect();
    lydian_scoring::dialect::report(&asked, setup.dataset.sha256.clone(), &answers, note, gate)
        .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))
}

fn run_note(setup: &RunSetup, selected: &[DialectItem]) -> CommandResult<RunNote> {
    let prompts: BTreeMap<ItemType, ItemPromptText> = match setup.parameters.get(ITEM_PROMPTS) {
        Some(recorded) => serde_json::from_value(recorded.clone()).map_err(|error| {
            CommandError::from_error(Exit::InvalidDocument, error)
                .context(format!("the journal's parameter {ITEM_PROMPTS}"))
        })?,
        None => BTreeMap::new(),
    };
    Ok(RunNote {
        run_id: setup.run_id.clone(),
        timestamp: setup.timestamp.clone(),
        method_id: setup.method.method_id.clone(),
        method_sha256: setup.method.method_sha256.clone(),
        model_slug: setup.model_slug.clone(),
        temperature: setup.temperature,
        endpoint: setup.endpoint.clone(),
        setup_fingerprint: setup_fingerprint(setup),
        shown_items: shown_items(setup, selected, &prompts),
        prompts,
        complete: setup.selection.complete,
    })
}

/// Returns the items whose source or reference stands in what the method was shown beside the item (decision 21).
fn shown_items(
    setup: &RunSetup,
    selected: &[DialectItem],
    prompts: &BTreeMap<ItemType, ItemPromptText>,
) -> Vec<EntryId> {
    let entries: Vec<Entry> = selected
        .iter()
        .map(|item| Entry::new(item.id.clone(), &item.source, &item.reference))
        .collect();
    let entries: Vec<&Entry> = entries.iter().collect();
    let told = prompts
        .values()
        .flat_map(|prompt| [prompt.system.as_str(), prompt.user.as_str()]);
    let told: Vec<&str> = told.chain([setup.system_prompt_used.as_str()]).collect();
    let asked = RunSetup {
        system_prompt_used: told.join("\n"),
        ..setup.clone()
    };
    let mut ids: Vec<EntryId> = leaks::leaks(&entries, &asked)
        .into_iter()
        .map(|leak| leak.entry_id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// A run over dialect items that has ended.
pub(crate) struct Finished<'a> {
    /// The run folder.
    pub(crate) folder: &'a Path,
    /// The file's items.
    pub(crate) items: &'a DialectItems,
    /// What the journal says.
    pub(crate) contents: &'a Contents,
    /// How the execution ended.
    pub(crate) reason: EndReason,
}

/// What `--json` prints; the report itself is in the folder.
#[derive(Serialize)]
struct Reported<'a> {
    schema: &'static str,
    folder: &'a Path,
    dialect_report: Option<PathBuf>,
    report: Option<PathBuf>,
    run_id: &'a str,
    ended: EndReason,
    items: usize,
    unanswered: usize,
    refusals: Option<Share>,
    spent_usd: NanoUsd,
    setup_fingerprint: Sha256Hex,
}

impl Finished<'_> {
    /// Writes report and page into the folder and prints the report. A run without a single answer gets none.
    pub(crate) fn write(&self, gate: Option<&Path>, json: bool, context: &Context) -> CommandResult<()> {
        let nothing_answered = self.contents.answers.is_empty() && self.reason != EndReason::Finished;
        let written = if nothing_answered {
            None
        } else {
            let gate = dialect_items::read_gate(gate)?;
            let report = report(self.items, self.contents, &gate)?;
            let json_file = self.folder.join(DIALECT_REPORT_FILE);
            let page = self.folder.join(REPORT_FILE);
            let pretty = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
            files::write_atomically(&json_file, format!("{pretty}\n").as_bytes())?;
            let html = lydian_report::dialect::report(&report, Format::Html);
            files::write_atomically(&page, html.as_bytes())?;
            Some((report, json_file, page))
        };
        if json {
            return context.print_json(&self.reported(written.as_ref()));
        }
        if let Some((report, json_file, page)) = &written {
            context.print(&lydian_report::dialect::report(report, Format::Terminal(WIDTH)))?;
            context.note(&format!("report  {}", json_file.display()));
            context.note(&format!("page    {}", page.display()));
        }
        Ok(())
    }

    fn reported<'a>(&'a self, written: Option<&(DialectReport, PathBuf, PathBuf)>) -> Reported<'a> {
        let setup = &self.contents.setup;
        Reported {
            schema: "lydian.dialect-run/1",
            folder: self.folder,
            dialect_report: written.map(|(_, file, _)| file.clone()),
            report: written.map(|(_, _, page)| page.clone()),
            run_id: &setup.run_id,
            ended: self.reason,
            items: setup.selection.entry_ids.len(),
            unanswered: self.contents.open_entries().len(),
            refusals: written.map(|(report, _, _)| report.refusals),
            spent_usd: self.contents.spent(),
            setup_fingerprint: setup_fingerprint(setup),
        }
    }
}
