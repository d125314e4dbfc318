//! Equivalent match: outputs that equal the reference or an acceptable variant of it (B §4.1).

use std::collections::BTreeMap;

use lydian_language::{EqualTo, Equivalence, EquivalenceCard, FstChecker, Language};
use serde_json::{Value, json};

use super::Judged;
use crate::evidence::{Column, Part};
use crate::item::{Item, nfc};

/// Says why nothing can be equivalent that is not equal: neither the corpus nor the language card allows for it.
pub(super) fn obstacle(items: &[Item<'_>], target: &Language) -> Option<String> {
    let listed = items.iter().any(|item| !item.entry.variants.is_empty());
    let ruled = target.card.equivalence != EquivalenceCard::default();
    (!listed && !ruled)
        .then(|| "no entry lists variants and the language card has no rules of equivalence".to_owned())
}

/// Judges an output by the rules of the language card.
pub(super) fn judge(
    equivalence: &Equivalence<'_>,
    checker: Option<&mut FstChecker<'_>>,
    item: &Item<'_>,
) -> Judged {
    let found = equivalence.find(&item.output, &item.reference, &item.entry.variants, checker);
    let Some(found) = found else {
        return Judged::counts([u64::from(item.exact_match()), 1]);
    };
    let to = match found.to {
        EqualTo::Reference => json!("reference"),
        EqualTo::Variant(number) => json!(format!("variant {}", number + 1)),
    };
    let rules: Vec<&str> = found.rules.iter().map(|rule| rule.name()).collect();
    Judged::counts([1, 1]).with("to", to).with("rules", json!(rules))
}

/// Returns how many outputs each rule was needed for; a rule that was never needed is left out.
pub(crate) fn rules_fired(column: &Column) -> BTreeMap<String, u64> {
    let mut fired = BTreeMap::new();
    let lists = column.details.iter().filter_map(|details| details.get("rules"));
    let rules = lists
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str);
    for rule in rules {
        *fired.entry(rule.to_owned()).or_insert(0) += 1;
    }
    fired
}

/// Returns the column when only the corpus says what is acceptable.
pub(super) fn listed(items: &[Item<'_>]) -> Column {
    if items.iter().all(|item| item.entry.variants.is_empty()) {
        let reason = "no entry lists acceptable variants";
        return Column::unavailable(Part::EquivalentMatch, items.len(), reason);
    }
    Column::of_rows(items.iter().map(|item| [u64::from(equals_listed(item)), 1]))
}

fn equals_listed(item: &Item<'_>) -> bool {
    let is_variant = |variant: &String| nfc(variant).trim() == item.output.trim();
    item.exact_match() || (item.has_text() && item.entry.variants.iter().any(is_variant))
}
