//! Counts over all entries, from which a corpus is judged as a whole.

use std::collections::BTreeMap;

use super::text::{Form, form};
use crate::corpus::Entry;
use crate::{Domain, EntryId, Segment};

/// Distinct registers and provenance tags that are kept apart; more are not counted by name.
const MAX_LABELS: usize = 1_000;
/// Ids named as examples of a finding.
const EXAMPLES: usize = 3;

/// Entries that lack something or have something, with a few ids as examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// How many.
    pub count: u64,
    /// The ids of the first ones.
    pub first: Vec<EntryId>,
}

impl Marked {
    fn add(&mut self, id: &EntryId) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first.push(id.clone());
        }
    }

    /// Returns the examples as text: `4, 7, 9, …`.
    pub(super) fn examples(&self) -> String {
        let ids: Vec<String> = self.first.iter().map(ToString::to_string).collect();
        let more = if self.count > ids.len() as u64 {
            ", …"
        } else {
            ""
        };
        format!("{}{more}", ids.join(", "))
    }
}

/// Counts over the entries of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Entries.
    pub entries: u64,
    /// Entries per segment; those without one count where the file or the default puts them.
    pub segments: BTreeMap<Segment, u64>,
    /// Entries per difficulty.
    pub difficulties: BTreeMap<u8, u64>,
    /// Entries per domain.
    pub domains: BTreeMap<Domain, u64>,
    /// Entries per register.
    pub registers: BTreeMap<String, u64>,
    /// Entries per provenance label.
    pub provenances: BTreeMap<String, u64>,
    /// Entries without a segment of their own.
    pub without_segment: Marked,
    /// Entries without difficulty.
    pub without_difficulty: Marked,
    /// Entries without provenance.
    pub without_provenance: Marked,
    /// Entries without register.
    pub without_register: Marked,
    /// Entries without domain.
    pub without_domain: Marked,
    /// Entries with a gold morphological analysis.
    pub with_analysis: u64,
    /// Entries with acceptable variants or a variant class.
    pub with_variants: u64,
    /// Diagnostic entries that name their phenomenon in notes, variant class or a field `phenomenon`.
    pub with_phenomenon: u64,
    /// Texts in composed and decomposed form, source side first.
    pub(super) forms: [Forms; 2],
}

/// Texts of one side by normalisation form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forms {
    pub(super) composed: Marked,
    pub(super) decomposed: Marked,
}

impl Tally {
    pub(super) fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        match entry.segment {
            Some(segment) => *self.segments.entry(segment).or_default() += 1,
            None => self.without_segment.add(&entry.id),
        }
        match entry.difficulty {
            Some(level) => *self.difficulties.entry(level).or_default() += 1,
            None => self.without_difficulty.add(&entry.id),
        }
        match entry.domain {
            Some(domain) => *self.domains.entry(domain).or_default() += 1,
            None => self.without_domain.add(&entry.id),
        }
        match &entry.register {
            Some(register) => count_label(&mut self.registers, register),
            None => self.without_register.add(&entry.id),
        }
        match &entry.provenance {
            Some(provenance) => count_label(&mut self.provenances, provenance.label()),
            None => self.without_provenance.add(&entry.id),
        }
        self.with_analysis += u64::from(entry.morphological_analysis.is_some());
        self.with_variants += u64::from(!entry.variants.is_empty() || entry.variant_class.is_some());
        let named =
            entry.notes.is_some() || entry.variant_class.is_some() || entry.extra.contains_key("phenomenon");
        self.with_phenomenon += u64::from(named && entry.segment == Some(Segment::Diagnostic));
        for (side, text) in self.forms.iter_mut().zip([&entry.source, &entry.reference]) {
            match form(text) {
                Form::Either => {}
                Form::Composed => side.composed.add(&entry.id),
                Form::Decomposed => side.decomposed.add(&entry.id),
            }
        }
    }

    pub(super) fn assign_default_segment(&mut self, stated: Option<Segment>) {
        if self.without_segment.count > 0 {
            *self.segments.entry(stated.unwrap_or_default()).or_default() += self.without_segment.count;
        }
        if stated.is_some() {
            self.without_segment = Marked::default();
        }
    }
}

fn count_label(counts: &mut BTreeMap<String, u64>, label: &str) {
    if let Some(count) = counts.get_mut(label) {
        *count += 1;
    } else if counts.len() < MAX_LABELS {
        counts.insert(label.to_owned(), 1);
    }
}
