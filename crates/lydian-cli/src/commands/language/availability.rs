//! Which metrics a language has, and why not the others.

use lydian_language::Language;
use lydian_report::number::counted;
use serde::Serialize;

/// One metric of a language.
#[derive(Serialize)]
pub(super) struct Availability {
    /// The metric's name in documents.
    pub(super) metric: &'static str,
    /// Whether it has a value where the corpus allows it.
    pub(super) available: bool,
    /// What it is computed with, or why it is missing.
    pub(super) with: String,
}

/// Lists the metrics that depend on the language.
pub(super) fn of(language: &Language) -> Vec<Availability> {
    let card = &language.card;
    let entry = |metric, available, with: String| Availability {
        metric,
        available,
        with,
    };
    let analyser = language
        .analyser()
        .map(|found| format!("analyser {}", found.version()))
        .map_err(str::to_owned);
    let tags = match language.analyser() {
        Ok(found) if found.has_tags() => {
            Ok(format!("gold segmentations and analyses, by {}", found.version()))
        }
        _ => Ok("gold segmentations only".to_owned()),
    };
    let orthography = language.orthography_checker().map(|_| {
        let norms = card
            .orthographies
            .iter()
            .filter(|o| o.scored)
            .map(|o| o.id.as_str());
        norms.collect::<Vec<_>>().join(", ")
    });
    let glossary = language
        .glossary()
        .map(|found| counted(found.terms.len() as u64, "term", "terms"))
        .map_err(str::to_owned);
    let semantic = match card.semantic.iter().find(|calibration| calibration.passes()) {
        Some(found) => Ok(format!("scorer {} (AUC {:.3})", found.scorer, found.auc)),
        None => Err("the card holds no calibration of a semantic scorer".to_owned()),
    };
    let detectors = format!(
        "{}, {}",
        counted(
            card.lexicon.function_words.len() as u64,
            "function word",
            "function words"
        ),
        match language.lexicon().len() {
            0 => "no word list".to_owned(),
            words => counted(words as u64, "word", "words"),
        }
    );
    let rows = [
        ("fst_acceptance_rate", analyser),
        ("morphological_accuracy", tags),
        ("semantic_score", semantic),
        ("equivalent_match_rate", Ok(equivalence(language))),
        ("code_switching_rate", Ok(detectors)),
        ("hallucination_rate", Ok("detectors that need no card".to_owned())),
        ("terminology_adherence", glossary),
        ("orthographic_accuracy", orthography),
    ];
    rows.into_iter()
        .map(|(metric, found): (_, Result<String, String>)| match found {
            Ok(with) => entry(metric, true, with),
            Err(why) => entry(metric, false, why),
        })
        .collect()
}

fn equivalence(language: &Language) -> String {
    let rules = &language.card.equivalence;
    let named = [
        (!rules.spelling.is_empty(), "spelling"),
        (rules.free_word_order, "word order"),
        (rules.loose_attachment, "attachment"),
        (!rules.optional_words.is_empty(), "optional words"),
        (!rules.synonyms.is_empty(), "synonyms"),
    ];
    let rules: Vec<&str> = named
        .into_iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| name)
        .collect();
    let listed = "variants of the corpus, typography";
    if rules.is_empty() {
        listed.to_owned()
    } else {
        format!("{listed}, {}", rules.join(", "))
    }
}
