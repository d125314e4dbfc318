//! Splits a corpus into development, gold and held-out segments (B §2.3): stratified, reproducible, without leaks.

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::canonical::canonical_bytes;
use crate::corpus::{Corpus, Dataset, Entry};
use crate::vocabulary::Segment;
use crate::{Sha256Hex, agreeing, counted};

mod groups;

/// Schema name and version of the manifest.
pub const SCHEMA: &str = "lydian.corpus-split/1";
/// How entries are ordered before they are dealt out; a change of the procedure changes the name.
const ALGORITHM: &str = "sha256-order/1";
/// Top-level field of secret files that holds the canary string.
pub const CANARY_FIELD: &str = "canary";

/// Shares of the entries that have no segment of their own or are `development`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Per cent for `gold_standard`.
    pub gold_percent: u32,
    /// Per cent for `held_out`.
    pub held_out_percent: u32,
}

impl Default for Shares {
    fn default() -> Self {
        Self {
            gold_percent: 30,
            held_out_percent: 10,
        }
    }
}

/// Targets of a corpus that is split, beside the minimum sizes of B §2.3.
const TARGETS: [(Segment, usize); 3] = [
    (Segment::Development, 100),
    (Segment::GoldStandard, 50),
    (Segment::HeldOut, 10),
];

/// Why a corpus cannot be split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// The shares leave nothing for development.
    #[error("gold and held-out shares of {0} % leave nothing for development")]
    Shares(u32),
    /// A segment would be smaller than B §2.3 allows.
    #[error("too few entries ({entries}): {segment} would have {count}, it needs {least}")]
    TooFew {
        /// Entries to deal out.
        entries: usize,
        /// The segment's name.
        segment: &'static str,
        /// Entries it would have.
        count: usize,
        /// Entries it needs.
        least: usize,
    },
}

/// One segment as a corpus of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The segment.
    pub segment: Segment,
    /// Its entries with the envelope of the whole; secret ones carry the canary string.
    pub corpus: Corpus,
}

/// A split corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The parts that have entries, public ones first.
    pub parts: Vec<Part>,
    /// What the splitter remarks: small targets, texts that stood in several segments before.
    pub remarks: Vec<String>,
}

/// The public description of a split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Identifier of the whole corpus.
    pub dataset_id: String,
    /// Its version.
    pub dataset_version: String,
    /// Digest of the file that was split.
    pub source_sha256: Sha256Hex,
    /// Procedure.
    pub algorithm: &'static str,
    /// Seed.
    pub seed: u64,
    /// The parts.
    pub files: Vec<ManifestFile>,
}

/// One part in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ManifestFile {
    /// Segment.
    pub segment: Segment,
    /// Name of the file without its folder.
    pub file: String,
    /// Whether only the governance organisation holds it.
    pub secret: bool,
    /// Digest of the file's bytes.
    pub sha256: Sha256Hex,
    /// Entries.
    pub entries: u64,
    /// Entries per difficulty.
    pub difficulties: BTreeMap<String, u64>,
    /// Keyed commitments of the entries of a secret file, sorted, so that they tell neither order nor id.
    pub commitments: Vec<Sha256Hex>,
}

/// Deals the entries out. Entries that are `diagnostic` or secret already stay where they are.
///
/// Entries that share a source or a reference stay together. Within a difficulty the order is that of
/// SHA-256(`seed:id`), so that it depends on nothing but seed and id.
pub fn split(corpus: &Corpus, seed: u64, shares: Shares) -> Result<Split, SplitError> {
    let taken = shares.gold_percent + shares.held_out_percent;
    if taken >= 100 {
        return Err(SplitError::Shares(taken));
    }
    let groups = groups::of(&corpus.entries);
    let mut segments: Vec<Segment> = corpus.entries.iter().map(Entry::segment_or_default).collect();
    let mut remarks = Vec::new();
    let (open, fixed): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .partition(|group| group.iter().all(|&index| segments[index] == Segment::Development));
    let mixed = fixed
        .iter()
        .filter(|group| {
            let secret = group.iter().any(|&index| segments[index].is_secret());
            secret && group.iter().any(|&index| !segments[index].is_secret())
        })
        .count();
    if mixed > 0 {
        remarks.push(format!(
            "{} in a secret and in a public segment already: methods may have seen {}",
            counted(mixed as u64, "text stands", "texts stand"),
            agreeing(mixed as u64, "it", "them")
        ));
    }
    deal(corpus, open, seed, (shares, &mut segments));
    check_sizes(&segments, &mut remarks)?;
    let parts = [
        Segment::Development,
        Segment::Diagnostic,
        Segment::GoldStandard,
        Segment::HeldOut,
    ]
    .into_iter()
    .filter_map(|segment| part(corpus, segment, &segments))
    .collect();
    Ok(Split { parts, remarks })
}

/// A group of entries and the digest by which it is ordered.
type OrderedGroup = ([u8; 32], Vec<usize>);

/// Assigns groups of entries to gold and held-out, difficulty by difficulty; the rest stays development.
fn deal(corpus: &Corpus, groups: Vec<Vec<usize>>, seed: u64, (shares, segments): (Shares, &mut [Segment])) {
    let mut strata: BTreeMap<Option<u8>, Vec<OrderedGroup>> = BTreeMap::new();
    for group in groups {
        let first = &corpus.entries[group[0]];
        let key = Sha256::digest(format!("{seed}:{}", first.id)).into();
        strata.entry(first.difficulty).or_default().push((key, group));
    }
    let total: usize = strata.values().flatten().map(|(_, group)| group.len()).sum();
    let wanted = |percent: u32, least: usize| (total * percent as usize).div_ceil(100).max(least.min(total));
    let mut gold = Quota::new(
        wanted(shares.gold_percent, Segment::GoldStandard.minimum_entries()),
        total,
    );
    let mut held_out = Quota::new(
        wanted(shares.held_out_percent, Segment::HeldOut.minimum_entries()),
        total,
    );
    for groups in strata.values_mut() {
        groups.sort_unstable();
        let size = groups.iter().map(|(_, group)| group.len()).sum();
        let (mut gold_left, mut held_out_left) = (gold.next(size), held_out.next(size));
        for (_, group) in groups.iter() {
            let segment = if gold_left >= group.len() {
                gold_left -= group.len();
                Segment::GoldStandard
            } else if held_out_left >= group.len() {
                held_out_left -= group.len();
                Segment::HeldOut
            } else {
                Segment::Development
            };
            for &index in group {
                segments[index] = segment;
            }
        }
        gold.carry(gold_left);
        held_out.carry(held_out_left);
    }
}

/// Spreads a number of entries over strata in proportion to their sizes, without losing any to rounding.
struct Quota {
    wanted: usize,
    total: usize,
    seen: usize,
    given: usize,
}

impl Quota {
    const fn new(wanted: usize, total: usize) -> Self {
        Self {
            wanted,
            total,
            seen: 0,
            given: 0,
        }
    }

    /// Returns the share of the next stratum.
    fn next(&mut self, size: usize) -> usize {
        self.seen += size;
        let due = (self.wanted * self.seen).div_ceil(self.total.max(1));
        let share = due.saturating_sub(self.given).min(size);
        self.given += share;
        share
    }

    /// Gives back what a stratum could not use because its groups were too large.
    const fn carry(&mut self, unused: usize) {
        self.given -= unused;
    }
}

fn check_sizes(segments: &[Segment], remarks: &mut Vec<String>) -> Result<(), SplitError> {
    for (segment, target) in TARGETS {
        let count = segments.iter().filter(|&&one| one == segment).count();
        let least = segment.minimum_entries();
        if count < least {
            return Err(SplitError::TooFew {
                entries: segments.len(),
                segment: segment.name(),
                count,
                least,
            });
        }
        if count < target {
            remarks.push(format!(
                "{} has {}; {target} or more are better",
                segment.name(),
                counted(count as u64, "entry", "entries")
            ));
        }
    }
    Ok(())
}

fn part(corpus: &Corpus, segment: Segment, segments: &[Segment]) -> Option<Part> {
    let entries: Vec<Entry> = corpus
        .entries
        .iter()
        .zip(segments)
        .filter(|(_, of)| **of == segment)
        .map(|(entry, _)| Entry {
            segment: Some(segment),
            ..entry.clone()
        })
        .collect();
    if entries.is_empty() {
        return None;
    }
    let mut provenance: Vec<String> = entries
        .iter()
        .filter_map(|entry| entry.provenance.as_ref().map(|from| from.label().to_owned()))
        .collect();
    provenance.sort_unstable();
    provenance.dedup();
    let dataset = Dataset {
        id: format!("{}-{}", corpus.dataset.id, segment.name().replace('_', "-")),
        provenance,
        ..corpus.dataset.clone()
    };
    Some(Part {
        segment,
        corpus: Corpus {
            dataset,
            entries,
            extra: corpus.extra.clone(),
        },
    })
}

/// The custodians' key: commitments and canary strings cannot be computed or guessed without it.
#[derive(Clone)]
pub struct CommitmentKey([u8; 32]);

impl CommitmentKey {
    /// Returns a key of 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the key written as 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            if !pair.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Returns the commitment of an entry: HMAC-SHA256 of its canonical JSON.
    pub fn commit(&self, entry: &Entry) -> Sha256Hex {
        self.authenticate(&canonical_bytes(entry))
    }

    /// Returns the canary string of a secret file: found in a model's output, it shows that the file leaked.
    pub fn canary(&self, dataset_id: &str) -> String {
        let code = self.authenticate(format!("canary:{dataset_id}").as_bytes());
        format!(
            "LYDIAN CANARY {}: this file is secret and must not be used for training",
            &code.as_str()[..32]
        )
    }

    fn authenticate(&self, bytes: &[u8]) -> Sha256Hex {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(bytes);
        Sha256Hex::from_digest(&mac.finalize().into_bytes())
    }
}

impl std::fmt::Debug for CommitmentKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CommitmentKey(…)")
    }
}

impl Part {
    /// Puts the canary string into a secret part.
    pub fn mark(&mut self, key: &CommitmentKey) {
        if self.segment.is_secret() {
            let canary = key.canary(&self.corpus.dataset.id);
            self.corpus
                .extra
                .insert(CANARY_FIELD.to_owned(), Value::String(canary));
        }
    }

    /// Returns the part's line of the manifest; secret parts need the key.
    pub fn describe(&self, file: &str, bytes: &[u8], key: Option<&CommitmentKey>) -> ManifestFile {
        let entries = &self.corpus.entries;
        let mut difficulties = BTreeMap::new();
        for entry in entries {
            let level = entry
                .difficulty
                .map_or_else(|| "none".to_owned(), |level| level.to_string());
            *difficulties.entry(level).or_default() += 1;
        }
        let mut commitments: Vec<Sha256Hex> = match key {
            Some(key) if self.segment.is_secret() => entries.iter().map(|entry| key.commit(entry)).collect(),
            _ => Vec::new(),
        };
        commitments.sort_unstable();
        ManifestFile {
            segment: self.segment,
            file: file.to_owned(),
            secret: self.segment.is_secret(),
            sha256: Sha256Hex::of(bytes),
            entries: entries.len() as u64,
            difficulties,
            commitments,
        }
    }
}

impl Manifest {
    /// Returns the manifest of a split.
    pub fn new(whole: &Dataset, source_sha256: Sha256Hex, seed: u64, files: Vec<ManifestFile>) -> Self {
        Self {
            schema: SCHEMA,
            dataset_id: whole.id.clone(),
            dataset_version: whole.version.clone(),
            source_sha256,
            algorithm: ALGORITHM,
            seed,
            files,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryId;

    fn corpus(count: i64) -> Corpus {
        let entries = (0..count)
            .map(|number| Entry {
                difficulty: Some(u8::try_from(number % 5 + 1).unwrap()),
                ..Entry::new(
                    EntryId::integer(number),
                    format!("source {number}"),
                    format!("reference {number}"),
                )
            })
            .collect();
        Corpus {
            dataset: Dataset {
                id: "toy".into(),
                ..Dataset::default()
            },
            entries,
            extra: serde_json::Map::new(),
        }
    }

    fn sizes(split: &Split) -> Vec<(Segment, usize)> {
        split
            .parts
            .iter()
            .map(|part| (part.segment, part.corpus.entries.len()))
            .collect()
    }

    #[test]
    fn shares_hold_in_total_and_in_every_difficulty() {
        let split = split(&corpus(500), 7, Shares::default()).unwrap();
        assert_eq!(
            sizes(&split),
            [
                (Segment::Development, 300),
                (Segment::GoldStandard, 150),
                (Segment::HeldOut, 50)
            ]
        );
        for part in &split.parts {
            for level in 1..=5 {
                let count = part
                    .corpus
                    .entries
                    .iter()
                    .filter(|entry| entry.difficulty == Some(level))
                    .count();
                assert_eq!(count * 5, part.corpus.entries.len(), "{:?} {level}", part.segment);
            }
        }
        assert!(split.remarks.is_empty());
    }

    #[test]
    fn the_split_depends_on_seed_and_ids_only() {
        let whole = corpus(200);
        let mut reversed = whole.clone();
        reversed.entries.reverse();
        let ids = |corpus: &Corpus, seed| -> Vec<Vec<String>> {
            let split = split(corpus, seed, Shares::default()).unwrap();
            let sorted = |part: &Part| {
                let mut ids: Vec<String> = part
                    .corpus
                    .entries
                    .iter()
                    .map(|entry| entry.id.to_string())
                    .collect();
                ids.sort();
                ids
            };
            split.parts.iter().map(sorted).collect()
        };
        assert_eq!(ids(&whole, 1), ids(&reversed, 1));
        assert_ne!(ids(&whole, 1), ids(&whole, 2));
    }

    #[test]
    fn entries_with_a_common_text_are_never_torn_apart() {
        let mut whole = corpus(300);
        for index in 0..100 {
            whole.entries[3 * index + 1].source = whole.entries[3 * index].source.to_uppercase();
            whole.entries[3 * index + 2].reference = format!("{} ", whole.entries[3 * index + 1].reference);
        }
        let split = split(&whole, 1, Shares::default()).unwrap();
        for part in &split.parts {
            for entry in &part.corpus.entries {
                let number: usize = entry.id.as_str().parse().unwrap();
                let first = (number - number % 3).to_string();
                assert!(
                    part.corpus.entries.iter().any(|other| other.id.as_str() == first),
                    "{number}"
                );
            }
        }
    }

    #[test]
    fn entries_with_a_segment_of_their_own_stay_there() {
        let mut whole = corpus(300);
        whole.entries[0].segment = Some(Segment::Diagnostic);
        whole.entries[1].segment = Some(Segment::HeldOut);
        whole.entries[2].segment = Some(Segment::GoldStandard);
        whole.entries[3].source = whole.entries[2].source.clone();
        let split = split(&whole, 1, Shares::default()).unwrap();
        let of = |index: usize| {
            let id = whole.entries[index].id.clone();
            split
                .parts
                .iter()
                .find(|part| part.corpus.entries.iter().any(|e| e.id == id))
                .unwrap()
                .segment
        };
        assert_eq!(
            [of(0), of(1), of(2), of(3)],
            [
                Segment::Diagnostic,
                Segment::HeldOut,
                Segment::GoldStandard,
                Segment::Development
            ]
        );
        assert!(split.remarks[0].starts_with("1 text stands in a secret and in a public segment already"));
    }

    #[test]
    fn too_few_entries_are_refused_and_small_segments_remarked() {
        assert!(matches!(
            split(&corpus(80), 1, Shares::default()),
            Err(SplitError::TooFew { .. })
        ));
        let split_small = split(&corpus(100), 1, Shares::default()).unwrap();
        assert_eq!(
            split_small.remarks,
            ["development has 40 entries; 100 or more are better"]
        );
        let greedy = Shares {
            gold_percent: 70,
            held_out_percent: 30,
        };
        assert_eq!(split(&corpus(500), 1, greedy), Err(SplitError::Shares(100)));
    }

    #[test]
    fn commitments_need_the_key_and_tell_no_order() {
        let mut parts = split(&corpus(200), 1, Shares::default()).unwrap().parts;
        let key = CommitmentKey::parse(&"0b".repeat(32)).unwrap();
        let other = CommitmentKey::new([1; 32]);
        let gold = &mut parts[1];
        gold.mark(&key);
        assert!(
            gold.corpus.extra[CANARY_FIELD]
                .as_str()
                .unwrap()
                .starts_with("LYDIAN CANARY ")
        );
        let line = gold.describe("gold.json", b"bytes", Some(&key));
        assert!(line.secret && line.commitments.is_sorted());
        assert_eq!(line.commitments.len() as u64, line.entries);
        assert!(line.commitments.contains(&key.commit(&gold.corpus.entries[0])));
        assert!(!line.commitments.contains(&other.commit(&gold.corpus.entries[0])));
        assert!(
            parts[0]
                .describe("dev.json", b"", Some(&key))
                .commitments
                .is_empty()
        );
    }

    #[test]
    fn the_authentication_code_is_that_of_rfc_4231() {
        // Test case 2 has a key shorter than 32 bytes; HMAC pads keys with zeros, so the padded key is the same.
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(b"Jefe");
        let code = CommitmentKey::new(bytes).authenticate(b"what do ya want for nothing?");
        assert_eq!(
            code.as_str(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert!(CommitmentKey::parse("xyz").is_none());
        assert!(CommitmentKey::parse(&"+1".repeat(32)).is_none());
    }
}
