//! The rules over usable items: options, answer keys, facts, contrasts, provenance (D §3-§6, decision 39).

use std::collections::BTreeMap;

use super::fields::Finding;
use super::item::{Choice, DialectItem, DialectItems, ItemType, Task};
use super::{Contrast, DialectLists, Letter};
use crate::diagnostic::{Diagnostic, Place};

/// How strictly a dataset is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// A dataset in the making: an unknown fact is a warning.
    Draft,
    /// A dataset to be published: an unknown fact is an error.
    Strict,
}

/// An answer key is judged for balance from this many items on (D §3).
const BALANCED_FROM: usize = 20;
/// A right option this many times as long as the others on average gives itself away.
const TELLING_LENGTH: f64 = 2.0;

/// Returns the findings about items whose shape [`read_items`](super::read_items) accepted.
pub fn check_items(items: &DialectItems, strictness: Strictness) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    check_lists(&items.lists, &mut found);
    for (at, item) in items.items.iter().enumerate() {
        let mut noted = Vec::new();
        check_provenance(item, &mut noted);
        if let Some(choice) = item.task.choice() {
            check_choice(item, choice, &mut noted);
        }
        match &item.task {
            Task::Culture { fact_id, .. } => check_fact(fact_id, &items.lists, strictness, &mut noted),
            Task::Identification { contrasts, .. } => {
                for contrast in contrasts {
                    check_contrast(item, contrast, &items.lists, &mut noted);
                }
            }
            Task::Translation { .. } | Task::Comprehension(_) => {}
        }
        found.extend(
            noted
                .into_iter()
                .map(|(key, finding)| at_item(item, at, key, finding)),
        );
    }
    check_balance(&items.items, &mut found);
    found
}

fn check_lists(lists: &DialectLists, found: &mut Vec<Diagnostic>) {
    if lists.dialects.is_empty() {
        let fix = "list them, so that a misspelt dialect cannot open a row of its own";
        let finding = Finding::warning(
            "no_dialect_list",
            "D §4",
            "`dataset.dialects` is missing or empty",
            fix,
        );
        found.push(at_dataset("dialects", finding));
    }
    if lists.limitations.is_empty() {
        let fix = "say what the numbers cannot tell; the report prints it under the table";
        let finding = Finding::warning(
            "no_limitations",
            "D §6",
            "`dataset.limitations` is missing or empty",
            fix,
        );
        found.push(at_dataset("limitations", finding));
    }
}

fn check_provenance(item: &DialectItem, noted: &mut Vec<(&'static str, Finding)>) {
    if item.source_ref.is_none() {
        let fix = "add `source_ref` with `license` and `attribution`";
        noted.push((
            "source_ref",
            Finding::warning(
                "no_source_ref",
                "D §6",
                "the origin of the text is not given",
                fix,
            ),
        ));
    }
    if item.authored_fields.is_empty() {
        let message = match item.item_type() {
            ItemType::T1 => "`authored_fields` is empty, but keywords are always authored",
            ItemType::T2 | ItemType::T3 | ItemType::T4 => {
                "`authored_fields` is empty, but distractors are always authored"
            }
        };
        noted.push((
            "authored_fields",
            Finding::warning("nothing_authored", "D §6", message, "name the authored fields"),
        ));
    }
}

fn check_choice(item: &DialectItem, choice: &Choice, noted: &mut Vec<(&'static str, Finding)>) {
    let key = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase()
    };
    let mut first: BTreeMap<String, Letter> = BTreeMap::new();
    for letter in Letter::ALL {
        let text = choice.options.text(letter);
        if let Some(before) = first.insert(key(text), letter) {
            let message = format!("the options {before} and {letter} are the same text `{text}`");
            noted.push((
                "options",
                Finding::error("repeated_option", "D §3", message, "write four different options"),
            ));
        }
    }
    let right = choice.options.text(choice.correct_answer);
    if key(right) != key(&item.reference) {
        let message = format!(
            "`reference` is not the text of the right option {}",
            choice.correct_answer
        );
        let fix = "make them equal: for multiple choice the reference is the right option";
        noted.push((
            "reference",
            Finding::warning("reference_is_not_the_answer", "D §3", message, fix),
        ));
    }
    let length = |letter: Letter| choice.options.text(letter).chars().count() as f64;
    let others: f64 = Letter::ALL
        .into_iter()
        .filter(|letter| *letter != choice.correct_answer)
        .map(length)
        .sum::<f64>()
        / 3.0;
    if length(choice.correct_answer) > TELLING_LENGTH * others {
        let message = format!(
            "the right option {} is more than twice as long as the others",
            choice.correct_answer
        );
        let fix = "write distractors of about the same length; the longest option is guessed first";
        noted.push((
            "options",
            Finding::warning("telling_length", "D §3", message, fix),
        ));
    }
}

fn check_fact(
    fact_id: &str,
    lists: &DialectLists,
    strictness: Strictness,
    noted: &mut Vec<(&'static str, Finding)>,
) {
    if lists
        .facts
        .as_ref()
        .is_some_and(|facts| facts.iter().any(|fact| fact.id == fact_id))
    {
        return;
    }
    let message = match lists.facts {
        Some(_) => format!("the fact `{fact_id}` is not in `dataset.facts`"),
        None => format!("the fact `{fact_id}` cannot be checked: the dataset has no `facts`"),
    };
    let fix = "add the verified fact to `dataset.facts` or correct the id";
    let finding = match strictness {
        Strictness::Strict => Finding::error("unknown_fact", "decision 39", message, fix),
        Strictness::Draft => Finding::warning("unknown_fact", "decision 39", message, fix),
    };
    noted.push(("fact_id", finding));
}

fn check_contrast(
    item: &DialectItem,
    contrast: &Contrast,
    lists: &DialectLists,
    noted: &mut Vec<(&'static str, Finding)>,
) {
    let form = &contrast.form;
    let same = |other: &str| other.trim().to_lowercase() == form.trim().to_lowercase();
    if let Some(refuted) = lists.refuted_contrasts.iter().find(|refuted| same(&refuted.form)) {
        let reason = refuted
            .reason
            .as_ref()
            .map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!("the contrast `{form}` is refuted{reason}");
        let fix = "use a verified contrast or drop the item";
        noted.push((
            "contrasts",
            Finding::error("refuted_contrast", "D §5", message, fix),
        ));
    }
    if let Some(verified) = &lists.verified_contrasts
        && !verified
            .iter()
            .any(|known| same(&known.form) && known.seen_in.contains_key(&item.dialect))
    {
        let message = format!(
            "the contrast `{form}` for `{}` is not in `dataset.verified_contrasts`",
            item.dialect
        );
        let fix = "add it there with its evidence on both sides or use a verified one";
        noted.push((
            "contrasts",
            Finding::error("unverified_contrast", "D §5", message, fix),
        ));
    }
}

/// Decision 39: the letters of the right options differ by at most one, per type and over the set.
fn check_balance(items: &[DialectItem], found: &mut Vec<Diagnostic>) {
    let choices: Vec<(ItemType, Letter)> = items
        .iter()
        .filter_map(|item| {
            item.task
                .choice()
                .map(|choice| (item.item_type(), choice.correct_answer))
        })
        .collect();
    let groups = ItemType::CHOICES.map(Some).into_iter().chain([None]);
    for group in groups {
        let letters: Vec<Letter> = choices
            .iter()
            .filter(|(item_type, _)| group.is_none_or(|wanted| wanted == *item_type))
            .map(|(_, letter)| *letter)
            .collect();
        let counts = Letter::ALL.map(|letter| letters.iter().filter(|right| **right == letter).count());
        let (most, least) = (
            counts.iter().max().copied().unwrap_or(0),
            counts.iter().min().copied().unwrap_or(0),
        );
        let lopsided = if letters.len() >= BALANCED_FROM {
            most - least > 1
        } else {
            most > 2 && 2 * most > letters.len()
        };
        if lopsided {
            let of = group.map_or("all multiple-choice items", ItemType::name);
            let [a, b, c, d] = counts;
            let message = format!("the right letters of {of} are A {a}, B {b}, C {c}, D {d}");
            let fix = "balance them: a model that always answers one letter gains from an imbalance";
            let finding = Finding::warning("letter_balance", "decision 39", message, fix);
            found.push(at_place(
                Place {
                    pointer: Some("/entries".to_owned()),
                    ..Place::default()
                },
                finding,
            ));
        }
    }
}

fn at_item(item: &DialectItem, at: usize, key: &str, finding: Finding) -> Diagnostic {
    let pointer = Some(format!("/entries/{at}/{key}"));
    at_place(
        Place {
            pointer,
            entry_id: Some(item.id.clone()),
            ..Place::default()
        },
        finding,
    )
}

fn at_dataset(key: &str, finding: Finding) -> Diagnostic {
    at_place(
        Place {
            pointer: Some(format!("/dataset/{key}")),
            ..Place::default()
        },
        finding,
    )
}

fn at_place(place: Place, finding: Finding) -> Diagnostic {
    Diagnostic {
        severity: finding.severity,
        check: finding.check,
        rule: finding.rule,
        place,
        message: finding.message,
        fix: finding.fix,
    }
}
