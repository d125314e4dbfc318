//! What a corpus holds: counts, lengths, scripts and a rough number of tokens.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use crate::corpus::Entry;
use crate::{Finite, Segment};

/// Statistics of a corpus.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Entries.
    pub entries: u64,
    /// Entries per segment; without one they count as the file's or as development.
    pub segments: BTreeMap<&'static str, u64>,
    /// Entries per difficulty, `none` for those without.
    pub difficulties: BTreeMap<String, u64>,
    /// Entries per domain.
    pub domains: BTreeMap<String, u64>,
    /// Entries per register.
    pub registers: BTreeMap<String, u64>,
    /// Entries per context.
    pub contexts: BTreeMap<String, u64>,
    /// Entries per provenance label.
    pub provenances: BTreeMap<String, u64>,
    /// Entries with acceptable variants.
    pub with_variants: u64,
    /// Entries with a gold morphological analysis.
    pub with_analysis: u64,
    /// The source side.
    pub source: Side,
    /// The reference side.
    pub reference: Side,
    /// Characters of all references per character of all sources.
    pub length_ratio: Option<Finite>,
}

/// Statistics of one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Extended grapheme clusters of a text.
    pub characters: Distribution,
    /// Words of a text, separated by white space.
    pub words: Distribution,
    /// Share of letters per script.
    pub scripts: BTreeMap<&'static str, Finite>,
    /// Tokens of all texts for a large language model: a rule of thumb by script that may be off by half.
    pub estimated_tokens: u64,
    /// Different texts.
    pub distinct: u64,
}

/// A distribution of lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// Sum.
    pub total: u64,
    /// Smallest.
    pub least: u32,
    /// Value that half of the texts do not exceed.
    pub median: u32,
    /// Value that 95 % of the texts do not exceed.
    pub p95: u32,
    /// Largest.
    pub most: u32,
}

/// Counts entries as they stream by; keeps their lengths, not their texts.
#[derive(Debug, Default)]
pub struct Counter {
    entries: u64,
    segments: BTreeMap<Option<Segment>, u64>,
    difficulties: BTreeMap<String, u64>,
    domains: BTreeMap<String, u64>,
    registers: BTreeMap<String, u64>,
    contexts: BTreeMap<String, u64>,
    provenances: BTreeMap<String, u64>,
    with_variants: u64,
    with_analysis: u64,
    sides: [SideCounter; 2],
}

#[derive(Debug, Default)]
struct SideCounter {
    characters: Vec<u32>,
    words: Vec<u32>,
    letters: BTreeMap<&'static str, u64>,
    /// Quarters of tokens.
    quarter_tokens: u64,
    digests: std::collections::BTreeSet<[u8; 8]>,
}

impl Counter {
    /// Counts an entry.
    pub fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        *self.segments.entry(entry.segment).or_default() += 1;
        let mut count = |table: fn(&mut Self) -> &mut BTreeMap<String, u64>, label: Option<String>| {
            let label = label.unwrap_or_else(|| "none".to_owned());
            *table(self).entry(label).or_default() += 1;
        };
        count(
            |c| &mut c.difficulties,
            entry.difficulty.map(|level| level.to_string()),
        );
        count(
            |c| &mut c.domains,
            entry.domain.map(|domain| domain.code().to_owned()),
        );
        count(|c| &mut c.registers, entry.register.clone());
        count(|c| &mut c.contexts, entry.context.clone());
        count(
            |c| &mut c.provenances,
            entry.provenance.as_ref().map(|from| from.label().to_owned()),
        );
        self.with_variants += u64::from(!entry.variants.is_empty());
        self.with_analysis += u64::from(entry.morphological_analysis.is_some());
        for (side, text) in self.sides.iter_mut().zip([&entry.source, &entry.reference]) {
            side.add(text);
        }
    }

    /// Returns the statistics; entries without a segment belong to `default_segment`.
    pub fn finish(self, default_segment: Option<Segment>) -> Statistics {
        let mut segments = BTreeMap::new();
        for (segment, count) in self.segments {
            let segment = segment.or(default_segment).unwrap_or_default();
            *segments.entry(segment.name()).or_default() += count;
        }
        let [source, reference] = self.sides.map(SideCounter::finish);
        let length_ratio = Finite::new(reference.characters.total as f64 / source.characters.total as f64);
        Statistics {
            entries: self.entries,
            segments,
            difficulties: self.difficulties,
            domains: self.domains,
            registers: self.registers,
            contexts: self.contexts,
            provenances: self.provenances,
            with_variants: self.with_variants,
            with_analysis: self.with_analysis,
            source,
            reference,
            length_ratio,
        }
    }
}

impl SideCounter {
    fn add(&mut self, text: &str) {
        let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.characters.push(length(text.graphemes(true).count()));
        self.words.push(length(text.split_whitespace().count()));
        for character in text.chars() {
            if character.is_alphabetic() {
                *self.letters.entry(character.script().full_name()).or_default() += 1;
            }
            self.quarter_tokens += quarter_tokens(character);
        }
        let mut key = [0; 8];
        key.copy_from_slice(&Sha256::digest(text.as_bytes())[..8]);
        self.digests.insert(key);
    }

    fn finish(self) -> Side {
        let letters: u64 = self.letters.values().sum();
        let scripts = self
            .letters
            .into_iter()
            .filter_map(|(script, count)| {
                Finite::new(count as f64 / letters as f64).map(|share| (script, share))
            })
            .collect();
        Side {
            characters: distribution(self.characters),
            words: distribution(self.words),
            scripts,
            estimated_tokens: self.quarter_tokens.div_ceil(4),
            distinct: self.digests.len() as u64,
        }
    }
}

/// Tokens of a character in quarters: four ASCII characters make a token, other Latin letters cost two quarters,
/// writing systems that tokenizers know little of three or a whole one.
fn quarter_tokens(character: char) -> u64 {
    match character {
        ' ' => 0,
        c if c.is_ascii() => 1,
        c => match c.script() {
            Script::Latin | Script::Common | Script::Inherited | Script::Cyrillic | Script::Greek => 2,
            Script::Arabic
            | Script::Hebrew
            | Script::Han
            | Script::Hangul
            | Script::Hiragana
            | Script::Katakana => 3,
            _ => 4,
        },
    }
}

fn distribution(mut lengths: Vec<u32>) -> Distribution {
    lengths.sort_unstable();
    let at = |share: usize| {
        let rank = (lengths.len() * share).div_ceil(100).max(1) - 1;
        lengths.get(rank).copied().unwrap_or_default()
    };
    Distribution {
        total: lengths.iter().map(|&length| u64::from(length)).sum(),
        least: lengths.first().copied().unwrap_or_default(),
        median: at(50),
        p95: at(95),
        most: lengths.last().copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryId;

    #[test]
    fn lengths_scripts_and_tokens_are_counted() {
        let mut counter = Counter::default();
        for (id, source, reference) in [
            (1, "a cat", "ᒥᓅᐢ"),
            (2, "two cats", "ᒥᓅᓴᐠ"),
            (3, "a cat", "e\u{301}"),
        ] {
            counter.add(&Entry::new(EntryId::integer(id), source, reference));
        }
        let statistics = counter.finish(Some(Segment::Diagnostic));
        assert_eq!(statistics.segments, BTreeMap::from([("diagnostic", 3)]));
        assert_eq!(statistics.difficulties, BTreeMap::from([("none".to_owned(), 3)]));
        let source = &statistics.source;
        assert_eq!(
            source.characters,
            Distribution {
                total: 18,
                least: 5,
                median: 5,
                p95: 8,
                most: 8
            }
        );
        assert_eq!(
            (source.distinct, source.words.total, source.estimated_tokens),
            (2, 6, 4)
        );
        assert_eq!(statistics.reference.characters.least, 1);
        let share = statistics.reference.scripts["Canadian_Aboriginal"].get();
        assert!((share - 7.0 / 8.0).abs() < 1e-12, "{share}");
    }

    #[test]
    fn nothing_has_no_ratio() {
        let statistics = Counter::default().finish(None);
        assert_eq!(statistics.length_ratio, None);
        assert_eq!(statistics.source.characters, Distribution::default());
    }
}
