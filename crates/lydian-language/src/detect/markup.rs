//! Web addresses and placeholders that were changed, lost or invented.
use super::tokens::Text;
use super::{Finding, FindingKind};
use crate::markup::MarkupKind;
use std::collections::BTreeMap;

pub(super) fn find(source: &Text, output: &Text) -> Option<Finding> {
    let mut evidence = Vec::new();
    for kind in [MarkupKind::Address, MarkupKind::Placeholder] {
        let (from, to) = (counted(source, kind), counted(output, kind));
        let pieces: Vec<&String> = from
            .keys()
            .chain(to.keys().filter(|p| !from.contains_key(*p)))
            .collect();
        for piece in pieces {
            let (before, after) = (from.get(piece).unwrap_or(&0), to.get(piece).unwrap_or(&0));
            if before != after {
                evidence.push(format!("{piece} {before}→{after}"));
            }
        }
    }
    (!evidence.is_empty()).then(|| Finding {
        kind: FindingKind::Markup,
        evidence: evidence.join(", "),
    })
}

fn counted(text: &Text, kind: MarkupKind) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for piece in text.pieces(kind) {
        *counts.entry(piece.trim_end_matches('/').to_owned()).or_default() += 1;
    }
    counts
}
