//! Results per entry (B §3.7).

use std::collections::BTreeMap;

use lydian_model::run_card::EntryResult;
use lydian_model::run_card::result::SemanticVerdict;
use lydian_model::{Provenance, Score};
use rayon::prelude::*;

use crate::aggregate::{fst, rounded};
use crate::caveat::is_source_copy;
use crate::evidence::{Evidence, Part};
use crate::item::Item;
use crate::recorded;

/// Returns one result per entry, in order.
pub(crate) fn results(items: &[Item<'_>], evidence: &Evidence) -> Vec<EntryResult> {
    items
        .par_iter()
        .enumerate()
        .map(|(index, item)| result(index, item, evidence))
        .collect()
}

fn result(index: usize, item: &Item<'_>, evidence: &Evidence) -> EntryResult {
    let (entry, prediction) = (item.entry, item.prediction.as_ref());
    let [chrf, bleu, ter] = evidence.sentence_scores(index).map(Score::new);
    EntryResult {
        entry_id: entry.id.as_str().to_owned(),
        source: entry.source.clone(),
        expected: entry.reference.clone(),
        raw_predicted: prediction.raw_output.clone(),
        predicted: prediction.output.clone(),
        outcome: prediction.outcome,
        segment: entry.segment_or_default(),
        difficulty: entry.difficulty.map(|level| level.to_string()),
        domain: entry.domain,
        register: entry.register.clone(),
        provenance: entry
            .provenance
            .as_ref()
            .map(Provenance::label)
            .map(str::to_owned),
        exact_match: item.exact_match(),
        chrf_score: chrf,
        bleu_score: bleu,
        ter_score: ter,
        length_ratio: evidence.length_ratios[index].map(rounded),
        latency_s: prediction.latency_seconds,
        request_number: prediction.request_number,
        batch_size: prediction.batch_size,
        attempts: prediction.attempts,
        cost_usd: prediction.cost_usd,
        known_cost_usd: prediction.known_cost_usd,
        cost_source: prediction.cost_source,
        cached: prediction.cached,
        usage: prediction.usage,
        served: prediction.served.clone(),
        steps: prediction.steps.clone(),
        tool_call_count: prediction.tool_call_count,
        error: prediction.error.clone(),
        plugin_metrics: recorded::keep(evidence, index),
        fst_valid: fst_valid(item, evidence, index),
        equivalent_match: verdict(evidence, Part::EquivalentMatch, index),
        semantic_verdict: semantic_verdict(evidence, index),
        code_switching_detected: detected(item, evidence, Part::CodeSwitching, index),
        hallucination_detected: detected(item, evidence, Part::Hallucination, index),
        flags: flags(item),
    }
}

/// Returns the yes or no of a part that is judged once per entry; null where it is not judged.
fn verdict(evidence: &Evidence, part: Part, index: usize) -> Option<bool> {
    let row = evidence.column(part).table.row(index);
    (row[1] > 0).then(|| row[0] > 0)
}

/// Returns what the semantic scorer's answer amounts to; null where none was asked.
fn semantic_verdict(evidence: &Evidence, index: usize) -> Option<SemanticVerdict> {
    let details = evidence.column(Part::Semantic).details.get(index)?;
    serde_json::from_value(details.get("verdict")?.clone()).ok()
}

/// Returns a detector's verdict; silence counts in the rate (decision 8) but nothing was detected in it.
fn detected(item: &Item<'_>, evidence: &Evidence, part: Part, index: usize) -> Option<bool> {
    verdict(evidence, part, index).filter(|_| item.has_text())
}

/// Says whether every checked word is accepted; null when nothing was checked (decision 10).
fn fst_valid(item: &Item<'_>, evidence: &Evidence, index: usize) -> Option<bool> {
    let row = evidence.column(Part::Fst).table.row(index);
    (item.has_text() && row[fst::CHECKED] > 0).then(|| row[fst::ACCEPTED] == row[fst::CHECKED])
}

fn flags(item: &Item<'_>) -> BTreeMap<String, String> {
    let mut flags = BTreeMap::new();
    if is_source_copy(item) {
        let reason = "the output repeats the source, the reference does not";
        flags.insert("source_copy".to_owned(), reason.to_owned());
    }
    flags
}
