//! Consistency: the same source passage translated the same way throughout a run.
use crate::detect::fold;
use crate::normalise;
use std::collections::BTreeMap;

/// What repeats in a run, and how often its commonest translation is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Consistency {
    /// Different sources that occur more than once.
    pub repeated: usize,
    /// Entries with one of them.
    pub entries: usize,
    /// Those that have the commonest translation of their source.
    pub agreeing: usize,
}

impl Consistency {
    /// Returns agreeing / entries; `None` where nothing repeats.
    pub fn rate(&self) -> Option<f64> {
        (self.entries > 0).then(|| self.agreeing as f64 / self.entries as f64)
    }
}

/// Compares the translations of sources that occur more than once; pairs of source and output.
pub fn consistency<'t>(pairs: impl IntoIterator<Item = (&'t str, &'t str)>) -> Consistency {
    let key = |text: &str| fold(&normalise::clean(text.trim()));
    let mut groups: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (source, output) in pairs {
        *groups
            .entry(key(source))
            .or_default()
            .entry(key(output))
            .or_default() += 1;
    }
    let mut result = Consistency::default();
    for outputs in groups.into_values() {
        let entries: usize = outputs.values().sum();
        if entries > 1 {
            result.repeated += 1;
            result.entries += entries;
            result.agreeing += outputs.into_values().max().unwrap_or(0);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_translation_of_a_repeated_source_agrees() {
        let pairs = [
            ("Menu", "Menü"),
            ("menu", "Menü"),
            ("Menu ", "Speisekarte"),
            ("Open", "Öffnen"),
        ];
        let found = consistency(pairs);
        assert_eq!((found.repeated, found.entries, found.agreeing), (1, 3, 2));
        assert_eq!(consistency([("a", "b")]).rate(), None);
    }
}
