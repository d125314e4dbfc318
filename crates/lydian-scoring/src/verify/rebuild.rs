//! The card as it should be, made again from its own results, the corpus and the journal.

use std::collections::{BTreeMap, BTreeSet};

use lydian_model::run_card::{EntryResult, Measured};
use lydian_model::run_setup::{DatasetIdentity, MethodIdentity};
use lydian_model::{Entry, EntryId, Prediction, Provenance, RunCard, RunSetup};

use super::Sources;
use crate::composite::{Profile, TierBoundaries, WITHHELD};
use crate::context::{AnalyserUse, ScoringContext};
use crate::evidence::{Evidence, Part};
use crate::item::pair;
use crate::language;
use crate::recorded;
use crate::score::assemble;
use crate::{Scored, ScoringError};

/// Returns the card that the given sources, and the card's own texts where there are none, lead to.
pub(super) fn rebuild(card: &RunCard, sources: &Sources<'_>) -> Result<RunCard, ScoringError> {
    let entries = entries(card, sources);
    let selected: Vec<&Entry> = entries.iter().collect();
    let predictions = predictions(card, sources);
    let elapsed = sources.journal.and_then(|journal| journal.elapsed_seconds);
    let elapsed_seconds = elapsed.unwrap_or(card.elapsed_seconds);
    let has = |findings: &[lydian_model::run_card::scores::Caveat], name: &str| {
        findings.iter().any(|finding| finding.name == name)
    };
    let languages = sources.judging();
    let stated = ScoringContext {
        profile: Profile::from_name(&card.scores.composite_profile).unwrap_or_default(),
        tier_boundaries: TierBoundaries::declared(card.scores.tier_boundaries.clone()).unwrap_or_default(),
        ..ScoringContext::default()
    };
    let context = ScoringContext {
        elapsed_seconds: Some(elapsed_seconds),
        analyser_use: if has(&card.scores.notes, "analyser_in_loop") {
            AnalyserUse::InLoop
        } else {
            AnalyserUse::Independent
        },
        ..languages.map_or(stated, |both| {
            ScoringContext::for_languages(both.source, both.target)
        })
    };
    let items = pair(&selected, &predictions)?;
    let results: Vec<&EntryResult> = card.results.iter().collect();
    let mut measured = languages.map(|_| language::measure(&items, &context));
    let evidence = Evidence::new(&items, |part| match &mut measured {
        // What a scorer outside the program said is not asked for again.
        Some(measured) if part != Part::Semantic => measured.take(part, items.len()),
        _ => recorded::column(part, card, &results),
    });
    let mut scored = assemble(&items, &evidence, &context);
    keep_test_leak(card, &mut scored);
    match languages {
        None => keep_language_verdicts(card, &mut scored),
        Some(_) => keep_scorer_answers(card, &mut scored),
    }
    if sources.corpus.is_none() {
        // Only the corpus says which entries have variants.
        let stated = card
            .scores
            .notes
            .iter()
            .filter(|note| note.name == "suspicious_matches");
        scored.scores.notes.extend(stated.cloned());
    }
    drop_foreign_ids(&mut scored, sources);
    let semantic = Part::Semantic.name();
    if let Some(signature) = card.scores.signatures.get(semantic) {
        let signatures = &mut scored.scores.signatures;
        signatures.insert(semantic.to_owned(), signature.clone());
    }
    let setup = setup(card, sources, &entries);
    let mut rebuilt = RunCard::new(
        &setup,
        Measured {
            elapsed_seconds,
            model_id: model_id(card),
            scores: scored.scores,
            totals: scored.totals,
            results: scored.results,
            environment: card.environment.clone(),
        },
    );
    rebuilt.derived_from.clone_from(&card.derived_from);
    rebuilt.run_card_hash = card.computed_hash().to_string();
    Ok(rebuilt)
}

fn entries(card: &RunCard, sources: &Sources<'_>) -> Vec<Entry> {
    let corpus: BTreeMap<&str, &Entry> = sources
        .corpus
        .iter()
        .flat_map(|file| &file.corpus.entries)
        .map(|entry| (entry.id.as_str(), entry))
        .collect();
    card.results
        .iter()
        .map(|result| {
            corpus
                .get(result.entry_id.as_str())
                .map_or_else(|| stated_entry(result, sources), |&entry| entry.clone())
        })
        .collect()
}

/// Returns an entry as the card states it; one that the given corpus does not hold has no text.
fn stated_entry(result: &EntryResult, sources: &Sources<'_>) -> Entry {
    let id = EntryId::text(&result.entry_id);
    if sources.corpus.is_some() {
        return Entry::new(id, "", "");
    }
    Entry {
        segment: Some(result.segment),
        difficulty: result.difficulty.as_deref().and_then(|level| level.parse().ok()),
        provenance: result.provenance.clone().map(Provenance::Tag),
        register: result.register.clone(),
        domain: result.domain,
        ..Entry::new(id, &result.source, &result.expected)
    }
}

fn predictions(card: &RunCard, sources: &Sources<'_>) -> BTreeMap<EntryId, Prediction> {
    card.results
        .iter()
        .filter_map(|result| {
            let id = EntryId::text(&result.entry_id);
            match sources.journal {
                Some(journal) => journal.predictions.get(&id).map(|known| (id, known.clone())),
                None => Some((id.clone(), stated_prediction(id, result))),
            }
        })
        .collect()
}

fn stated_prediction(entry_id: EntryId, result: &EntryResult) -> Prediction {
    Prediction {
        entry_id,
        outcome: result.outcome,
        output: result.predicted.clone(),
        raw_output: result.raw_predicted.clone(),
        error: result.error.clone(),
        latency_seconds: result.latency_s,
        request_number: result.request_number,
        batch_size: result.batch_size,
        attempts: result.attempts,
        tool_call_count: result.tool_call_count,
        usage: result.usage,
        cost_usd: result.cost_usd,
        known_cost_usd: result.known_cost_usd,
        cost_source: result.cost_source,
        cached: result.cached,
        served: result.served.clone(),
        steps: result.steps.clone(),
    }
}

/// A leak cannot be found again without the method's files; a card that states one keeps its consequences.
fn keep_test_leak(card: &RunCard, scored: &mut Scored) {
    let Some(leak) = card
        .scores
        .caveats
        .iter()
        .find(|caveat| caveat.name == "test_leak")
    else {
        return;
    };
    let caveats = &mut scored.scores.caveats;
    let position = caveats.iter().position(|caveat| caveat.name == "incomplete");
    caveats.insert(position.unwrap_or(caveats.len()), leak.clone());
    WITHHELD.clone_into(&mut scored.scores.quality_tier);
    WITHHELD.clone_into(&mut scored.scores.claimable_tier);
}

/// Verdicts that only the language's resources can give are taken as stated.
fn keep_language_verdicts(card: &RunCard, scored: &mut Scored) {
    for (result, stated) in scored.results.iter_mut().zip(&card.results) {
        result.plugin_metrics.clone_from(&stated.plugin_metrics);
    }
}

/// What a scorer outside the program said is taken as stated.
fn keep_scorer_answers(card: &RunCard, scored: &mut Scored) {
    let name = Part::Semantic.name();
    for (result, stated) in scored.results.iter_mut().zip(&card.results) {
        result.plugin_metrics.remove(name);
        if let Some(kept) = stated.plugin_metrics.get(name) {
            result.plugin_metrics.insert(name.to_owned(), kept.clone());
        }
    }
}

/// An entry that the given corpus does not hold has no id there either.
fn drop_foreign_ids(scored: &mut Scored, sources: &Sources<'_>) {
    let Some(file) = sources.corpus else {
        return;
    };
    let known: BTreeSet<&str> = file
        .corpus
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .collect();
    for result in &mut scored.results {
        if !known.contains(result.entry_id.as_str()) {
            result.entry_id.clear();
        }
    }
}

/// Returns the first model that a result names.
fn model_id(card: &RunCard) -> Option<String> {
    let mut served = card.results.iter().filter_map(|result| result.served.as_ref());
    served.find_map(|served| served.model_id.clone())
}

fn setup(card: &RunCard, sources: &Sources<'_>, entries: &[Entry]) -> RunSetup {
    let mut setup = match sources.journal {
        Some(journal) => journal.setup.clone(),
        None => stated_setup(card),
    };
    // The digest of the selection does not depend on whether an id was written as a number.
    let known: BTreeMap<&str, &EntryId> = card
        .selection
        .entry_ids
        .iter()
        .map(|id| (id.as_str(), id))
        .collect();
    setup.selection.entry_ids = card
        .results
        .iter()
        .map(|result| result.entry_id.as_str())
        .map(|id| known.get(id).map_or_else(|| EntryId::text(id), |&id| id.clone()))
        .collect();
    if let Some(file) = sources.corpus {
        let identity = file.identity();
        let dataset = &mut setup.dataset;
        dataset.sha256 = identity.sha256;
        dataset.file_entry_count = identity.file_entry_count;
        // What the run took from flags or the file's name cannot be read from the file again.
        let stated = |name: &str| !file.values_from.contains_key(name);
        for (name, value, text) in [
            ("id", &mut dataset.id, identity.id),
            ("version", &mut dataset.version, identity.version),
            (
                "language_pair",
                &mut dataset.language_pair,
                identity.language_pair,
            ),
            (
                "source_language",
                &mut dataset.source_language,
                identity.source_language,
            ),
            (
                "target_language",
                &mut dataset.target_language,
                identity.target_language,
            ),
        ] {
            if stated(name) {
                *value = text;
            }
        }
        if stated("license") {
            dataset.license = identity.license;
        }
    }
    setup.selection.complete = entries.len() as u64 == setup.dataset.file_entry_count;
    setup
}

fn stated_setup(card: &RunCard) -> RunSetup {
    RunSetup {
        run_id: card.run_id.clone(),
        harness_version: card.harness_version.clone(),
        timestamp: card.timestamp.clone(),
        method: MethodIdentity {
            method_id: card.method_id.clone(),
            name: card.method_name.clone(),
            method_class: card.method_class,
            dependency_class: card.dependency_class,
            method_sha256: card.method_sha256.clone(),
        },
        model_slug: card.model_slug.clone(),
        condition: card.condition.clone(),
        temperature: card.temperature,
        system_prompt_used: card.system_prompt_used.clone(),
        coaching_data_sha256: card.coaching_data_sha256.clone(),
        fst_version: card.fst_version.clone(),
        tools_enabled: card.tools_enabled.clone(),
        batch_size: card.batch_size,
        max_retries: card.max_retries,
        method_config: card.method_config.clone(),
        parameters: card.parameters.clone(),
        seed: card.seed,
        endpoint: card.endpoint.clone(),
        post_processing: card.post_processing.clone(),
        dataset: DatasetIdentity {
            id: card.dataset.id.clone(),
            version: card.dataset.version.clone(),
            language_pair: card.dataset.language_pair.clone(),
            source_language: card.dataset.source_language.clone(),
            target_language: card.dataset.target_language.clone(),
            license: card.dataset.license.clone(),
            sha256: card.dataset.sha256.clone(),
            file_entry_count: card.dataset.file_entry_count,
            values_from: card.dataset.values_from.clone(),
        },
        selection: card.selection.clone(),
    }
}
