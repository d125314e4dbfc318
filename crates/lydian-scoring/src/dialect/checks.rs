//! Checks of items that need the scorer: does the reference reach its own keywords, what would an echo score?

use lydian_model::diagnostic::{Diagnostic, Place, Severity};
use lydian_model::dialect::{DialectItem, DialectItems, ItemType, Task};

use super::coverage::{CoverageScore, coverage};
use super::normalise::{folded_words, words};

/// Keywords that weigh less than this in all make one miss decide.
const LEAST_WEIGHT_HALVES: u64 = 6;

/// Words that negate a sentence, folded.
const NEGATIONS: [&str; 13] = [
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "niemand", "nichts",
    "weder", "nirgends",
];

/// Returns the findings of the scorer about items whose shape is right (decision 35).
pub fn check_scorability(items: &DialectItems) -> Vec<Diagnostic> {
    items
        .items
        .iter()
        .enumerate()
        .flat_map(|(at, item)| check_item(item, at))
        .collect()
}

fn check_item(item: &DialectItem, at: usize) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut note =
        |severity, (check, rule): (&'static str, &'static str), key: &str, texts: (String, &str)| {
            found.push(Diagnostic {
                severity,
                check,
                rule,
                place: Place {
                    pointer: Some(format!("/entries/{at}/{key}")),
                    entry_id: Some(item.id.clone()),
                    ..Place::default()
                },
                message: texts.0,
                fix: texts.1.to_owned(),
            });
        };
    if item.item_type() == ItemType::T1 {
        let own = coverage(item.task.keywords(), &item.reference);
        if !own.is_complete() {
            let missed: Vec<&str> = own
                .keywords
                .iter()
                .filter(|row| row.matched.is_none())
                .map(|row| row.keyword.as_str())
                .collect();
            let message = format!(
                "the reference does not reach its own keywords: nothing matches {}",
                missed.join(", ")
            );
            let fix = "write each keyword's `word` as it stands in the reference";
            note(
                Severity::Error,
                ("self_coverage", "decision 35"),
                "keywords",
                (message, fix),
            );
        }
        if own.total_halves < LEAST_WEIGHT_HALVES {
            let message = format!(
                "the keywords weigh {} in all: one miss decides the score",
                own.total_halves as f64 / 2.0
            );
            let fix = "prefer sentences with a total weight of at least 3";
            note(
                Severity::Warning,
                ("thin_keywords", "D §2"),
                "keywords",
                (message, fix),
            );
        }
        if let Some(word) = words(&item.reference)
            .into_iter()
            .find(|word| NEGATIONS.contains(&word.folded.as_str()))
        {
            let message = format!(
                "the reference has the negation `{}`, which weighs nothing: an answer without it scores full",
                word.text
            );
            let fix = "add a T2 item that asks about the negation";
            note(
                Severity::Warning,
                ("negation", "D §2"),
                "reference",
                (message, fix),
            );
        }
        if coverage(item.task.keywords(), &item.source).score() == CoverageScore::Correct {
            let message =
                "copying the source reaches every threshold; only the language gate stops it".to_owned();
            let fix = "prefer a sentence whose content words differ from the standard language";
            note(Severity::Hint, ("echo_scores", "D §2"), "source", (message, fix));
        }
    }
    if let Task::Identification { contrasts, .. } = &item.task {
        let source = folded_words(&item.source);
        for contrast in contrasts {
            let form = folded_words(&contrast.form);
            let present = source.windows(form.len().max(1)).any(|window| window == form);
            if !present {
                let message = format!(
                    "the form `{}` does not stand in the source as a word",
                    contrast.form
                );
                let fix = "name the form as it is written there, or explain it in `notes`";
                note(
                    Severity::Warning,
                    ("absent_form", "D §5"),
                    "contrasts",
                    (message, fix),
                );
            }
        }
    }
    found
}
