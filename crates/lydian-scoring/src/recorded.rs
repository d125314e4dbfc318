//! Statistics of the language parts as the results of a card keep them.

use lydian_metrics::StatsTable;
use lydian_model::RunCard;
use lydian_model::run_card::EntryResult;
use serde_json::{Map, Value};

use crate::evidence::{Column, Evidence, Part};

/// Returns what a result keeps of an entry's language parts, by metric name.
pub(crate) fn keep(evidence: &Evidence, entry: usize) -> Map<String, Value> {
    let mut kept = Map::new();
    for part in Part::LANGUAGE {
        let column = evidence.column(part);
        let row = column.table.row(entry);
        let details = column.details.get(entry);
        if row.iter().all(|&count| count == 0) && details.is_none_or(Map::is_empty) {
            continue;
        }
        let counts = part.columns().iter().zip(row);
        let mut fields: Map<String, Value> = counts
            .map(|(name, &count)| ((*name).to_owned(), count.into()))
            .collect();
        if let Some(details) = details {
            fields.extend(details.clone());
        }
        kept.insert(part.name().to_owned(), fields.into());
    }
    kept
}

/// Returns a language part's column as a card's results keep it; what is not a count there counts as none.
pub(crate) fn column(part: Part, card: &RunCard, results: &[&EntryResult]) -> Column {
    let mut table = StatsTable::new(part.columns().len());
    let mut details = Vec::with_capacity(results.len());
    for result in results {
        let fields = result.plugin_metrics.get(part.name());
        let count = |name: &&str| fields.and_then(|fields| fields.get(name)).and_then(Value::as_u64);
        let row: Vec<u64> = part
            .columns()
            .iter()
            .map(|name| count(name).unwrap_or(0))
            .collect();
        table.push(&row);
        details.push(details_of(part, fields));
    }
    let status = card.scores.metric_availability.get(part.name());
    Column {
        unavailable: status.and_then(|status| status.reason.clone()),
        details,
        ..Column::available(table)
    }
}

/// Returns what stands beside the counts.
fn details_of(part: Part, fields: Option<&Value>) -> Map<String, Value> {
    let fields = fields.and_then(Value::as_object);
    let beside = fields
        .into_iter()
        .flatten()
        .filter(|(name, _)| !part.columns().contains(&name.as_str()));
    beside
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
