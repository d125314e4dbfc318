//! Entries that belong together because they share a source or a reference.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use crate::Entry;

/// Returns groups of entry indices, each sorted by id: entries that share a text, directly or through others.
pub(super) fn of(entries: &[Entry]) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..entries.len()).collect();
    let mut first_with: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        for key in [(false, folded(&entry.source)), (true, folded(&entry.reference))] {
            match first_with.get(&key) {
                Some(&first) => {
                    let (one, other) = (root(&mut parents, first), root(&mut parents, index));
                    parents[one.max(other)] = one.min(other);
                }
                None => {
                    first_with.insert(key, index);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..entries.len() {
        groups.entry(root(&mut parents, index)).or_default().push(index);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    for group in &mut groups {
        // The first entry stands for the group; it must not depend on the order of the file.
        group.sort_by(|&one, &other| entries[one].id.cmp(&entries[other].id));
    }
    groups
}

fn root(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}

/// Case and composition do not make a text another one when leaks are at stake.
fn folded(text: &str) -> String {
    text.trim().nfc().flat_map(char::to_lowercase).collect()
}
