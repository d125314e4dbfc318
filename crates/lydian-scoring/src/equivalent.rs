//! Equivalent match: outputs that equal the reference or an acceptable variant of it (B §4.1).

use crate::evidence::{Column, Part};
use crate::item::{Item, nfc};

/// Returns for each entry whether its output is one of the translations the corpus accepts.
pub(crate) fn matches(items: &[Item<'_>]) -> Column {
    if items.iter().all(|item| item.entry.variants.is_empty()) {
        let reason = "no entry lists acceptable variants";
        return Column::unavailable(Part::EquivalentMatch, items.len(), reason);
    }
    Column::of_rows(items.iter().map(|item| [u64::from(is_match(item)), 1]))
}

fn is_match(item: &Item<'_>) -> bool {
    let is_variant = |variant: &String| nfc(variant).trim() == item.output.trim();
    item.exact_match() || (item.has_text() && item.entry.variants.iter().any(is_variant))
}
