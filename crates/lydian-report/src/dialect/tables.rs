//! The tables of a dialect report.

use lydian_model::dialect::{ItemType, PromptOrigin};
use lydian_model::{EntryId, Score};
use lydian_scoring::dialect::{
    ChoiceCell, DialectReport, DialectRow, OrthographyCell, OutcomeCounts, RunNote, Share, TranslationCell,
};

use super::plain::{Document, PlainTable};
use crate::number::{self, MISSING};
use crate::tame::tame;

/// Returns the document of a report.
pub(super) fn of_report(report: &DialectReport) -> Document {
    let dataset = &report.dataset;
    let answers = &report.answers;
    let mut facts = vec![
        format!(
            "dataset  {} {}, {}, sha256 {}",
            tame(&dataset.id),
            tame(&dataset.version),
            items(dataset.items),
            dataset.sha256
        ),
        format!("answers  {}", tame(&answers.name)),
    ];
    if let Some(run) = &answers.run {
        facts.extend(run_facts(run));
    }
    facts.push(format!(
        "missing  {} without an answer, counted as wrong",
        items(answers.missing)
    ));
    if !answers.unknown_ids.is_empty() {
        facts.push(format!(
            "ignored  answers for items that the dataset does not have: {}",
            some_ids(&answers.unknown_ids)
        ));
    }
    Document {
        title: format!("Dialect report: {}", tame(&dataset.id)),
        headline: headline(report),
        facts,
        tables: vec![
            results(report),
            counters(report),
            outcomes(report),
            choices(report),
            orthographies(report),
        ],
        limitations: report.limitations.iter().map(|text| tame(text)).collect(),
    }
}

/// Returns what is to be said of the run that brought the answers.
fn run_facts(run: &RunNote) -> Vec<String> {
    let endpoint = run
        .endpoint
        .as_ref()
        .map_or_else(String::new, |endpoint| format!(" at {}", tame(endpoint)));
    let temperature = run
        .temperature
        .map_or_else(String::new, |value| format!(", temperature {}", value.get()));
    let mut facts = vec![
        format!(
            "method   {}, {}{endpoint}{temperature}, sha256 {}",
            tame(&run.method_id),
            tame(&run.model_slug),
            run.method_sha256
        ),
        format!(
            "run      {} of {}{}",
            tame(&run.run_id),
            tame(&run.timestamp),
            if run.complete {
                ""
            } else {
                ", over a part of the file's items"
            }
        ),
        format!("setup    {}", run.setup_fingerprint),
    ];
    facts.extend(run.prompts.iter().map(|(item_type, prompt)| {
        let whose = match prompt.origin {
            PromptOrigin::Method => "the method's own",
            PromptOrigin::Shipped => "shipped",
            PromptOrigin::Given => "given",
        };
        format!("prompt   {}: {whose}, sha256 {}", item_type.name(), prompt.sha256)
    }));
    if !run.shown_items.is_empty() {
        facts.push(format!(
            "shown    the prompt or the coaching data hold the text of {}",
            some_ids(&run.shown_items)
        ));
    }
    facts
}

/// Returns a count of items: `1 item`, `2 items`.
pub(super) fn items(count: u64) -> String {
    number::counted(count, "item", "items")
}

/// Returns the first ids of a list.
pub(super) fn some_ids(ids: &[EntryId]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = ids.iter().take(SHOWN).map(|id| tame(id.as_str())).collect();
    let more = if ids.len() > SHOWN { " and more" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Returns the first line of every report.
pub(super) fn headline(report: &DialectReport) -> String {
    format!("Refusals: {} of all items", share(&report.refusals))
}

/// Returns the rows of a report, `uncertain` last.
pub(super) fn rows(report: &DialectReport) -> impl Iterator<Item = &DialectRow> {
    report.rows.iter().chain(&report.uncertain)
}

/// Returns the multiple-choice cells of a row with their types.
pub(super) fn choice_cells(row: &DialectRow) -> impl Iterator<Item = (ItemType, &ChoiceCell)> {
    let cells = [
        (ItemType::T2, &row.t2),
        (ItemType::T3, &row.t3),
        (ItemType::T4, &row.t4),
    ];
    cells
        .into_iter()
        .filter_map(|(item_type, cell)| Some((item_type, cell.as_ref()?)))
}

fn results(report: &DialectReport) -> PlainTable {
    let header = [
        "dialect",
        "items",
        "refusals",
        "T1 mean 0–2",
        "T2 accuracy",
        "T3 accuracy",
        "T4 accuracy",
    ];
    let mut table = PlainTable::new("Results per dialect, with 95 % intervals", &header);
    for row in rows(report) {
        let choice = |cell: &Option<ChoiceCell>| cell.as_ref().map_or_else(|| MISSING.to_owned(), accuracy);
        table.rows.push(vec![
            tame(&row.label),
            row.items.to_string(),
            share(&row.refusals),
            row.t1.as_ref().map_or_else(|| MISSING.to_owned(), translation),
            choice(&row.t2),
            choice(&row.t3),
            choice(&row.t4),
        ]);
    }
    table
}

fn counters(report: &DialectReport) -> PlainTable {
    let header = [
        "dialect",
        "answered in dialect",
        "hedged",
        "empty",
        "unparsed",
        "ambiguous",
        "missing",
        "overlong",
    ];
    let mut table = PlainTable::new("What else became of the answers", &header);
    for row in rows(report).filter(|row| row.items > 0) {
        let c = row.counters;
        let counts = [
            c.answered_in_dialect,
            c.hedged,
            c.empty,
            c.unparsed,
            c.ambiguous,
            c.missing,
            c.overlong,
        ];
        table.rows.push(
            [tame(&row.label)]
                .into_iter()
                .chain(counts.map(|count| count.to_string()))
                .collect(),
        );
    }
    table
}

fn outcomes(report: &DialectReport) -> PlainTable {
    let names = OutcomeCounts::default().named().map(|(name, _)| name);
    let header: Vec<&str> = ["dialect"].into_iter().chain(names).collect();
    let mut table = PlainTable::new("How the answers came", &header);
    for row in rows(report).filter(|row| row.items > 0) {
        let counts = row.outcomes.named().map(|(_, count)| count.to_string());
        table
            .rows
            .push([tame(&row.label)].into_iter().chain(counts).collect());
    }
    table
}

fn choices(report: &DialectReport) -> PlainTable {
    let header = [
        "dialect",
        "type",
        "best constant letter",
        "chosen A, B, C, D",
        "right if A, B, C, D",
        "p of the choices",
    ];
    let mut table = PlainTable::new("Baselines and position bias; chance is 25 %", &header);
    for row in rows(report) {
        if let Some(cell) = &row.t1 {
            let echo = format!("echo of the source: {:.2}", cell.echo_mean.get());
            table.rows.push(vec![
                tame(&row.label),
                "T1".to_owned(),
                echo,
                MISSING.into(),
                MISSING.into(),
                MISSING.into(),
            ]);
        }
        for (item_type, cell) in choice_cells(row) {
            let constant = &cell.best_constant;
            let each = |text: &dyn Fn(usize) -> String| {
                (0..cell.positions.len()).map(text).collect::<Vec<_>>().join(", ")
            };
            table.rows.push(vec![
                tame(&row.label),
                item_type.name().to_owned(),
                format!(
                    "{}: {} of {} = {}",
                    constant.letter,
                    constant.correct,
                    cell.correct.of,
                    percent(constant.accuracy)
                ),
                each(&|at| cell.positions[at].chosen.to_string()),
                each(&|at| {
                    format!(
                        "{}/{}",
                        cell.positions[at].correct, cell.positions[at].right_letter
                    )
                }),
                each(&|at| probability(cell.positions[at].p_value)),
            ]);
        }
    }
    table
}

fn orthographies(report: &DialectReport) -> PlainTable {
    let header = ["dialect", "orthography", "T1 mean 0–2", "T2", "T3", "T4"];
    let mut table = PlainTable::new("By spelling within each dialect", &header);
    for row in rows(report) {
        for cell in &row.orthographies {
            let t1 = cell.t1_mean.map_or_else(
                || MISSING.to_owned(),
                |mean| format!("{:.2} (n = {})", mean.get(), cell.t1_items),
            );
            let counts = ItemType::CHOICES.map(|item_type| right_of(cell, item_type));
            table.rows.push(
                [tame(&row.label), tame(&cell.orthography), t1]
                    .into_iter()
                    .chain(counts)
                    .collect(),
            );
        }
    }
    table
}

fn right_of(cell: &OrthographyCell, item_type: ItemType) -> String {
    let count = cell.choices.iter().find(|count| count.item_type == item_type);
    count.map_or_else(
        || MISSING.to_owned(),
        |count| format!("{}/{}", count.correct, count.of),
    )
}

/// `1.25 [0.90, 1.60]; 0: 2, 1: 5, 2: 3`.
pub(super) fn translation(cell: &TranslationCell) -> String {
    let interval = cell.interval.map_or_else(String::new, |[lower, upper]| {
        format!(" [{:.2}, {:.2}]", lower.get(), upper.get())
    });
    let [zero, one, two] = cell.counts;
    format!("{:.2}{interval}; 0: {zero}, 1: {one}, 2: {two}", cell.mean.get())
}

fn accuracy(cell: &ChoiceCell) -> String {
    let chance = if cell.above_chance {
        ""
    } else {
        "; not above chance"
    };
    format!("{}{chance}", share(&cell.correct))
}

/// `7/10 = 70.0 % [39.7, 89.2]`.
pub(super) fn share(share: &Share) -> String {
    let Some(value) = share.share else {
        return MISSING.to_owned();
    };
    let interval = share.interval.map_or_else(String::new, |[lower, upper]| {
        format!(" [{:.1}, {:.1}]", lower.get() * 100.0, upper.get() * 100.0)
    });
    format!("{}/{} = {}{interval}", share.count, share.of, percent(value))
}

/// A probability with three decimals, never shown as zero.
pub(super) fn probability(p: Option<Score>) -> String {
    match p {
        None => MISSING.to_owned(),
        Some(p) if p.get() < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{:.3}", p.get()),
    }
}

fn percent(value: Score) -> String {
    number::percent(Some(value))
}
