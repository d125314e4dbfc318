//! How each field of a card can be checked.

use schemars::JsonSchema;
use serde::Serialize;

use super::Sources;
use crate::evidence::Part;

/// How a field was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Computed again from texts or compared with a source.
    Recomputed,
    /// Added up again from `results[]`, whose values were not themselves recomputed.
    Aggregated,
    /// Taken as stated.
    NotChecked,
}

/// A basis with what is missing for a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) basis: Basis,
    pub(super) needs: Option<&'static str>,
}

const RECOMPUTED: Check = Check {
    basis: Basis::Recomputed,
    needs: None,
};

const AGGREGATED: Check = Check {
    basis: Basis::Aggregated,
    needs: None,
};

const fn needs(what: &'static str) -> Check {
    Check {
        basis: Basis::NotChecked,
        needs: Some(what),
    }
}

const CORPUS: &str = "the corpus file";
const JOURNAL: &str = "the journal";
const LANGUAGE: &str = "the language card and its analyser";
const METHOD: &str = "the method's files";
const PROGRAM: &str = "the program that wrote the card";
const EARLIER: &str = "the card it was made from";

/// Returns how the value at `path` is checked. Every field of the card is named here.
pub(super) fn check(path: &[&str], sources: &Sources<'_>) -> Check {
    let given = |given: bool, what| if given { RECOMPUTED } else { needs(what) };
    let corpus = given(sources.corpus.is_some(), CORPUS);
    let journal = given(sources.journal.is_some(), JOURNAL);
    let elapsed = sources
        .journal
        .is_some_and(|journal| journal.elapsed_seconds.is_some());
    match path {
        [
            "schema"
            | "notice"
            | "system_prompt_sha256"
            | "fingerprint"
            | "setup_fingerprint"
            | "run_card_hash"
            | "results",
        ]
        | ["dataset", "entry_count"]
        | ["selection", "entry_ids" | "complete", ..] => RECOMPUTED,
        ["dataset", "values_from", ..] | ["selection", ..] => journal,
        ["dataset", ..] => corpus,
        ["scores", rest @ ..] => score(rest),
        ["totals", ..] | ["model_id"] => AGGREGATED,
        ["results", _, field, ..] => result(field, corpus, journal),
        ["environment", ..] => needs(PROGRAM),
        ["derived_from"] => needs(EARLIER),
        ["coaching_data_sha256" | "method_sha256" | "method_class" | "dependency_class"]
            if sources.journal.is_none() =>
        {
            needs(METHOD)
        }
        ["elapsed_seconds"] => given(elapsed, JOURNAL),
        _ => journal,
    }
}

fn result(field: &str, corpus: Check, journal: Check) -> Check {
    match field {
        "exact_match" | "chrf_score" | "bleu_score" | "ter_score" | "length_ratio" | "flags" => RECOMPUTED,
        "entry_id" | "source" | "expected" | "segment" | "difficulty" | "domain" | "register"
        | "provenance" => corpus,
        "plugin_metrics" | "semantic_verdict" => needs(LANGUAGE),
        "equivalent_match" | "fst_valid" | "code_switching_detected" | "hallucination_detected" => AGGREGATED,
        _ => journal,
    }
}

fn score(path: &[&str]) -> Check {
    match path {
        [
            "by_difficulty" | "by_provenance" | "by_domain" | "by_register" | "by_segment",
            _,
            rest @ ..,
        ] => score(rest),
        ["composite_profile"] | ["tier_boundaries", ..] => needs(LANGUAGE),
        ["metric_availability", name, "reason"] if is_of_language(name) => needs(LANGUAGE),
        ["confidence_intervals", name, ..] | [name, ..] => value(name),
        [] => RECOMPUTED,
    }
}

/// Returns how an aggregate score is checked: from the texts, or from verdicts and measurements per entry.
fn value(name: &str) -> Check {
    let from_results = name.contains("latency")
        || name.starts_with("fst_")
        || name.starts_with("morphological_")
        || name.starts_with("equivalent_")
        || name.starts_with("composite")
        || is_of_language(name)
        || [
            "tokens_per_second",
            "entries_per_minute",
            "cost_adjusted_score",
            "errors",
            "coverage",
            "outcomes",
            "quality_tier",
            "claimable_tier",
            "caveats",
            "notes",
        ]
        .contains(&name);
    if from_results { AGGREGATED } else { RECOMPUTED }
}

fn is_of_language(name: &str) -> bool {
    let text_only = [Part::ChrfPlusPlus, Part::Bleu, Part::ExactMatch];
    Part::ALL
        .into_iter()
        .any(|part| part.name() == name && !text_only.contains(&part))
}
