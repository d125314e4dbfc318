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

const fn without(what: &'static str) -> Check {
    Check {
        basis: Basis::NotChecked,
        needs: Some(what),
    }
}

/// What a check can need beside the card.
pub mod needs {
    /// The corpus.
    pub const CORPUS: &str = "the corpus file";
    /// The journal.
    pub const JOURNAL: &str = "the journal";
    /// What the language has.
    pub const LANGUAGE: &str = "the language cards with the analyser, and the corpus";
    /// What a semantic scorer answered.
    pub const SCORER: &str = "the recorded answers of the semantic scorer";
    /// What the method consists of.
    pub const METHOD: &str = "the method's files";
    /// What made the card.
    pub const PROGRAM: &str = "the program that wrote the card";
    /// What a rescored card names.
    pub const EARLIER: &str = "the card it was made from";
}

use needs::{CORPUS, EARLIER, JOURNAL, LANGUAGE, METHOD, PROGRAM, SCORER};

/// Returns how the value at `path` is checked. Every field of the card is named here.
pub(super) fn check(path: &[&str], sources: &Sources<'_>) -> Check {
    let given = |given: bool, what| if given { RECOMPUTED } else { without(what) };
    let corpus = given(sources.corpus.is_some(), CORPUS);
    let journal = given(sources.journal.is_some(), JOURNAL);
    let language = given(sources.judging().is_some(), LANGUAGE);
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
        ["scores", rest @ ..] => score(rest, language),
        ["totals", ..] | ["model_id"] => AGGREGATED,
        ["results", _, "plugin_metrics", ..] => language,
        ["results", _, field, ..] if VERDICTS.contains(field) => or_added_up(language),
        ["results", _, field, ..] => result(field, corpus, journal),
        ["environment", ..] => without(PROGRAM),
        ["derived_from"] => without(EARLIER),
        ["coaching_data_sha256" | "method_sha256" | "method_class" | "dependency_class"]
            if sources.journal.is_none() =>
        {
            without(METHOD)
        }
        ["elapsed_seconds"] => given(elapsed, JOURNAL),
        _ => journal,
    }
}

/// Verdicts on an entry that follow from the counts beside it.
const VERDICTS: [&str; 4] = [
    "equivalent_match",
    "fst_valid",
    "code_switching_detected",
    "hallucination_detected",
];

/// What follows from the results is added up again where it cannot be computed from the texts.
fn or_added_up(check: Check) -> Check {
    if check.basis == Basis::Recomputed {
        check
    } else {
        AGGREGATED
    }
}

fn result(field: &str, corpus: Check, journal: Check) -> Check {
    match field {
        "exact_match" | "chrf_score" | "bleu_score" | "ter_score" | "length_ratio" | "flags" => RECOMPUTED,
        "entry_id" | "source" | "expected" | "segment" | "difficulty" | "domain" | "register"
        | "provenance" => corpus,
        "semantic_verdict" => AGGREGATED,
        _ => journal,
    }
}

fn score(path: &[&str], language: Check) -> Check {
    match path {
        [
            "by_difficulty" | "by_provenance" | "by_domain" | "by_register" | "by_segment",
            _,
            rest @ ..,
        ] => score(rest, language),
        ["composite_profile"] | ["tier_boundaries", ..] => language,
        ["metric_availability" | "signatures", "semantic_score", ..] => without(SCORER),
        ["metric_availability", name, "reason"] if is_of_language(name) => language,
        ["confidence_intervals", name, ..] | [name, ..] => value(name, language),
        [] => RECOMPUTED,
    }
}

/// Returns how an aggregate score is checked: from the texts, or from verdicts and measurements per entry.
fn value(name: &str, language: Check) -> Check {
    if name == "semantic_score" {
        return AGGREGATED;
    }
    let of_language = name.starts_with("fst_")
        || name.starts_with("morphological_")
        || name.starts_with("equivalent_")
        || is_of_language(name);
    if of_language {
        return or_added_up(language);
    }
    let from_results = name.contains("latency")
        || name.starts_with("composite")
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
