//! The tables of a sweep.

use lydian_model::sweep::{DecidingMetric, shown_value};
use lydian_model::{Finite, Score};
use lydian_scoring::sweep::{AxisSummary, Configuration, HeatMap, MatrixRun, SweepMatrix};

use crate::dialect::plain::{Document, PlainTable};
use crate::number::{self, MISSING};
use crate::tame::tame;

/// Entries listed as the hardest.
const HARDEST: usize = 20;
/// Configurations named in a sentence.
const NAMED: usize = 3;
/// Characters of a source text that are shown in a table.
const SHOWN: usize = 60;

/// Returns what fits a terminal: verdict, configurations and axes.
pub(super) fn short(matrix: &SweepMatrix) -> Document {
    Document {
        tables: [configurations(matrix)]
            .into_iter()
            .chain(verdict(matrix))
            .chain(
                matrix
                    .axes
                    .iter()
                    .filter(|axis| varied(axis))
                    .map(|axis| of_axis(matrix, axis)),
            )
            .collect(),
        ..full(matrix)
    }
}

/// Returns everything.
pub(super) fn full(matrix: &SweepMatrix) -> Document {
    let mut tables = vec![configurations(matrix)];
    tables.extend(verdict(matrix));
    let varied = matrix.axes.iter().filter(|axis| varied(axis));
    tables.extend(varied.map(|axis| of_axis(matrix, axis)));
    tables.extend(matrix.heat_map.as_ref().map(|map| heat_map(matrix.metric, map)));
    tables.push(entries(matrix));
    tables.push(runs(matrix));
    Document {
        title: format!("Sweep: {}", tame(&matrix.name)),
        headline: tame(&matrix.verdict.sentence),
        facts: facts(matrix),
        tables,
        limitations: limitations(matrix),
    }
}

fn varied(axis: &AxisSummary) -> bool {
    axis.values.len() > 1
}

/// Returns a deciding score with as many decimals as it deserves.
pub(super) fn quality(metric: DecidingMetric, score: Option<Score>) -> String {
    match metric {
        DecidingMetric::ChrfPlusPlus => number::points(score),
        DecidingMetric::Composite => number::share(score),
    }
}

/// Returns the names of configurations, in the order of the ids.
pub(super) fn labels<'m>(matrix: &'m SweepMatrix, ids: &'m [String]) -> impl Iterator<Item = String> + 'm {
    ids.iter().filter_map(|id| {
        let found = matrix.configurations.iter().find(|one| one.id == *id)?;
        Some(tame(&found.label))
    })
}

/// Returns what is known in one line each: a name, two spaces or more, a value.
pub(super) fn facts(matrix: &SweepMatrix) -> Vec<String> {
    let complete: u64 = matrix.configurations.iter().map(|one| one.complete).sum();
    let mut facts = vec![format!(
        "runs      {} of {} complete, {} configurations",
        complete,
        matrix.runs.len(),
        matrix.configurations.len()
    )];
    if let Some(dataset) = &matrix.dataset {
        facts.push(format!(
            "corpus    {} {} ({} → {})",
            tame(&dataset.id),
            tame(&dataset.version),
            tame(&dataset.source_language),
            tame(&dataset.target_language)
        ));
    }
    let list = |ids: &[String]| {
        let names: Vec<String> = labels(matrix, ids).collect();
        if names.is_empty() {
            MISSING.to_owned()
        } else {
            names.join("; ")
        }
    };
    facts.push(format!(
        "front     quality against cost: {}{}",
        list(&matrix.pareto_cost),
        left_out(matrix, "cost", |one| one.cost_per_entry_usd)
    ));
    facts.push(format!(
        "front     quality against latency: {}{}",
        list(&matrix.pareto_speed),
        left_out(matrix, "latency", |one| one.median_latency_seconds)
    ));
    facts.push(format!(
        "invents   least: {}",
        match matrix.fewest_hallucinations.len() {
            many if many > NAMED => format!(
                "{many} configurations: {} and {} more",
                list(&matrix.fewest_hallucinations[..NAMED]),
                many - NAMED
            ),
            _ => list(&matrix.fewest_hallucinations),
        }
    ));
    facts.push(match &matrix.most_consistent_temperature {
        Some(value) => format!("steadiest temperature: {}", shown_value(value)),
        None => match equally_steady(matrix).as_slice() {
            [] => "steadiest temperature: unknown without repeats at a temperature".to_owned(),
            equal => format!(
                "steadiest temperature: none, repeats agree equally at {}",
                equal.join(", ")
            ),
        },
    });
    let hard = matrix.entries.iter().filter(|entry| entry.all_fail).count();
    facts.push(format!(
        "hard      {hard} of {} on which no run reaches sentence chrF++ {}",
        number::entries(matrix.entries.len() as u64),
        lydian_scoring::sweep::ALL_FAIL_BELOW
    ));
    facts
}

fn equally_steady(matrix: &SweepMatrix) -> Vec<String> {
    let axis = matrix.axes.iter().find(|axis| axis.axis == "temperature");
    let values = axis.map(AxisSummary::steadiest).unwrap_or_default();
    values.into_iter().map(shown_value).collect()
}

/// Returns the configurations that have a quality and are on no front because their price is not known, as a sentence ends with them.
pub(super) fn left_out(
    matrix: &SweepMatrix,
    price_name: &str,
    price: fn(&Configuration) -> Option<Finite>,
) -> String {
    let unknown = |one: &&Configuration| one.quality.is_some() && price(one).is_none();
    let names: Vec<String> = matrix
        .configurations
        .iter()
        .filter(unknown)
        .map(|one| tame(&one.label))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len().min(NAMED)].join("; ");
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let count = if more > 0 {
        format!("{} ", names.len())
    } else {
        String::new()
    };
    format!(" ({count}left out, because their {price_name} is not known: {named}{rest})")
}

fn limitations(matrix: &SweepMatrix) -> Vec<String> {
    let mut list = vec![matrix.notice.clone()];
    if let Some(test) = &matrix.verdict.test {
        list.push(format!("the verdict: {test}"));
    }
    list.extend(
        matrix
            .verdict
            .not_compared
            .iter()
            .map(|one| format!("not compared: {}", tame(one))),
    );
    list.push(
        "means over an axis are over configurations that may differ in other axes too; excluded combinations shift them"
            .to_owned(),
    );
    list
}

pub(super) fn configurations(matrix: &SweepMatrix) -> PlainTable {
    let header = [
        "configuration",
        "role",
        "runs",
        matrix.metric.title(),
        "range",
        "hallucination",
        "USD per entry",
        "latency",
        "repeats agree",
        "front",
    ];
    let mut table = PlainTable::new("Configurations, repeats taken together", &header);
    for one in &matrix.configurations {
        table.rows.push(configuration(matrix, one));
    }
    table
}

fn configuration(matrix: &SweepMatrix, one: &Configuration) -> Vec<String> {
    let range = one.quality_range.filter(|_| one.complete > 1);
    let front = match (
        matrix.pareto_cost.contains(&one.id),
        matrix.pareto_speed.contains(&one.id),
    ) {
        (true, true) => "cost, speed",
        (true, false) => "cost",
        (false, true) => "speed",
        (false, false) => "",
    };
    vec![
        tame(&one.label),
        one.role.name().replace('_', " "),
        format!("{} of {}", one.complete, one.runs.len()),
        quality(matrix.metric, one.quality),
        range.map_or_else(
            || MISSING.to_owned(),
            |[low, high]| {
                format!(
                    "{}–{}",
                    quality(matrix.metric, Some(low)),
                    quality(matrix.metric, Some(high))
                )
            },
        ),
        number::percent(one.hallucination_rate),
        dollars(one.cost_per_entry_usd),
        number::seconds(one.median_latency_seconds),
        number::percent(one.repeat_agreement),
        front.to_owned(),
    ]
}

fn dollars(amount: Option<Finite>) -> String {
    match amount.map(Finite::get) {
        None => MISSING.to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(amount) => format!("{amount:.6}"),
    }
}

fn verdict(matrix: &SweepMatrix) -> Option<PlainTable> {
    if matrix.verdict.methods.is_empty() {
        return None;
    }
    let header = [
        "under test",
        "run",
        "score",
        "baseline",
        "difference",
        "95 % interval",
        "p",
        "p corrected",
        "better",
        "detectable",
    ];
    let mut table = PlainTable::new("Under test against the best baseline", &header);
    for method in &matrix.verdict.methods {
        for run in &method.runs {
            let decimals = match matrix.metric {
                DecidingMetric::ChrfPlusPlus => 2,
                DecidingMetric::Composite => 4,
            };
            let show = |score: Score| format!("{:.decimals$}", score.get());
            table.rows.push(vec![
                tame(&method.label),
                run.run.clone(),
                show(run.score),
                show(run.baseline),
                format!("{:+.decimals$}", run.difference.get()),
                run.lower
                    .zip(run.upper)
                    .map_or(MISSING.to_owned(), |(lower, upper)| {
                        format!("{} to {}", show(lower), show(upper))
                    }),
                format!("{:.4}", run.p_value.get()),
                format!("{:.4}", run.p_holm.get()),
                match (run.better, method.caveats.is_empty()) {
                    (true, true) => "yes".to_owned(),
                    (true, false) => format!("not counted: {}", method.caveats.join(", ")),
                    (false, _) => "no".to_owned(),
                },
                run.detectable_difference.map_or(MISSING.to_owned(), show),
            ]);
        }
    }
    Some(table)
}

fn of_axis(matrix: &SweepMatrix, axis: &AxisSummary) -> PlainTable {
    let header = [
        axis.axis.as_str(),
        "configurations",
        matrix.metric.title(),
        "hallucination",
        "USD per entry",
        "latency",
        "repeats agree",
    ];
    let caption = format!("Means by {}", axis.axis);
    let mut table = PlainTable::new(&caption, &header);
    for one in &axis.values {
        table.rows.push(vec![
            tame(&shown_value(&one.value)),
            one.configurations.to_string(),
            quality(matrix.metric, one.quality),
            number::percent(one.hallucination_rate),
            dollars(one.cost_per_entry_usd),
            number::seconds(one.median_latency_seconds),
            number::percent(one.repeat_agreement),
        ]);
    }
    table
}

fn heat_map(metric: DecidingMetric, map: &HeatMap) -> PlainTable {
    let corner = format!("{} \\ {}", map.down, map.across);
    let columns: Vec<String> = map
        .columns
        .iter()
        .map(|value| tame(&shown_value(value)))
        .collect();
    let header: Vec<&str> = std::iter::once(corner.as_str())
        .chain(columns.iter().map(String::as_str))
        .collect();
    let caption = format!("Mean {} by {} and {}", metric.title(), map.down, map.across);
    let mut table = PlainTable::new(&caption, &header);
    for (value, cells) in map.rows.iter().zip(&map.cells) {
        let cells = cells.iter().map(|cell| quality(metric, *cell));
        table
            .rows
            .push(std::iter::once(tame(&shown_value(value))).chain(cells).collect());
    }
    table
}

pub(super) fn entries(matrix: &SweepMatrix) -> PlainTable {
    let header = [
        "entry",
        "source",
        "difficulty",
        "best chrF++",
        "mean chrF++",
        "exact",
        "invented",
        "all fail",
    ];
    let caption = format!(
        "The {} hardest entries over all complete runs",
        HARDEST.min(matrix.entries.len())
    );
    let mut table = PlainTable::new(&caption, &header);
    for entry in matrix.entries.iter().take(HARDEST) {
        table.rows.push(vec![
            tame(&entry.entry_id),
            shortened(&tame(&entry.source)),
            entry
                .difficulty
                .as_deref()
                .map_or_else(|| MISSING.to_owned(), tame),
            number::points(Some(entry.best_chrf)),
            number::points(Some(entry.mean_chrf)),
            format!("{} of {}", entry.exact_matches, entry.runs),
            format!("{} of {}", entry.hallucinations, entry.runs),
            if entry.all_fail { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let kept: String = text.chars().take(SHOWN - 1).collect();
    format!("{}…", kept.trim_end())
}

pub(super) fn runs(matrix: &SweepMatrix) -> PlainTable {
    let header = [
        "run",
        "method",
        "coordinates",
        "state",
        "coverage",
        "chrF++",
        "composite",
        "USD",
        "tier",
        "caveats",
    ];
    let mut table = PlainTable::new("Runs", &header);
    table.rows.extend(matrix.runs.iter().map(run));
    table
}

fn run(run: &MatrixRun) -> Vec<String> {
    vec![
        run.id.clone(),
        tame(&run.method),
        tame(&run.label),
        run.state.name().to_owned(),
        number::percent(run.coverage),
        number::points(run.chrf_plus_plus),
        number::share(run.composite),
        run.cost_usd
            .map_or_else(|| MISSING.to_owned(), |cost| format!("{:.6}", cost.dollars())),
        run.quality_tier.clone().unwrap_or_else(|| MISSING.to_owned()),
        run.caveats.join(", "),
    ]
}
